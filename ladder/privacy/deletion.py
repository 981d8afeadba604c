"""Somebody leaves: bots stay without owner or name, results stay, the rest goes."""

from __future__ import annotations

from collections import defaultdict

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import transaction
from django.db.models import Q

from ladder.accounts.audit import audit, name_of
from ladder.accounts.models import AuditEntry, Notification, User
from ladder.accounts.services import keep_an_administrator
from ladder.duels.models import Duel
from ladder.duels.services import cancelled_by
from ladder.parlour.permissions import HumanPlayer
from ladder.parlour.queries import unfinished_of
from ladder.parlour.services import resign
from ladder.qualifying.activation import withdrawn_by
from ladder.ratings.services import name_standings
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.services import release_bots
from ladder.tournaments.models import Entrant

GONE = "a deleted account"


@transaction.atomic
def delete_account(user: User) -> None:
    """Forget a person: their bots become anonymous, results stay; raises AccountKept for the last administrator."""
    keep_an_administrator(user)
    player = HumanPlayer(user)
    for sitting in unfinished_of(player):
        resign(player, sitting)  # whoever else sits there plays on
    audit(None, "account deleted", f"user {user.pk}")
    anonymise_bots(list(Bot.objects.filter(owner=user).values_list("pk", flat=True)))
    forget_traces(user)
    user.delete()


def anonymise_bots(pks: list[int]) -> None:
    """These bots lose owner, name, description and file names, on leaderboards and in what followers were told, too."""
    bots = Bot.objects.filter(pk__in=pks)
    _forget_news(dict(bots.values_list("pk", "name")))
    release_bots(bots)
    name_standings(*bots)


def _forget_news(names: dict[int, str]) -> None:
    """Followers lose what they were told of bots by their names: it would say who the nameless ones were."""
    cups = defaultdict[int, list[str]](list)
    for pk, tournament in Entrant.objects.filter(bot__in=names).values_list("bot_id", "tournament_id"):
        cups[pk].append(f"/tournaments/{tournament}/")
    about = Q(url__in=[f"/bots/{pk}/" for pk in names])
    for pk, name in names.items():
        about |= Q(url__in=cups[pk], text__startswith=f"{name} ")
    Notification.objects.filter(about, kind=Notification.Kind.FOLLOWED).delete()


def forget_traces(user: User) -> None:
    """Log-in attempts go; the audit log and what is told of withdrawals and cancelled tests forget the name."""
    for log in (AccessAttempt, AccessFailureLog, AccessLog):
        log.objects.filter(username__iexact=user.username).delete()
    AuditEntry.objects.filter(actor=user).update(actor_name=GONE)
    AuditEntry.objects.filter(target=name_of(user)).update(target=f"user {user.pk}")
    BotVersion.objects.filter(reason=withdrawn_by(user.username)).update(reason=withdrawn_by(GONE))
    Duel.objects.filter(told=cancelled_by(user.username)).update(told=cancelled_by(GONE))
