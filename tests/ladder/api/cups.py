"""Tournaments for the API's small world, one in each stage, and who gets what of them."""

from __future__ import annotations

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.submissions.models import BotVersion
from ladder.tournaments import drawing, services
from ladder.tournaments.models import Tournament
from ladder.tournaments.services import Wishes


def make_cups(ladder: Ladder, owner: User, versions: list[BotVersion]) -> dict[str, Tournament]:
    """The owner's tournaments: a draft, one that takes entries, one that runs, one paused, one cancelled."""
    cups = {}
    for stage in ("draft", "open", "running", "paused", "cancelled"):
        entry = Tournament.Entry.ANYONE if stage == "open" else Tournament.Entry.CLOSED
        cup = services.create_tournament(by=owner, wishes=Wishes(name=f"{stage} cup", ladder=ladder, entry=entry))
        if stage != "open":
            for version in versions:
                services.enter(cup, version.bot, by=owner)
        if stage != "draft":
            services.open_entries(cup, by=owner)
        if stage in {"running", "paused"}:
            services.start(cup, by=owner)
        cups[stage] = cup
    drawing.advance_all()
    services.pause(cups["paused"], by=owner)
    services.cancel(cups["cancelled"], by=owner)
    return cups
