"""Rounds and tables at the desk."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from itertools import combinations
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from arena.desk.series import Entrant, PlayedMatch, round_robin
from arena.desk.sheets import crosstable, plural, result_sheet
from arena.desk.tally import duels, tally
from arena.order import Limits, MatchOrder
from arena.record import HostFacts, MatchRecord, SandboxFacts, SeatReport


def field_of(count: int, *, name: str = "bot") -> list[Entrant]:
    return [Entrant(Path(f"{name}-{i}.py"), f"{name}-{i}", f"{i:064x}") for i in range(count)]


def ended(game_number: int, order: MatchOrder, ranks: tuple[int, ...]) -> MatchRecord:
    seats = tuple(SeatReport() for _ in ranks)
    return MatchRecord(order, (), (), None, "finished", ranks, seats, SandboxFacts("none"), HostFacts())


def robin(
    count: int, *, seats: int, deals: int = 1, name: str = "bot", game: str = "countdown"
) -> tuple[list[Entrant], list[PlayedMatch]]:
    """A round robin in which the smaller number always wins."""
    field = field_of(count, name=name)
    games = round_robin(game, field, seats=seats, deals=deals, seed=5, limits=Limits())
    return field, [
        PlayedMatch(
            game, ended(game.number, game.order, tuple(1 + sum(o < m for o in game.sitting) for m in game.sitting))
        )
        for game in games
    ]


@pytest.mark.parametrize(("count", "seats"), [(4, 2), (5, 3), (4, 4)])
def test_every_group_meets_from_every_seat_and_the_deals_are_the_same(count: int, seats: int) -> None:
    field, played = robin(count, seats=seats, deals=2)
    groups = Counter(tuple(sorted(match.game.sitting)) for match in played)
    assert groups == dict.fromkeys(combinations(range(count), seats), 2 * seats)
    for place in range(count):
        taken = Counter(match.game.sitting.index(place) for match in played if place in match.game.sitting)
        assert len(set(taken.values())) == 1
    assert {match.game.order.seed for match in played} == {5, 6}
    assert [match.game.number for match in played] == list(range(len(played)))
    for match in played:
        assert match.game.order.seats == tuple(field[place].digest for place in match.game.sitting)


def test_the_crosstable_counts_who_beat_whom() -> None:
    field, played = robin(3, seats=2)
    assert duels(3, played) == [[None, 1.0, 1.0], [0.0, None, 1.0], [0.0, 0.0, None]]
    assert [line.score for line in tally(field, played)] == [1.0, 0.5, 0.0]


def printed(sheet: Table, width: int) -> list[str]:
    console = Console(file=StringIO(), width=width, color_system=None)
    console.print(sheet)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


def test_eight_bots_with_long_names_fit_into_80_columns_and_nothing_is_cut() -> None:
    field, played = robin(8, seats=2, name="a-bot-with-quite-a-long-name-indeed")
    lines = printed(crosstable(tally(field, played), duels(8, played), "countdown: 56 matches"), 80)
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "…" not in text
    first = next(line for line in lines if "100.0" in line)
    assert first.split()[-8:] == ["·"] + ["100"] * 7
    assert "".join(line.split()[0] for line in lines[2:6]).startswith("a-bot-with-quite-a-long-name-indeed-0")


def test_a_result_with_a_long_name_fits_into_80_columns() -> None:
    field, played = robin(2, seats=2, name="x" * 38)
    lines = printed(result_sheet(tally(field, played), "countdown: 2 matches"), 80)
    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
    assert "34–100" in "".join(lines)


def test_one_match_and_two_matches() -> None:
    assert [plural(1, "match"), plural(2, "match"), plural(1, "bot"), plural(0, "bot")] == [
        "1 match",
        "2 matches",
        "1 bot",
        "0 bots",
    ]
