from __future__ import annotations

import random

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from ladder.ladders.models import Ladder
from ladder.matches import leases
from ladder.matches.models import Match
from ladder.matches.services import void_match
from ladder.ratings.models import Rating, RatingStep, Standing
from ladder.ratings.recompute import check
from ladder.ratings.services import enter_ladder, rate_all, rate_next
from tests.ladder.cast import crash, enrol, finish, make_ladder, make_version, play, queue, standing

pytestmark = pytest.mark.django_db


def season(ladder: Ladder, matches: int = 30, seed: int = 1) -> None:
    """Some matches with results from a seed, all rated."""
    rng, versions = random.Random(seed), enrol(ladder, ladder.seats + 2)
    for _ in range(matches):
        ranks = rng.choice([(1, 2), (2, 1), (1, 1)]) if ladder.seats == 2 else tuple(rng.sample(range(1, 5), 4))
        play(ladder, *rng.sample(versions, ladder.seats), ranks=ranks)
    assert rate_all() == matches


def test_a_finished_match_changes_the_standings(ladder: Ladder) -> None:
    winner, loser = enrol(ladder, 2)
    play(ladder, winner, loser, ranks=(1, 2))
    assert rate_all() == 1
    first, second = standing(winner, ladder), standing(loser, ladder)
    assert (first.wins, first.losses, second.wins, second.losses) == (1, 0, 0, 1)
    assert first.mu > 25 > second.mu


def test_rating_twice_changes_nothing(ladder: Ladder) -> None:
    season(ladder, 5)
    before = list(Standing.objects.values_list("version", "mu", "matches").order_by("version"))
    assert rate_all() == 0
    assert rate_next(ladder.pk) == 0
    assert list(Standing.objects.values_list("version", "mu", "matches").order_by("version")) == before


def test_matches_are_rated_in_the_order_of_their_results_and_none_waits_for_a_slow_one(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    slow, quick = queue(ladder, *versions), queue(ladder, *versions)
    leases.claim_match(worker="host/1")
    leases.claim_match(worker="host/2")
    finish(quick, 1, 2)
    assert rate_all() == 1
    finish(slow, 2, 1)
    assert rate_all() == 1
    assert list(RatingStep.objects.order_by("number").values_list("match", flat=True)) == [quick.pk, slow.pk]


def test_a_queued_match_holds_up_nobody(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    play(ladder, *versions, ranks=(1, 2))
    queue(ladder, *versions, is_held=True)
    play(ladder, *versions, ranks=(1, 2))
    assert rate_all() == 2


def test_a_void_match_is_skipped_with_a_row_that_says_so(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    match = play(ladder, one, other, ranks=(1, 1), faults=(crash(0, 0, "start"), crash(1, 0, "start")))
    assert match.status == "void"
    assert rate_all() == 1
    assert RatingStep.objects.get().verdict == "void"
    assert not Rating.objects.exists()
    assert [standing(version, ladder).faults for version in (one, other)] == [1, 1]
    assert standing(one, ladder).matches == 0


def test_a_fault_is_rated_as_a_loss_and_counted(ladder: Ladder) -> None:
    clean, faulty = enrol(ladder, 2)
    play(ladder, clean, faulty, ranks=(1, 2), faults=(crash(1),))
    rate_all()
    assert (standing(faulty, ladder).losses, standing(faulty, ladder).faults) == (1, 1)
    assert standing(clean, ladder).wins == 1


def test_the_database_takes_a_rating_number_once(ladder: Ladder) -> None:
    season(ladder, 1)
    step = RatingStep.objects.get()
    other = queue(ladder, *enrol(ladder, 2))
    with pytest.raises(IntegrityError), transaction.atomic():
        RatingStep.objects.create(ladder=ladder, number=step.number, match=other, verdict="rated")
    with pytest.raises(IntegrityError), transaction.atomic():
        RatingStep.objects.create(ladder=ladder, number=99, match=step.match, verdict="rated")


@pytest.mark.parametrize(("game", "seats"), [("speak_easy", 2), ("capone", 4)])
def test_recomputing_gives_the_same_table_to_the_last_bit(game: str, seats: int) -> None:
    ladder = make_ladder(game, seats)
    season(ladder, 25)
    ladder.refresh_from_db()
    assert check(ladder).problems == []
    before = list(Standing.objects.order_by("pk").values("version", "mu", "sigma", "wins", "recent_mu"))
    rows = list(Rating.objects.order_by("step__number", "seat").values("version", "mu", "sigma", "nth"))
    call_command("recompute_ratings", ladder.slug, verbosity=0)
    assert list(Standing.objects.order_by("pk").values("version", "mu", "sigma", "wins", "recent_mu")) == before
    assert list(Rating.objects.order_by("step__number", "seat").values("version", "mu", "sigma", "nth")) == rows


def test_the_check_finds_a_touched_standing_and_a_touched_row(ladder: Ladder) -> None:
    season(ladder, 10)
    Standing.objects.filter(pk=Standing.objects.first().pk).update(mu=99.0)
    Rating.objects.filter(pk=Rating.objects.first().pk).update(sigma=1.0)
    with pytest.raises(CommandError, match="differs"):
        call_command("recompute_ratings", "--check", verbosity=0)


def test_the_check_finds_a_match_of_a_bot_that_is_counted_wrong(ladder: Ladder) -> None:
    season(ladder, 10)
    assert check(ladder).problems == []
    Rating.objects.filter(pk=Rating.objects.first().pk).update(nth=99)
    assert len(check(ladder).problems) == 1


def test_a_match_struck_after_rating_is_out_after_recomputing(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    match = play(ladder, *versions, ranks=(1, 2))
    rate_all()
    void_match(match, reason="the host was on fire")
    ladder.refresh_from_db()
    assert check(ladder).problems
    call_command("recompute_ratings", verbosity=0)
    assert standing(versions[0], ladder).matches == 0
    assert RatingStep.objects.get().verdict == "void"


def test_recomputing_an_unknown_ladder_is_an_error_with_its_name() -> None:
    with pytest.raises(CommandError, match="chess-2"):
        call_command("recompute_ratings", "chess-2")


def test_a_new_version_starts_from_the_old_mu_with_a_wide_sigma(ladder: Ladder) -> None:
    old, rival = enrol(ladder, 2)
    for _ in range(5):
        play(ladder, old, rival, ranks=(1, 2))
    rate_all()
    new = make_version(bot=old.bot)
    place = enter_ladder(new, ladder)
    assert place.mu == standing(old, ladder).mu > 25
    assert place.sigma == 25 / 3
    assert place.matches == 0


def test_the_trend_looks_back_twenty_matches(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    for _ in range(25):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    place = standing(one, ladder)
    mus = list(Rating.objects.filter(version=one).order_by("step__number").values_list("mu", flat=True))
    assert len(place.recent_mu) == 20
    assert place.recent_mu[0] == mus[4]
    assert Match.objects.count() == 25
