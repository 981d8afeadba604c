"""Who may look behind the service."""

from __future__ import annotations

from ladder.accounts.permissions import Visitor, is_administrator


def may_watch(visitor: Visitor) -> bool:
    """The service's numbers, and what workers say of their hosts."""
    return is_administrator(visitor)
