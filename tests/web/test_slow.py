"""Numbers of the home page, latest news, and what pages ask before something can't be undone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils.timezone import now

from engines import GAMES
from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.matches import leases
from ladder.matches.models import Match
from ladder.matches.services import hold_sets
from ladder.ratings.services import rate_all
from ladder.submissions.models import Bot, BotVersion
from ladder.web import slow
from ladder.web.cards import card_of_bot, card_of_ladder, card_of_match
from ladder.web.confirming import about_closing_season, about_deleting, about_hiding
from ladder.web.news import RECENT, latest_matches, new_versions, titles_of
from ladder.web.slow import counters, remembered, surprises
from tests.ladder.cast import enrol, finish, make_ladder, make_user, make_version, play, queue, standing

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder()


@pytest.fixture
def pair(ladder: Ladder) -> list[BotVersion]:
    return enrol(ladder, 2)


def test_an_answer_is_remembered_even_if_it_is_nothing_much() -> None:
    asked: list[int] = []
    for _ in range(3):
        assert remembered("zero", 60, lambda: asked.append(1) or 0) == 0
    assert len(asked) == 1


def test_an_idle_service_counts_nothing() -> None:
    counted = counters()
    assert (counted.today, counted.running, counted.waiting, counted.bots, counted.on_air) == (0, 0, 0, 0, 0)
    assert set(counted.running_by_game) == set(GAMES)


def test_matches_and_bots_are_counted_for_what_they_are(ladder: Ladder, pair: list[BotVersion]) -> None:
    play(ladder, *pair, ranks=(1, 2))
    yesterday = play(ladder, *pair, ranks=(1, 2))
    Match.objects.filter(pk=yesterday.pk).update(finished_at=now() - timedelta(hours=24))
    running = queue(ladder, *pair)
    leases.claim_match(worker="host/1")
    queue(ladder, *pair)
    hold_sets([queue(ladder, *pair).set_id])
    counted = counters()
    assert (counted.today, counted.running, counted.waiting, counted.bots) == (1, 1, 1, 2)
    assert (counted.on_air, counted.running_by_game["speak_easy"]) == (running.pk, 1)


def test_a_bot_counts_while_its_first_version_is_being_checked(pair: list[BotVersion]) -> None:
    bots = Bot.objects.filter(pk__in=[version.bot_id for version in pair])
    bots.update(active_version=None)
    BotVersion.objects.filter(pk=pair[0].pk).update(status=BotVersion.Status.CHECKING)
    BotVersion.objects.filter(pk=pair[1].pk).update(status=BotVersion.Status.REJECTED)
    assert counters().bots == 1


def test_a_hidden_bot_is_not_counted(pair: list[BotVersion]) -> None:
    Bot.objects.filter(pk=pair[0].bot_id).update(is_hidden=True)
    assert counters().bots == 1


def test_counting_twice_in_a_moment_asks_once(ladder: Ladder, django_assert_num_queries) -> None:
    counters()
    with django_assert_num_queries(0):
        counters()


def test_an_upset_is_a_win_of_the_lower_rated_alone(ladder: Ladder, pair: list[BotVersion]) -> None:
    strong, weak = pair
    for _ in range(12):
        play(ladder, strong, weak, ranks=(1, 2))
    rate_all()
    cache.clear()
    assert surprises() == []
    upset = play(ladder, strong, weak, ranks=(2, 1))
    rate_all()
    cache.clear()
    (surprise,) = surprises()
    assert surprise.match == upset
    assert surprise.gap > 0


def test_a_win_among_bots_that_are_hardly_known_is_no_upset(ladder: Ladder, pair: list[BotVersion]) -> None:
    for ranks in ((1, 2), (2, 1)):
        play(ladder, *pair, ranks=ranks)
    rate_all()
    cache.clear()
    assert surprises() == []


def test_only_so_many_upsets_are_told(ladder: Ladder, pair: list[BotVersion], monkeypatch) -> None:
    match = play(ladder, *pair, ranks=(1, 2))
    monkeypatch.setattr(slow, "find_gaps", lambda: {match.pk: 2.0, 999_999: 5.0})
    assert [one.match.pk for one in surprises()] == [match.pk]
    assert surprises(most=1) == []


def test_news_have_what_was_played_or_is_being_played_newest_first(ladder: Ladder, pair: list[BotVersion]) -> None:
    first, second = (play(ladder, *pair, ranks=(1, 2)) for _ in range(2))
    running = queue(ladder, *pair)
    leases.claim_match(worker="host/1")
    queue(ladder, *pair)
    latest = latest_matches(Bot.objects.all())
    assert [row.pk for row in latest] == [running.pk, second.pk, first.pk]
    assert latest_matches(Bot.objects.none()) == []


def test_news_end_after_so_many(ladder: Ladder, pair: list[BotVersion]) -> None:
    for _ in range(RECENT + 2):
        play(ladder, *pair, ranks=(1, 2))
    assert len(latest_matches(Bot.objects.all())) == RECENT


def test_a_bot_without_active_version_makes_no_news(ladder: Ladder, pair: list[BotVersion]) -> None:
    play(ladder, *pair, ranks=(1, 2))
    Bot.objects.update(active_version=None)
    assert latest_matches(Bot.objects.all()) == []


def test_new_versions_are_those_that_were_checked(pair: list[BotVersion]) -> None:
    make_version(status="rejected")
    BotVersion.objects.filter(pk=pair[1].pk).update(checked_at=now())
    BotVersion.objects.filter(pk=pair[0].pk).update(checked_at=now() - timedelta(hours=1))
    assert new_versions(Bot.objects.all()) == [pair[1], pair[0]]
    assert titles_of(Bot.objects.all()) == []


def test_a_link_to_a_bot_says_whose_it_is_and_how_it_is_rated(ladder: Ladder, pair: list[BotVersion]) -> None:
    bot = pair[0].bot
    assert card_of_bot(bot, None).description == "A Speak Easy bot, not rated yet."
    bot.owner = User(username="ann")
    row = standing(pair[0], ladder)
    row.rating, row.sd, row.matches = 27.04, 0.5, 1
    assert card_of_bot(bot, row).description == "A Speak Easy bot by ann, rated 27.0 ± 1.0 after 1 match."
    row.matches = 1200
    assert card_of_bot(bot, row).description.endswith("after 1,200 matches.")


@pytest.mark.parametrize(
    ("bots", "rated", "told"),
    [
        (0, 0, "0 bots and 0 rated matches so far."),
        (1, 1, "1 bot and 1 rated match so far."),
        (2, 5000, "2 bots and 5,000"),
    ],
)
def test_a_link_to_a_ladder_counts_in_words(ladder: Ladder, bots: int, rated: int, told: str) -> None:
    ladder.rated_through = rated
    card = card_of_ladder(ladder, bots)
    assert card.title == "Speak Easy ladder, 2 seats"
    assert card.description.startswith(told)
    assert card.is_embeddable


def test_a_link_to_a_match_names_both(ladder: Ladder, pair: list[BotVersion]) -> None:
    card = card_of_match(queue(ladder, *pair), "It is waiting.")
    assert card.title == f"{pair[0].bot.name} – {pair[1].bot.name}"
    assert card.description == "Speak Easy: It is waiting."


def test_deleting_says_whether_anything_remains(ladder: Ladder, pair: list[BotVersion]) -> None:
    fresh = make_version(owner=make_user()).bot
    assert "nothing remains of it" in " ".join(about_deleting(fresh).told)
    match = queue(ladder, *pair)
    leases.claim_match(worker="host/1")
    finish(match, 1, 2)
    assert "under the name anonymous" in " ".join(about_deleting(pair[0].bot).told)


def test_what_can_be_undone_says_so(ladder: Ladder, pair: list[BotVersion]) -> None:
    bot = pair[0].bot
    assert about_hiding(bot).can_be_undone
    assert about_closing_season(ladder).can_be_undone
    assert not about_deleting(bot).can_be_undone
    assert about_closing_season(ladder).question == "Close season 1 of Speak Easy, 2 seats?"
