"""The proof of a tournament: sound when nothing was touched, and it names whatever was."""

import pytest
from django.core.management import CommandError, call_command

from ladder.matches import leases, results
from ladder.matches.models import Match, Seat, StoredRecord
from ladder.tournaments import drawing, services
from ladder.tournaments.models import SheetRow, Table, Tournament
from ladder.tournaments.services import Wishes
from ladder.tournaments.verification import verify_tournament
from tests.ladder.api.world import truly_played
from tests.ladder.cast import make_ladder, make_user, make_version

pytestmark = pytest.mark.django_db


def cup(bots=3, **wishes):
    """A tournament whose games were really played, by dice."""
    organiser = make_user("olga", "organiser")
    made = services.create_tournament(by=organiser, wishes=Wishes(name="Cup", ladder=make_ladder("gatsby"), **wishes))
    for _ in range(bots):
        services.enter(made, make_version(game="gatsby").bot, by=organiser)
    services.start(made, by=organiser)
    drawing.advance_all()
    while claim := leases.claim_match(worker="host/1"):
        assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=truly_played(claim.order))
        drawing.advance_all()
    return Tournament.objects.select_related("ladder").get()


def problems(tournament):
    return list(verify_tournament(tournament))[-1].problems


@pytest.mark.parametrize(
    "wishes", [{}, {"format": "swiss", "bots": 5}, {"format": "knockout", "bots": 5}, {"all_rotations": False}]
)
def test_an_untouched_tournament_verifies_and_every_record_is_played_again(wishes):
    tournament = cup(**wishes)
    assert tournament.status == "finished"
    proof = list(verify_tournament(tournament))[-1]
    assert proof.problems == []
    assert proof.records == Match.objects.count() > 0


TRICKS = {
    "listed with the ranks": lambda: Seat.objects.filter(pk=Seat.objects.first().pk).update(rank=3),
    "not JSON": lambda: StoredRecord.objects.filter(match=nth(0)).update(content=b"rubbish"),
    "has no record": lambda: StoredRecord.objects.filter(match=nth(0)).delete(),
    "a seed that is not": lambda: StoredRecord.objects.filter(match=nth(0)).update(content=record_of(4)),
    "versions that are not": lambda: StoredRecord.objects.filter(match=nth(0)).update(content=record_of(1)),
    "a digest that is not": lambda: Match.objects.filter(pk=nth(0)).update(digest="0" * 64),
    "results that differ from its records": lambda: Table.objects.filter(number=1).update(results=[]),
    "drawn was": lambda: Table.objects.filter(number=1).update(entrants=Table.objects.get(number=1).entrants[::-1]),
    "was not played": lambda: Table.objects.filter(number=2).delete(),
    "was voided": lambda: Match.objects.filter(pk=nth(0)).update(status="void", reason="a favour"),
    "standings shown": lambda: SheetRow.objects.filter(position=0).update(points=99),
    "match its commitment": lambda: Tournament.objects.update(seed_commitment="0" * 64),
    "one for each of 2 seatings": lambda: Match.objects.filter(pk=nth(0)).update(rotation=7),
}


def nth(index):
    return Match.objects.order_by("pk")[index].pk


def record_of(index):
    return bytes(StoredRecord.objects.get(match=nth(index)).content)


@pytest.mark.parametrize("told", TRICKS)
def test_whatever_was_changed_afterwards_is_named(told):
    tournament = cup()
    TRICKS[told]()
    tournament.refresh_from_db()
    assert any(told in problem for problem in problems(tournament)), problems(tournament)
    with pytest.raises(CommandError, match="does not verify"):
        call_command("verify_tournament", str(tournament.pk))


def test_a_tournament_that_has_not_begun_or_does_not_exist_is_told_so():
    organiser = make_user("olga", "organiser")
    draft = services.create_tournament(by=organiser, wishes=Wishes(name="Cup", ladder=make_ladder("gatsby")))
    with pytest.raises(CommandError, match="nothing to verify yet"):
        call_command("verify_tournament", str(draft.pk))
    with pytest.raises(CommandError, match="no tournament 999"):
        call_command("verify_tournament", "999")


def test_a_running_tournament_verifies_as_far_as_it_has_come():
    tournament = cup()
    last = Table.objects.order_by("number").last()
    Table.objects.filter(pk=last.pk).update(is_settled=False, results=[])
    Tournament.objects.update(status="running", tables_settled=2, sheet_settled=2)
    tournament.refresh_from_db()
    assert problems(tournament) == []
