"""Reading closed seasons: which there are, and the table of one, as a leaderboard shows it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ladder.ladders.models import Ladder
from ladder.ratings.leaderboard import MOST_ROWS, PAGE, BoardPage, LeaderboardRow
from ladder.ratings.models import BoardLine, Season, SeasonLine
from ladder.refusals import Refused

SAME = tuple(name for name in LeaderboardRow.__dataclass_fields__ if name in {f.name for f in BoardLine._meta.fields})


def seasons_of(ladder: Ladder) -> list[Season]:
    """The closed seasons of a ladder, the latest first."""
    return list(ladder.closed_seasons.select_related("closed_by").order_by("-number"))


def get_season(ladder: Ladder, number: int) -> Season:
    """A closed season; raises Refused (404)."""
    season = ladder.closed_seasons.select_related("closed_by", "ladder").filter(number=number).first()
    if season is None:
        playing = "is being played" if number == ladder.season else "has not been played"
        raise Refused(f"Season {number} of {ladder.slug} {playing}.", code="not_found", status=404)
    return season


def closed_by(season: Season) -> str:
    """Who or what closed a season, in words."""
    if season.cause == Season.Cause.RULES:
        return "new rules"
    return season.closed_by.username if season.closed_by else "an operator"


def season_page(season: Season, *, after: int = 0, limit: int = PAGE) -> BoardPage:
    """Lines of a season's table after a position; the cursors are such positions."""
    limit = max(1, min(limit, MOST_ROWS))
    shown = season.lines.filter(position__gt=after).select_related("bot__owner", "version").order_by("position")
    found = [_row(season, line) for line in shown[: limit + 1]]
    rows = tuple(found[:limit])
    previous = str(max(0, after - limit)) if after and rows else None
    return BoardPage(rows, str(after + limit) if len(found) > limit else None, previous)


def season_rows(season: Season) -> Iterator[LeaderboardRow]:
    """Every line, best first."""
    for number in count():
        page = season_page(season, after=number * MOST_ROWS, limit=MOST_ROWS)
        yield from page.rows
        if page.next is None:
            return


def _row(season: Season, line: SeasonLine) -> LeaderboardRow:
    """A kept line as leaderboards show theirs; names are today's."""
    told = {name: getattr(line, name) for name in SAME} | {"recent_mu": tuple(line.recent_mu)}
    return LeaderboardRow(
        above=(line.position or 1) - 1,
        standing_id=line.pk,
        bot_id=line.bot_id,
        bot=line.bot.name,
        name=line.bot.name.lower(),
        owner=line.bot.owner.username if line.bot.owner else None,
        version_id=line.version_id,
        version=line.version.number,
        updated_at=season.closed_at,
        **told,
    )
