"""Seasons: a ladder's table is closed and kept as it ended, and the next one begins with what is known from it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import structlog
from django.db import connection, transaction
from django.db.models import Expression, F, Q, Value
from django.db.models.functions import Sqrt
from django.utils.timezone import now

from ladder.accounts.audit import audit
from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.ratings.fits import fit_ladder, is_large
from ladder.ratings.models import (
    BELOW_ALL,
    RANKED_MATCHES,
    START_SIGMA,
    BoardLine,
    Season,
    SeatTally,
)
from ladder.ratings.queries import fits_of, shown_fit
from ladder.ratings.recompute import clear_table, rebuild
from ladder.ratings.services import hold_ladder, rate_ladder, tallies_of
from ladder.refusals import Conflict

log = structlog.get_logger("ladder.ratings")
RULES_SD = 3.0  # how far new rules may move a bot, beyond what the fit finds out by itself
LONGEST_NOTE = 200
KEPT = ", ".join(str(field.column) for field in BoardLine._meta.fields)
# Who has a line in a season: who played, and the listed who are known without (new uploads of known bytes are ranked).
PLAYED = Q(matches__gt=0) | Q(is_listed=True, is_provisional=False) | Q(is_listed=True, prior_rating__isnull=False)
PLAYED_SQL = "(matches > 0 OR (is_listed AND (NOT is_provisional OR prior_rating IS NOT NULL)))"
UNFITTED: dict[str, Any] = {  # what a line shows before the first fit, beside the rating it begins with
    "is_provisional": True,
    "missing": RANKED_MATCHES,
    "storey": None,
    "place_low": None,
    "place_high": None,
    "p_first": None,
}


class SeasonKept(Conflict):
    """A season that can't be closed or reopened now; the message says why."""

    code = "season_kept"


def close_season(ladder: Ladder, *, by: User | None, note: str = "", is_patient: bool = False) -> Season:
    """Close the season of a ladder for an operator; raises SeasonKept.

    The table is brought up to date before. Only who is patient waits for the fit of a large ladder; others take the one
    that is shown, which is at most one match in a hundred behind.
    """
    bring_up_to_date(ladder, with_fit=is_patient or not is_large(ladder))
    with transaction.atomic():
        held = hold_ladder(ladder.pk)
        if held.needs_rebuild:
            raise SeasonKept(f"The ratings of {held.slug} are being recomputed; close its season when that is done.")
        season = end_season(held, cause=Season.Cause.OPERATOR, by=by, note=note.strip()[:LONGEST_NOTE])
        if season is None:
            raise SeasonKept(f"Season {held.season} of {held.slug} has no rated match yet; there is nothing to close.")
        audit(by, "close season", ladder, season=season.number)
    return season


def bring_up_to_date(ladder: Ladder, *, with_fit: bool) -> None:
    """Rate, recompute and fit what is left to do, so that a season ends with all that was played in it."""
    rate_ladder(ladder.pk)
    ladder.refresh_from_db()
    if ladder.needs_rebuild:
        rebuild(ladder)
        ladder.refresh_from_db()
    fit, is_played = shown_fit(ladder), ladder.rated_through > ladder.closed_through
    if with_fit and is_played and (fit is None or fit.is_stale or fit.rated_through < ladder.rated_through):
        fit_ladder(ladder)


def end_season(ladder: Ladder, *, cause: Season.Cause, by: User | None = None, note: str = "") -> Season | None:
    """Keep the table of a ladder that is held, and begin the next with it; None while nothing was rated."""
    tallies = tallies_of(ladder)
    if not any(tally.matches for tally in tallies.values()):
        return None
    fit = shown_fit(ladder)
    season = Season.objects.create(
        ladder=ladder,
        number=ladder.season,
        rules_version=ladder.rules_version,
        began_at=ladder.season_since or ladder.created_at,
        closed_at=now(),
        cause=cause,
        closed_by=by,
        note=note,
        rated_after=ladder.closed_through,
        rated_through=ladder.rated_through,
        matches=max(tally.matches for tally in tallies.values()),
        bots=0,
        fitted_at=fit.at if fit else None,
        fitted_matches=fit.matches if fit else 0,
        tallies=[{"seat": seat} | asdict(tally) for seat, tally in sorted(tallies.items())],
    )
    _keep_lines(season)
    _begin_next(ladder, season)
    log.info("season closed", ladder=ladder.slug, season=season.number, cause=cause, matches=season.matches)
    return season


def _keep_lines(season: Season) -> None:
    """Everything that stands on the ladder, past the ORM: one statement for any number of lines."""
    shown = "is_listed AND (matches > 0 OR NOT is_provisional)"
    place = f"ROW_NUMBER() OVER (PARTITION BY ({shown}) ORDER BY board_key DESC, id)"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO ratings_seasonline (season_id, version_id, bot_id, position, {KEPT}) "  # noqa: S608  our own names
            f"SELECT %s, version_id, bot_id, CASE WHEN {shown} THEN {place} END, {KEPT} "
            f"FROM ratings_standing WHERE ladder_id = %s AND {PLAYED_SQL}",
            [season.pk, season.ladder_id],
        )
    season.bots = season.lines.filter(position__isnull=False).count()
    season.save(update_fields=["bots"])


def _begin_next(ladder: Ladder, season: Season) -> None:
    """Everybody starts where they ended, as new versions do: with a wide sigma, provisional, nothing counted."""
    ladder.standings.filter(PLAYED).update(
        prior_rating=F("rating"),
        prior_sd=_widened(season),
        start_mu=F("mu"),
        start_sigma=START_SIGMA,
        earlier=F("earlier") + F("matches"),
        board_key=F("rating") - BELOW_ALL,
        **UNFITTED,
    )
    clear_table(ladder)
    Ladder.objects.filter(pk=ladder.pk).update(
        season=F("season") + 1,
        season_since=season.closed_at,
        closed_through=F("rated_through"),
        last_edition=F("last_edition") + 1,
    )


def _widened(season: Season) -> Expression | F:
    if season.cause != Season.Cause.RULES:
        return F("sd")
    return Sqrt(F("sd") * F("sd") + Value(RULES_SD**2))


def reopen_season(season: Season, *, by: User | None) -> None:
    """Undo the closing of a ladder's last season, as long as nothing was rated since; raises SeasonKept."""
    with transaction.atomic():
        ladder = hold_ladder(season.ladder_id)
        _check_reopening(ladder, season)
        _put_lines_back(season)
        ladder.tallies.all().delete()
        SeatTally.objects.bulk_create(SeatTally(ladder=ladder, **tally) for tally in season.tallies)
        Ladder.objects.filter(pk=ladder.pk).update(
            season=season.number,
            season_since=None if season.number == 1 else season.began_at,
            closed_through=season.rated_after,
            last_edition=F("last_edition") + 1,
        )
        audit(by, "reopen season", ladder, season=season.number)
        season.delete()
        ladder.refresh_from_db()
        fits_of(ladder).update(is_stale=True)  # who is listed may have changed


def _check_reopening(ladder: Ladder, season: Season) -> None:
    """Raises SeasonKept with the first reason against it."""
    name = f"Season {season.number} of {ladder.slug}"
    if season.number != ladder.season - 1:
        raise SeasonKept(f"{name} is not the last one that was closed; only that one can be reopened.")
    if season.cause == Season.Cause.RULES:
        raise SeasonKept(f"{name} ended with rules {season.rules_version}, which are no longer played.")
    if ladder.rated_through > season.rated_through:
        since = ladder.rated_through - season.rated_through
        raise SeasonKept(
            f"{name} can't be reopened: {since} match{'es have' if since > 1 else ' has'} been rated since. "
            "The ratings of the new season already follow from it."
        )


def _put_lines_back(season: Season) -> None:
    columns = ", ".join(f"{column} = line.{column}" for column in KEPT.split(", "))
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE ratings_standing SET earlier = earlier - line.matches, {columns} "  # noqa: S608  our own names
            "FROM ratings_seasonline AS line WHERE line.season_id = %s "
            "AND line.version_id = ratings_standing.version_id AND ladder_id = %s",
            [season.pk, season.ladder_id],
        )
