"""Which sets of pieces may stand together, and which totals they can reach."""

from __future__ import annotations

from functools import cache

from engines.capone.tables import (
    ALL_MEMBERS,
    GUARD_VALUE,
    KIND_VALUE,
    MEMBER_COMPANY,
    MEMBER_VALUE,
    MEMBERS_IN,
)

# CA 4.4: the Don stands alone among members, Mamma with at most one other; bodyguards don't count.
MAY_STAND = tuple(all(len(members) <= MEMBER_COMPANY[m] for m in members) for members in MEMBERS_IN)
# Sets are named in table order: after the members of a mask only those further down may follow.
LATER = tuple(ALL_MEMBERS & ~((1 << mask.bit_length()) - 1) for mask in range(ALL_MEMBERS + 1))


@cache
def totals(standing: int, waiting: int) -> int:
    """The totals that members out of `waiting` can add to those `standing` on a site: bit k stands for k bodyguards."""
    if not waiting:
        return 1
    member = waiting.bit_length() - 1
    rest = waiting ^ (1 << member)
    reach = totals(standing, rest)
    joined = standing | 1 << member
    if MAY_STAND[joined]:
        reach |= totals(joined, rest) << MEMBER_VALUE[member] // GUARD_VALUE
    return reach


@cache
def strongest(standing: int, waiting: int) -> int:
    """The highest total that members out of `waiting` can add to those `standing` on a site."""
    return (totals(standing, waiting).bit_length() - 1) * GUARD_VALUE


# The highest total that members out of a mask can make on a site of their own.
STRONGEST = tuple(strongest(0, waiting) for waiting in range(ALL_MEMBERS + 1))


def can_total(standing: int, waiting: int, guards: int, total: int) -> bool:
    """Whether members out of `waiting` and some of the guards can add exactly `total`."""
    most = total // GUARD_VALUE
    least = max(0, most - guards)
    return bool(totals(standing, waiting) >> least & (1 << most - least + 1) - 1)


@cache
def last_crew(kind: int, home: int, guards: int) -> tuple[int, int] | None:
    """Members (mask) and bodyguards that an illegal card places as last card; None if there is no such set (CA 4.6)."""
    value = KIND_VALUE[kind]
    needed = value // GUARD_VALUE
    if guards >= needed:
        return 0, needed
    able = [m for m in MEMBERS_IN[home] if MEMBER_VALUE[m] >= value]
    if not able:
        return None
    return 1 << min(able, key=lambda m: (MEMBER_VALUE[m], m)), 0
