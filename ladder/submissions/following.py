"""Following a bot, or an author with all bots: who follows whom, and what followers are told."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from ladder.accounts.models import Notification, User
from ladder.accounts.permissions import Visitor
from ladder.accounts.services import notify_all
from ladder.prepared import prepared
from ladder.refusals import Missing, QuotaExceeded, hold
from ladder.submissions.models import Bot, Follow
from ladder.submissions.permissions import may_manage, shown_to

MOST_FOLLOWED = 500
Followed = Bot | User


class FollowsTooMany(QuotaExceeded):
    """The follower follows as many as one may."""

    code = "quota_reached"


@transaction.atomic
def follow(follower: User, whom: Followed) -> None:
    """Follow a bot or an author; twice is once. Raises Missing or FollowsTooMany."""
    if isinstance(whom, Bot) and whom.is_hidden and not may_manage(follower, whom):
        raise Missing(f"{whom.name} is hidden by its owner and can't be followed.")
    hold(follower)
    if is_following(follower, whom):
        return
    if follower.follows.count() >= MOST_FOLLOWED:
        raise FollowsTooMany(f"You follow {MOST_FOLLOWED} bots and authors, the maximum. Unfollow one first.")
    Follow.objects.create(follower=follower, **_column(whom))


def unfollow(follower: User, whom: Followed) -> None:
    """Follow no longer; whoever did not follow still doesn't."""
    Follow.objects.filter(follower=follower, **_column(whom)).delete()


def is_following(visitor: Visitor, whom: Followed) -> bool:
    """Whether somebody follows this bot or author."""
    return isinstance(visitor, User) and Follow.objects.filter(follower=visitor, **_column(whom)).exists()


def follower_count(whom: Followed) -> int:
    """How many follow a bot or an author."""
    counted = _followers_of_bot(whom.pk) if isinstance(whom, Bot) else _followers_of_author(whom.pk)
    return next(iter(counted), 0)


def followers() -> Coalesce:
    """The same for a statement about bots."""
    return Coalesce(Subquery(_counted(Follow.objects.filter(bot=OuterRef("pk")))), 0)


@prepared
def _followers_of_bot(bot_id: int) -> QuerySet[Follow, int]:
    return _counted(Follow.objects.filter(bot=bot_id))


@prepared
def _followers_of_author(author_id: int) -> QuerySet[Follow, int]:
    return _counted(Follow.objects.filter(author=author_id))


def _counted(follows: QuerySet[Follow]) -> QuerySet[Follow, int]:
    """How many they are, as one row; none where there are none."""
    return (
        follows.order_by()
        .annotate(one=Value(1))
        .values("one")
        .annotate(many=Count("pk"))
        .values_list("many", flat=True)
    )


def _column(whom: Followed) -> dict[str, Followed]:
    return {"bot": whom} if isinstance(whom, Bot) else {"author": whom}


def followed_by(follower: User) -> QuerySet[Follow]:
    """Whom somebody follows, the latest first; a bot that its owner has hidden is not shown."""
    shown = Q(bot__isnull=True) | Q(bot__in=Bot.objects.filter(shown_to(follower)).values("pk"))
    return follower.follows.filter(shown).select_related("bot__owner", "author").order_by("-pk")


def bots_followed_by(follower: User) -> QuerySet[Bot]:
    """The bots that somebody hears of: those followed, and all of the authors followed."""
    theirs = Q(pk__in=follower.follows.values("bot")) | Q(owner__in=follower.follows.values("author"))
    return Bot.objects.filter(theirs, is_hidden=False)


def tell_followers(bot: Bot, text: str, url: str) -> int:
    """Tell whoever follows a bot or its author, once, and who wants to be told; returns how many."""
    if bot.is_hidden:
        return 0
    users = User.objects.filter(follows__bot=bot)
    if bot.owner is not None:
        users = (users | User.objects.filter(follows__author=bot.owner)).exclude(pk=bot.owner.pk)
    users = users.filter(hears_followed=True, is_active=True)
    return notify_all(users.distinct(), Notification.Kind.FOLLOWED, text, url)
