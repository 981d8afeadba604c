"""What changes accounts: sign-up, tokens, reset links, roles, notifications."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import F
from django.urls import reverse
from django.utils.timezone import now
from knox.models import AuthToken

from ladder.accounts.audit import audit
from ladder.accounts.models import Invite, Notification, User
from ladder.accounts.permissions import is_administrator
from ladder.refusals import Conflict, Refused, hold
from ladder.tokens.models import ApiToken

MOST_TOKENS = 20
LONGEST_TOKEN_DAYS = 366
TOKEN_DAYS = 90
LONGEST_TEXT = Notification._meta.get_field("text").max_length or 300


class TokenRefused(Conflict):
    """A token that is not made."""

    code = "token_refused"


class InviteRefused(Refused):
    """An invitation that lets nobody in."""

    code = "invite_refused"


class NameTaken(Conflict):
    """A name that somebody else, or the same form sent twice, took a moment ago."""

    code = "name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"A user named {name!r} signed up a moment ago. Sign in if it was you; else choose another name."
        )


class AccountKept(Conflict):
    """An account that must not go."""

    code = "account_kept"


@dataclass(frozen=True, slots=True)
class FreshToken:
    """A token in plain text, which nobody will see again."""

    id: int
    name: str
    token: str
    expires_at: datetime


@transaction.atomic
def make_token(user: User, *, name: str = "", days: int = TOKEN_DAYS) -> FreshToken:
    """A new API token; raises TokenRefused when the name is taken or the user has too many."""
    if not 1 <= days <= LONGEST_TOKEN_DAYS:
        raise Refused(f"A token is valid for 1 to {LONGEST_TOKEN_DAYS} days, not {days}.", field="days")
    hold(user)
    forget_expired_tokens(user)
    if user.api_tokens.count() >= MOST_TOKENS:
        raise TokenRefused(f"You have {MOST_TOKENS} tokens, the maximum. Revoke one first.")
    auth, plain = AuthToken.objects.create(user=user, expiry=timedelta(days=days))
    try:
        with transaction.atomic():
            named = ApiToken.objects.create(user=user, name=name or f"token {plain[:6]}", auth=auth)
    except IntegrityError:
        auth.delete()
        raise TokenRefused(f"You already have a token named {name!r}. Choose another name or revoke it.") from None
    return FreshToken(named.pk, named.name, plain, auth.expiry)


def forget_expired_tokens(user: User) -> None:
    """Tokens past their day make room for new ones."""
    AuthToken.objects.filter(user=user, expiry__lt=now()).delete()


def revoke_token(user: User, token_id: int) -> bool:
    """Make one of the user's tokens useless; False if there is none with this id."""
    deleted, _ = AuthToken.objects.filter(user=user, named__pk=token_id).delete()
    return bool(deleted)


@transaction.atomic
def invite(*, by: User | None, uses: int = 1, days: int = 30, note: str = "") -> Invite:
    """A fresh invitation code."""
    code = secrets.token_urlsafe(12)
    made = Invite.objects.create(
        code=code, note=note, uses_left=uses, expires_at=now() + timedelta(days=days), created_by=by
    )
    audit(by, "invite", made, uses=uses, days=days)
    return made


def use_invite(code: str) -> None:
    """Take one use of a code; raises InviteRefused when it has none left."""
    open_now = Invite.objects.filter(code=code.strip(), uses_left__gt=0, expires_at__gt=now())
    if not open_now.update(uses_left=F("uses_left") - 1):
        raise InviteRefused("This invitation code is unknown, used up or expired. Ask for a new one.")


def reset_path(user: User, *, by: User | None = None) -> str:
    """The path of a one-time page on which this user sets a new password."""
    key = default_token_generator.make_token(user)
    audit(by, "reset link", user)
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})


@transaction.atomic
def appoint(user: User, role: User.Role, *, by: User | None = None) -> None:
    """Give a role; raises AccountKept when the last administrator would go."""
    if role != User.Role.ADMINISTRATOR:
        keep_an_administrator(user)
    before, user.role = user.role, role
    user.save(update_fields=["role", "is_staff", "is_superuser"])
    audit(by, "appoint", user, before=before, now=role)
    notify(user, Notification.Kind.ACCOUNT, f"You are now {User.Role(role).label.lower()}.")


def keep_an_administrator(user: User) -> None:
    """Raises AccountKept for the last administrator."""
    others = User.objects.filter(role=User.Role.ADMINISTRATOR, is_active=True).exclude(pk=user.pk)
    if is_administrator(user) and not others.exists():
        raise AccountKept(f"{user.username} is the last administrator. Appoint another one first.")


def notify(user: User | AnonymousUser | None, kind: str, text: str, url: str = "") -> Notification | None:
    """Tell a person what happened; nobody is told about a bot without an owner."""
    if not isinstance(user, User):
        return None
    return Notification.objects.create(user=user, kind=Notification.Kind(kind), text=_cut(text), url=url)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def notify_all(users: Iterable[User], kind: Notification.Kind, text: str, url: str = "") -> int:
    """Tell many people the same; returns how many."""
    told = [Notification(user=user, kind=kind, text=_cut(text), url=url) for user in users]
    return len(Notification.objects.bulk_create(told, batch_size=500))


def hear_followed(user: User, wanted: bool) -> None:
    """Get notifications about what one follows, or none."""
    User.objects.filter(pk=user.pk).update(hears_followed=wanted)
    user.hears_followed = wanted


def read_notifications(user: User, ids: list[int] | None = None) -> int:
    """Mark notifications as read, all of them or those given; returns how many were unread."""
    unread = user.notifications.filter(read_at=None)
    if ids is not None:
        unread = unread.filter(pk__in=ids)
    return unread.update(read_at=now())
