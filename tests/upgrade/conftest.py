from __future__ import annotations

from tests.ladder.conftest import nothing_cached as nothing_cached
from tests.ladder.conftest import sent as sent
