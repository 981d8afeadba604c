"""`python -m benchmarks.arena.frames`: what a shorter message would save a ply: only what changed, or a binary frame.

For each game one random match is played twice over by each way, and its cpu time counted: the observation as the engine
makes it, its way into bytes and back into values. `marshal` stands for the quickest binary frame there could be.
"""

from __future__ import annotations

import argparse
import marshal
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import orjson

from arena.framing import apply_changes, changes_between
from engines import GAMES, State
from engines.api import Json


@dataclass(slots=True)
class Encoding:
    """How an observation travels: told from what it was told before, and heard on top of what was heard before."""

    tell: Callable[[Json, Json], bytes]
    hear: Callable[[bytes, Json], Json]


def tell_tail(now: Json, before: Json) -> bytes:
    known = 0 if before is None or now["log"][: len(before["log"])] != before["log"] else len(before["log"])
    return orjson.dumps({**now, "log": now["log"][known:], "log_from": known})


def hear_tail(line: bytes, before: Json) -> Json:
    now = orjson.loads(line)
    known = now.pop("log_from")
    now["log"] = (before["log"][:known] if known else []) + now["log"]
    return now


def tell_changes(now: Json, before: Json) -> bytes:
    return orjson.dumps(list(changes_between(before or {}, now)))


def hear_changes(line: bytes, before: Json) -> Json:
    return apply_changes(before or {}, orjson.loads(line))


WAYS = {
    "all of it, as JSON": Encoding(lambda now, _: orjson.dumps(now), lambda line, _: orjson.loads(line)),
    "the log only from where it was": Encoding(tell_tail, hear_tail),
    "only what changed": Encoding(tell_changes, hear_changes),
    "all of it, in binary": Encoding(lambda now, _: marshal.dumps(now), lambda line, _: marshal.loads(line)),  # noqa: S302
}


def observations(game: str, seed: int) -> list[tuple[int, Json]]:
    """What each seat to move saw in a game of random moves."""
    state: State = GAMES[game].new(seats=GAMES[game].seats.start, seed=seed)
    rng, seen = Random(seed), []
    while (seat := state.to_act) is not None:
        seen.append((seat, orjson.loads(orjson.dumps(state.observe(seat)))))
        state.apply(rng.choice(state.legal_actions()))
    return seen


def observing_us(game: str, seed: int) -> float:
    """What the engine needs to say what a seat sees, whatever becomes of it."""
    state: State = GAMES[game].new(seats=GAMES[game].seats.start, seed=seed)
    rng, used, plies = Random(seed), 0, 0
    while (seat := state.to_act) is not None:
        began = time.process_time_ns()
        state.observe(seat)
        used += time.process_time_ns() - began
        plies += 1
        state.apply(rng.choice(state.legal_actions()))
    return used / plies / 1e3


def cost(seen: list[tuple[int, Json]], way: Encoding) -> tuple[float, float]:
    """Microseconds of cpu and bytes a ply; what is heard must be what was told."""
    told: dict[int, Json] = {}
    heard: dict[int, Json] = {}
    used = size = 0
    for seat, now in seen:
        began = time.process_time_ns()
        line = way.tell(now, told.get(seat))
        heard[seat] = way.hear(line, heard.get(seat))
        used += time.process_time_ns() - began
        told[seat], size = now, size + len(line)
        assert heard[seat] == now
    return used / len(seen) / 1e3, size / len(seen)


def main() -> None:
    """Measure every way in turn and print the least cost of each."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.arena.frames", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    for game in GAMES:
        seen = observations(game, seed=7)
        print(f"{game}, {len(seen)} plies; to observe {min(observing_us(game, 7) for _ in range(rounds)):.0f} µs")
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in WAYS}
        for _ in range(rounds):
            for name, way in WAYS.items():
                found[name].append(cost(seen, way))
        for name, costs in found.items():
            print(f"  {name}: {min(costs)[0]:.0f} µs, {costs[0][1]:.0f} bytes a ply")


if __name__ == "__main__":
    main()
