"""The picture of a shared link: a card of fixed size with a drawn position, as PNG.

Where no renderer is installed there are no pictures; where no node is, the card has our ornament instead of a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from textwrap import wrap
from typing import Any

import orjson

from arena.picture import SIZE as BOARD
from arena.picture import board_style, plain_style, position_svg
from engines import GAMES
from ladder.web.templatetags.look import MARKS

SIZE = (1200, 630)
KEPT = 64  # pictures a process remembers, about 100 kB each
FONTS = Path(__file__).parent / "poster_fonts"
LONGEST_LINE, MOST_LINES = 36, 5
TEXT, DISPLAY = "Atkinson Hyperlegible Next", "Federo"
STAGE = (432, 70, 736, 490)  # where the board stands: left, top, width, height
MARK = "M2 22h22v2H2zM2 17h17v3H2zM2 12h12v3H2zM2 7h7v3H2zM2 2h3v3H2z"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a card, as in viewer/tokens.css."""

    ink: str
    second: str
    paper: str
    surface: str
    line: str
    brass: str


DAY = Palette("#15201c", "#4b5751", "#f3f2ea", "#fbfaf5", "#9a782b", "#7a5c12")
NIGHT = Palette("#ece9df", "#a7b1aa", "#0e1513", "#161f1c", "#b08f45", "#d9b660")


@dataclass(frozen=True, slots=True)
class Poster:
    """What stands on a card; names have their seats' marks, and the frame is drawn beside them."""

    game: str
    heading: str
    names: tuple[str, ...]
    text: str
    frame: bytes = b""  # JSON, so that equal cards are one picture
    above: str = ""  # the line over the heading; the game's name where it is empty
    is_night: bool = False
    is_board: bool = False  # the board alone, where it can be drawn

    @property
    def palette(self) -> Palette:
        return NIGHT if self.is_night else DAY


@lru_cache(maxsize=1)
def has_pictures() -> bool:
    """Whether this installation can make pictures."""
    return find_spec("resvg_py") is not None


def packed(frame: dict[str, Any] | None) -> bytes:
    """A frame as part of a card."""
    return orjson.dumps(frame) if frame else b""


@lru_cache(maxsize=KEPT)
def poster_png(poster: Poster) -> bytes:
    """The card as PNG of SIZE."""
    from resvg_py import svg_to_bytes  # a service without it has no pictures, and is whole otherwise

    return bytes(svg_to_bytes(svg_string=poster_svg(poster), skip_system_fonts=True, font_dirs=[str(FONTS)]))


def poster_svg(poster: Poster) -> str:
    """The card: words on the left, the board on the right; or the board alone."""
    drawn = position_svg(poster.game, orjson.loads(poster.frame)) if poster.frame else None
    alone = drawn is not None and poster.is_board
    width, height = BOARD if alone else SIZE
    inside = _placed(poster, drawn or "", 0, 0, *BOARD) if alone else _words(poster) + _board(poster, drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<style>{plain_style(night=poster.is_night)}</style>"
        f'<rect width="{width}" height="{height}" fill="{poster.palette.paper}"/>{inside}</svg>'
    )


def _words(poster: Poster) -> str:
    title, colours = poster.above or GAMES[poster.game].title, poster.palette
    lines = [
        f'<path d="{MARK}" fill="{colours.line}" transform="translate(40 44) scale(1.3)"/>',
        _line(84, 72, "Rumrunner", colours.ink, size=28, family=DISPLAY),
        _line(40, 146, title, colours.brass, size=30, family=DISPLAY),
    ]
    y = 146
    if poster.heading:
        for part in _wrapped(poster.heading, 22, 3):
            y += 44
            lines.append(_line(40, y, part, colours.ink, size=34, weight=600))
    for seat, name in enumerate(poster.names[: len(MARKS)]):
        y += 44
        lines.append(
            f'<g class="board" transform="translate(52 {y - 11}) scale(.75)"><g class="p{seat}">{MARKS[seat]}</g></g>'
        )
        lines.append(_line(78, y, _cut(name, 20), colours.ink, size=30, weight=600))
    y += 16
    for part in _wrapped(poster.text, LONGEST_LINE, MOST_LINES):
        y += 28
        lines.append(_line(40, y, part, colours.second, size=20))
    return "".join(lines)


def _line(x: int, y: int, text: str, fill: str, *, size: int, weight: int = 400, family: str = TEXT) -> str:
    return (
        f'<text x="{x}" y="{y}" font-family="{family}" font-size="{size}" font-weight="{weight}" fill="{fill}">'
        f"{escape(text)}</text>"
    )


def _board(poster: Poster, drawn: str | None) -> str:
    """The board in its frame, or our ornament where it can't be drawn."""
    colours, (x, y, width, height) = poster.palette, STAGE
    if drawn is None:
        return "".join(
            f'<rect x="{x}" y="{560 - 70 * n}" width="{width - 120 * n}" height="34" fill="{colours.line}"/>'
            for n in range(6)
        )
    frame = f'x="{x - 6}" y="{y - 6}" width="{width + 12}" height="{height + 12}"'
    return (
        f'<rect {frame} fill="{colours.surface}" stroke="{colours.line}"/>'
        f"{_placed(poster, drawn, x, y, width, height)}"
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="{colours.ink}" stroke-width="2"/>'
    )


def _placed(poster: Poster, drawn: str, x: int, y: int, width: int, height: int) -> str:
    """The drawing of a board where it is wanted, as large as is wanted."""
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="0 0 {BOARD[0]} {BOARD[1]}">'
        f'<g class="board"><g class="{board_style(poster.game)} wide">{drawn}</g></g></svg>'
    )


def _wrapped(text: str, width: int, most: int) -> Sequence[str]:
    """Lines of at most so many letters; what does not fit ends in an ellipsis."""
    lines = wrap(_printable(text), width, break_long_words=True)
    return lines if len(lines) <= most else [*lines[: most - 1], _cut(lines[most - 1] + " …", width)]


def _cut(text: str, longest: int) -> str:
    text = _printable(text)
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _printable(text: str) -> str:
    """Without what XML does not allow."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
