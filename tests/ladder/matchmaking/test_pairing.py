from __future__ import annotations

import random

import numpy as np
import pytest

from ladder.matchmaking.doubt import Doubt
from ladder.matchmaking.pairing import Aims, Contender, choose_tables, is_known
from tests.ladder.matchmaking.simulation import mean_correlation, our_pairing, random_pairing, season

AIMS = Aims(sigma_goal=1.0, most_matches=400, most_pending=12)


def field_of(count: int, *, sigma: float = 3.0, matches: int = 20) -> list[Contender]:
    return [Contender(version, 10.0 + version, sigma, matches) for version in range(count)]


def choose(contenders: list[Contender], *, seats: int = 2, count: int = 1, seed: int = 1) -> list[tuple[int, ...]]:
    return choose_tables(contenders, seats=seats, count=count, aims=AIMS, rng=random.Random(seed))


def test_what_is_least_known_plays_first() -> None:
    contenders = [*field_of(20), Contender(99, 20.0, 8.3, 0)]
    assert all(99 in choose(contenders, seed=seed)[0] for seed in range(20))


@pytest.mark.parametrize(("fewest", "asker"), [(10, 1), (6, 0)])
def test_who_lacks_matches_for_a_rank_plays_before_who_always_loses_and_stays_unknown(fewest: int, asker: int) -> None:
    contenders = [Contender(0, 10.0, 4.0, 16), Contender(1, 33.0, 3.6, 6), Contender(2, 29.0, 2.9, 22)]
    aims = Aims(sigma_goal=1.0, most_matches=400, most_pending=12, fewest_matches=fewest)
    tables = [choose_tables(contenders, seats=2, count=1, aims=aims, rng=random.Random(seed))[0] for seed in range(20)]
    assert all(asker in table for table in tables)
    assert not all(1 - asker in table for table in tables)


def test_opponents_are_near_in_mu_but_not_always() -> None:
    contenders = [*field_of(60, sigma=2.0), Contender(99, 40.0, 4.0, 5)]
    gaps = [abs(30 - next(each for each in choose(contenders, seed=seed)[0] if each != 99)) for seed in range(300)]
    assert sum(gap <= 10 for gap in gaps) > 200
    assert sum(gap > 20 for gap in gaps) > 3


def test_a_table_has_different_versions_in_every_seat_count() -> None:
    for seats in range(2, 7):
        for table in choose(field_of(9), seats=seats, count=5):
            assert len(set(table)) == len(table) == seats


def test_a_ladder_that_knows_enough_goes_quiet() -> None:
    assert choose(field_of(20, sigma=0.9), count=5) == []
    assert choose(field_of(20, sigma=3.0, matches=400), count=5) == []


def test_one_new_version_wakes_a_quiet_ladder_for_itself_alone() -> None:
    contenders = [*field_of(20, sigma=0.9), Contender(99, 20.0, 8.3, 0)]
    tables = choose(contenders, count=50)
    assert tables
    assert all(99 in table for table in tables)


def test_too_few_contenders_make_no_table() -> None:
    assert choose(field_of(3), seats=4) == []
    assert choose([]) == []


def owned(count: int, owner: str, *, first: int = 0) -> list[Contender]:
    return [Contender(version, 20.0, 8.3, 0, owner=owner) for version in range(first, first + count)]


def test_versions_of_one_owner_never_share_a_table() -> None:
    contenders = [*owned(5, "ann"), *owned(2, "ben", first=10), *field_of(30)[20:24]]
    for seats in (2, 3, 4):
        for seed in range(20):
            for table in choose(contenders, seats=seats, count=6, seed=seed):
                assert sum(version < 5 for version in table) <= 1
                assert sum(10 <= version < 20 for version in table) <= 1


def test_versions_without_an_owner_meet_each_other() -> None:
    assert len(choose(owned(3, ""), seats=3)) == 1


def test_an_owner_alone_has_nobody_to_meet() -> None:
    assert choose(owned(9, "ann"), count=3) == []
    assert choose([*owned(9, "ann"), *owned(9, "ben", first=10)], seats=3) == []


def test_no_bot_is_flooded() -> None:
    contenders = [*field_of(3), Contender(99, 11.0, 8.3, 0)]
    tables = choose(contenders, count=1000)
    assert max(sum(version in table for table in tables) for version in (0, 1, 2, 99)) * 2 <= AIMS.most_pending + 2


def test_what_is_pending_counts_as_known_later() -> None:
    fresh = Contender(1, 25, 8.3, 0)
    assert not is_known(fresh, AIMS)
    assert is_known(Contender(1, 25, 8.3, 0, pending=400), AIMS)
    assert is_known(Contender(1, 25, 1.05, 60, pending=12), AIMS)


def doubt_about(count: int) -> Doubt:
    return Doubt(range(count), np.random.default_rng(1).normal(25, 3, (200, count)), best=0)


def mixed(contenders: list[Contender], *, seed: int, fewest: int = 10) -> tuple[int, ...]:
    aims = Aims(sigma_goal=1.0, most_matches=400, most_pending=12, fewest_matches=fewest)
    return choose_tables(contenders, seats=2, count=1, aims=aims, rng=random.Random(seed), doubt=doubt_about(20))[0]


def test_half_of_the_tables_are_those_that_teach_most() -> None:
    most_telling = set(doubt_about(20).best_table(range(20), set(range(20)), 2, lambda one, other: True))
    tables = [set(mixed(field_of(20), seed=seed)) for seed in range(200)]
    assert 80 <= sum(table == most_telling for table in tables) <= 125


def test_a_newcomer_goes_before_whatever_would_teach_more() -> None:
    contenders = [*field_of(20), Contender(99, 20.0, 8.3, 0)]
    assert all(99 in mixed(contenders, seed=seed) for seed in range(40))
    assert not all(99 in mixed(contenders, seed=seed, fewest=0) for seed in range(40))


def test_a_tenth_of_the_tables_is_seated_by_chance_however_far_apart() -> None:
    far = [Contender(version, 10.0 + 30 * version, 2.0, 40) for version in range(20)]
    gaps = [abs(one - other) for one, other in (mixed(far, seed=seed) for seed in range(300))]
    assert sum(gap > 1 for gap in gaps) > sum(gap == 1 for gap in gaps) / 20


def test_the_same_source_and_the_same_fit_give_the_same_tables() -> None:
    assert [mixed(field_of(20), seed=seed) for seed in range(9)] == [
        mixed(field_of(20), seed=seed) for seed in range(9)
    ]


def test_versions_of_one_owner_do_not_meet_however_much_it_would_teach() -> None:
    contenders = [Contender(version, 25.0, 3.0, 20, owner="ann" if version < 10 else "") for version in range(20)]
    assert not any(max(mixed(contenders, seed=seed)) < 10 for seed in range(60))


def test_the_same_random_source_gives_the_same_tables() -> None:
    assert choose(field_of(30), count=4, seed=3) == choose(field_of(30), count=4, seed=3)


def test_no_bot_starves_in_a_long_season() -> None:
    played = season(bots=20, seats=2, seed=2)
    played.play(our_pairing, 30)
    matches = [line.matches for line in played.book.lines.values()]
    assert min(matches) >= 15
    assert max(matches) <= 60


def test_a_season_goes_quiet_by_itself() -> None:
    played = season(bots=12, seats=2, seed=3)
    aims = Aims(sigma_goal=1.6, most_matches=400, most_pending=12)
    for _ in range(2000):
        tables = choose_tables(played.contenders(), seats=2, count=1, aims=aims, rng=played.rng)
        if not tables:
            break
        played.play_set(tables[0])
    assert tables == []
    assert all(line.skill.sigma <= 1.7 for line in played.book.lines.values())
    assert played.correlation() > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "matches"), [(2, 30), (4, 24)])
def test_our_pairing_finds_the_true_order_better_than_chance_pairing(seats: int, matches: int) -> None:
    ours, chance = (
        mean_correlation(pairing, bots=40, seats=seats, matches_a_bot=matches, seasons=4)
        for pairing in (our_pairing, random_pairing)
    )
    assert ours > chance
    assert ours > 0.95
