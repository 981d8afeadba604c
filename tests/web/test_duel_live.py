"""Is my new version better, in a real browser: the button, the line that grows, the verdict, the switch."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Browser, expect

from ladder.duels.advancing import advance
from ladder.duels.models import Duel
from tests.ladder.cast import make_ladder, make_user
from tests.ladder.duels.staging import play_sets, two_versions

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_owner_asks_watches_the_line_reach_its_bound_and_lets_the_better_one_play(
    chromium: Browser, live_server, client: Client
) -> None:
    owner, ladder = make_user("owner"), make_ladder("gatsby")
    old, new = two_versions(ladder, owner)
    client.force_login(owner)
    context = chromium.new_context(base_url=live_server.url)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"/bots/{old.bot_id}/")
    page.get_by_role("button", name="Is it better?").click()
    page.wait_for_url("**/duels/*/")
    expect(page.get_by_role("heading", name="Under way")).to_be_visible()
    first = page.locator(".chart .way").get_attribute("points")

    Duel.objects.update(margin=0.4)  # decided soon
    duel = Duel.objects.get()
    advance(duel.pk)
    play_sets(duel, [1, 0])
    expect(page.locator(".chart .way")).not_to_have_attribute("points", first or "")
    play_sets(duel, [1] * 60)
    expect(page.get_by_role("heading", name="Better", exact=True)).to_be_visible()
    page.get_by_role("button", name="Make version 2 active").click()
    expect(page.locator("main")).to_contain_text("is now the active version")
    context.close()
    new.bot.refresh_from_db()
    assert new.bot.active_version_id == new.pk
