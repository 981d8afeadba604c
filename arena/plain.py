"""Games that the viewer has no drawing of, as those from outside: they are shown as their words tell them."""

from __future__ import annotations

from pathlib import Path

BOARDS = Path(__file__).parent / "viewer" / "boards"
PLAIN = "plain"


def has_drawing(game: str) -> bool:
    """Whether the viewer draws the game; a name that is no file's name is no drawing's either."""
    return game.isidentifier() and (BOARDS / f"{game}.js").is_file()


def drawing_of(game: str) -> str:
    """The viewer's module that shows the game, without its ending."""
    return f"boards/{game}" if has_drawing(game) else PLAIN
