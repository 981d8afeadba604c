from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.ladder.bots import make_bots
from benchmarks.ladder.recompute import BOTS, play
from ladder.matches.models import Seat
from ladder.ratings.services import rate_all
from tests.ladder.cast import make_ladder

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_made_up_tournament_is_drawn_settled_and_read_in_a_database_of_its_own() -> None:
    command = [sys.executable, "benchmarks/tournament_scale.py", "--bots", "36"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    assert "write the standings" in told.stdout
    assert "export/?as=csv" in told.stdout


@pytest.mark.django_db
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
