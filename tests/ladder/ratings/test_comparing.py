"""Two bots side by side: how sure a difference is, and what would tell more."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest
from django.test import Client

from ladder.accounts.models import User
from ladder.api.truth import _csv
from ladder.ladders.models import Ladder
from ladder.qualifying.activation import withdraw
from ladder.ratings.comparing import Gap, compare, gap_between, head_to_head
from ladder.ratings.fits import fit_ladder
from ladder.ratings.models import BETA, FitDraws
from ladder.ratings.services import enter_ladder, rate_all
from ladder.submissions.models import Bot, BotVersion
from tests.ladder.cast import enrol, make_ladder, make_user, make_version, play, standing

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder("gatsby", 2)


def season(ladder: Ladder) -> list[BotVersion]:
    """Three bots; the first beats the others twice in three."""
    one, other, third = versions = enrol(ladder, 3)
    for first, second in ((one, other), (one, third), (other, third)):
        for ranks in [(1, 2), (1, 2), (2, 1)] * 3:
            play(ladder, first, second, ranks=ranks)
    rate_all()
    ladder.refresh_from_db()
    assert fit_ladder(ladder)
    return versions


def test_chances_are_what_they_say() -> None:
    assert Gap(0, 1).is_better == Gap(0, 1).wins_next == 0.5
    assert Gap(15, 1).wins_next > 0.98
    assert Gap(2, 1).is_better > Gap(2, 1).wins_next > 0.5
    assert Gap(-2, 1).is_better == pytest.approx(1 - Gap(2, 1).is_better)


def test_the_closer_two_are_the_more_matches_tell_them_apart() -> None:
    near, far = Gap(0.5, 1.4).matches_to_separate, Gap(10, 1.4).matches_to_separate
    assert near is not None
    assert near > 1000
    assert far == 0
    assert Gap(0.01, 1).matches_to_separate is None


def test_matches_to_separate_has_a_power_of_80_per_cent() -> None:
    """So many matches on top of what is known leave a gap that is told in 80 of 100 cases."""
    gap = Gap(1.0, 3.0)
    more = gap.matches_to_separate
    assert more is not None
    sd = (1 / 9 + more / (math.pi * BETA**2)) ** -0.5
    power = NormalDist().cdf(1.0 / sd - 1.96)
    assert power == pytest.approx(0.8, abs=0.005)


def test_a_comparison_uses_the_joint_draws(ladder: Ladder) -> None:
    one, other, _ = season(ladder)
    mine, theirs = standing(one, ladder), standing(other, ladder)
    joint = gap_between(mine, theirs)
    FitDraws.objects.all().delete()
    apart = gap_between(mine, theirs)
    assert joint.size == apart.size == mine.rating - theirs.rating
    assert apart.sd == math.hypot(mine.sd, theirs.sd)
    assert joint.sd != pytest.approx(apart.sd, rel=0.01)
    assert joint.is_better > 0.5


def test_head_to_head_counts_their_own_matches_by_sets(ladder: Ladder) -> None:
    one, other, _ = season(ladder)
    met = head_to_head(standing(one, ladder), standing(other, ladder))
    assert met is not None
    assert (met.matches, met.sets, met.share) == (9, 9, pytest.approx(2 / 3))
    assert 0.3 < met.low < 2 / 3 < met.high < 0.95


def test_who_never_met_has_no_head_to_head(ladder: Ladder) -> None:
    one, other = (standing(version, ladder) for version in enrol(ladder, 2))
    found = compare(one, other)
    assert found.head_to_head is None
    assert found.common == ()
    assert found.gap.is_better == 0.5


def test_common_opponents_are_those_that_both_met(ladder: Ladder) -> None:
    one, other, third = season(ladder)
    (met,) = compare(standing(one, ladder), standing(other, ladder)).common
    assert met.bot_id == third.bot_id
    assert (met.one, met.other) == (pytest.approx(2 / 3), pytest.approx(2 / 3))


def test_the_page_compares_versions_by_their_number(client: Client, ladder: Ladder) -> None:
    one, other, _ = season(ladder)
    asked = {"a": f"{one.bot.name} v1", "b": other.bot.name}
    page = client.get(f"/ladders/{ladder.slug}/compare/", asked).content.decode()
    assert "in 9 matches of 9 sets between them" in page
    assert f"/api/v1/ladders/{ladder.slug}/compare/?a=" in page
    missing = client.get(f"/ladders/{ladder.slug}/compare/", {**asked, "a": f"{one.bot.name} v9"}).content.decode()
    assert "Bot not found" in missing


def test_two_versions_of_one_bot_have_their_own_opponents(client: Client, ladder: Ladder) -> None:
    one, other, third = season(ladder)
    newer = make_version(bot=one.bot, game="gatsby")
    enter_ladder(newer, ladder)
    for ranks in [(2, 1), (2, 1)]:
        play(ladder, newer, third, ranks=ranks)
    rate_all()
    found = compare(standing(one, ladder), standing(newer, ladder))
    assert found.head_to_head is None
    (met,) = found.common
    assert (met.bot_id, met.one_matches, met.other_matches) == (third.bot_id, 9, 2)
    assert (met.one, met.other) == (pytest.approx(2 / 3), 0.0)
    assert other.bot_id != met.bot_id
    asked = {"a": f"{one.bot.name} v1", "b": f"{one.bot.name} v2"}
    told = client.get(f"/api/v1/ladders/{ladder.slug}/compare/", asked).json()
    assert [(told[side]["bot"], told[side]["version"]) for side in ("one", "other")] == [
        (one.bot.name, 1),
        (one.bot.name, 2),
    ]
    assert 0 < told["p_better"] < 1


def test_an_export_is_a_sheet_of_numbers_and_no_formula(client: Client, ladder: Ladder) -> None:
    one, other, third = season(ladder)
    Bot.objects.filter(pk=third.bot_id).update(name="=1+1")
    Bot.objects.filter(pk=one.bot_id).update(name="=2+2")
    answer = client.get(f"/api/v1/ladders/{ladder.slug}/compare/", {"a": "=2+2", "b": other.bot.name, "as": "csv"})
    lines = answer.content.decode().splitlines()
    assert answer["Content-Type"] == "text/csv"
    assert lines[:2] == ["about,name,value", "one,bot,'=2+2"]
    assert "head_to_head,sets,9" in lines
    assert "common =1+1,one_matches,9" in lines


@pytest.mark.parametrize(
    ("a", "b", "status", "code"),
    [
        ("nobody", "bot", 404, "not_found"),
        ("", "bot", 400, "invalid"),
        ("x" * 99, "bot", 400, "invalid"),
        ("bot v٣", "bot", 404, "not_found"),
    ],
)
def test_what_can_not_be_compared_is_told(
    client: Client, ladder: Ladder, a: str, b: str, status: int, code: str
) -> None:
    answer = client.get(f"/api/v1/ladders/{ladder.slug}/compare/", {"a": a, "b": b})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert client.get(f"/ladders/{ladder.slug}/compare/", {"a": a, "b": b}).status_code == 200


@pytest.mark.parametrize("twin", ["{}", "{} v1", " {} "])
def test_a_bot_is_not_compared_with_itself_however_it_is_written(client: Client, ladder: Ladder, twin: str) -> None:
    (one,) = enrol(ladder, 1)
    asked = {"a": one.bot.name, "b": twin.format(one.bot.name)}
    answer = client.get(f"/api/v1/ladders/{ladder.slug}/compare/", asked)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "same_player")
    assert "compared with itself" in client.get(f"/ladders/{ladder.slug}/compare/", asked).content.decode()


def test_a_bot_of_another_ladder_is_unknown_and_a_withdrawn_version_is_not(client: Client, ladder: Ladder) -> None:
    one, other, _ = season(ladder)
    (stranger,) = enrol(make_ladder("capone", 4), 1)
    url = f"/api/v1/ladders/{ladder.slug}/compare/"
    told = client.get(url, {"a": one.bot.name, "b": stranger.bot.name})
    assert told.status_code == 404
    assert f"is not on the ladder {ladder.slug}" in told.json()["error"]["message"]
    withdraw(other, by=make_user(role=User.Role.ADMINISTRATOR))
    assert client.get(url, {"a": one.bot.name, "b": other.bot.name}).status_code == 404  # nothing of it plays
    assert client.get(url, {"a": one.bot.name, "b": f"{other.bot.name} v1"}).json()["head_to_head"]["matches"] == 9


def test_an_old_bot_that_is_called_like_a_version_hides_no_version(client: Client, ladder: Ladder) -> None:
    one, twin, third = enrol(ladder, 3)
    Bot.objects.filter(pk=twin.bot_id).update(name=f"{one.bot.name} v1")
    url, asked = f"/api/v1/ladders/{ladder.slug}/compare/", {"a": f"{one.bot.name} v1", "b": third.bot.name}
    assert client.get(url, asked).json()["one"]["bot_id"] == one.bot_id
    asked["a"] += " v1"
    assert client.get(url, asked).json()["one"]["bot_id"] == twin.bot_id


def test_an_empty_cell_of_an_export_is_empty() -> None:
    answer = _csv({"p_better": "", "common": [{"bot": "@x", "one": 0.5}]}, "gatsby-2")
    assert answer.content.decode().splitlines()[1:] == ["p_better,,", "common @x,bot,'@x", "common @x,one,0.5"]
