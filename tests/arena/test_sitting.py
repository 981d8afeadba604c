"""People against bots in the arena: bots answer, rest while a person thinks, and come back by replaying."""

from __future__ import annotations

import time
from hashlib import sha256
from pathlib import Path

import pytest

from arena.order import Limits, MatchOrder
from arena.sandbox.leases import lease_core
from arena.sitting import PERSON, Bench, BotSeat, PastAction
from engines import GAMES

SEEDED = """
import json, random, sys
start = json.loads(sys.stdin.readline())
rng = random.Random({seed})
print('{{"type":"ready"}}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end":
        break
    if {fails}:
        sys.exit(3)
    print(json.dumps({{"action": rng.choice(message["legal"])}}), flush=True)
"""
LIMITS = Limits(wall_ms=86_400_000, idle_act_ms=20_000, idle_match_ms=80_000)


class Parlour:
    """A game of Gatsby with a person in seat 0, who always takes the first action, and one bot."""

    def __init__(self, folder: Path, *, seed: str = 'start["bot_seed"]', fails: str = "False") -> None:
        source = SEEDED.format(seed=seed, fails=fails).encode()
        self.digest, self.path = sha256(source).hexdigest(), folder / "bot.py"
        self.path.write_bytes(source)
        self.past: list[PastAction] = []
        self.bank_ms = 10_000.0

    def bench(self) -> Bench:
        version = GAMES["gatsby"].rules_version
        order = MatchOrder("gatsby", version, 1923, (PERSON, self.digest), limits=LIMITS)
        return Bench(order, {self.digest: self.path}, {1: BotSeat(bot_seed=5, bank_ms=self.bank_ms)})

    def play(self, bench: Bench, plies: int) -> None:
        while len(self.past) < plies and bench.state.to_act is not None:
            seat = bench.state.to_act
            if seat == 0:
                done = PastAction(0, bench.state.format(bench.state.legal_actions()[0]))
                bench.follow(done)
            else:
                reply = bench.act()
                assert reply.action is not None, reply.faults
                self.bank_ms = reply.bank_left_ms
                done = PastAction(1, reply.action.text, reply.bank_ms)
            self.past.append(done)


def test_a_bot_answers_and_rests_while_a_person_thinks(tmp_path: Path) -> None:
    parlour = Parlour(tmp_path)
    with lease_core(), parlour.bench() as bench:
        parlour.play(bench, 12)
        bench.rest()
        until = time.monotonic() + 300.0
        while not bench.is_resting(1):
            assert time.monotonic() < until
            time.sleep(0.01)
        assert {action.seat for action in parlour.past} == {0, 1}


def test_a_bot_that_comes_back_says_what_it_said_and_the_game_goes_on(tmp_path: Path) -> None:
    parlour = Parlour(tmp_path)
    with lease_core():
        with parlour.bench() as bench:
            parlour.play(bench, 20)
        with parlour.bench() as bench:
            assert bench.bring_back(parlour.past) == []
            assert bench.bank_ms(1) == parlour.bank_ms  # nothing was charged for the replay
            parlour.play(bench, 30)
    assert len(parlour.past) == 30


def test_a_bot_that_says_otherwise_when_it_comes_back_is_found_out_and_the_game_keeps_what_was_said(
    tmp_path: Path,
) -> None:
    parlour = Parlour(tmp_path, seed="None")
    with lease_core():
        with parlour.bench() as bench:
            parlour.play(bench, 24)
        with parlour.bench() as bench:
            otherwise = bench.bring_back(parlour.past)
            assert otherwise
            assert all(parlour.past[ply].seat == 1 for ply in otherwise)
            assert bench.ply == 24
            parlour.play(bench, 26)


def test_a_crash_is_the_fault_of_its_seat(tmp_path: Path) -> None:
    parlour = Parlour(tmp_path, fails="message['ply'] > 6")
    with lease_core(), parlour.bench() as bench:
        with pytest.raises(AssertionError, match="crash"):
            parlour.play(bench, 40)
        assert [(fault.seat, fault.kind) for fault in bench.faults] == [(1, "crash")]
