from __future__ import annotations

import pytest

from benchmarks.ladder.bots import make_bots
from benchmarks.ladder.recompute import BOTS, play
from ladder.matches.models import Seat
from ladder.ratings.services import rate_all
from tests.ladder.cast import make_ladder

pytestmark = pytest.mark.django_db


def test_made_up_matches_have_two_bots_a_winner_and_mostly_the_stronger_one_and_can_be_rated() -> None:
    ladder = make_ladder()
    versions = make_bots(BOTS, ladder)
    play(ladder, versions, 2 * BOTS)
    seats = list(Seat.objects.order_by("match", "seat").values_list("version_id", "rank"))
    tables = list(zip(seats[::2], seats[1::2], strict=True))
    assert all(one != other and {rank, other_rank} == {1, 2} for (one, rank), (other, other_rank) in tables)
    assert {version for version, _ in seats} <= set(versions)
    usual = sum((one < other) == (rank == 1) for (one, rank), (other, _) in tables)
    assert 0.6 < usual / len(tables) < 0.8
    assert rate_all() == 2 * BOTS
