"""Protocol version 1: the lines to a bot and the strict reading of its answers."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from arena.order import Limits, MatchOrder
from engines.api import Json
from engines.api import short as shown

PROTOCOL = 1
MAX_LINE = 64 * 1024
MAX_NOTE = 500
# Most answers look like this, and need no further parsing: no escape, no quote, no second key.
_PLAIN_ANSWER = re.compile(rb'[ \t\r]*\{[ \t\r]*"action"[ \t\r]*:[ \t\r]*"([ !#-\[\]-~]*)"[ \t\r]*\}[ \t\r]*')


class InvalidAnswer(ValueError):
    """A line that is no answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot chose, and its remark."""

    action: str
    note: str = ""


def start_line(order: MatchOrder, options: Mapping[str, Json], seat: int, bot_seed: int) -> bytes:
    limits: Limits = order.limits
    return _line(
        {
            "type": "start",
            "protocol": PROTOCOL,
            "game": order.game,
            "rules_version": order.rules_version,
            "seat": seat,
            "seats": len(order.seats),
            "options": dict(options),
            "bot_seed": bot_seed,
            "limits": {
                "start_ms": limits.start_ms,
                "turn_ms": limits.turn_ms,
                "bank_ms": limits.bank_ms,
                "memory_mib": limits.memory_mib,
            },
        }
    )


def act_line(ply: int, observation: Mapping[str, Json], legal: Sequence[str], turn_ms: int, bank_ms: int) -> bytes:
    clock = {"turn_ms": turn_ms, "bank_ms": bank_ms}
    return _line({"type": "act", "ply": ply, "observation": observation, "legal": legal, "clock": clock})


def end_line(ranks: Sequence[int] | None, ending: str, game_ending: str | None) -> bytes:
    ranks = None if ranks is None else list(ranks)
    return _line({"type": "end", "ranks": ranks, "ending": ending, "game_ending": game_ending})


def _line(message: dict[str, Json]) -> bytes:
    return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)


def read_ready(line: bytes) -> None:
    """Raises InvalidAnswer unless the line is the one a bot says when it has started."""
    message = _strict_object(line)
    if message.get("type") != "ready":
        raise InvalidAnswer(f'expected {{"type":"ready"}}, got {shown(line[:80])}')


def read_answer(line: bytes) -> Answer:
    """The action in a line; raises InvalidAnswer."""
    plain = _PLAIN_ANSWER.fullmatch(line)
    if plain is not None:
        return Answer(plain[1].decode("ascii"))
    message = _strict_object(line)
    if "action" not in message:
        raise InvalidAnswer(f'the answer has no "action": {shown(line[:80])}')
    action, note = message["action"], message.get("note")
    if not isinstance(action, str):
        raise InvalidAnswer(f'"action" must be a string, not {shown(action)}')
    return Answer(action, note[:MAX_NOTE] if isinstance(note, str) else "")


def _strict_object(line: bytes) -> dict[str, Json]:
    """One JSON object without duplicate keys, NaN or broken UTF-8."""
    try:
        # orjson is strict about encoding and numbers, the standard library can be asked about duplicate keys.
        orjson.loads(line)
        value = json.loads(line, object_pairs_hook=_unique, parse_constant=_no_constant)
    except InvalidAnswer:
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidAnswer(f"not JSON ({shown(str(error))}): {shown(line[:80])}") from error
    if not isinstance(value, dict):
        raise InvalidAnswer(f"not a JSON object: {shown(line[:80])}")
    return value


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise InvalidAnswer(f"the key {shown(twice)} appears twice in one object")
    return members


def _no_constant(word: str) -> Json:
    raise InvalidAnswer(f"{word} is not JSON")


def printable(text: str) -> str:
    """Text for a log or a page: everything that could move a cursor or hide is shown as an escape."""
    return "".join(mark if mark.isprintable() or mark in "\n\t" else ascii(mark)[1:-1] for mark in text)
