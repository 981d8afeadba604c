"""A ladder is fitted as its matches come in, and what is shown is always the last fit that came to an end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils.timezone import now

from ladder import pipeline
from ladder.ladders.models import Ladder
from ladder.matches.models import Seat
from ladder.matches.services import void_match
from ladder.qualifying.activation import set_active
from ladder.ratings import fits
from ladder.ratings.fit import FitFailed
from ladder.ratings.fits import fit_ladder, matches_until_due, next_due
from ladder.ratings.leaderboard import leaderboard
from ladder.ratings.models import Fit, FitDraws, FitLine, Standing
from ladder.ratings.queries import latest_problem, shown_fit
from ladder.ratings.recompute import rebuild_all
from ladder.ratings.services import enter_ladder, rate_all
from ladder.submissions.models import Bot, BotVersion
from tests.ladder.cast import enrol, make_ladder, make_user, make_version, play, standing

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder("gatsby", 2)


def fitted(ladder: Ladder) -> Fit:
    """Rate and fit what was played."""
    rate_all()
    ladder.refresh_from_db()
    assert fit_ladder(ladder)
    return ladder.fits.latest("id")


def series(ladder: Ladder, one: BotVersion, other: BotVersion, *ranks: tuple[int, int]) -> None:
    """Matches in which both move first in turn, whatever their seeds say: a fit counts who did."""
    for number, pair in enumerate(ranks):
        match = play(ladder, one, other, ranks=pair)
        match.seats.update(turn=(F("seat") + number) % 2)


WIN, DRAW, LOSS = (1, 2), (1, 1), (2, 1)


def test_a_fit_is_what_the_leaderboard_shows(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, *[WIN, WIN, WIN, LOSS] * 4)
    fit = fitted(ladder)
    best, last = leaderboard(ladder).rows
    assert (best.version_id, last.version_id) == (one.pk, other.pk)
    assert best.rating > 25 > last.rating
    assert best.low < best.rating < best.high
    assert (fit.matches, fit.players, fit.is_shown) == (16, 2, True)
    assert FitLine.objects.get(fit=fit, version=one).rating == best.rating
    assert FitDraws.objects.get(fit=fit).count == 400


def test_a_bot_with_no_losses_is_ranked_with_a_finite_rating(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, *[WIN] * 12)
    fitted(ladder)
    best, last = leaderboard(ladder).rows
    assert 25 < best.rating < 45
    assert (best.version_id, best.rank, best.place_high) == (one.pk, 1, 1)
    assert (last.rank, last.storey) == (2, 2)


def test_a_ladder_of_one_bot_has_nothing_to_fit(ladder: Ladder) -> None:
    enrol(ladder, 1)
    rate_all()
    assert next_due() is None
    (row,) = leaderboard(ladder).rows
    assert (row.rank, row.is_provisional, row.missing) == (None, True, 10)


def test_a_ladder_whose_matches_were_all_under_older_rules_has_nothing_to_fit(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, WIN)
    rate_all()
    Ladder.objects.update(rules_version=ladder.rules_version + 1)
    ladder.refresh_from_db()
    assert not fit_ladder(ladder)
    assert (latest_problem(ladder), shown_fit(ladder), next_due()) == ("", None, None)


def test_a_ladder_of_two_bots_ranks_both(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, *[WIN, LOSS] * 10)
    fitted(ladder)
    assert [(row.rank, row.storey) for row in leaderboard(ladder).rows] == [(1, 1), (2, 1)]
    assert {(row.place_low, row.place_high) for row in leaderboard(ladder).rows} == {(1, 2)}


def test_bots_that_only_draw_share_a_storey(ladder: Ladder) -> None:
    versions = enrol(ladder, 3)
    for one, other in ((0, 1), (1, 2), (2, 0)):
        series(ladder, versions[one], versions[other], *[DRAW] * 20)
    fitted(ladder)
    rows = leaderboard(ladder).rows
    assert {row.storey for row in rows} == {1}
    assert max(row.rating for row in rows) - min(row.rating for row in rows) < 0.5


def test_groups_that_never_met_are_both_fitted_and_not_told_apart(ladder: Ladder) -> None:
    a, b, c, d = enrol(ladder, 4)
    series(ladder, a, b, *[WIN, WIN, LOSS] * 5)
    series(ladder, c, d, *[WIN, WIN, LOSS] * 5)
    fitted(ladder)
    places = {row.version_id: (row.place_low, row.place_high) for row in leaderboard(ladder).rows if row.rank}
    one, other = standing(a, ladder), standing(c, ladder)
    assert abs(one.rating - other.rating) < 0.5
    assert all(low == 1 for version, (low, _) in places.items() if version in (a.pk, c.pk))


def crowd(ladder: Ladder, bundle: str, count: int) -> None:
    """So many listed bots that have played nothing."""
    bots = Bot.objects.bulk_create(Bot(game=ladder.game, name=f"crowd {number}") for number in range(count))
    versions = BotVersion.objects.bulk_create(
        BotVersion(bot=bot, number=1, bundle_id=bundle, runtime="python", entry="main.py", filename="x") for bot in bots
    )
    Standing.objects.bulk_create(
        Standing(ladder=ladder, version=version, bot=version.bot, name=version.bot.name, is_listed=True)
        for version in versions
    )


def test_ten_thousand_provisional_bots_stand_below_the_ranked_and_cost_the_fit_nothing(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, *[WIN, WIN, LOSS] * 5)
    crowd(ladder, one.bundle_id, 10_000)
    assert fitted(ladder).players == 2
    rows = leaderboard(ladder).rows
    assert [row.version_id for row in rows[:2]] == [one.pk, other.pk]
    assert [row.rank for row in rows[:2]] == [1, 2]
    assert {(row.rank, row.is_provisional, row.missing) for row in rows[2:]} == {(None, True, 10)}


def test_a_fit_that_comes_to_no_end_leaves_the_last_good_one_shown(ladder: Ladder, monkeypatch) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, *[WIN, WIN, LOSS] * 5)
    good = fitted(ladder)
    before = leaderboard(ladder).rows[0].rating
    series(ladder, one, other, *[LOSS] * 10)
    rate_all()
    ladder.refresh_from_db()

    def fails(*_: object, **__: object) -> None:
        raise FitFailed("no end after 50 steps")

    monkeypatch.setattr(fits, "fit_evidence", fails)
    assert not fit_ladder(ladder)
    assert leaderboard(ladder).rows[0].rating == before
    assert shown_fit(ladder) == good
    assert "no end after 50 steps" in latest_problem(ladder)
    assert next_due() is None


def test_a_young_ladder_is_fitted_often_and_an_old_one_seldom() -> None:
    assert [matches_until_due(known) for known in (0, 9, 40, 500, 5000, 100_000)] == [1, 1, 4, 50, 50, 1000]


def test_fits_take_a_twentieth_of_a_core_at_most(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, *[WIN, WIN, LOSS] * 2)
    fit = fitted(ladder)
    series(ladder, one, other, *[WIN] * 10)
    rate_all()
    Fit.objects.filter(pk=fit.pk).update(at=now(), cpu_ms=10_000)
    assert next_due() is None
    Fit.objects.filter(pk=fit.pk).update(at=now() - timedelta(seconds=191))
    assert next_due() == ladder


def test_a_few_new_matches_do_not_wait_for_ever(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, *[WIN, WIN, LOSS] * 10)
    fit = fitted(ladder)
    series(ladder, one, other, WIN)
    rate_all()
    Fit.objects.filter(pk=fit.pk).update(at=now() - timedelta(seconds=60))
    assert next_due() is None
    Fit.objects.filter(pk=fit.pk).update(at=now() - timedelta(seconds=601))
    assert next_due() == ladder


def test_the_stage_fits_what_is_due(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, WIN)
    rate_all()
    pipeline.run_stage("fit")
    assert ladder.fits.get().is_shown
    pipeline.run_stage("fit")
    assert ladder.fits.count() == 1


def test_a_large_ladder_is_fitted_where_matches_are_played(ladder: Ladder, monkeypatch, sent: list[str]) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, WIN)
    rate_all()
    monkeypatch.setattr(fits, "SMALL", 0)
    sent.clear()
    pipeline.run_stage("fit")
    assert not ladder.fits.exists()
    assert any("fit_large_ladder" in task for task in sent)


def test_identical_uploads_of_one_owner_are_one_player(ladder: Ladder) -> None:
    owner = make_user()
    first = make_version(owner=owner, game="gatsby")
    again = make_version(owner=owner, bot=first.bot)
    BotVersion.objects.filter(pk=again.pk).update(bundle=first.bundle_id)
    (other,) = enrol(ladder, 1)
    series(ladder, first, other, *[WIN] * 3)
    series(ladder, again, other, *[WIN] * 3)
    fit = fitted(ladder)
    assert fit.players == 2
    mine = FitLine.objects.filter(fit=fit, version__in=[first, again])
    assert len(set(mine.values_list("player", "rating", "matches"))) == 1
    assert mine.first().matches == 6


def test_a_new_version_without_a_match_is_expected_near_the_one_before(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, *[WIN] * 12)
    newer = make_version(bot=one.bot)
    enter_ladder(newer, ladder)
    set_active(one.bot, newer)
    fitted(ladder)
    old, new = standing(one, ladder), standing(newer, ladder)
    assert new.rating == pytest.approx(old.rating, abs=0.3)
    assert new.sd > old.sd
    assert new.is_provisional


def test_a_struck_match_makes_a_fit_due_at_once(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    series(ladder, one, other, *[WIN, WIN, LOSS] * 10)
    match = play(ladder, one, other, ranks=WIN)
    fit = fitted(ladder)
    Fit.objects.filter(pk=fit.pk).update(cpu_ms=0)
    assert next_due() is None
    void_match(match, reason="a test")
    rebuild_all()
    assert next_due() == ladder
    assert fitted(ladder).matches == 30


def test_turns_that_an_earlier_release_did_not_keep_are_filled_in(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    for pair in [WIN, LOSS] * 4:
        play(ladder, one, other, ranks=pair)
    kept = list(Seat.objects.order_by("pk").values_list("turn", flat=True))
    Seat.objects.update(turn=None)
    fit = fitted(ladder)
    assert list(Seat.objects.order_by("pk").values_list("turn", flat=True)) == kept
    assert [share["matches"] for share in fit.shares["turn"]] == [8, 8]
    assert sum(share["points"] for share in fit.shares["turn"]) == pytest.approx(1)


def test_old_fits_are_forgotten_and_only_the_shown_one_has_draws(ladder: Ladder, monkeypatch) -> None:
    monkeypatch.setattr(fits, "KEPT_FITS", 3)
    one, other = enrol(ladder, 2)
    for _ in range(5):
        series(ladder, one, other, WIN, LOSS)
        fit = fitted(ladder)
    assert ladder.fits.count() == 3
    assert list(FitDraws.objects.values_list("fit", flat=True)) == [fit.pk]
