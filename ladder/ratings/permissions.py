"""Who may end and begin tables."""

from __future__ import annotations

from ladder.accounts.permissions import Visitor, is_administrator


def may_close_seasons(visitor: Visitor) -> bool:
    """Close the season of a ladder, and take that back."""
    return is_administrator(visitor)
