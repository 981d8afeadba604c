"""Rows of a leaderboard as text: fifty of them through the template engine would be most of the page's time."""

from __future__ import annotations

from html import escape

from django import template
from django.template.defaultfilters import floatformat
from django.utils.safestring import SafeString, mark_safe

from ladder.accounts.permissions import HOUSE
from ladder.ratings.leaderboard import LeaderboardRow
from ladder.web.paths import addresses
from ladder.web.plots import PlotRow, Storey
from ladder.web.templatetags.look import bar_drawing, chance_short, results_drawing, tick_lines, trend_drawing

register = template.Library()
BETWEEN_TAGS = "\n      "


def tenths(number: float) -> str:
    """``floatformat:1`` in a fraction of its time; what stands half way between two tenths is left to it."""
    part = number * 10 % 1
    if 0.499999 < part < 0.500001 or -0.06 < number <= 0 or not -1e12 < number < 1e12:
        return str(floatformat(number, 1))
    return f"{number:.1f}"


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
