"""Asks a bot questions in a process that has nothing to find: no deals, no files, no network.

Run as a program: stdin has {"bot": path, "order": […], "fresh": bool, "questions": […]}, stdout gets the answers.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from random import Random
from types import ModuleType
from typing import Any, NoReturn

from bots.kit import Bot, Budget, Match, Turn
from engines import GAMES

ROUNDS = 2  # instead of cpu time, so that a search does the same on every machine
FORBIDDEN = ("open", "socket.", "subprocess.", "os.listdir", "os.scandir", "os.system", "ctypes.", "gc.get_objects")


def load(path: str) -> ModuleType:
    """The bot's module, with every budget in it counted in rounds."""
    spec = importlib.util.spec_from_file_location("asked_bot", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, value in vars(module).items():
        if isinstance(value, Budget):
            setattr(module, name, Budget(cpu_ms=1e9, rounds=ROUNDS))
    return module


def ask(bot: Bot, question: dict[str, Any]) -> str:
    """The bot's answer to one question, its chance seeded anew."""
    observation, seed = question["observation"], question["bot_seed"]
    match = Match(
        game=GAMES[observation["game"]],
        seat=observation["seat"],
        seats=observation["seats"],
        options=observation["options"],
        bot_seed=seed,
        start_ms=5_000,
        turn_ms=100,
        bank_ms=10_000,
        memory_mib=512,
    )
    bot.start(match)
    turn = Turn(match, observation, question["legal"], observation["ply"], 100, 10_000, Random(seed))
    return bot.act(turn)


def empty_the_house() -> None:
    """From here on no game can be dealt or restored, and nothing outside the process can be reached."""

    def refuse(*_args: object, **_options: object) -> NoReturn:
        raise PermissionError("a bot has only its observation")

    for game in GAMES.values():
        type(game).new = refuse  # type: ignore[method-assign]
        type(game).restore = refuse  # type: ignore[method-assign]
    sys.addaudithook(lambda event, _: refuse() if event.startswith(FORBIDDEN) else None)


def main() -> None:
    wanted = json.load(sys.stdin)
    module, questions = load(wanted["bot"]), wanted["questions"]
    warm = json.loads(json.dumps(questions[0]))
    try:
        ask(module.make(), warm)  # what is imported late is imported now
    finally:
        module = load(wanted["bot"])
    kept = module.make()
    empty_the_house()
    answers = {number: ask(module.make() if wanted["fresh"] else kept, questions[number]) for number in wanted["order"]}
    print(json.dumps([answers[number] for number in range(len(questions))]))


if __name__ == "__main__":
    main()
