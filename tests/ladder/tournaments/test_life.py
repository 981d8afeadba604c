"""A tournament from draft to standings, with results written as a worker would."""

import csv
import json

import pytest
from django.db.models.functions import Now

from ladder.accounts.models import User
from ladder.ladders.services import find_ladder
from ladder.matches import leases
from ladder.matches.models import Match
from ladder.qualifying.activation import withdraw
from ladder.submissions.models import Bot, BotVersion, Bundle
from ladder.tournaments import drawing, queries, services, sheets
from ladder.tournaments.models import SheetRow, Table, Tournament
from ladder.tournaments.services import Wishes
from tests.ladder.cast import crash, finish

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
    wanted = Wishes(**{"name": "Cup", "ladder": ladder, "seed": 7, **wishes})
    tournament = services.create_tournament(by=organiser, wishes=wanted)
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


def test_a_challenger_who_beat_the_champion_stands_above_it_though_the_champion_has_more_points(organiser):
    bots = make_bots(5)
    tournament = make(organiser, bots, format="gauntlet", champion=bots[1])
    play(tournament, organiser)
    rows = SheetRow.objects.filter(tournament=tournament).order_by("position")
    places = [(row.entrant.bot, row.place, row.points) for row in rows]
    assert places[:2] == [(bots[0], 1, 2.0), (bots[1], 2, 6.0)]
    Tournament.objects.update(draw_version=1)  # made before places went that way
    sheets.write(Tournament.objects.get())
    assert rows.all().first().entrant.bot == bots[1]


def test_advancing_twice_draws_every_table_once(organiser):
    tournament = make(organiser, make_bots(20))
    services.start(tournament, by=organiser)
    drawing.advance_all()
    drawing.advance_all()
    numbers = list(Table.objects.filter(tournament=tournament).values_list("number", flat=True))
    assert numbers == list(range(drawing.TABLES_AHEAD))


def test_what_was_drawn_for_a_tournament_that_moved_on_is_thrown_away(organiser):
    tournament = make(organiser, make_bots(20))
    services.start(tournament, by=organiser)
    tournament.refresh_from_db()
    drawn = drawing.next_tables(tournament)
    assert drawing.queue_all(tournament, drawn) == len(drawn)
    assert drawing.queue_all(tournament, drawn) == 0  # the same, from a process that was slower
    assert tournament.tables.count() == len(drawn)


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


def claimed(tournament):
    """One match of the tournament, as a worker has it."""
    claim = leases.claim_match(worker="host/1")
    match = Match.objects.get(pk=claim.match_id)
    assert match.set.table.tournament == tournament
    return match


def test_games_cut_short_by_faults_count_and_the_tournament_ends(organiser):
    tournament = make(organiser, make_bots(3))
    services.start(tournament, by=organiser)
    drawing.advance_all()
    for _ in range(6):
        finish(claimed(tournament), 1, 2, faults=(crash(1),))
    drawing.advance_all()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    rows = SheetRow.objects.filter(tournament=tournament)
    assert [(row.points, row.faults, row.mean_score) for row in rows] == [(2.0, 2, 0.0)] * 3


def test_a_version_withdrawn_in_mid_tournament_plays_on_as_pinned(organiser):
    tournament = make(organiser, make_bots(3, owner=organiser))
    services.start(tournament, by=organiser)
    drawing.advance_all()
    for version in BotVersion.objects.all():
        withdraw(version, by=organiser)
    play_on(tournament)
    assert tournament.status == "finished"
    assert not Match.objects.exclude(status="finished").exists()


def play_on(tournament):
    drawing.advance_all()
    settle_all(tournament)
    tournament.refresh_from_db()


def test_the_seed_of_a_cancelled_tournament_waits_for_its_last_running_match(organiser):
    tournament = make(organiser, make_bots(3))
    services.start(tournament, by=organiser)
    drawing.advance_all()
    match = claimed(tournament)
    services.cancel(tournament, by=organiser)
    drawing.advance_all()
    tournament.refresh_from_db()
    assert queries.told_seed(tournament) is None
    finish(match, 1, 2)
    drawing.advance_all()
    tournament.refresh_from_db()
    assert queries.told_seed(tournament) == tournament.seed
    assert SheetRow.objects.filter(tournament=tournament).first().points == 1.0


@pytest.mark.parametrize(("step", "status"), [("pause", "queued"), ("cancel", "cancelled")])
def test_a_match_handed_back_after_a_pause_or_call_off_is_not_played(organiser, step, status):
    tournament = make(organiser, make_bots(3))
    services.start(tournament, by=organiser)
    drawing.advance_all()
    match = claimed(tournament)
    getattr(services, step)(tournament, by=organiser)
    leases.hand_back(match.pk, match.lease, detail="the worker was told to stop")
    drawing.advance_all()
    match.refresh_from_db()
    assert match.status == status
    assert leases.claim_match(worker="host/1") is None


def test_a_level_knockout_table_is_played_again_and_at_last_a_coin_decides_and_says_so(organiser):
    tournament = make(organiser, make_bots(2), format="knockout")
    services.start(tournament, by=organiser)
    drawing.advance_all()
    for _ in range(6):
        assert not Tournament.objects.get(pk=tournament.pk).is_over
        for _ in range(2):
            finish(claimed(tournament), 1, 1)
        drawing.advance_all()
    tournament.refresh_from_db()
    assert (tournament.status, tournament.tables_settled, tournament.tables_total) == ("finished", 6, 6)
    assert len({table.match_set.seed for table in tournament.tables.all()}) == 6
    rows = SheetRow.objects.filter(tournament=tournament).order_by("position")
    assert [(row.place, row.tie_rule) for row in rows] == [(1, ""), (2, "coin")]


def test_a_replay_decides_a_level_knockout_table(organiser):
    tournament = make(organiser, make_bots(2), format="knockout")
    services.start(tournament, by=organiser)
    drawing.advance_all()
    for ranks in ((1, 2), (1, 2), (1, 2), (2, 1)):  # seats: one each, then the entrant in the second seat
        finish(claimed(tournament), *ranks)
        drawing.advance_all()
    tournament.refresh_from_db()
    assert (tournament.status, tournament.tables_settled) == ("finished", 2)
    first, second = SheetRow.objects.filter(tournament=tournament).order_by("position")
    assert (first.tie_rule, second.tie_rule) == ("", "")
    assert (first.wins, second.wins) == (3, 1)


def test_losers_of_one_knockout_round_share_a_place_whoever_had_a_bye(organiser):
    tournament = make(organiser, make_bots(6), format="knockout")
    play(tournament, organiser)
    rows = SheetRow.objects.filter(tournament=tournament).order_by("position")
    assert [row.place for row in rows] == [1, 2, 3, 3, 5, 5]
    assert [row.tie_rule for row in rows] == ["", "", "", "shared", "", "shared"]


def test_the_bye_of_a_swiss_with_one_round_counts_as_won(organiser):
    tournament = make(organiser, make_bots(3), format="swiss", rounds=1)
    play(tournament, organiser)
    rows = SheetRow.objects.filter(tournament=tournament)
    assert sorted((row.points, row.byes) for row in rows) == [(0.0, 0), (2.0, 0), (2.0, 1)]


def test_an_export_depends_on_entrants_settings_seed_and_play_alone(organiser):
    bots = make_bots(4)
    texts = []
    for _ in range(2):
        tournament = make(organiser, bots, seed=7, cycles=2)
        assert b'"seed": null' in b"".join(queries.export_json(tournament))
        play(tournament, organiser)
        texts.append(b"".join(queries.export_json(tournament)))
    assert texts[0] == texts[1]
    told = json.loads(texts[0])
    assert told["seed"] == f"{7:064x}"
    assert len(told["tables"]) == 12
    assert [row["place"] for row in told["standings"]] == [1, 2, 3, 4]


def test_a_csv_export_has_a_line_for_each_entrant_and_no_formula(organiser):
    bots = make_bots(3)
    Bot.objects.filter(pk=bots[0].pk).update(name="=SUM(A1)")
    tournament = make(organiser, bots)
    play(tournament, organiser)
    head, best, *others = csv.reader("".join(queries.export_csv(tournament)).splitlines())
    assert head[-3] == best[1] == "'=SUM(A1)"
    assert (best[-3:], len(others)) == (["", "2.0", "2.0"], 2)
