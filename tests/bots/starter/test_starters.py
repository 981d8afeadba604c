"""Starters: short, commented, better than chance, in three languages."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import orjson
import pytest

from engines import GAMES
from tests.bots.desk import HOUSE, STARTER, load, play_whole_game

GAME_FOLDERS = sorted(GAMES)
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node")


@pytest.mark.parametrize("game", GAME_FOLDERS)
def test_a_starter_is_a_commented_bot_of_under_60_lines_without_search(game: str) -> None:
    text = (STARTER / game / "main.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert "#" in text
    assert '"""' in text
    assert "best_by" not in text
    assert "imagine" not in text
    assert "observation" in text


@pytest.mark.parametrize("folder", [*GAME_FOLDERS, "node", "c"])
def test_a_starter_s_manifest_has_name_and_game_on_lines_of_their_own(folder: str) -> None:
    text = (STARTER / folder / "bot.toml").read_text(encoding="utf-8")
    manifest = tomllib.loads(text)
    assert {f'name = "{manifest["name"]}"', f'game = "{manifest["game"]}"'} <= set(text.splitlines())


@pytest.mark.parametrize("game", GAME_FOLDERS)
def test_a_starter_plays_sensibly(game: str) -> None:
    """Against random bots it takes clearly more than its share of first places."""
    starter, rival = load(STARTER / game / "main.py").MyBot, load(HOUSE / game / "random.py").make
    seats = max(GAMES[game].seats[0], 2)
    firsts, games = 0, 6
    for seed in range(games):
        bots = [starter() if seat == seed % seats else rival() for seat in range(seats)]
        outcome = play_whole_game(game, bots, seed=seed).outcome()
        assert outcome is not None
        firsts += outcome.ranks[seed % seats] == 1
    assert firsts >= 4


def conversation(game: str) -> tuple[bytes, list[str]]:
    state = GAMES[game].new(seats=GAMES[game].seats[0], seed=1)
    seat = state.to_act
    legal = [state.format(action) for action in state.legal_actions()]
    act = {"type": "act", "ply": 0, "observation": state.observe(seat), "legal": legal, "clock": {}}
    start = {"type": "start", "protocol": 1, "game": game, "seat": seat, "seats": GAMES[game].seats[0]}
    end = {"type": "end", "ranks": [1, 2], "ending": "finished"}
    return b"".join(orjson.dumps(message) + b"\n" for message in (start, act, act, end)), legal


def answers(command: list[str], lines: bytes) -> list[dict[str, str]]:
    done = subprocess.run(command, input=lines, capture_output=True, timeout=300, check=True)
    return [orjson.loads(line) for line in done.stdout.splitlines()]


@needs_node
@pytest.mark.parametrize("game", GAME_FOLDERS)
def test_the_node_starter_answers_legal_actions_of_any_game(game: str) -> None:
    lines, legal = conversation(game)
    ready, *said = answers(["node", str(STARTER / "node" / "main.mjs")], lines)
    assert ready == {"type": "ready"}
    assert len(said) == 2
    assert all(answer["action"] in legal for answer in said)


@pytest.fixture(scope="module")
def c_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("c") / "bot"
    source = STARTER / "c" / "main.c"
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True, timeout=300)
    return program


@needs_cc
@pytest.mark.parametrize("game", GAME_FOLDERS)
def test_the_c_starter_answers_the_first_legal_action_of_any_game(c_bot: Path, game: str) -> None:
    lines, legal = conversation(game)
    assert answers([str(c_bot)], lines) == [{"type": "ready"}, {"action": legal[0]}, {"action": legal[0]}]


@needs_cc
def test_the_c_starter_is_not_misled_by_what_an_observation_holds(c_bot: Path) -> None:
    trap = b'{"type":"act","observation":{"legal":["no"],"log":["0 \\"legal\\":[\\"worse\\"]"]},"legal":["a b","c"]}\n'
    assert answers([str(c_bot)], trap) == [{"action": "a b"}]
