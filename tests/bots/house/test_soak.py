"""The long form: house bots on a loaded machine."""

from __future__ import annotations

import os

import pytest

from arena import Limits
from arena.desk.series import enter, play_series, schedule
from tests.bots.desk import HOUSE, HOUSE_NAMES, LADDERS

MATCHES = 200


@pytest.mark.soak
@pytest.mark.parametrize(("game", "seats"), LADDERS)
def test_house_bots_never_fault_in_200_matches_on_a_loaded_machine(game: str, seats: int) -> None:
    names = [HOUSE_NAMES[2 - seat % 3] for seat in range(seats)]
    table = [enter(HOUSE / game / f"{name}.py", game) for name in names]
    series = schedule(game, table, games=MATCHES, seed=2024, limits=Limits())
    jobs = 3 * (os.cpu_count() or 1)  # far more than there are cores
    played = list(play_series(series, table, jobs=jobs, trust=False))
    assert [fault for match in played for fault in match.record.faults] == []
    assert not [match for match in played if match.record.is_host_fault]
