"""Who may do what with a tournament."""

from __future__ import annotations

from django.db.models import Q

from ladder.accounts.models import User
from ladder.accounts.permissions import Visitor, is_administrator, is_organiser, is_person
from ladder.refusals import Forbidden
from ladder.submissions.models import Bot
from ladder.submissions.permissions import owns
from ladder.tournaments.models import Tournament


def may_run(visitor: Visitor, tournament: Tournament) -> bool:
    """Open, start, pause, resume, cancel, and enter any bot: its organiser, and whoever keeps the service."""
    return is_person(visitor, tournament.organiser_id) or is_administrator(visitor)


def may_take_out(visitor: Visitor, tournament: Tournament, bot: Bot) -> bool:
    """Take a bot out of a tournament: its owner, and who runs the tournament."""
    return owns(visitor, bot) or may_run(visitor, tournament)


def may_rate(visitor: Visitor) -> bool:
    """Run tournaments that count for ratings."""
    return is_organiser(visitor)


def may_run_many(visitor: Visitor) -> bool:
    """Run as many and as large tournaments as one likes."""
    return is_organiser(visitor)


def shown_to(visitor: Visitor) -> Q:
    """Every tournament but the drafts of others."""
    if is_administrator(visitor):
        return Q()
    shown = ~Q(status=Tournament.Status.DRAFT)
    return shown | Q(organiser=visitor) if isinstance(visitor, User) else shown


def check_may_run(visitor: Visitor, tournament: Tournament) -> None:
    """Raises Forbidden."""
    if not may_run(visitor, tournament):
        raise Forbidden(f"Only the organiser of {tournament} may do this.")
