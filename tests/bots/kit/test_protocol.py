"""The bot's side of the protocol."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import orjson
import pytest

from bots.kit import Bot, Turn, run
from engines import GAMES

LIMITS = {"start_ms": 5000, "turn_ms": 100, "bank_ms": 10000, "memory_mib": 512}
START = {
    "type": "start", "protocol": 1, "game": "gatsby", "rules_version": GAMES["gatsby"].rules_version,
    "seat": 0, "seats": 2, "options": {}, "bot_seed": 11, "limits": LIMITS,
}  # fmt: skip
END = {"type": "end", "ranks": [1, 2], "ending": "finished", "game_ending": "five_families"}


def act(ply: int = 0) -> dict[str, Any]:
    state = GAMES["gatsby"].new(seats=2, seed=3)
    legal = [state.format(action) for action in state.legal_actions()]
    clock = {"turn_ms": 100, "bank_ms": 9000}
    return {"type": "act", "ply": ply, "observation": state.observe(0), "legal": legal, "clock": clock}


def talk(bot: Bot, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    out = io.BytesIO()
    run(bot, io.BytesIO(b"".join(orjson.dumps(message) + b"\n" for message in messages)), out)
    return [orjson.loads(line) for line in out.getvalue().splitlines()]


class Last(Bot):
    def act(self, turn: Turn) -> str:
        turn.note = "x" * 900
        return turn.legal[-1]


def test_a_bot_says_ready_and_answers_each_question_with_one_line() -> None:
    answers = talk(Last(), START, act(), act(1), END)
    assert answers[0] == {"type": "ready"}
    assert [answer["action"] for answer in answers[1:]] == [act()["legal"][-1]] * 2


def test_a_note_is_cut_to_what_the_referee_keeps() -> None:
    assert len(talk(Last(), START, act())[1]["note"]) == 500


def test_what_follows_the_end_is_not_read() -> None:
    assert len(talk(Last(), START, END, act())) == 1


def test_the_bot_hears_how_the_match_ended() -> None:
    heard: list[tuple[list[int], str]] = []

    class Listener(Last):
        def end(self, ranks: list[int], ending: str) -> None:
            heard.append((ranks, ending))

    talk(Listener(), START, END)
    assert heard == [([1, 2], "finished")]


def test_the_same_bot_seed_gives_the_same_game_again() -> None:
    class Dice(Bot):
        def act(self, turn: Turn) -> str:
            return turn.rng.choice(turn.legal)

    questions = [act(ply) for ply in range(8)]
    assert talk(Dice(), START, *questions) == talk(Dice(), START, *questions)
    assert talk(Dice(), START, *questions) != talk(Dice(), START | {"bot_seed": 12}, *questions)


def test_a_turn_tells_the_clock_the_rivals_and_the_history() -> None:
    seen: list[Turn] = []

    class Watcher(Last):
        def act(self, turn: Turn) -> str:
            seen.append(turn)
            return turn.legal[0]

    asked = act()
    asked["observation"]["log"] = ["0 M1", "1 take:S x"]
    talk(Watcher(), START, asked)
    assert (seen[0].bank_ms, seen[0].seat, seen[0].rivals) == (9000, 0, [1])
    assert seen[0].history() == [(0, "M1"), (1, "take:S x")]
    assert seen[0].spent_ms() >= 0


def test_an_answer_that_is_not_legal_is_explained_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    class Wrong(Bot):
        def act(self, turn: Turn) -> str:
            return "no such thing"

    assert talk(Wrong(), START, act(4))[1] == {"action": "no such thing"}
    assert "ply 4: 'no such thing' is not one of" in capsys.readouterr().err


def test_a_bot_without_act_says_what_to_write() -> None:
    with pytest.raises(NotImplementedError, match="write one that returns one of"):
        talk(Bot(), START, act())


def test_a_question_before_start_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="came before start"):
        talk(Last(), act(5))


def test_no_act_pays_for_the_collectors_walk_through_what_was_loaded_before() -> None:
    program = (
        "import gc\nfrom bots.kit import Bot, log, run\nclass Mine(Bot):\n    def act(self, turn):\n"
        "        log(gc.get_freeze_count(), len(gc.get_objects()))\n        return turn.legal[0]\nrun(Mine())\n"
    )
    words = b"\n".join(orjson.dumps(message) for message in (START, act()))
    ran = subprocess.run([sys.executable, "-c", program], input=words, capture_output=True, timeout=300)
    frozen, walked = map(int, ran.stderr.split())
    assert frozen > 10 * walked
