"""The table as text."""

from __future__ import annotations

from engines.gatsby.board import draw, tell
from engines.gatsby.game import GAME
from tests.engines.gatsby.scene import play, scene


def test_the_table_shows_tokens_bonuses_floors_and_characters() -> None:
    state = scene(
        tracks=("01...", ".....", ".....", "...", "..."), floors=(6, 3), claimed={"F5": 0}, slots=("S4", None)
    )
    text = draw(state)
    assert "0 ..S..I    finance   F5 -  F10 (blue3)  F15 (red3)  F20 purple3" in text
    assert "R1 01X.F  green2a" in text
    assert "0 Dorothy floor  6  tokens 19  special S4   aside -  characters yellow0" in text


def test_the_table_is_compact() -> None:
    lines = draw(GAME.new(seed=1)).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 120


def test_every_action_is_told_in_a_sentence() -> None:
    state = scene()
    sentences = [tell(state, action) for action in range(197)]
    assert all(sentence.startswith("Dorothy ") and sentence.endswith(".") for sentence in sentences)
    assert len(set(sentences)) == 197


def test_a_closed_track_says_so() -> None:
    state = play(scene(tracks=(".....", ".....", ".....", "...", "11.")), "M3 t5 skip:I")
    assert "R5 closed -" in draw(state)
