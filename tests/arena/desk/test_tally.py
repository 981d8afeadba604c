"""What a series adds up to: scores, first places, faults, time, and what is counted for nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.desk.series import Entrant, PlayedMatch, schedule
from arena.desk.tally import duels, interval, scores, tally
from arena.order import Limits
from arena.record import HOST_FAULT, Fault, MatchRecord, PlayedAction
from tests.arena.desk.test_sheets import ended, field_of


def series(*all_ranks: tuple[int, ...] | None, **changes: object) -> tuple[list[Entrant], list[PlayedMatch]]:
    """Matches of two bots that ended like this, seats turned from match to match."""
    field = field_of(2)
    games = schedule("countdown", field, games=len(all_ranks), seed=5, limits=Limits())
    played = [
        PlayedMatch(game, replace(ended(game.number, game.order, ranks or (1, 2)), ranks=ranks, **changes))  # type: ignore[arg-type]
        for game, ranks in zip(games, all_ranks, strict=True)
    ]
    return field, played


def records(played: list[PlayedMatch], **changes: object) -> list[PlayedMatch]:
    return [replace(match, record=replace(match.record, **changes)) for match in played]  # type: ignore[arg-type]


def test_an_interval_is_wide_for_few_games_and_narrow_for_many() -> None:
    assert interval([]) == (0.0, 1.0)
    low, high = interval([1.0, 1.0])
    assert low < 0.4
    assert high > 0.99
    low, high = interval([1.0, 0.0] * 500)
    assert 0.46 < low < 0.5 < high < 0.54


@pytest.mark.parametrize(
    ("ranks", "shares"),
    [
        ([1, 2], [1.0, 0.0]),
        ([1, 1], [0.5, 0.5]),
        ([1, 2, 3], [1.0, 0.5, 0.0]),
        ([3, 1, 2], [0.0, 1.0, 0.5]),
        ([1, 1, 3], [0.75, 0.75, 0.0]),
        ([1, 2, 2, 4], [1.0, 0.5, 0.5, 0.0]),
        ([1, 1, 1, 1], [0.5, 0.5, 0.5, 0.5]),
    ],
)
def test_a_score_is_the_share_of_opponents_beaten(ranks: list[int], shares: list[float]) -> None:
    assert scores(ranks) == pytest.approx(shares)
    assert sum(shares) == pytest.approx(len(ranks) / 2)


def test_results_follow_the_bot_and_not_the_seat() -> None:
    field, played = series((1, 2), (2, 1), (1, 2))  # the second match has the seats the other way round
    first, second = tally(field, played)
    assert (first.name, first.games, first.score, first.firsts) == ("bot-0", 3, 1.0, 3)
    assert (second.score, second.firsts) == (0.0, 0)


def test_a_shared_first_place_is_a_first_place_for_both() -> None:
    field, played = series((1, 1))
    assert [(line.firsts, line.score) for line in tally(field, played)] == [(1, 0.5), (1, 0.5)]


def test_a_match_that_the_host_failed_counts_for_nobody() -> None:
    field, played = series((1, 2))
    _, broken = series(None, ending=HOST_FAULT)
    assert [line.games for line in tally(field, played + broken)] == [1, 1]
    assert duels(2, broken) == [[None, None], [None, None]]


def test_a_match_in_which_nobody_got_ready_gives_faults_but_no_scores() -> None:
    field, played = series((1, 1))
    void = records(played, faults=(Fault(0, "crash", "start", 0), Fault(1, "timeout", "start", 0)))
    assert [(line.games, line.faults) for line in tally(field, void)] == [(0, 1), (0, 1)]
    assert duels(2, void) == [[None, None], [None, None]]


def test_faults_are_counted_for_the_bot_that_sat_there() -> None:
    field, played = series((1, 2), (1, 2))
    faulty = records(played, faults=(Fault(1, "crash", "act", 4),))
    assert [line.faults for line in tally(field, faulty)] == [1, 1]  # seat 1 is another bot in the second match


def test_time_is_told_a_decision() -> None:
    field, played = series((1, 2))
    acts = (PlayedAction(0, "take1", 3.0, 5.0), PlayedAction(0, "take2", 5.0, 5.0), PlayedAction(1, "take1", 7.0, 9.0))
    first, second = tally(field, records(played, actions=acts))
    assert (first.cpu_ms_per_act, second.cpu_ms_per_act) == (4.0, 7.0)


def test_a_field_that_has_not_played_has_lines_all_the_same() -> None:
    assert [(line.games, line.score, line.low, line.high, line.cpu_ms_per_act) for line in tally(field_of(2), [])] == [
        (0, 0.0, 0.0, 1.0, 0.0)
    ] * 2


def test_meetings_are_shared_by_how_often_they_were_won() -> None:
    _, played = series((1, 2), (1, 2), (1, 1))  # bot 0 wins from seat 0, loses from seat 1, draws
    assert duels(2, played) == [[None, 0.5], [0.5, None]]


def test_at_a_table_of_three_every_pair_has_met() -> None:
    field = field_of(3)
    (game,) = schedule("countdown", field, games=1, seed=1, limits=Limits())
    record: MatchRecord = ended(0, game.order, (2, 1, 2))
    assert duels(3, [PlayedMatch(game, record)]) == [[None, 0.0, 0.5], [1.0, None, 1.0], [0.5, 0.0, None]]
