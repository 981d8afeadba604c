"""Small drawings and wordings that many pages share."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from engines import GAMES
from ladder.ratings.models import Rating
from ladder.web.plots import Moved, Scale, Share, moved, shares, spark

register = template.Library()

# Seat = shape and fill; the same drawings as arena/viewer/pieces.js.
MARKS = (
    '<circle class="solid" r="13"/>',
    '<rect class="hollow" x="-12" y="-12" width="24" height="24"/>',
    '<path class="solid" d="M0 -16L16 0 0 16 -16 0Z"/>',
    '<path class="hollow" d="M0 -14L16 13H-16Z"/>',
    '<path class="solid" d="M-15 -5H-5V-15H5V-5H15V5H5V15H-5V5H-15Z"/>',
    '<path class="hollow" d="M-15 10A15 15 0 0 1 15 10Z"/>',
)


@register.simple_tag
def seat_mark(seat: int) -> SafeString:
    """The mark of a seat, silent to a screen reader: its name or number stands beside it."""
    return format_html(
        '<svg class="mark p{0}" viewBox="-16 -16 32 32" aria-hidden="true">{1}</svg>',
        seat,
        mark_safe(MARKS[seat]),  # noqa: S308  our own constant
    )


@register.filter
def game_title(name: str) -> str:
    """The printed name of a game."""
    return GAMES[name].title if name in GAMES else name


@register.filter
def spark_points(values: list[float]) -> str:
    """Points of a sparkline."""
    return spark(values)


@register.filter
def last_point(points: str) -> tuple[str, ...]:
    """x and y of the end of a polyline."""
    return tuple(points.rsplit(" ", 1)[-1].split(",")) if points else ()


@register.simple_tag
def result_shares(wins: int, draws: int, losses: int) -> Share | None:
    """The bar of won, drawn and lost."""
    return shares(wins, draws, losses)


@register.filter
def times(number: float, factor: float) -> float:
    """A product, for intervals and per cents."""
    return number * factor


@register.filter
def minus(number: float, other: float) -> float:
    return number - other


@register.filter
def words(key: str) -> str:
    """`three_of_a_family` as words."""
    return str(key).replace("_", " ")


@register.filter
def points(value: float) -> str:
    """Points as players write them: 5½."""
    whole, rest = divmod(round(value * 2), 2)
    return (str(whole) if whole or not rest else "") + ("½" if rest else "")


@register.simple_tag
def before_after(change: Rating, scale: Scale) -> Moved:
    """A rating before and after one match, on the scale of all its seats."""
    return moved(change, scale)
