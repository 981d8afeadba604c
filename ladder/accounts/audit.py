"""The log of what people with a role did, and to whom."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model

from ladder.accounts.models import AuditEntry, User


def audit(actor: User | AnonymousUser | None, action: str, target: Model | str, **detail: Any) -> AuditEntry:
    """Write down who did what to whom."""
    person = actor if isinstance(actor, User) else None
    return AuditEntry.objects.create(
        actor=person,
        actor_name=person.username if person else "",
        action=action,
        target=target if isinstance(target, str) else name_of(target),
        detail=detail,
    )


def name_of(target: Model) -> str:
    """What the log calls something."""
    return f"{target._meta.verbose_name} {target.pk}: {target}"[:120]
