from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ladder.ladders.models import Ladder
from ladder.matches.models import Lane, Match, MatchSet
from ladder.matches.services import pause_ladder, resume_ladder
from ladder.matchmaking import services
from ladder.matchmaking.services import contenders, doubt_about, met_since, pair_all
from ladder.qualifying.models import Trial
from ladder.ratings.fits import fit_ladder
from ladder.ratings.models import Fit, Standing
from ladder.ratings.services import rate_all
from ladder.submissions.models import Bot
from tests.ladder.cast import enrol, make_ladder, make_user, make_version, play, queue, shown_at

pytestmark = pytest.mark.django_db


def test_the_beat_queues_whole_sets_of_one_seed_and_all_rotations(ladder: Ladder) -> None:
    enrol(ladder, 4)
    assert pair_all(Random(1)) > 0
    match_set = MatchSet.objects.order_by("pk").first()
    seatings = [
        list(match.seats.order_by("seat").values_list("version", flat=True)) for match in match_set.matches.all()
    ]
    assert len(seatings) == 2
    assert seatings[0] == seatings[1][::-1]
    assert match_set.seed.isdecimal()


@pytest.mark.parametrize(("owner", "do_meet"), [("ann", False), ("house", True), ("", True)])
def test_bots_of_one_owner_do_not_meet_but_those_of_the_house_do(ladder: Ladder, owner: str, do_meet: bool) -> None:
    enrol(ladder, 4)
    Bot.objects.update(owner=make_user(owner) if owner else None)
    assert bool(pair_all(Random(1))) == do_meet


def test_bots_of_one_owner_meet_a_stranger(ladder: Ladder) -> None:
    mine, stranger = enrol(ladder, 4), enrol(ladder, 1)[0]
    Bot.objects.filter(versions__in=mine).update(owner=make_user("ann"))
    assert pair_all(Random(1)) > 0
    for match in Match.objects.all():
        assert stranger.pk in match.seats.values_list("version", flat=True)


def test_an_owner_with_many_bots_does_not_hide_the_others(ladder: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "NEIGHBOURS", 2)
    monkeypatch.setattr(services, "ASKERS", 3)
    enrol(ladder, 6)
    Bot.objects.update(owner=make_user("ann"))
    far = enrol(ladder, 1)[0]
    Standing.objects.filter(version=far).update(**shown_at(60), mu=60, sigma=0.5)
    assert far.pk in {each.version for each in contenders(ladder)}


def test_a_full_queue_gets_no_more(ladder: Ladder) -> None:
    enrol(ladder, 20)
    while pair_all(Random(1)):
        pass
    queued = Match.objects.count()
    assert pair_all(Random(2)) == 0
    assert 0 < queued <= 20


def test_a_closed_or_paused_ladder_is_left_alone(ladder: Ladder) -> None:
    enrol(ladder, 4)
    pause_ladder(ladder)
    assert pair_all() == 0
    resume_ladder(ladder)
    Ladder.objects.update(is_open=False)
    assert pair_all() == 0


def test_pausing_holds_what_is_queued_and_resuming_lets_it_go(ladder: Ladder) -> None:
    enrol(ladder, 4)
    pair_all()
    pause_ladder(ladder)
    assert not Match.objects.filter(is_held=False).exists()
    resume_ladder(ladder)
    assert not Match.objects.filter(is_held=True).exists()


def test_those_who_ask_side_by_side_share_their_neighbours(ladder: Ladder) -> None:
    for place, version in enumerate(enrol(ladder, 50)):
        Standing.objects.filter(version=version).update(**shown_at(place), mu=place, sigma=0.5)
    Standing.objects.filter(mu__gte=20, mu__lt=28).update(sd=3.0)
    with CaptureQueriesContext(connection) as queries:
        found = {each.mu for each in contenders(ladder)}
    assert len(queries) <= 6  # three for who asks, two for neighbours, one for what is pending
    assert {float(mu) for mu in range(10, 38)} <= found


def test_a_version_under_retest_or_unlisted_is_no_contender(ladder: Ladder) -> None:
    one, other, third = enrol(ladder, 3)
    Trial.objects.create(version=one, ladder=ladder, kind="self", occasion="retest", order=1)
    Standing.objects.filter(version=other).update(is_listed=False)
    assert [each.version for each in contenders(ladder)] == [third.pk]


def test_a_quiet_ladder_costs_three_queries(ladder: Ladder) -> None:
    enrol(ladder, 6)
    Standing.objects.update(**shown_at(25))
    with CaptureQueriesContext(connection) as queries:
        assert contenders(ladder) == []
    assert len(queries) <= 3


def test_at_the_start_of_a_season_everybody_asks_again_however_well_the_last_one_knew_them(ladder: Ladder) -> None:
    enrol(ladder, 4)
    Standing.objects.update(**shown_at(25, is_provisional=True))
    assert pair_all(Random(1)) > 0


def test_a_ladder_is_quiet_by_what_the_fit_knows_whatever_trueskill_believes(ladder: Ladder) -> None:
    enrol(ladder, 6)
    Standing.objects.update(**shown_at(25, sd=1.5), sigma=0.5)
    assert pair_all(Random(1)) > 0
    Match.objects.all().delete()
    Standing.objects.update(**shown_at(25, sd=0.9), sigma=5)
    assert pair_all(Random(1)) == 0


def test_who_may_or_may_not_be_among_the_ten_best_asks_for_more(ladder: Ladder) -> None:
    versions = enrol(ladder, 12)
    for place, version in enumerate(versions, start=1):
        shown = shown_at(40 - place) | {"place_low": place, "place_high": place, "mu": 40 - place}
        Standing.objects.filter(version=version).update(**shown)
    assert contenders(ladder) == []
    Standing.objects.filter(version__in=versions[9:11]).update(place_low=10, place_high=11)
    assert {each.version for each in contenders(ladder) if each.is_contested} == {each.pk for each in versions[9:11]}
    assert pair_all(Random(1)) > 0
    Standing.objects.update(matches=400)
    assert contenders(ladder) == []


@pytest.fixture
def fitted() -> Ladder:
    """A ladder of four bots with six matches each, all of which a fit knows."""
    ladder = make_ladder("gatsby", 2)
    for one, other in combinations(enrol(ladder, 4), 2):
        play(ladder, one, other, ranks=(1, 2))
        play(ladder, other, one, ranks=(1, 2))
    rate_all()
    ladder.refresh_from_db()
    assert fit_ladder(ladder)
    return ladder


def test_what_a_fit_leaves_open_decides_who_meets(fitted: Ladder) -> None:
    doubt = doubt_about(contenders(fitted), fitted)
    assert doubt is not None
    versions = list(fitted.standings.values_list("version_id", flat=True))
    assert len(doubt.best_table(versions, set(versions), 2, lambda one, other: True)) == 2


def test_without_a_fit_or_with_an_old_one_pairing_goes_by_mu(fitted: Ladder) -> None:
    found = contenders(fitted)
    fitted.rated_through += 100
    assert doubt_about(found, fitted) is None
    fitted.rated_through -= 100
    Fit.objects.update(is_stale=True)
    assert doubt_about(found, fitted) is None
    Fit.objects.all().delete()
    assert doubt_about(found, fitted) is None
    assert pair_all(Random(1)) > 0


@pytest.mark.parametrize("count", [0, 1])
def test_a_ladder_of_one_bot_or_none_has_nothing_to_pair(ladder: Ladder, count: int) -> None:
    enrol(ladder, count)
    assert pair_all(Random(1)) == 0
    assert doubt_about([], ladder) is None


def test_pairs_are_known_by_their_matches_since_the_fit_and_those_to_come(fitted: Ladder) -> None:
    versions = [each.version for each in fitted.standings.order_by("version").select_related("version")]
    through = fitted.rated_through
    assert met_since(through, fitted) == {}
    play(fitted, versions[0], versions[1], ranks=(1, 2))
    rate_all()
    fitted.refresh_from_db()
    queue(fitted, versions[1], versions[0])
    queue(fitted, versions[2], versions[3])
    queue(fitted, versions[0], versions[3], lane=Lane.REQUEST, is_rated=False)
    one, other, third, last = (each.pk for each in versions)
    assert met_since(through, fitted) == {(one, other): 2.0, (third, last): 1.0}


def test_a_newcomer_on_a_large_known_ladder_meets_its_neighbours(ladder: Ladder) -> None:
    for place, version in enumerate(enrol(ladder, 90)):
        Standing.objects.filter(version=version).update(**shown_at(place), mu=place, sigma=0.5)
    newcomer = make_version()
    Standing.objects.create(ladder=ladder, version=newcomer, bot=newcomer.bot, mu=45.5, is_listed=True)
    found = {each.version: each.mu for each in contenders(ladder)}
    assert newcomer.pk in found
    assert 20 <= len(found) <= 60
    assert all(abs(mu - 45.5) < 30 for mu in found.values())
