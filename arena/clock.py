"""Time, told apart: what a bot used, what it idled away, and what the host kept from it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from arena.order import Limits
from arena.sandbox.process import BotProcess, ThreadTimes

Verdict = Literal["timeout", "host_fault"]
# A look at the host's load costs more than a quick answer does, so it is first taken when an answer is this late.
QUICK_MS = 50.0


def now_ms() -> float:
    return time.monotonic_ns() / 1e6


def steal_ms(core: int | None) -> float:
    """Time the hypervisor kept from this core (or from all of them) since boot."""
    name = "cpu" if core is None else f"cpu{core}"
    try:
        with open("/proc/stat") as table:
            for line in table:
                words = line.split()
                if words and words[0] == name:
                    return int(words[8]) * 10.0
    except (OSError, ValueError, IndexError):
        pass
    return 0.0


@dataclass(frozen=True, slots=True)
class Moment:
    """What a bot had used, and the host had kept from it, at one moment."""

    cpu_ms: float = 0.0
    steal_ms: float = 0.0
    threads: Mapping[str, ThreadTimes] = field(default_factory=dict)

    @classmethod
    def of(cls, bot: BotProcess, core: int | None) -> Moment:
        threads = bot.threads()
        return cls(cpu_ms=bot.cpu_ms(), steal_ms=steal_ms(core), threads=threads)

    def kept_ms(self, since: Moment) -> float:
        """How long the host kept the bot from a core: by the hypervisor, and by other programs."""
        return self.steal_ms - since.steal_ms + self.waited_ms(since)

    def waited_ms(self, since: Moment) -> float:
        """The longest that one thread stood ready, less the time its own siblings ran: threads that wait for each
        other are no fault of the host, however many they are."""
        cpu = self.cpu_ms - since.cpu_ms
        waits = [0.0]
        for name, now in self.threads.items():
            before = since.threads.get(name, ThreadTimes())
            siblings = cpu - (now.ran_ms - before.ran_ms)
            waits.append(now.waited_ms - before.waited_ms - max(0.0, siblings))
        return max(waits)


@dataclass(frozen=True, slots=True)
class Budget:
    """How long one answer may take; idle_ms None means that only the wall bounds idleness (at the start)."""

    cpu_ms: float
    idle_ms: float | None

    @property
    def wall_ms(self) -> float:
        """Past this nobody waits any longer, whoever is to blame."""
        return max(3 * self.cpu_ms, self.cpu_ms + 2000.0)


@dataclass(frozen=True, slots=True)
class Spent:
    """What one answer cost."""

    cpu_ms: float
    wall_ms: float


@dataclass(slots=True)
class SeatClock:
    """The clock of one seat over a whole match; cores is how many its threads could use at once.

    At an author's own desk nothing is enforced, so that he can sit in a debugger.
    """

    limits: Limits
    core: int | None = None
    cores: int = 1
    bank_ms: float = 0.0
    cpu_ms: float = 0.0
    away_ms: float = 0.0
    is_enforced: bool = True
    _ready: Moment = field(default_factory=Moment)

    def __post_init__(self) -> None:
        self.bank_ms = float(self.limits.bank_ms)

    def begin(self, bot: BotProcess) -> None:
        """From here on idle time counts: the bot is ready."""
        self._ready = Moment.of(bot, self.core)

    def start_budget(self) -> Budget:
        return Budget(cpu_ms=float(self.limits.start_ms), idle_ms=None)

    def act_budget(self, bot: BotProcess) -> Budget:
        left = self.limits.idle_match_ms - self.away_ms
        if left < self.limits.idle_act_ms:
            # Only a seat that has been away for long is worth the look at what the host kept from it.
            left = self.limits.idle_match_ms - self.idle_ms(bot)
        return Budget(cpu_ms=self.limits.turn_ms + self.bank_ms, idle_ms=min(self.limits.idle_act_ms, left))

    def idle_ms(self, bot: BotProcess) -> float:
        """Time away that the host does not explain."""
        return max(0.0, self.away_ms - Moment.of(bot, self.core).kept_ms(self._ready))

    def wait_ms(self, bot: BotProcess) -> float:
        """Time that other programs kept it waiting for a core, since it was ready."""
        return Moment.of(bot, self.core).waited_ms(self._ready)

    def is_overdrawn(self, spent: Spent) -> bool:
        """Whether an answer cost more than its allowance and all of the bank."""
        return self.is_enforced and spent.cpu_ms > self.limits.turn_ms + self.bank_ms

    def charge_act(self, spent: Spent) -> None:
        """Take from the bank what went beyond the allowance."""
        self.cpu_ms += spent.cpu_ms
        self.away_ms += max(0.0, spent.wall_ms - spent.cpu_ms)
        self.bank_ms = max(0.0, self.bank_ms - max(0.0, spent.cpu_ms - self.limits.turn_ms))


class Stopwatch:
    """Runs from the moment a bot is asked until it has answered."""

    __slots__ = ("_bot", "_budget", "_clock", "_cpu_before", "_late", "_started")

    def __init__(self, bot: BotProcess, clock: SeatClock, budget: Budget) -> None:
        self._bot, self._clock, self._budget = bot, clock, budget
        self._late: tuple[Moment, float] | None = None
        self._cpu_before = bot.cpu_ms()
        self._started = now_ms()

    @property
    def first_look_ms(self) -> float:
        """Until then nothing but the answer matters."""
        return min(QUICK_MS, self._budget.cpu_ms)

    def wall_ms(self) -> float:
        return now_ms() - self._started

    def spent(self) -> Spent:
        return Spent(cpu_ms=self._bot.cpu_ms() - self._cpu_before, wall_ms=now_ms() - self._started)

    def judge(self, spent: Spent) -> Verdict | None:
        """Whether the wait is over: the bot used too much, idled too long, or the host kept it from working."""
        budget = self._budget
        if not self._clock.is_enforced:
            return None
        if spent.cpu_ms > budget.cpu_ms:
            return "timeout"
        idle = self._idle_ms(spent)
        if budget.idle_ms is not None and idle > budget.idle_ms:
            return "timeout"
        if spent.wall_ms <= budget.wall_ms:
            return None
        # Overdue by the wall alone: whose time was the larger part of what is not cpu?
        is_idle = budget.idle_ms is None and 2 * idle > spent.wall_ms - spent.cpu_ms
        return "timeout" if is_idle else "host_fault"

    def next_look_ms(self, spent: Spent) -> float:
        """No limit can be passed before this much more time is gone."""
        left = [(self._budget.cpu_ms - spent.cpu_ms) / self._clock.cores, self._budget.wall_ms - spent.wall_ms]
        if self._budget.idle_ms is not None:
            left.append(self._budget.idle_ms - self._idle_ms(spent))
        return max(1.0, min(left) + 0.5)

    def _idle_ms(self, spent: Spent) -> float:
        """Neither working, nor ready and waiting for a core, nor robbed of it; a quick answer counts as none."""
        moment = Moment.of(self._bot, self._clock.core)
        if self._late is None:
            self._late = (moment, spent.wall_ms - spent.cpu_ms)
        before, away_before = self._late
        return max(0.0, spent.wall_ms - spent.cpu_ms - away_before - moment.kept_ms(before))
