"""What some bots did lately: their matches, the tournaments they won, their new versions."""

from __future__ import annotations

from django.db.models import QuerySet

from ladder.matches.models import Match, Seat
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments.models import SheetRow, Tournament
from ladder.web.match_rows import MatchRow, match_rows_of

MOST_TITLES = 50
MOST_BOTS = 50
RECENT = 15


def latest_matches(bots: QuerySet[Bot]) -> list[MatchRow]:
    """The latest matches that the versions in play have played or are playing."""
    active = bots.filter(active_version__isnull=False).order_by("-pk")
    versions = list(active.values_list("active_version", flat=True)[:MOST_BOTS])
    played = (Match.Status.FINISHED, Match.Status.RUNNING)
    seats = Seat.objects.filter(version__in=versions, match__status__in=played)
    ids = seats.order_by("-match_id").values_list("match_id", flat=True)[: RECENT * 4]
    return match_rows_of(sorted(set(ids), reverse=True)[:RECENT])


def titles_of(bots: QuerySet[Bot]) -> list[SheetRow]:
    """The finished tournaments that one of these bots has won, newest first."""
    won = SheetRow.objects.filter(place=1, entrant__bot__in=bots, tournament__status=Tournament.Status.FINISHED)
    return list(
        won.defer("cells").select_related("tournament__ladder", "entrant__bot").order_by("-tournament_id")[:MOST_TITLES]
    )


def crown(tournaments: list[Tournament]) -> list[Tournament]:
    """The same tournaments, each with who came first in it as `winners`; nobody before its end."""
    over = [one.pk for one in tournaments if one.status == Tournament.Status.FINISHED]
    rows = SheetRow.objects.filter(tournament__in=over, place=1).defer("cells").select_related("entrant__bot")
    for one in tournaments:
        one.winners = [row for row in rows if row.tournament_id == one.pk]  # type: ignore[attr-defined]
    return tournaments


def new_versions(bots: QuerySet[Bot]) -> list[BotVersion]:
    """The versions of these bots that qualified last, newest first."""
    qualified = BotVersion.objects.filter(bot__in=bots, status=BotVersion.Status.QUALIFIED, checked_at__isnull=False)
    return list(qualified.select_related("bot__owner").order_by("-checked_at")[:RECENT])
