"""The small form of `python -m benchmarks.ratings`: fixed seeds, and bounds that a worse fit would miss."""

import pytest

from benchmarks.ratings.luck import play
from benchmarks.ratings.measures import claim_of_fit, claim_of_trueskill, mean, measure, newcomers_rmse
from benchmarks.ratings.seasons import new_season
from benchmarks.ratings.worlds import WORLDS

BOTS, MATCHES, SEASONS = 24, 40, 3


def by_fit(season):
    return claim_of_fit(season.fit())


def measured(name, claim_of):
    found = []
    for seed in range(SEASONS):
        season = new_season(WORLDS[name], seed=seed, bots=BOTS)
        season.play(matches_a_bot=MATCHES)
        found.append(measure(claim_of(season), season.field.true_ratings()))
    return mean(found)


@pytest.mark.parametrize("name", ["plain", "tight", "seat", "deal", "draws", "cycle", "fault", "four seats"])
def test_intervals_and_places_hold_in_every_world(name):
    found = measured(name, by_fit)
    assert found.coverage > 0.87  # 95 %, less three deviations of so few bots
    assert found.places > 0.9
    assert found.width < 0.65 * BOTS  # a place interval that says something


def test_the_scale_is_true_and_trueskills_own_interval_is_too_sure():
    own, ours = measured("plain", claim_of_trueskill), measured("plain", by_fit)
    assert own.coverage < ours.coverage - 0.05
    assert own.scale > 1.1 > ours.scale > 0.85
    assert ours.rmse < own.rmse


def test_a_new_version_is_known_after_eighteen_matches():
    season = new_season(WORLDS["plain"], seed=4, bots=BOTS)
    season.play(matches_a_bot=60)
    own, ours = newcomers_rmse(season)
    assert ours < 1.8 < own


def test_who_meets_whom_does_not_depend_on_what_nobody_has_seen_yet():
    one, other = (new_season(WORLDS["plain"], seed=5, bots=BOTS) for _ in range(2))
    other.field.skill[:] = other.field.skill[::-1].copy()
    for season in (one, other):
        season.play(matches_a_bot=0.01)
    assert one.sets[0][0].players == other.sets[0][0].players


def test_the_luckiest_of_many_equal_versions_gains_little():
    own, ours = play(6001, bots=BOTS, versions=8)
    assert ours < 0.9 < own - ours


def test_intervals_hold_in_the_first_matches_of_a_second_season():
    found = []
    for seed in range(SEASONS):
        season = new_season(WORLDS["plain"], seed=seed, bots=BOTS)
        season.play(matches_a_bot=20)
        season.close(moved=1.5, newcomers=4)
        season.play(matches_a_bot=5)
        found.append(measure(by_fit(season), season.field.true_ratings()))
    assert mean(found).coverage > 0.87
    assert mean(found).rmse < 3.4  # 4.4 if everybody were new
