"""When the rules of a game change: a season ends, and what was played before stays as history."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

import pytest

from engines import GAMES
from ladder import pipeline
from ladder.ladders.models import Ladder
from ladder.matches import leases, registration
from ladder.matches.models import Lane, Match
from ladder.matches.queries import waiting_matches
from ladder.matches.services import create_set, rotations, void_match
from ladder.ratings.models import START_MU, START_SIGMA, Rating, RatingStep, Season
from ladder.ratings.queries import by_seat, history, opponents, rated_matches, rating_changes, seat_advantage
from ladder.ratings.recompute import check, rebuild
from ladder.ratings.rules import adopt_all
from ladder.ratings.seasons import RULES_SD
from ladder.ratings.services import rate_all
from tests.ladder.cast import enrol, finish, make_ladder, make_version, play, queue, standing

pytestmark = pytest.mark.django_db
GAME = type(GAMES["speak_easy"])


@pytest.fixture
def change_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Another installation of the service, with the next version of the rules."""

    def change() -> None:
        monkeypatch.setattr(GAME, "rules_version", GAME.rules_version + 1)

    return change


def table(ladder: Ladder) -> list[tuple[object, ...]]:
    fields = ("version", "mu", "sigma", "rating", "sd", "matches", "wins", "losses", "rank_sum", "faults", "recent_mu")
    return list(ladder.standings.order_by("version").values_list(*fields))


def test_a_table_begins_anew_under_new_rules(ladder: Ladder, change_rules: Callable[[], None]) -> None:
    one, other = enrol(ladder, 2)
    for _ in range(3):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    before = standing(one, ladder).mu
    change_rules()
    assert [adopt_all(), adopt_all()] == [1, 0]
    line = standing(one, ladder)
    assert (line.mu, line.sigma, line.matches, line.wins, line.recent_mu) == (before, START_SIGMA, 0, 0, [])
    season = Season.objects.get(ladder=ladder)
    assert (season.number, season.cause, season.matches, season.bots) == (1, "rules", 3, 2)
    assert line.prior_sd == pytest.approx(hypot(season.lines.get(version=one).sd, RULES_SD))
    assert seat_advantage(ladder) == []
    ladder.refresh_from_db()
    assert ladder.rules_version == GAME.rules_version
    assert ladder.rules_since is not None


def test_what_was_rated_under_older_rules_stays_as_history(ladder: Ladder, change_rules: Callable[[], None]) -> None:
    one, other = enrol(ladder, 2)
    old = play(ladder, one, other, ranks=(1, 2))
    rate_all()
    before = list(Rating.objects.order_by("pk").values())
    change_rules()
    adopt_all()
    new = play(ladder, other, one, ranks=(1, 2))
    rate_all()
    assert list(Rating.objects.filter(step__match=old).order_by("pk").values()) == before
    assert len(rating_changes(old.pk)) == len(rating_changes(new.pk)) == 2
    assert [point.rules_version for point in history(bot_id=one.bot_id, ladder=ladder)] == [
        old.rules_version, new.rules_version,
    ]  # fmt: skip
    assert rated_matches(bot_id=one.bot_id, ladder=ladder) == 2


def test_only_matches_under_present_rules_count(ladder: Ladder, change_rules: Callable[[], None]) -> None:
    one, other, third = enrol(ladder, 3)
    for _ in range(2):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    change_rules()
    adopt_all()
    ladder.refresh_from_db()
    play(ladder, one, third, ranks=(2, 1))
    rate_all()
    assert (standing(one, ladder).matches, standing(one, ladder).losses) == (1, 1)
    assert standing(one, ladder).mu < standing(one, ladder).start_mu
    assert [(row.bot_id, row.matches) for row in opponents(bot_id=one.bot_id, ladder=ladder)] == [(third.bot_id, 1)]
    assert [(row.seat, row.matches) for row in by_seat(bot_id=one.bot_id, ladder=ladder)] == [(0, 1)]


def test_a_recomputed_table_is_the_same_and_leaves_history_alone(
    ladder: Ladder, change_rules: Callable[[], None]
) -> None:
    one, other, third = enrol(ladder, 3)
    play(ladder, one, other, ranks=(1, 2))
    play(ladder, other, third, ranks=(1, 2))
    rate_all()
    change_rules()
    adopt_all()
    for ranks in ((1, 2), (2, 1), (1, 2)):
        play(ladder, third, one, ranks=ranks)
    rate_all()
    ladder.refresh_from_db()
    before, rows = table(ladder), list(Rating.objects.order_by("step__number", "seat").values_list("nth", "mu"))
    assert check(ladder).problems == []
    assert rebuild(ladder) == 5
    assert table(ladder) == before
    assert list(Rating.objects.order_by("step__number", "seat").values_list("nth", "mu")) == rows
    assert check(ladder).problems == []


def test_a_result_that_came_under_older_rules_is_rated_no_more(
    ladder: Ladder, change_rules: Callable[[], None]
) -> None:
    one, other = enrol(ladder, 2)
    play(ladder, one, other, ranks=(1, 2))  # the rater had no time for it
    change_rules()
    adopt_all()
    assert Season.objects.get().matches == 1
    late = play(ladder, one, other, ranks=(1, 2))
    Match.objects.filter(pk=late.pk).update(rules_version=GAME.rules_version - 1)  # begun before
    assert rate_all() == 1
    assert RatingStep.objects.get(match=late).verdict == RatingStep.Verdict.OUTDATED
    assert rating_changes(late.pk) == []
    assert standing(one, ladder).matches == 0
    ladder.refresh_from_db()
    assert check(ladder).problems == []


def test_striking_a_match_under_older_rules_changes_no_table(ladder: Ladder, change_rules: Callable[[], None]) -> None:
    one, other = enrol(ladder, 2)
    old = play(ladder, one, other, ranks=(1, 2))
    rate_all()
    change_rules()
    adopt_all()
    play(ladder, one, other, ranks=(2, 1))
    rate_all()
    before = table(ladder)
    void_match(old, reason="the host was on fire")
    pipeline.run_stage("rebuild")
    ladder.refresh_from_db()
    assert table(ladder) == before
    assert check(ladder).problems == []


def test_a_new_version_starts_where_the_one_before_ended_under_older_rules(
    ladder: Ladder, change_rules: Callable[[], None]
) -> None:
    one, other = enrol(ladder, 2)
    play(ladder, one, other, ranks=(1, 2))
    rate_all()
    before = standing(one, ladder).mu
    change_rules()
    adopt_all()
    ladder.refresh_from_db()
    new = make_version(bot=one.bot)
    play(ladder, new, other, ranks=(1, 2))
    rate_all()
    assert standing(new, ladder).start_mu == before > START_MU


def test_unsettled_ladder_sets_are_called_off(ladder: Ladder, change_rules: Callable[[], None]) -> None:
    one, other = (version.pk for version in enrol(ladder, 2))
    waiting, half, running = (
        create_set(ladder=ladder, seatings=rotations([one, other]), lane=Lane.LADDER, is_rated=True) for _ in range(3)
    )
    Match.objects.exclude(set=half).update(is_held=True)
    leases.claim_match(worker="host/1")
    finish(half.matches.get(status="running"), 1, 2)
    Match.objects.update(is_held=False)
    Match.objects.exclude(set=running).update(is_held=True)
    leases.claim_match(worker="host/1")
    late = running.matches.get(status="running")
    change_rules()
    adopt_all()
    assert [set(s.matches.values_list("status", flat=True)) for s in (waiting, half, running)] == [
        {"cancelled"}, {"finished", "cancelled"}, {"cancelled"},
    ]  # fmt: skip
    assert not leases.renew_lease(late.pk, late.lease)
    assert "rules" in Match.objects.filter(status="cancelled").first().reason


def test_matches_that_are_no_ladder_s_are_played_on(ladder: Ladder, change_rules: Callable[[], None]) -> None:
    one, other = enrol(ladder, 2)
    lanes = [Lane.TRIAL, Lane.REQUEST, Lane.TOURNAMENT]
    kept = [queue(ladder, one, other, is_rated=False, lane=lane) for lane in lanes]
    change_rules()
    adopt_all()
    for match in kept:
        match.refresh_from_db()
    assert [match.status for match in kept] == ["queued"] * 3


def test_ladders_of_other_games_are_left_alone(change_rules: Callable[[], None]) -> None:
    other = make_ladder("gatsby")
    one, two = enrol(other, 2)
    waits = queue(other, one, two)
    make_ladder()
    change_rules()
    assert adopt_all() == 1
    waits.refresh_from_db()
    assert waits.status == "queued"


def test_nothing_is_claimed_between_new_engines_and_the_beat_that_adopts_them(
    ladder: Ladder, change_rules: Callable[[], None]
) -> None:
    queue(ladder, *enrol(ladder, 2), is_rated=False, lane=Lane.REQUEST)
    change_rules()
    assert leases.claim_match(worker="host/1") is None
    assert waiting_matches(at_most=9) == 0
    pipeline.run_stage("rules")
    assert leases.claim_match(worker="host/1") is not None


def test_a_worker_with_older_rules_leaves_that_game_to_newer_ones(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue(ladder, *enrol(ladder, 2))
    Ladder.objects.update(rules_version=GAME.rules_version + 1)
    monkeypatch.setattr(registration, "sandbox_message", lambda: "")
    monkeypatch.setattr(registration.Registration, "message", "")
    assert leases.claim_match(worker="host/1") is None
    assert registration.may_play(), "others it has as the service has them"
    assert registration.Registration.left == (ladder.game,)
    assert adopt_all() == 0
