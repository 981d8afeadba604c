"""``python -m engines``: what a newcomer sees, and what a slip of the finger gets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from engines import GAMES
from engines.__main__ import main
from engines.telling import seat_names, table_of, take

ROOT = Path(__file__).parents[2]
every_game = pytest.mark.parametrize("name", sorted(GAMES))


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words]) == 0
    return capsys.readouterr().out


def test_list_names_every_game_with_its_seats_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    out = told(capsys, "list")
    for name, game in GAMES.items():
        line = next(line for line in out.splitlines() if line.startswith(name))
        assert game.title in line
        assert all(str(seats) in line for seats in game.seats)
        assert all(str(value) in line for values in game.options.values() for value in values)


@every_game
def test_play_tells_every_action_and_draws_the_table_after_each_turn(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = told(capsys, "play", name, "--seed", "5")
    assert out == told(capsys, "play", name, "--seed", "5")
    assert out != told(capsys, "play", name, "--seed", "6")
    assert "The game is over" in out
    assert f"seat {GAMES[name].seats[0] - 1}: rank" in out
    assert len(told(capsys, "play", name, "--seed", "5", "--every", "1000000")) < len(out)


@every_game
def test_play_takes_every_number_of_seats(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for seats in GAMES[name].seats:
        assert f"seat {seats - 1}: rank" in told(capsys, "play", name, "--seats", str(seats), "--every", "1000000")


@every_game
def test_play_takes_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for option, values in GAMES[name].options.items():
        assert "The game is over" in told(capsys, "play", name, "--option", f"{option}={values[-1]}")


@every_game
def test_a_drawing_of_the_table_fits_a_screen(name: str) -> None:
    state, rng = GAMES[name].new(seats=GAMES[name].seats[-1], seed=2), Random(2)
    while state.to_act is not None:
        sentence = take(state, rng.choice(state.legal_actions()), seat_names(state))
        assert sentence
        assert "\n" not in sentence
    assert len(table_of(state).splitlines()) <= 40


def test_perft_counts_by_depth(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "perft", "speak_easy", "--depth", "3") == "depth 1: 11\ndepth 2: 130\ndepth 3: 1383\n"
    after = told(capsys, "perft", "speak_easy", "--depth", "2", "--after", "50")
    assert after == "depth 1: 33\ndepth 2: 1027\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "chess"], "invalid choice: 'chess' (choose from"),
        (["play", "speak_easy", "--seats", "0"], "0 is not between 1 and 99"),
        (["play", "speak_easy", "--seats", "two"], "'two' is not a whole number"),
        (["play", "speak_easy", "--seed", "x"], "'x' is not a whole number"),
        (["play", "speak_easy", "--seed", "-1"], "-1 is not between 0 and"),
        (["play", "speak_easy", "--seed", str(1 << 128)], "is not between 0 and"),
        (["play", "speak_easy", "--every", "0"], "0 is not between 1"),
        (["perft", "speak_easy", "--depth", "0"], "0 is not between 1 and 9"),
        (["perft", "speak_easy", "--depth", "99"], "99 is not between 1 and 9"),
        (["dance"], "invalid choice: 'dance'"),
        ([], "required: COMMAND"),
    ],
    ids=" ".join,
)
def test_a_slip_gets_a_message_and_no_traceback(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(words)
    assert leaving.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "speak_easy", "--seats", "3"], "speak_easy can't be played with 3 seats; choose one of 2"),
        (["play", "speak_easy", "--option", "jazz=1"], "speak_easy has no option 'jazz'"),
        (["perft", "speak_easy", "--option", "jazz"], "speak_easy has no option 'jazz'"),
    ],
    ids=" ".join,
)
def test_a_setup_the_game_does_not_have_gets_its_own_message(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", ["list", "play", "perft"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main([command, "--help"])
    assert leaving.value.code == 0
    assert f"python -m engines {command}" in capsys.readouterr().out


def test_a_reader_that_leaves_early_gets_no_traceback() -> None:
    words = [sys.executable, "-m", "engines", "play", "speak_easy"]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as playing:
        assert playing.stdout is not None
        assert playing.stderr is not None
        playing.stdout.readline()
        playing.stdout.close()
        assert playing.stderr.read() == b""
        assert playing.wait(timeout=300) == 0
