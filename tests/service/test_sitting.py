"""A killed worker loses nothing of a game with people: the person goes on where the game was."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.service.bots import house_bot
from tests.service.harness import Service, running

pytestmark = [pytest.mark.service, pytest.mark.slow]

FURNISH = f"""
{house_bot("gatsby")}
from ladder.accounts.models import User
from ladder.accounts.services import make_token
answer({{"bot": bot.pk, "token": make_token(User.objects.create_user("ann")).token}})
"""


def kill_whole_worker(service: Service) -> None:
    """kill -9 of the worker, of whoever keeps the bots in it, and of the bots; then it is started again."""
    family = psutil.Process(service.processes["matches"].pid).children(recursive=True)
    service.kill("matches")
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    service.restart("matches")


class Person:
    """Somebody who plays through the API and always takes the first legal action."""

    def __init__(self, service: Service, token: str) -> None:
        self.service, self.token, self.url = service, token, "/api/v1/sittings/"

    def ask(self, method: str, path: str = "", body: Any = None) -> dict[str, Any]:
        status, told = self.service.call(method, self.url + path, token=self.token, body=body)
        assert status < 400, told
        return dict(told)

    def begin(self, bot: int) -> None:
        chairs = [{"who": "me"}, {"who": "bot", "bot": bot}]
        self.url += self.ask("POST", body={"game": "gatsby", "chairs": chairs})["key"] + "/"

    def play(self, *, until_ply: int) -> list[str]:
        """Play on as far as a ply; returns everything that was done so far."""
        while (told := self.my_turn())["ply"] < until_ply:
            self.ask("POST", "act/", {"ply": told["ply"], "action": told["legal"][0]["text"]})
        return [frame["entry"] for frame in self.ask("GET")["frames"] if frame["entry"]]

    def my_turn(self) -> dict[str, Any]:
        def looked() -> dict[str, Any] | None:
            told = self.ask("GET", f"?since={10**6}")
            return told if told["to_act"] == told["seat"] else None

        return dict(self.service.wait_for("the bot's answer", looked))


def test_a_person_plays_on_after_the_worker_that_kept_the_bot_was_killed(tmp_path: Path) -> None:
    with running(tmp_path / "data", RUMRUNNER_DEMO="false") as service:
        service.start_all(processes=1)
        service.start_web()
        known = service.ask(FURNISH)
        person = Person(service, known["token"])
        person.begin(known["bot"])
        before = person.play(until_ply=4)
        hosts = service.sql("SELECT lease FROM parlour_sitting")
        kill_whole_worker(service)
        after = before
        while service.sql("SELECT lease FROM parlour_sitting") == hosts:  # one seat may choose several times in a row
            after = person.play(until_ply=len(after) + 1)
        assert after[: len(before)] == before
        assert len(after) > len(before)
        assert service.one("SELECT COUNT(*) FROM parlour_act") == len(after)
