"""Bad input and the wrong moment: a clear refusal, and nothing changes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from ladder.qualifying.activation import withdraw
from ladder.refusals import Refused
from ladder.submissions.models import BotVersion
from ladder.tournaments import drawing, services
from ladder.tournaments.models import Entrant, Tournament
from ladder.tournaments.services import AlreadyEntered, Wishes
from tests.ladder.cast import enrol, make_ladder, make_user, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder():
    return make_ladder("gatsby")


@pytest.fixture
def organiser():
    return make_user("olga", "organiser")


def make(ladder, organiser, **wishes):
    return services.create_tournament(by=organiser, wishes=Wishes(**{"name": "Cup", "ladder": ladder, **wishes}))


def opened(ladder, organiser, bots=2, **wishes):
    cup = make(ladder, organiser, **wishes)
    services.open_entries(cup, by=organiser)
    for _ in range(bots):
        services.enter(cup, make_version(game="gatsby").bot, by=organiser)
    return cup


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({"name": "  "}, "1 to 80 characters"),
        ({"name": "x" * 81}, "1 to 80 characters"),
        ({"name": "\u200b\u2060"}, "can't be shown"),
        ({"name": "Cup\nlevel=error"}, "can't be shown"),
        ({"name": "Cup \u202epuC"}, "can't be shown"),
        ({"name": "\u2066Cup"}, "can't be shown"),
        ({"format": "lottery"}, "lottery"),
        ({"entry": "bribe"}, "bribe"),
        ({"cycles": 0}, "cycles can't be 0"),
        ({"cycles": 21}, "cycles can't be 21"),
        ({"format": "swiss", "rounds": 51}, "rounds can't be 51"),
        ({"format": "knockout", "best_of": 99}, "best of can't be 99"),
        ({"format": "gauntlet"}, "needs a champion"),
        ({"points": [1, 0.5, 0]}, "one number for each of 2 ranks"),
        ({"points": [0, 1]}, "must fall"),
        ({"points": [1, 1]}, "nobody could win"),
        ({"points": [float("nan"), 0]}, "must fall"),
        ({"seed": 2**256}, "seed"),
        ({"entries_until": timezone.now() - timedelta(hours=1)}, "is past"),
    ],
)
def test_wishes_that_cannot_be_played_are_refused_with_the_value(ladder, organiser, wishes, told):
    with pytest.raises(Refused, match=told):
        make(ladder, organiser, **wishes)
    assert not Tournament.objects.exists()


def test_rated_tournaments_are_the_organisers(ladder):
    with pytest.raises(Refused, match="for organisers"):
        make(ladder, make_user("ann"), is_rated=True)


def test_an_author_has_a_quota_of_unfinished_tournaments(ladder, settings):
    settings.TOURNAMENTS_A_USER = 1
    ann = make_user("ann")
    cup = make(ladder, ann)
    with pytest.raises(Refused, match="limit is 1"):
        make(ladder, ann)
    services.cancel(cup, by=ann)
    assert make(ladder, ann).status == "draft"


def test_a_start_with_too_few_entrants_is_refused_and_can_be_tried_again(ladder, organiser):
    cup = opened(ladder, organiser, bots=1)
    with pytest.raises(Refused, match="1 entrants are too few"):
        services.start(cup, by=organiser)
    cup.refresh_from_db()
    assert cup.status == "open"
    services.enter(cup, make_version(game="gatsby").bot, by=organiser)
    services.start(cup, by=organiser)


@pytest.mark.parametrize("status", ["withdrawn", "quarantined", "rejected", "received"])
def test_a_version_that_may_not_play_cannot_enter(ladder, organiser, status):
    cup = opened(ladder, organiser)
    version = make_version(game="gatsby", status=status)
    with pytest.raises(Refused, match=r"no active version|only qualified"):
        services.enter(cup, version.bot, by=organiser, version=version)
    assert cup.entrants.count() == 2


def test_a_bot_of_another_game_cannot_enter(ladder, organiser):
    with pytest.raises(Refused, match="is for gatsby"):
        services.enter(opened(ladder, organiser), make_version(game="capone").bot, by=organiser)


def test_entering_twice_is_one_entry_with_the_newer_version(ladder, organiser):
    cup = opened(ladder, organiser, bots=0)
    first = make_version(game="gatsby", owner=organiser)
    services.enter(cup, first.bot, by=organiser)
    second = make_version(game="gatsby", bot=first.bot)
    services.enter(cup, first.bot, by=organiser, version=second)
    assert [entrant.version for entrant in cup.entrants.all()] == [second]


def test_the_same_version_twice_is_refused(ladder, organiser):
    cup = opened(ladder, organiser, bots=2)
    with pytest.raises(AlreadyEntered, match="has already entered Cup") as refused:
        services.enter(cup, cup.entrants.first().bot, by=organiser)
    assert (refused.value.status, cup.entrants.count()) == (409, 2)


@pytest.mark.parametrize("entry", ["anyone", "invite", "closed"])
def test_an_owner_swaps_to_a_newer_version_until_the_start_even_after_the_deadline(ladder, organiser, entry):
    cup, ann = opened(ladder, organiser, entry=entry), make_user("ann")
    old = make_version(game="gatsby", owner=ann)
    services.enter(cup, old.bot, by=organiser)
    Tournament.objects.filter(pk=cup.pk).update(entries_until=timezone.now() - timedelta(minutes=1))
    newer = make_version(game="gatsby", bot=old.bot)
    assert services.enter(cup, old.bot, by=ann, version=newer).version == newer


def test_the_top_of_the_ladder_enters_once_and_only_who_is_listed(organiser, ladder):
    versions = enrol(ladder, 4)
    cup = opened(ladder, organiser, bots=0)
    services.enter(cup, versions[0].bot, by=organiser)
    withdraw(versions[1], by=make_user("root", "administrator"))
    entered = services.enter_top(cup, 3, by=organiser)
    assert {entrant.bot for entrant in entered} == {versions[0].bot, versions[2].bot, versions[3].bot}
    assert cup.entrants.count() == 3
    with pytest.raises(Refused, match="1001"):
        services.enter_top(cup, 1001, by=organiser)


def test_a_version_that_left_keeps_the_tournament_from_starting_and_the_cure_is_told(ladder, organiser):
    cup = opened(ladder, organiser, bots=3)
    BotVersion.objects.filter(pk=cup.entrants.first().version_id).update(status="quarantined")
    with pytest.raises(Refused, match=r"is quarantined.*Take bot .* out"):
        services.start(cup, by=organiser)
    assert Tournament.objects.get().status == "open"


def test_an_author_cannot_start_more_matches_than_allowed_but_an_organiser_can(ladder, organiser, settings):
    settings.TOURNAMENT_MATCHES_A_USER = 5
    ann = make_user("ann")
    with pytest.raises(Refused, match="6 matches; the limit is 5"):
        services.start(opened(ladder, ann, bots=3), by=ann)
    services.start(opened(ladder, organiser, bots=3), by=organiser)


def test_a_rated_tournament_draws_its_own_seed(ladder, organiser):
    with pytest.raises(Refused, match="draws its own seed"):
        make(ladder, organiser, is_rated=True, seed=7)


def test_a_stranger_cannot_enter_somebody_elses_bot(ladder, organiser):
    with pytest.raises(Refused, match="not yours"):
        services.enter(opened(ladder, organiser), make_version(game="gatsby").bot, by=make_user("eve"))


def test_an_invitation_needs_its_code(ladder, organiser):
    cup = opened(ladder, organiser, entry="invite")
    ann = make_user("ann")
    bot = make_version(game="gatsby", owner=ann).bot
    with pytest.raises(Refused, match="'guess' is not its code"):
        services.enter(cup, bot, by=ann, code="guess")
    assert services.enter(cup, bot, by=ann, code=cup.invite_code).bot == bot


def test_a_closed_tournament_and_a_past_deadline_take_no_entries(ladder, organiser):
    ann = make_user("ann")
    bot = make_version(game="gatsby", owner=ann).bot
    with pytest.raises(Refused, match="only its organiser"):
        services.enter(opened(ladder, organiser, entry="closed"), bot, by=ann)
    late = opened(ladder, organiser)
    Tournament.objects.filter(pk=late.pk).update(entries_until=timezone.now() - timedelta(minutes=1))
    with pytest.raises(Refused, match="closed at"):
        services.enter(late, bot, by=ann)


@pytest.mark.parametrize("step", ["start", "resume"])
def test_a_running_tournament_is_not_started_or_resumed_again(ladder, organiser, step):
    cup = opened(ladder, organiser)
    services.start(cup, by=organiser)
    with pytest.raises(Refused, match="running"):
        getattr(services, step)(cup, by=organiser)


@pytest.mark.parametrize("step", ["start", "pause", "resume", "cancel", "open_entries"])
def test_nothing_can_be_done_to_a_cancelled_tournament(ladder, organiser, step):
    cup = opened(ladder, organiser)
    services.cancel(cup, by=organiser)
    with pytest.raises(Refused, match="cancelled"):
        getattr(services, step)(cup, by=organiser)


@pytest.mark.parametrize("step", ["start", "pause", "resume", "cancel", "open_entries"])
def test_only_the_organiser_leads_a_tournament(ladder, organiser, step):
    cup = opened(ladder, organiser)
    with pytest.raises(Refused, match="Only the organiser"):
        getattr(services, step)(cup, by=make_user("eve"))


def test_entrants_are_pinned_once_it_runs(ladder, organiser):
    cup = opened(ladder, organiser)
    services.start(cup, by=organiser)
    drawing.advance_all()
    bot = cup.entrants.first().bot
    with pytest.raises(Refused, match="fixed"):
        services.leave(cup, bot, by=organiser)
    newer = make_version(game="gatsby", bot=bot)
    with pytest.raises(Refused, match="does not accept entries"):
        services.enter(cup, bot, by=organiser, version=newer)
    assert Entrant.objects.get(tournament=cup, bot=bot).version != newer
