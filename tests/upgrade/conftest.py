from __future__ import annotations

from tests.ladder.conftest import sent as sent
