"""What every test begins with."""

from __future__ import annotations

import random
import secrets

import pytest


@pytest.fixture(autouse=True)
def _chance_of_its_own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds of matches and tournaments come from the test's name: the same deals in every run and any order."""
    monkeypatch.setattr(secrets, "randbits", random.Random(request.node.nodeid).getrandbits)
