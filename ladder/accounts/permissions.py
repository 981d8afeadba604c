"""Who somebody is, as far as that decides what they may do; each room says the rest in its own ``permissions``."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from ladder.accounts.models import User

HOUSE = "house"  # the user that owns the house bots
Visitor = User | AnonymousUser | None


def is_administrator(visitor: Visitor) -> bool:
    """Whether somebody keeps the service."""
    return isinstance(visitor, User) and visitor.role == User.Role.ADMINISTRATOR


def is_organiser(visitor: Visitor) -> bool:
    """Whether somebody was appointed to run rated tournaments, or keeps the service."""
    return is_administrator(visitor) or (isinstance(visitor, User) and visitor.role == User.Role.ORGANISER)


def is_person(visitor: Visitor, pk: int | None) -> bool:
    """Whether somebody is signed in as the user of this number."""
    return isinstance(visitor, User) and visitor.pk == pk


def has_no_limits(visitor: Visitor) -> bool:
    """Whether quotas do not count for somebody."""
    return is_administrator(visitor) or (isinstance(visitor, User) and visitor.username == HOUSE)


def signed_in(visitor: Visitor) -> User:
    """Who somebody is, behind a door that only signed-in people pass."""
    assert isinstance(visitor, User), "this door is open to nobody in particular"
    return visitor
