"""Whose eyes a visitor may look through."""

from __future__ import annotations

import pytest

from ladder.matches.permissions import own_seats
from tests.ladder.cast import enrol, make_ladder, make_user, queue

pytestmark = pytest.mark.django_db


def test_seats_belong_to_the_owner_of_the_bot() -> None:
    ladder = make_ladder()
    match = queue(ladder, *enrol(ladder, 2))
    owner = make_user()
    bot = match.seats.get(seat=1).version.bot
    bot.owner = owner
    bot.save()
    assert own_seats(owner, match) == [1]
    assert own_seats(make_user(), match) == []
    assert own_seats(None, match) == []
