"""Series at the desk: which deals, who sits where, and what makes two bots the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bundle import BundleRejected
from arena.desk.records import names_at, write_records
from arena.desk.series import PlayedMatch, enter, schedule
from arena.order import Limits
from arena.packing import read_record
from tests.arena.desk.test_sheets import field_of
from tests.arena.paper import played


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    made = tmp_path / "mine"
    made.mkdir()
    (made / "main.py").write_text("print()\n")
    return made


def test_each_deal_is_played_from_every_seat_before_the_next() -> None:
    games = schedule("countdown", field_of(3), games=7, seed=40, limits=Limits())
    assert [game.order.seed for game in games] == [40, 40, 40, 41, 41, 41, 42]
    assert [game.sitting for game in games[:4]] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]


def test_after_the_last_seed_comes_the_first() -> None:
    games = schedule("countdown", field_of(2), games=4, seed=2**128 - 1, limits=Limits())
    assert [game.order.seed for game in games] == [2**128 - 1, 2**128 - 1, 0, 0]


def test_an_order_names_the_bots_in_the_order_of_seats() -> None:
    field = field_of(2)
    first, second = schedule("countdown", field, games=2, seed=1, limits=Limits())
    assert first.order.seats == (field[0].digest, field[1].digest)
    assert second.order.seats == (field[1].digest, field[0].digest)


def test_a_series_of_no_games_is_empty() -> None:
    assert schedule("countdown", field_of(2), games=0, seed=1, limits=Limits()) == []


def test_a_folder_is_known_by_what_is_in_it(bot: Path) -> None:
    before = enter(bot, "gatsby")
    assert before.name == "mine"
    (bot / "__pycache__").mkdir()
    (bot / "__pycache__" / "main.pyc").write_bytes(b"x")
    assert enter(bot, "gatsby").digest == before.digest
    (bot / "main.py").write_text("print(1)\n")
    assert enter(bot, "gatsby").digest != before.digest


def test_a_file_that_has_moved_inside_the_folder_makes_another_bot(bot: Path) -> None:
    (bot / "a.py").write_text("x")
    before = enter(bot, "gatsby").digest
    (bot / "a.py").rename(bot / "b.py")
    assert enter(bot, "gatsby").digest != before


def test_a_folder_of_another_game_is_not_let_in(bot: Path) -> None:
    (bot / "bot.toml").write_text('name = "mine"\ngame = "capone"\n')
    with pytest.raises(BundleRejected, match="The bot is for capone, but the match is of gatsby"):
        enter(bot, "gatsby")


def test_an_empty_folder_is_no_bot(tmp_path: Path) -> None:
    with pytest.raises(BundleRejected, match=r"has neither a bot\.toml nor a main\.py"):
        enter(tmp_path, "gatsby")


def matches(count: int) -> list[PlayedMatch]:
    games = schedule("countdown", field_of(2), games=count, seed=7, limits=Limits())
    return [PlayedMatch(game, played()) for game in games]


def test_names_are_told_by_seat() -> None:
    first, second = matches(2)
    assert names_at(field_of(2), first) == ("bot-0", "bot-1")
    assert names_at(field_of(2), second) == ("bot-1", "bot-0")


def test_one_match_is_written_to_the_file_that_was_named(tmp_path: Path) -> None:
    write_records(tmp_path / "match.json", field_of(2), matches(1))
    record = read_record(tmp_path / "match.json")
    assert record.names == ("bot-0", "bot-1")
    assert record.digest == played().digest


@pytest.mark.parametrize("suffix", [".json", ".zst"])
def test_several_matches_are_numbered_before_the_suffix(tmp_path: Path, suffix: str) -> None:
    write_records(tmp_path / f"night{suffix}", field_of(2), matches(2))
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == [f"night-0001{suffix}", f"night-0002{suffix}"]
    assert [read_record(tmp_path / name).names for name in files] == [("bot-0", "bot-1"), ("bot-1", "bot-0")]


def test_a_compressed_record_is_smaller(tmp_path: Path) -> None:
    for name in ("match.json", "match.zst"):
        write_records(tmp_path / name, field_of(2), matches(1))
    assert (tmp_path / "match.zst").stat().st_size < (tmp_path / "match.json").stat().st_size
