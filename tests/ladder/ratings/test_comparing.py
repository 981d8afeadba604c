"""Two bots side by side: how sure a difference is, and what would tell more."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest
from django.test import Client

from ladder.ladders.models import Ladder
from ladder.ratings.comparing import Gap, compare, gap_between, head_to_head
from ladder.ratings.fits import fit_ladder
from ladder.ratings.models import BETA, FitDraws
from ladder.ratings.services import rate_all
from ladder.submissions.models import BotVersion
from tests.ladder.cast import enrol, make_ladder, play, standing

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
    missing = client.get(f"/ladders/{ladder.slug}/compare/", {**asked, "a": f"{one.bot.name} v9"}).content.decode()
    assert "Bot not found" in missing
