"""Small drawings and wordings that many pages share."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from django import template
from django.urls import get_script_prefix
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.ratings.models import Rating, Standing
from ladder.tournaments.formats import FORMATS
from ladder.web.plots import Bar, BeforeAndAfter, Rated, Scale, Tick, moved, shares, spark

register = template.Library()
UNITS = ((90 * 60, "minute", 60), (48 * 3600, "hour", 3600), (inf, "day", 86400))  # up to how much each is told in
STEADY = 0.3  # a rating that moved less is told as steady
SURE = 0.001  # what is less likely, or its contrary, is not told to the last digit

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
def seat_name(game: str, seat: int) -> str:
    """What a game calls a seat."""
    return GAMES[game].words.seat_name(seat, GAMES[game].seats[-1]) if game in GAMES else f"Seat {seat}"


RUNTIMES = {"python": "Python", "node": "JavaScript"}


@register.filter
def runtime_name(runtime: str) -> str:
    """What a bot is written in, as people call it."""
    return RUNTIMES.get(runtime, runtime)


@register.filter
def ladder_title(ladder: Ladder) -> str:
    """A ladder as people call it: game, seats, and the options that are not the usual ones."""
    options = [f"{words(name)} {value}" for name, value in ladder.options.items()]
    return ", ".join([game_title(ladder.game), f"{ladder.seats} seats", *options])


# A table draws these once a row, and an included template for each would be most of a page's time: they are strings
# of our own numbers.


@register.simple_tag
def rating_bar(bar: Bar, rated: Rated, ticks: list[Tick]) -> SafeString:
    """A row of the rating plot: ticks, the step line of its storey, interval and point."""
    return mark_safe(bar_drawing(bar, rated, tick_lines(ticks)))  # noqa: S308  our own numbers


def tick_lines(ticks: Sequence[Tick]) -> str:
    """The ticks of a plot, the same in each of its rows."""
    return "".join([f'<line class="tick" x1="{tick.x}" x2="{tick.x}" y1="0" y2="100%"/>' for tick in ticks])


def bar_drawing(bar: Bar, rated: Rated, ticks: str) -> str:
    label = f"{rated.rating:.1f}, 95 % interval {rated.low:.1f} to {rated.high:.1f}"
    parts = [f'<svg{" class=prov" if bar.is_provisional else ""} role="img" aria-label="{label}">']
    if bar.step:
        parts.append(f'<rect class="storey" x="{bar.step}" width="{bar.step_width}" height="101%"/>')
    parts.append(ticks)
    if bar.step_from:
        parts.append(f'<line class="step" x1="{bar.step}" x2="{bar.step_from}" y1="0" y2="0"/>')
    if bar.step:
        parts.append(f'<line class="step" x1="{bar.step}" x2="{bar.step}" y1="0" y2="101%"/>')
    parts.append(f'<line class="whisker" x1="{bar.low}" x2="{bar.high}" y1="50%" y2="50%"/>')
    if bar.leaves_low:
        parts.append('<svg x="0" y="50%" overflow="visible"><path class="beyond" d="M0 0l10 -5v10z"/></svg>')
    if bar.leaves_high:
        parts.append('<svg x="100%" y="50%" overflow="visible"><path class="beyond" d="M0 0l-10 -5v10z"/></svg>')
    if not bar.is_beyond:
        parts.append(f'<circle class="mu" cx="{bar.rating}" cy="50%" r="4.5"/>')
    parts.append("</svg>")
    return "".join(parts)


@register.simple_tag
def results_bar(wins: int, draws: int, losses: int) -> SafeString:
    """Won, drawn and lost: solid, grey, hollow."""
    return mark_safe(results_drawing(wins, draws, losses))  # noqa: S308  our own numbers


def results_drawing(wins: int, draws: int, losses: int) -> str:
    share = shares(wins, draws, losses)
    if share is None:
        return '<span class="muted">none yet</span>'
    return (
        '<svg class="wdl" viewBox="0 0 112 12" preserveAspectRatio="none" role="img" '
        f'aria-label="{wins} won, {draws} drawn, {losses} lost">'
        f'<rect class="w" x="0" y="1" width="{share.won}" height="10"/>'
        f'<rect class="d" x="{share.drawn_at}" y="1.5" width="{share.drawn}" height="9"/>'
        f'<rect class="l" x="{share.lost_at}" y="1.5" width="{share.lost}" height="9"/></svg>'
    )


@register.simple_tag
def trend_line(standing: Standing) -> SafeString:
    """The latest ratings as a line with an end point, and in words."""
    values = standing.recent_mu
    return mark_safe(trend_drawing(values, standing.mu - values[0] if values else 0.0))  # noqa: S308  our own numbers


def trend_drawing(values: Sequence[float], trend: float) -> str:
    line = spark(values)
    if not line:
        return '<span class="muted">–</span>'
    x, y = line.rsplit(" ", 1)[-1].split(",")
    told = f"rising by {trend:.1f}" if trend > STEADY else f"falling by {-trend:.1f}" if trend < -STEADY else "steady"
    return (
        f'<svg class="spark" viewBox="0 0 88 24" role="img" aria-label="{told} over the last {len(values)} matches">'
        f'<polyline points="{line}"/><circle cx="{x}" cy="{y}" r="2.5"/></svg>'
    )


@register.filter
def times(number: float, factor: float) -> float:
    """A product, for intervals and per cents."""
    return number * factor


@register.filter
def chance(share: float) -> str:
    """A probability in per cent; nothing that was measured is certain."""
    if share < SURE:
        return f"under {100 * SURE:.1f} %"
    return f"over {100 - 100 * SURE:.1f} %" if share > 1 - SURE else f"{100 * share:.1f} %"


@register.filter
def chance_short(share: float) -> str:
    """A probability in whole per cents, for a column of them."""
    return "< 1 %" if share < 0.01 else "> 99 %" if share > 0.99 else f"{100 * share:.0f} %"


@register.filter
def signed(number: float) -> str:
    """A number with its sign."""
    return f"{number:+.1f}".replace("-", "−")


@register.filter
def format_name(name: str) -> str:
    """A tournament's format in a sentence."""
    return FORMATS[name].words


@register.filter
def minus(number: float, other: float) -> float:
    return number - other


@register.filter
def under_prefix(path: str) -> str:
    """A path of the site that was stored without the prefix it is served under."""
    return get_script_prefix().rstrip("/") + path if path.startswith("/") else path


@register.filter
def words(key: str) -> str:
    """`three_of_a_family` as words."""
    return str(key).replace("_", " ")


@register.filter
def points(value: float) -> str:
    """Points as players write them: 5½."""
    whole, rest = divmod(round(value * 2), 2)
    return (str(whole) if whole or not rest else "") + ("½" if rest else "")


@register.filter
def duration(seconds: float) -> str:
    """A length of time that is an estimate anyway, as people say it."""
    if seconds < 45:
        return "less than a minute"
    name, length = next((name, length) for most, name, length in UNITS if seconds < most)
    count = max(1, round(seconds / length))
    return f"about {count} {name}{'' if count == 1 else 's'}"


@register.simple_tag
def before_after(change: Rating, scale: Scale) -> BeforeAndAfter:
    """A rating before and after one match, on the scale of all its seats."""
    return moved(change, scale)
