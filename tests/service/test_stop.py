"""A worker that is told to stop goes quickly and gives back what it was playing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.service.bots import RANDOM, marked
from tests.service.harness import running

pytestmark = [pytest.mark.service, pytest.mark.slow]

LONG = RANDOM.replace("import json, random, sys", "import json, random, sys, time").replace(
    '    elif message["type"] == "act":\n', '    elif message["type"] == "act":\n        time.sleep(1.5)\n'
)
ONE_MATCH = """
from ladder.accounts.models import User
from ladder.matches.models import Lane
from ladder.matches.services import create_set
from ladder.ladders.services import find_ladder
from ladder.submissions.services import create_bot, upload_version
owner = User.objects.create_user("ann", role="administrator")
ladder = find_ladder(game="gatsby", seats=2)
bots = [create_bot(owner=owner, game="gatsby", name=f"bot {{number}}") for number in range(2)]
versions = [upload_version(bot=bot, by=owner, content={source!r}, filename="main.py") for bot in bots]
create_set(ladder=ladder, seatings=[[v.pk for v in versions]], lane=Lane.LADDER, is_rated=True)
"""


def test_a_stopped_worker_hands_its_match_back_without_an_attempt(tmp_path: Path) -> None:
    with running(tmp_path / "data") as service:
        service.start_broker()
        service.prepare()
        service.start_worker("matches", processes=1)
        service.ask(ONE_MATCH.format(source=marked(LONG)))
        state = "select status, attempts from matches_match"
        service.wait_for("the match to begin", lambda: service.sql(state) == [("running", 1)])
        time.sleep(1)  # into the first moves
        service.stop_part("matches")
        assert service.sql(state) == [("queued", 0)]
        assert service.sql("select cause from matches_failedattempt") == [("handed_back",)]
        assert not service.bots_alive()
