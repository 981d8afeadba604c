"""Somebody leaves: bots stay without owner or name, results stay, the rest goes."""

from __future__ import annotations

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import transaction
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

from ladder.accounts.audit import audit
from ladder.accounts.models import AuditEntry, User
from ladder.accounts.services import keep_an_administrator
from ladder.ratings.models import Standing
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.services import release_bots_of

GONE = "a deleted account"


@transaction.atomic
def delete_account(user: User) -> None:
    """Forget a person: their bots become anonymous, results stay; raises AccountKept for the last administrator."""
    keep_an_administrator(user)
    audit(None, "account deleted", f"user {user.pk}")
    anonymise_bots(user)
    forget_traces(user)
    user.delete()


def anonymise_bots(user: User) -> None:
    """Every bot of this user loses owner, name, description and file names."""
    bots = list(Bot.objects.filter(owner=user).values_list("pk", flat=True))
    Bot.objects.filter(pk__in=bots).update(name=Concat(Value("anonymous-"), Cast("pk", CharField())))
    Standing.objects.filter(bot__in=bots).update(name=Concat(Value("anonymous-"), Cast("bot_id", CharField())))
    BotVersion.objects.filter(bot__in=bots, filename__endswith=".py").update(filename="bot.py")
    BotVersion.objects.filter(bot__in=bots).exclude(filename="bot.py").update(filename="bot.zip")
    release_bots_of(user)


def forget_traces(user: User) -> None:
    """Log-in attempts go, and the audit log forgets the name."""
    for log in (AccessAttempt, AccessFailureLog, AccessLog):
        log.objects.filter(username__iexact=user.username).delete()
    AuditEntry.objects.filter(actor=user).update(actor_name=GONE)
