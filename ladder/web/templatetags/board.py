"""Rows of leaderboards and of lists of matches as text: by the template engine they would be most of a page's time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from html import escape

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.utils.safestring import SafeString, mark_safe

from ladder.accounts.permissions import HOUSE
from ladder.matches.models import Match
from ladder.ratings.leaderboard import LeaderboardRow
from ladder.web.endings import how_it_ended, outcome_of, short_ending
from ladder.web.match_rows import MatchRow, SeatOfRow
from ladder.web.paths import addresses
from ladder.web.plots import PlotRow, Storey
from ladder.web.templatetags.look import (
    MARKS,
    bar_drawing,
    chance_short,
    game_title,
    results_drawing,
    seat_mark,
    tick_lines,
    trend_drawing,
    words,
)

register = template.Library()
SEAT_MARKS = tuple(map(seat_mark, range(len(MARKS))))
TENTH = Decimal("0.1")
BETWEEN_TAGS = "\n      "


def tenths(number: float) -> str:
    """``floatformat:1`` in a fraction of its time, and as it does from the written number: half a tenth goes up."""
    return f"{Decimal(repr(number)).quantize(TENTH, ROUND_HALF_UP):z}"  # z: no minus before 0.0


@register.simple_tag(takes_context=True)
def board_rows(context: template.Context, storey: Storey[LeaderboardRow]) -> SafeString:
    """The rows of a storey, drawn on the board of the context."""
    user = context.get("user")
    me = user.username if user is not None and user.is_authenticated else None
    shows_trueskill, is_plain = bool(context.get("shows_trueskill")), bool(context.get("is_plain"))
    path, ticks = addresses("web:bot"), tick_lines(context["board"].ticks)
    rows = []
    for entry in storey.rows:
        row = entry.of
        rows.append(
            f"""{BETWEEN_TAGS}
        <tr{' class="me-row"' if me is not None and row.owner == me else ""}>
          {_rank(entry)}
          {_bot(row, path(row.bot_id), is_told=entry.bar.is_provisional and not is_plain)}
          <td class="narrow-off muted">{escape(row.owner) if row.owner else "–"}</td>
          <td class="plot">{bar_drawing(entry.bar, row, ticks)}</td>
          <td class="num mucell">{tenths(row.rating)}</td>
          <td class="num narrow-off pm">±{tenths(row.half)}</td>
          {_place(row)}
          <td class="wide wall-off">{results_drawing(row.wins, row.draws, row.losses)}</td>
          <td class="wide wall-off">{trend_drawing(row.recent_mu, row.trend)}</td>
          {_trueskill(row) if shows_trueskill else ""}
          <td class="num wide wall-off">{row.matches:,}</td>
        </tr>
      """
        )
    return mark_safe("\n    ".join([*rows, ""]))  # noqa: S308  names are escaped, the rest are our own numbers


@register.simple_tag
def match_rows(matches: Iterable[MatchRow], bot_id: int | None = None) -> SafeString:
    """The rows of a list of matches; of a bot's own matches each says first what that bot got out of it."""
    to_match, to_bot = addresses("web:match"), addresses("web:bot")
    rows = [_match(match, to_match(match.pk), to_bot, bot_id) for match in matches]
    return mark_safe("".join(rows))  # noqa: S308  escaped


def _match(match: MatchRow, path: str, to_bot: Callable[..., str], bot_id: int | None) -> str:
    seats, ending = "".join([_seat(seat, to_bot, match.seats) for seat in match.seats]), _ending(match, bot_id)
    game = escape(game_title(match.game))
    muted = "" if match.status == Match.Status.FINISHED else " muted"
    return f"""
        <tr>
          <td><a href="{path}">{match.pk}</a></td>
          <td class="narrow-off muted">{game}<span class="wide">, {match.places} seats</span></td>
          <td class="wrap">{seats}<span class="ended">{ending}</span></td>
          <td class="wrap narrow-off{muted}">{ending}</td>
          <td class="num wide">{"–" if match.plies is None else match.plies}</td>
          <td class="num narrow-off muted"><time datetime="{match.at.isoformat()}">{naturaltime(match.at)}</time></td>
        </tr>
      """


def _ending(match: MatchRow, bot_id: int | None) -> str:
    own = [seat for seat in match.seats if seat.bot_id == bot_id]
    if match.status != Match.Status.FINISHED or len(own) != 1:
        return escape(short_ending(match))
    kind, told = outcome_of(own[0], match.seats)
    return f'<span class="outcome {kind}">{told}</span> {escape(how_it_ended(match))}'


def _seat(seat: SeatOfRow, to_bot: Callable[..., str], taken: Sequence[SeatOfRow]) -> str:
    is_told = seat.rank == 1 and not seat.fault
    first = f' <span class="tag good">{outcome_of(seat, taken)[1]}</span>' if is_told else ""
    fault = f' <span class="tag bad">{escape(words(seat.fault))}</span>' if seat.fault else ""
    link = f'<a class="bot" href="{to_bot(seat.bot_id)}">{escape(seat.bot)}</a>'
    return f'<span class="seat-taken">{SEAT_MARKS[seat.seat]} {link}{first}{fault}</span> '


def _rank(entry: PlotRow[LeaderboardRow]) -> str:
    if not entry.span:
        return ""
    return f"""
            <th class="storey-rank" scope="rowgroup" rowspan="{entry.span}">{entry.rank}</th>
          """


def _bot(row: LeaderboardRow, path: str, *, is_told: bool) -> str:
    """Its name; on a narrow screen with its owner and place below."""
    provisional = '<span class="narrow-off"> <span class="tag">provisional</span></span>' if is_told else ""
    house = '<span class="narrow-off"> <span class="tag house">house</span></span>' if row.owner == HOUSE else ""
    owner = escape(row.owner) if row.owner else "no owner"
    place = f"place {row.place}" if row.place else f"{row.missing} to go"
    return (
        f'<td class="botcell"><a class="bot" href="{path}">{escape(row.bot)}</a> '
        f'<span class="version narrow-off">v{row.version}</span>{provisional}{house}'
        f'<span class="second">{owner} · {place}</span></td>'
    )


def _place(row: LeaderboardRow) -> str:
    if not row.place:
        told = f"{row.missing} match{'' if row.missing == 1 else 'es'} to go"
        return f"""
            <td class="narrow-off muted" colspan="2">{told}</td>
          """
    return f"""
            <td class="narrow-off">{row.place}</td>
            <td class="num narrow-off">{chance_short(row.p_first or 0.0).replace("<", "&lt;").replace(">", "&gt;")}</td>
          """


def _trueskill(row: LeaderboardRow) -> str:
    return f"""
            <td class="num wide wall-off muted">{tenths(row.mu)} <span class="pm">σ {tenths(row.sigma)}</span></td>
          """
