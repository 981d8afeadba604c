"""The long form: house bots on a loaded machine."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from arena import Limits
from arena.desk.series import enter, play_series, schedule
from tests.bots.desk import HOUSE, HOUSE_NAMES, LADDERS

MATCHES = 200


@pytest.mark.soak
@pytest.mark.parametrize(("game", "seats"), LADDERS)
def test_house_bots_never_fault_in_200_matches_on_a_loaded_machine(
    game: str, seats: int, record_property: Callable[[str, object], None]
) -> None:
    names = [HOUSE_NAMES[2 - seat % 3] for seat in range(seats)]
    table = [enter(HOUSE / game / f"{name}.py", game) for name in names]
    series = schedule(game, table, games=MATCHES, seed=2024, limits=Limits())
    jobs = 3 * (os.cpu_count() or 1)  # far more than there are cores
    played = list(play_series(series, table, jobs=jobs, trust=False))
    faults = [fault for match in played for fault in match.record.faults]
    record_property("matches", len(played))
    record_property("faults", len(faults))
    record_property("load", f"{os.getloadavg()[0]:.0f}")
    record_property("longest act", f"{max(act.cpu_ms for match in played for act in match.record.actions):.0f} ms cpu")
    assert faults == []
    assert not [match for match in played if match.record.is_host_fault]
