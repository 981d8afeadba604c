"""States go from process to process, whatever the engines there were built as."""

from __future__ import annotations

import copy
import pickle

import pytest

from tests.engines.playing import EDGE_SETUPS, Setup, positions


@pytest.mark.parametrize("setup", EDGE_SETUPS, ids=str)
def test_a_pickled_state_plays_on_where_it_was(setup: Setup) -> None:
    for state in positions(setup, seed=4, count=4):
        for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state)):
            assert type(twin) is type(state)
            assert twin.snapshot() == state.snapshot()
            assert twin.legal_actions() == state.legal_actions()
