"""Sets chosen piece by piece: every legal set has one spelling, and no spelling leads nowhere."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from engines.capone.position import OVER
from engines.capone.tables import MEMBER_VALUE, MEMBERS
from tests.engines.capone.table import Table, turns

Set = tuple[tuple[str, ...], int]
VALUE = dict(zip(MEMBERS, MEMBER_VALUE, strict=True))


def spelled(table: Table) -> Counter[Set]:
    """The sets that the choices on offer lead to, and how often each is spelled."""
    found: Counter[Set] = Counter()
    state = table.state
    assert state.legal_actions()
    for text in table.legal():
        if text.startswith("guards "):
            found[tuple(state.observe(None)["pending"]["members"]), int(text[7:])] += 1
        else:
            further = Table(state.copy())
            further.do(text)
            found += spelled(further)
    return found


def may_stand(members: list[str]) -> bool:
    """CA 4.4 once more, read from the page."""
    if "don" in members:
        return len(members) == 1
    return "mamma" not in members or len(members) <= 2


def legal_sets(home: list[str], guards: int, standing: list[str], totals: range) -> set[Set]:
    """All sets from home of such a total that may stand there, by trying every one."""
    return {
        (members, count)
        for size in range(len(home) + 1)
        for members in combinations(home, size)
        for count in range(guards + 1)
        if members or count
        if sum(VALUE[m] for m in members) + 5 * count in totals and may_stand([*standing, *members])
    }


def scattered(rng: Random, card: str) -> Table:
    """Seat 0 holds the card, some of its pieces are away, and the first bank is held by somebody."""
    table = turns([f"{card} bar", "bar bar", "bar bar"])
    away = rng.sample(MEMBERS, rng.randint(0, 6))
    table.keep_home(0, " ".join(m for m in MEMBERS if m not in away), rng.randint(0, 8))
    return table


def members_away(table: Table) -> list[str]:
    """The members of seat 0 that are not at home."""
    return [m for n, m in enumerate(MEMBERS) if not table.state.home[0] >> n & 1]


@pytest.mark.parametrize("seed", range(40))
def test_every_set_that_exceeds_the_defenders_is_spelled_once(seed: int) -> None:
    """CA 4.3, CA 4.4"""
    rng = Random(seed)
    table = scattered(rng, "bank")
    table.station(1, "bank1", " ".join(rng.sample(MEMBERS[2:], rng.randint(0, 3))), guards=rng.randint(1, 8))
    least = max(30, table.state.site_total[16] + 5)
    family = table.family(0)
    expected = legal_sets(family["home"], family["guards"], [], range(least, 1000))
    table.do("use bank") if "use bank" in table.legal() else None
    assert ("at bank1" in table.legal()) == bool(expected)
    if expected:
        table.do("at bank1")
        assert spelled(table) == Counter(expected)


@pytest.mark.parametrize("seed", range(40))
def test_every_set_that_reinforces_an_own_site_is_spelled_once(seed: int) -> None:
    """CA 4.2, CA 4.4"""
    rng = Random(seed)
    table = scattered(rng, "bank")
    away = members_away(table)
    standing = [m for m in ("don", "mamma", "novice", "lawyer") if m in away][: rng.randint(0, 1)]
    table.station(0, "bank1", " ".join(standing))
    table.state.site_guards[16] += 1
    table.state.site_total[16] += 5
    table.state.site_owner[16] = 0
    least = max(5, 30 - table.state.site_total[16])
    family = table.family(0)
    expected = legal_sets(family["home"], family["guards"], standing, range(least, 1000))
    table.do("use bank") if "use bank" in table.legal() else None
    assert ("at bank1" in table.legal()) == bool(expected)
    if expected:
        table.do("at bank1")
        assert spelled(table) == Counter(expected)


@pytest.mark.parametrize("seed", range(60))
def test_every_set_of_exactly_the_total_taken_over_is_spelled_once(seed: int) -> None:
    """CA 5.4, CA 4.4"""
    rng = Random(seed)
    table = scattered(rng, "takeover")
    table.station(1, "bank1", " ".join(rng.sample(MEMBERS[2:], rng.randint(0, 4))), guards=rng.randint(0, 8))
    total = table.state.site_total[16]
    family = table.family(0)
    expected = legal_sets(family["home"], family["guards"], [], range(total, total + 1))
    expected = expected if total else set()
    if not total:
        table.state.site_owner[16] = -1
    assert ("use takeover" in table.legal()) == bool(expected)
    if expected:
        table.do("use takeover", "at bank1")
        assert spelled(table) == Counter(expected)


def test_no_choice_of_a_long_game_is_a_dead_end() -> None:
    table = Table(turns().state)
    rng = Random(9)
    while table.state.choice != OVER:
        legal = table.state.legal_actions()
        assert legal
        table.state.apply(rng.choice(legal))
