"""Who sits at the table, and how a series at the desk ends."""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest

from arena.desk.series import Entrant, PlayedMatch, schedule
from arena.order import Limits
from arena.record import HOST_FAULT, Fault
from bots.cli import table
from bots.cli.output import Code, Stop
from bots.cli.table import check_seats, draw_seed, fault_list, fill_table, show_faults, stop_at_failures
from tests.arena.desk.test_sheets import field_of
from tests.arena.paper import played

CRASH = Fault(1, "crash", "act", 3, "exit code 1")


def series(*faults: tuple[Fault, ...]) -> tuple[list[Entrant], list[PlayedMatch]]:
    """One match of gatsby for each, in which these faults happened; seats turn."""
    field = field_of(2)
    games = schedule("gatsby", field, games=len(faults), seed=7, limits=Limits())
    return field, [
        PlayedMatch(game, replace(played("gatsby"), order=game.order, faults=found))
        for game, found in zip(games, faults, strict=True)
    ]


def test_a_seed_is_taken_or_drawn_short_enough_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbits", lambda bits: 2**bits - 1)
    assert draw_seed(None) == 2**32 - 1
    assert draw_seed(0) == 0


@pytest.mark.parametrize(("game", "fits", "wrong"), [("gatsby", 2, 3), ("capone", 6, 7), ("cotton_club", 3, 5)])
def test_a_table_has_the_seats_of_its_game(game: str, fits: int, wrong: int) -> None:
    check_seats(game, fits)
    with pytest.raises(Stop, match=f"{game} can't be played with {wrong} seats; choose one of ") as stopped:
        check_seats(game, wrong)
    assert stopped.value.code is Code.USAGE


@pytest.mark.parametrize(
    ("named", "seats", "sitting"),
    [
        (1, None, [0, 0, 0]),
        (2, None, [0, 1, 0]),
        (4, None, [0, 1, 2, 3]),
        (2, 5, [0, 1, 0, 1, 0]),
        (3, 3, [0, 1, 2]),
    ],
)
def test_bots_are_repeated_until_every_seat_is_taken(named: int, seats: int | None, sitting: list[int]) -> None:
    field = field_of(named)
    assert fill_table("capone", field, seats) == [field[place] for place in sitting]


def test_more_bots_than_seats_are_refused() -> None:
    with pytest.raises(Stop, match="4 bots were named for 3 seats"):
        fill_table("capone", field_of(4), 3)


def test_faults_are_listed_with_the_bot_that_sat_there_and_its_log() -> None:
    field, matches = series((), (CRASH,))
    (fault,) = fault_list(field, matches)
    assert (fault["match"], fault["bot"], fault["kind"], fault["log"]) == (1, "bot-0", "crash", "log of 1")


def test_a_series_without_faults_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    field, matches = series((), ())
    stop_at_failures(field, matches)
    assert fault_list(field, matches) == []
    assert capsys.readouterr() == ("", "")


def test_bots_that_failed_are_named_once_with_the_number_of_matches() -> None:
    with pytest.raises(Stop) as stopped:
        stop_at_failures(*series((CRASH,), (CRASH,), ()))
    assert stopped.value.message == "bot-0, bot-1 failed in 2 of 3 matches."
    assert (stopped.value.code, stopped.value.kind, stopped.value.is_in_answer) == (Code.NO, "fault", True)


def test_a_host_that_failed_is_blamed_before_any_bot() -> None:
    field, matches = series((CRASH,), ())
    broken = replace(matches[1], record=replace(matches[1].record, ending=HOST_FAULT))
    with pytest.raises(Stop, match="the host failed in 1 match, not through a bot's fault") as stopped:
        stop_at_failures(field, [matches[0], broken])
    assert stopped.value.code is Code.SANDBOX


def test_each_bot_is_shown_its_first_fault_only(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    shown: list[tuple[str, int]] = []
    monkeypatch.setattr(
        table, "show_fault", lambda out, name, path, record, fault, saved: shown.append((name, fault.ply))
    )
    later = replace(CRASH, ply=9)
    show_faults(*series((CRASH,), (CRASH,), (later,), (later,)))
    assert shown == [("bot-1", 3), ("bot-0", 3)]
