"""A tournament from draft to standings, with results written as a worker would."""

import pytest
from django.db.models.functions import Now

from ladder.accounts.models import User
from ladder.matches.models import Match
from ladder.ratings.services import find_ladder
from ladder.submissions.models import Bot, BotVersion, Bundle
from ladder.tournaments import drawing, services
from ladder.tournaments.models import SheetRow, Table, Tournament
from ladder.tournaments.services import Wishes

pytestmark = pytest.mark.django_db


def make_bots(count, game="gatsby", owner=None):
    bots = []
    for i in range(count):
        bot = Bot.objects.create(name=f"{game}-{i}-{Bot.objects.count()}", game=game, owner=owner)
        bundle = Bundle.objects.create(digest=f"{bot.pk:064x}", content=b"", size_bytes=0)
        bot.active_version = BotVersion.objects.create(
            bot=bot, number=1, bundle=bundle, runtime="python", entry="main.py", filename="main.py", status="qualified"
        )
        bot.save()
        bots.append(bot)
    return bots


@pytest.fixture
def organiser():
    return User.objects.create_user("olga", password="x", role=User.Role.ORGANISER)


def make(organiser, bots, *, game="gatsby", seats=2, **wishes):
    ladder = find_ladder(game=game, seats=seats)
    tournament = services.create_tournament(by=organiser, wishes=Wishes(name="Cup", ladder=ladder, **wishes))
    services.open_entries(tournament, by=organiser)
    for bot in bots:
        services.enter(tournament, bot, by=organiser)
    return tournament


def settle_all(tournament, *, most=10_000):
    """Finish every queued match: the version with the smaller id wins."""
    for _ in range(most):
        queued = list(Match.objects.filter(set__table__tournament=tournament, status="queued"))
        if not queued:
            return
        for match in queued:
            seats = list(match.seats.order_by("seat"))
            order = sorted(seat.version_id for seat in seats)
            for seat in seats:
                seat.rank, seat.score = order.index(seat.version_id) + 1, -float(order.index(seat.version_id))
                seat.save()
            Match.objects.filter(pk=match.pk).update(status="finished", digest="d", finished_at=Now())
        drawing.advance_all()


def play(tournament, organiser):
    services.start(tournament, by=organiser)
    drawing.advance_all()
    settle_all(tournament)
    tournament.refresh_from_db()


@pytest.mark.parametrize(
    ("game", "seats", "bots", "wishes"),
    [
        ("gatsby", 2, 5, {}),
        ("gatsby", 2, 4, {"cycles": 2, "all_rotations": False}),
        ("gatsby", 2, 5, {"format": "swiss", "rounds": 3}),
        ("gatsby", 2, 6, {"format": "knockout", "best_of": 3}),
        ("capone", 4, 7, {}),
        ("capone", 4, 9, {"format": "swiss"}),
        ("capone", 4, 9, {"format": "knockout"}),
        ("cotton_club", 3, 5, {"all_rotations": False}),
    ],
)
def test_every_format_ends_with_the_strongest_first(organiser, game, seats, bots, wishes):
    entrants = make_bots(bots, game)
    tournament = make(organiser, entrants, game=game, seats=seats, **wishes)
    play(tournament, organiser)
    assert tournament.status == "finished"
    assert tournament.tables_settled == tournament.tables_drawn == tournament.tables_total
    best = SheetRow.objects.filter(tournament=tournament).order_by("position").first()
    assert best.entrant.bot == entrants[0]


def test_a_gauntlet_gives_the_champion_every_table(organiser):
    bots = make_bots(5)
    tournament = make(organiser, bots, format="gauntlet", champion=bots[3])
    play(tournament, organiser)
    champion = tournament.entrants.get(bot=bots[3]).number
    tables = Table.objects.filter(tournament=tournament)
    assert tables.count() == 4
    assert all(champion in table.entrants for table in tables)


def test_advancing_twice_draws_every_table_once(organiser):
    tournament = make(organiser, make_bots(20))
    services.start(tournament, by=organiser)
    drawing.advance_all()
    drawing._draws.clear()  # as if the process had died
    drawing.advance_all()
    numbers = list(Table.objects.filter(tournament=tournament).values_list("number", flat=True))
    assert numbers == list(range(drawing.TABLES_AHEAD))


def test_a_tournament_in_which_every_match_is_void_still_ends_and_says_so(organiser):
    tournament = make(organiser, make_bots(3))
    services.start(tournament, by=organiser)
    drawing.advance_all()
    for match in Match.objects.filter(set__table__tournament=tournament):
        match.seats.update(fault="crash", fault_stage="start", fault_ply=0)
    Match.objects.filter(set__table__tournament=tournament).update(status="void", finished_at=Now())
    drawing.advance_all()
    tournament.refresh_from_db()
    rows = SheetRow.objects.filter(tournament=tournament)
    assert tournament.status == "finished"
    assert [(row.place, row.matches, row.voids, row.faults) for row in rows] == [(1, 0, 4, 4)] * 3


def test_a_paused_tournament_keeps_its_matches_from_workers_until_it_is_resumed(organiser):
    tournament = make(organiser, make_bots(3))
    services.start(tournament, by=organiser)
    drawing.advance_all()
    services.pause(tournament, by=organiser)
    queued = Match.objects.filter(set__table__tournament=tournament, status="queued")
    assert queued.count() == queued.filter(is_held=True).count() == 6
    services.resume(tournament, by=organiser)
    assert queued.filter(is_held=True).count() == 0


def test_a_cancelled_tournament_calls_its_matches_off_and_keeps_what_was_played(organiser):
    tournament = make(organiser, make_bots(3))
    services.start(tournament, by=organiser)
    drawing.advance_all()
    services.cancel(tournament, by=organiser)
    assert set(Match.objects.values_list("status", flat=True)) == {"cancelled"}
    drawing.advance_all()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.CANCELLED
    assert tournament.tables_settled == 3
