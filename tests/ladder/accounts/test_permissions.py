"""Who somebody is: every role against every question, and nobody in particular."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from ladder.accounts.models import User
from ladder.accounts.permissions import (
    HOUSE,
    Visitor,
    has_no_limits,
    is_administrator,
    is_organiser,
    is_person,
    signed_in,
)

AUTHOR = User(pk=1, username="ann", role=User.Role.AUTHOR)
ORGANISER = User(pk=2, username="otto", role=User.Role.ORGANISER)
KEEPER = User(pk=3, username="kit", role=User.Role.ADMINISTRATOR)
THE_HOUSE = User(pk=4, username=HOUSE, role=User.Role.AUTHOR)
NOBODY = (None, AnonymousUser())


@pytest.mark.parametrize(
    ("visitor", "administers", "organises", "unlimited"),
    [
        (AUTHOR, False, False, False),
        (ORGANISER, False, True, False),
        (KEEPER, True, True, True),
        (THE_HOUSE, False, False, True),
        *((nobody, False, False, False) for nobody in NOBODY),
    ],
)
def test_a_role_brings_what_it_says(visitor: Visitor, administers: bool, organises: bool, unlimited: bool) -> None:
    assert (is_administrator(visitor), is_organiser(visitor), has_no_limits(visitor)) == (
        administers,
        organises,
        unlimited,
    )


def test_somebody_is_only_themselves() -> None:
    assert is_person(AUTHOR, 1)
    assert not is_person(AUTHOR, 2)
    assert not is_person(AUTHOR, None)


@pytest.mark.parametrize("nobody", NOBODY)
def test_nobody_is_no_person_not_even_of_no_number(nobody: Visitor) -> None:
    assert not is_person(nobody, None)


def test_behind_a_closed_door_stands_a_person() -> None:
    assert signed_in(AUTHOR) is AUTHOR


@pytest.mark.parametrize("nobody", NOBODY)
def test_a_door_that_was_left_open_is_noticed(nobody: Visitor) -> None:
    with pytest.raises(AssertionError, match="nobody in particular"):
        signed_in(nobody)
