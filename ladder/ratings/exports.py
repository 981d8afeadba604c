"""A whole leaderboard in one file, read page by page while it is sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from ladder.ladders.models import Ladder
from ladder.ratings.leaderboard import MOST_ROWS, LeaderboardRow, leaderboard
from ladder.ratings.models import Season
from ladder.ratings.season_tables import closed_by, season_rows
from ladder.spreadsheets import csv_line

COLUMNS = (
    "rank", "bot", "version", "owner", "rating", "low", "high", "sd", "place_low", "place_high", "p_first", "storey",
    "is_provisional", "missing", "mu", "sigma", "matches", "wins", "draws", "losses", "faults",
)  # fmt: skip


def rows_of(ladder: Ladder) -> Iterator[LeaderboardRow]:
    """Every line, best first."""
    page = leaderboard(ladder, limit=MOST_ROWS)
    yield from page.rows
    while page.next:
        page = leaderboard(ladder, limit=MOST_ROWS, cursor=page.next)
        yield from page.rows


def export_csv(ladder: Ladder) -> Iterator[str]:
    """One line a bot; mu and sigma are TrueSkill's."""
    return _csv(rows_of(ladder))


def export_json(ladder: Ladder) -> Iterator[bytes]:
    """The same with TrueSkill's belief as an object of its own."""
    return _json({"ladder": ladder.slug}, rows_of(ladder))


def export_season_csv(season: Season) -> Iterator[str]:
    """The table of a closed season, with the columns of a leaderboard."""
    return _csv(season_rows(season))


def export_season_json(season: Season) -> Iterator[bytes]:
    """The same with what the season was."""
    about = {
        "ladder": season.ladder.slug, "season": season.number, "rules_version": season.rules_version,
        "began_at": season.began_at, "closed_at": season.closed_at, "closed_by": closed_by(season),
        "note": season.note, "matches": season.matches, "fitted_matches": season.fitted_matches,
    }  # fmt: skip
    return _json(about, season_rows(season))


def _csv(rows: Iterable[LeaderboardRow]) -> Iterator[str]:
    yield csv_line(COLUMNS)
    for row in rows:
        yield csv_line(getattr(row, name) for name in COLUMNS)


def _json(about: dict[str, Any], rows: Iterable[LeaderboardRow]) -> Iterator[bytes]:
    yield orjson.dumps(about)[:-1] + b',"results":['
    for number, row in enumerate(rows):
        told = {name: getattr(row, name) for name in COLUMNS if name not in {"mu", "sigma"}}
        yield b"," * bool(number) + orjson.dumps(told | {"trueskill": row.trueskill})
    yield b"]}"
