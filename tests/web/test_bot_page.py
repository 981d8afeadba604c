"""The page of a bot with a long career."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from ladder.matches.services import cancel_sets
from ladder.qualifying.activation import set_active
from ladder.ratings import queries
from ladder.ratings.services import rate_all
from ladder.submissions.models import Bot, BotVersion
from ladder.web.views import bots
from tests.ladder.cast import enrol, make_ladder, make_user, play, queue

pytestmark = pytest.mark.django_db


def test_the_history_is_drawn_over_matches_and_not_over_the_points_that_were_kept(client, monkeypatch) -> None:
    monkeypatch.setitem(queries.history.__kwdefaults__, "most", 3)
    ladder = make_ladder("gatsby")
    one, other = enrol(ladder, 2)
    for _ in range(9):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    assert client.get(f"/bots/{one.bot_id}/").context["history"]["number"] == [1, 5, 9]


def test_matches_that_were_called_off_are_not_among_the_recent_ones(client) -> None:
    ladder = make_ladder("gatsby")
    one, other = enrol(ladder, 2)
    played = play(ladder, one, other, ranks=(1, 2))
    cancel_sets([queue(ladder, one, other).set_id], reason="the cup was called off")
    matches = client.get(f"/bots/{one.bot_id}/").context["matches"]
    assert [row.pk for row in matches] == [played.pk]


@pytest.mark.parametrize(("matches", "is_cut"), [(3, False), (4, True)])
def test_the_page_says_when_it_looks_back_over_a_part(
    client: Client, monkeypatch: pytest.MonkeyPatch, matches: int, is_cut: bool
) -> None:
    for module in (queries, bots):
        monkeypatch.setattr(module, "LOOK_BACK", 3)
    ladder = make_ladder("gatsby")
    one, other = enrol(ladder, 2)
    for _ in range(matches):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    page = client.get(f"/bots/{one.bot_id}/").content.decode()
    assert ("cover the last 3 rated matches" in page) == is_cut


def test_whoever_may_play_against_a_bot_is_led_to_a_table_with_it(client: Client) -> None:
    ladder = make_ladder("gatsby")
    (version,) = enrol(ladder, 1)
    door = f"/play/?game=gatsby&amp;against={version.pk}"
    set_active(version.bot, version)
    page = f"/bots/{version.bot_id}/"
    assert door not in client.get(page).content.decode()
    client.force_login(make_user("reader"), backend="django.contrib.auth.backends.ModelBackend")
    Bot.objects.filter(pk=version.bot_id).update(plays_people=True)
    assert door in client.get(page).content.decode()
    rows = client.get(f"/play/?game=gatsby&against={version.pk}").content.decode()
    assert re.search(rf'id="seat1".*?value="{version.pk}" selected', rows, re.DOTALL)


def test_recent_matches_say_what_this_bot_got_out_of_them(client: Client) -> None:
    ladder = make_ladder("capone", 4)
    one, *others = enrol(ladder, 4)
    for ranks in ((1, 2, 3, 4), (3, 1, 2, 4), (1, 1, 1, 1), (1, 1, 3, 4)):
        play(ladder, one, *others, ranks=ranks)
    page = client.get(f"/bots/{one.bot_id}/").content.decode()
    told = re.findall(r'<td class="wrap narrow-off"><span class="outcome (\w+)">([^<]*)<', page)
    assert told == [("draw", "tied"), ("draw", "drawn"), ("loss", "3rd of 4"), ("win", "won")]


def test_the_loser_of_two_reads_lost_and_not_won(client: Client) -> None:
    ladder = make_ladder("gatsby")
    one, other = enrol(ladder, 2)
    play(ladder, one, other, ranks=(2, 1))
    page = client.get(f"/bots/{one.bot_id}/").content.decode()
    assert '<span class="outcome loss">lost</span>' in page
    assert "</span> Won" not in page


def test_the_owner_reads_at_the_top_that_the_newest_version_was_rejected(client: Client) -> None:
    ladder = make_ladder("gatsby")
    (version,) = enrol(ladder, 1)
    owner = make_user("ada")
    Bot.objects.filter(pk=version.bot_id).update(active_version=None, owner=owner)
    BotVersion.objects.filter(pk=version.pk).update(status=BotVersion.Status.REJECTED)
    told = f'<a href="/versions/{version.pk}/">version 1 was rejected</a>'
    assert told not in client.get(f"/bots/{version.bot_id}/").content.decode()
    client.force_login(owner)
    assert told in client.get(f"/bots/{version.bot_id}/").content.decode()
