"""The files of the house bots, by game; a game from outside brings its own and has at least the random one."""

from __future__ import annotations

from pathlib import Path

from engines import GAMES

HOUSE = Path(__file__).resolve().parents[1] / "bots" / "house"
RANDOM = "random"  # plays any game


def house_bots(game: str, folder: Path = HOUSE) -> dict[str, Path]:
    """The house bots of a game by name."""
    if not GAMES.is_outside(game):
        return _bots_in(folder / game)
    anybody = sorted(HOUSE.glob(f"*/{RANDOM}.py"))[:1]
    return {path.stem: path for path in anybody} | _bots_in(GAMES[game].folder / "house")


def _bots_in(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("[!_]*.py"))}
