"""A first tournament of each game among the house bots, so that a new service has something to watch."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction

from engines import GAMES
from ladder.accounts.models import User
from ladder.accounts.permissions import HOUSE
from ladder.ladders.services import find_ladder
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments import services
from ladder.tournaments.models import Tournament

CYCLES = 5
UNCHECKED = (BotVersion.Status.RECEIVED, BotVersion.Status.CHECKING)


def start_demos_when_due() -> int:
    """Start the demo of every game whose house bots have been checked and that never had a tournament of the house."""
    if not settings.DEMO:
        return 0
    house = User.objects.filter(username=HOUSE).first()
    if house is None:
        return 0
    had = set(Tournament.objects.filter(organiser=house).values_list("ladder__game", flat=True))
    return sum(_start(house, game) for game in GAMES if game not in had)


@transaction.atomic
def _start(house: User, game: str) -> int:
    bots = Bot.objects.filter(owner=house, game=game)
    if BotVersion.objects.filter(bot__in=bots, status__in=UNCHECKED).exists():
        return 0
    ready = list(bots.filter(active_version__status=BotVersion.Status.QUALIFIED).select_related("active_version__bot"))
    seats = GAMES[game].seats[0]
    if len(ready) < seats:
        return 0
    wishes = services.Wishes(
        name=f"{GAMES[game].title}: the house plays",
        description="A round robin among the house bots, to show what a tournament looks like.",
        ladder=find_ladder(game=game, seats=seats),
        entry=Tournament.Entry.CLOSED,
        cycles=CYCLES,
    )
    tournament = services.create_tournament(by=house, wishes=wishes)
    for bot in ready:
        services.enter(tournament, bot, by=house)
    services.start(tournament, by=house)
    return 1
