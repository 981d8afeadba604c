"""The page of one's own account: how each bot stands, and what became of those that don't play."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from ladder.ratings.services import rate_all
from ladder.submissions.models import Bot, BotVersion
from tests.ladder.cast import enrol, make_ladder, make_user, play

pytestmark = pytest.mark.django_db


def test_each_bot_is_listed_with_its_rating_on_every_ladder_or_with_what_became_of_it(client: Client) -> None:
    two, three = make_ladder("cotton_club", 2), make_ladder("cotton_club", 3)
    one, other, third = enrol(two, 3)
    for ladder, bots in ((two, (one, other)), (three, (one, other, third))):
        play(ladder, *bots, ranks=tuple(range(1, len(bots) + 1)))
    rate_all()
    owner = make_user("ada")
    Bot.objects.update(owner=owner)
    Bot.objects.filter(pk=third.bot_id).update(active_version=None)
    BotVersion.objects.filter(pk=third.pk).update(status=BotVersion.Status.QUARANTINED)
    client.force_login(owner)
    page = client.get("/account/").content.decode()
    rows = {bot: re.search(rf'href="/bots/{bot.pk}/">.*?</tr>', page, re.S)[0] for bot in Bot.objects.all()}
    assert ">2 seats</span>" in rows[one.bot]
    assert ">3 seats</span>" in rows[one.bot]
    assert f'<a href="/versions/{third.pk}/">v1 quarantined</a>' in rows[third.bot]
