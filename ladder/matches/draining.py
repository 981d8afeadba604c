"""Taking a machine out of play: its workers end what they play and take nothing more, until that is undone."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from ladder.accounts.audit import audit
from ladder.accounts.models import User
from ladder.matches.models import Match, Worker
from ladder.refusals import Refused

DRAINED = "DRAINED: an operator took this machine out of play. Fix: `manage.py drain HOST --undo`."


class UnknownHost(Refused):
    """A machine of which no worker was seen."""

    code = "unknown_host"


def workers_of(host: str) -> QuerySet[Worker]:
    """The workers of a machine that serve the match queue; raises UnknownHost with those that are known."""
    found = Worker.objects.filter(Q(host=host) | Q(name=host), plays=True)
    if not found.exists():
        known = sorted(set(Worker.objects.filter(plays=True).values_list("host", flat=True)))
        raise UnknownHost(f"No worker was seen on {host!r}. Machines that play: {', '.join(known) or 'none'}.")
    return found


@transaction.atomic
def drain(host: str, *, by: User | None = None) -> int:
    """Let a machine take no more matches, also after a restart; returns how many workers heard it first now."""
    fresh = list(workers_of(host).filter(drained_at=None))
    for worker in fresh:
        audit(by, "drain", worker)
    drained = Worker.objects.filter(pk__in=[worker.pk for worker in fresh])
    drained.filter(message="").update(message=DRAINED)  # one that can't play goes on to say why
    return drained.update(drained_at=Now())


@transaction.atomic
def undo_drain(host: str, *, by: User | None = None) -> int:
    """Let a machine play again; returns how many of its workers were drained."""
    drained = list(workers_of(host).exclude(drained_at=None))
    for worker in drained:
        audit(by, "undo drain", worker)
    names = [worker.pk for worker in drained]
    Worker.objects.filter(pk__in=names, message=DRAINED).update(message="")
    return Worker.objects.filter(pk__in=names).update(drained_at=None)


def still_playing(host: str) -> int:
    """How many matches the machine has not ended yet."""
    hosts = workers_of(host).values_list("host", flat=True).distinct()
    mine = Q()
    for each in hosts:
        mine |= Q(worker__startswith=f"{each[:80]}/")
    return Match.objects.filter(mine, status=Match.Status.RUNNING).count()


def drained_workers() -> QuerySet[Worker]:
    """Everything an operator took out of play, the longest first."""
    return Worker.objects.exclude(drained_at=None).order_by("drained_at", "name")
