"""Is my new version better, as a page: the button, the drawing that follows the test, and who may see it."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.accounts.models import User
from ladder.duels.models import Duel
from ladder.ladders.models import Ladder
from ladder.submissions.models import BotVersion
from ladder.web.charts import ratio_chart
from tests.ladder.cast import make_ladder, make_user
from tests.ladder.duels.staging import play_sets, started, two_versions

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return make_user("owner")


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder("gatsby")


@pytest.fixture
def desk(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def test_one_button_on_the_bots_page_starts_the_test(desk: Client, ladder: Ladder, owner: User) -> None:
    old, new = two_versions(ladder, owner)
    page = desk.get(f"/bots/{old.bot_id}/").content.decode()
    assert "Is it better?" in page
    answer = desk.post(f"/bots/{old.bot_id}/better/", {"switch_when_better": "1"})
    duel = Duel.objects.get()
    assert answer["Location"] == f"/duels/{duel.pk}/"
    assert (duel.old, duel.new, duel.switch_when_better) == (old, new, True)
    assert "Watch the test" in desk.get(f"/bots/{old.bot_id}/").content.decode()


def test_the_page_asks_again_until_the_verdict(desk: Client, ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner, margin=0.4), [1, 0])
    page = desk.get(f"/duels/{duel.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert 'hx-trigger="every 2s"' in page
    assert "Not clear yet: version 2 has 50.0 % of the points in 2 sets." in page
    play_sets(duel, [1] * 60)
    page = desk.get(f"/duels/{duel.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert "hx-trigger" not in page
    assert "Version 2 is better than version 1" in page
    assert "Make version 2 active" in page


def test_the_many_matches_of_a_test_do_not_hide_the_others(desk: Client, ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner), [1, 0])
    assert "No matches yet" in desk.get(f"/bots/{duel.bot_id}/").content.decode()


def test_a_test_is_cancelled_after_asking(desk: Client, ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    assert "Cancel the test of version 2?" in desk.get(f"/duels/{duel.pk}/cancel/").content.decode()
    desk.post(f"/duels/{duel.pk}/cancel/")
    duel.refresh_from_db()
    assert duel.status == Duel.Status.CANCELLED
    page = desk.post(f"/duels/{duel.pk}/cancel/", follow=True).content.decode()
    assert "The test is over: cancelled." in page


def test_refusals_are_told_on_the_bots_page(desk: Client, ladder: Ladder, owner: User) -> None:
    old, new = two_versions(ladder, owner)
    BotVersion.objects.filter(pk=new.pk).update(bundle=old.bundle)
    where = f"/bots/{old.bot_id}/better/"
    assert "are the same file" in desk.post(where, follow=True).content.decode()
    assert "Choose two versions" in desk.post(where, {"new": "newest"}, follow=True).content.decode()
    assert desk.post(where, {"new": "9"}).status_code == 404
    assert desk.get(where).status_code == 405


def test_an_owner_may_have_new_versions_tested_first(desk: Client, ladder: Ladder, owner: User) -> None:
    old, _ = two_versions(ladder, owner)
    page = desk.post(f"/bots/{old.bot_id}/better/only/", {"wanted": "1"}, follow=True).content.decode()
    assert "Let new versions play at once" in page
    old.bot.refresh_from_db()
    assert old.bot.plays_better_only


def test_a_rival_sees_no_button_and_no_test(client: Client, ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    client.force_login(make_user("rival"))
    assert "Is my new version better?" not in client.get(f"/bots/{duel.bot_id}/").content.decode()
    for path in (f"/duels/{duel.pk}/", f"/duels/{duel.pk}/cancel/"):
        assert client.get(path).status_code == 404
    for path in (f"/bots/{duel.bot_id}/better/", f"/bots/{duel.bot_id}/better/only/", f"/duels/{duel.pk}/cancel/"):
        assert client.post(path).status_code == 404


def test_both_bounds_are_always_in_the_drawing() -> None:
    for path in ([], [(1, 0.4)], [(at, at / 10) for at in range(1, 60)], [(1, -9.0)]):
        chart = ratio_chart(path, bound=2.94)
        heights = [float(level.y.rstrip("%")) for level in chart.levels]
        assert 0 < heights[0] < heights[1] == 50 < heights[2] < 100
        assert all(0 <= float(y) <= 100 for _, y in (point.split(",") for point in chart.line.split()))
