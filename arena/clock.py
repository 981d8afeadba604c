"""The clocks of a match: what a bot used, what it idled away, and what was kept from it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from arena.accounting import Counts, Readiness, ThreadTimes, Wait, away_ms
from arena.order import Limits
from arena.sandbox.counters import NOTHING_COUNTED, CoreCounters, OwnThread

LateVerdict = Literal["timeout", "host_fault"]
# A look at the core costs more than a quick answer does, so it is first taken when an answer is this late.
QUICK_MS = 50.0
LOOK_MS = 250.0
SOON_MS = 20.0
# A bot that was seen stopped, all its threads, can't have used more than this by accident.
STOPPED_MS = 20.0
# What a fair bot uses between its answer and the stop; with an empty bank this much is forgiven for each answer.
SETTLING_MS = 1.0


def now_ms() -> float:
    return time.monotonic_ns() / 1e6


class Measured(Protocol):
    """A bot as a clock sees it."""

    @property
    def launcher(self) -> int: ...

    def launcher_ms(self) -> float: ...

    def cpu_ms(self) -> float: ...

    def threads(self) -> Mapping[str, ThreadTimes]: ...


class Meter:
    """Reads what the kernel counts on the core of one match; bots are added as they are started.

    Without a core whose counts can be trusted, all that the match did not use counts as foreign: nothing is rated then.
    """

    def __init__(self, core: int | None) -> None:
        self.bots: list[Measured] = []
        self._core, self._runner = None if core is None else CoreCounters(core), OwnThread()
        self._launchers: dict[int, float] = {}

    def add(self, bot: Measured) -> None:
        self.bots.append(bot)

    def counts(self, asked: Measured | None = None) -> Counts:
        core = NOTHING_COUNTED if self._core is None else self._core.read()
        return Counts(
            at_ms=now_ms(),
            idle_ms=core.idle_ms,
            steal_ms=core.steal_ms,
            irq_ms=core.irq_ms,
            bot_ms=0.0 if asked is None else asked.cpu_ms(),
            others_ms=sum(bot.cpu_ms() for bot in self.bots if bot is not asked),
            runner_ms=self._runner.ran_ms() + self._launchers_ms(),
            runner_waited_ms=self._runner.waited_ms(),
        )

    def _launchers_ms(self) -> float:
        """What starting the bots took; a launcher that is gone keeps what it had used."""
        for bot in self.bots:
            with suppress(OSError):
                self._launchers[bot.launcher] = bot.launcher_ms()
        return sum(self._launchers.values())

    def close(self) -> None:
        if self._core is not None:
            self._core.close()
        self._runner.close()


class AnswerBudget(NamedTuple):
    """How long one answer may take."""

    cpu_ms: float
    idle_ms: float

    @property
    def patience_ms(self) -> float:
        """Past this nobody waits for a bot that a busy host keeps from working."""
        return max(3 * self.cpu_ms, self.cpu_ms + 2000.0)


class Spent(NamedTuple):
    """What one answer cost; of the time away, idle is what nobody else is to blame for."""

    cpu_ms: float
    wall_ms: float
    away_ms: float = 0.0
    idle_ms: float = 0.0


@dataclass(slots=True)
class SeatClock:
    """The clock of one seat over a whole match.

    At an author's own desk there is no meter and nothing is enforced, so that he can sit in a debugger.
    """

    limits: Limits
    meter: Meter | None = None
    bank_ms: float = 0.0
    away_ms: float = 0.0
    unasked_ms: float = 0.0
    seen_ms: float = 0.0
    answers: int = 0
    readiness: Readiness = field(default_factory=Readiness)
    _overdraft_ms: float = 0.0
    _stopped_ms: float | None = None
    _began: Counts | None = None

    def __post_init__(self) -> None:
        self.bank_ms = float(self.limits.bank_ms)

    @property
    def is_enforced(self) -> bool:
        return self.meter is not None

    def begin(self, bot: Measured) -> None:
        """From here on idle time counts: the bot is ready."""
        if self.meter is not None:
            self._began = self.meter.counts(bot)
            self.readiness = Readiness(cpu_ms=self._began.bot_ms, threads=bot.threads())

    def start_budget(self) -> AnswerBudget:
        start_ms = float(self.limits.start_ms)
        return AnswerBudget(cpu_ms=start_ms, idle_ms=max(2 * start_ms, 2000.0))

    def act_budget(self, bot: Measured, rivals: Iterable[SeatClock] = ()) -> AnswerBudget:
        left = self.limits.idle_match_ms - self.away_ms
        if left < self.limits.idle_act_ms:
            # Only a seat that has been away for long is worth the look at what was kept from it.
            left = self.limits.idle_match_ms - self.idle_ms(bot, rivals)
        return AnswerBudget(
            cpu_ms=self.limits.turn_ms + max(0.0, self.bank_ms), idle_ms=min(self.limits.idle_act_ms, left)
        )

    def idle_ms(self, bot: Measured, rivals: Iterable[SeatClock] = ()) -> float:
        """Time away over the match that neither the host nor a rival who did not stop explains."""
        if self.meter is None or self._began is None:
            return self.away_ms
        counts = self.meter.counts(bot)
        self.readiness.look(self.away_ms, counts.bot_ms, bot.threads(), asked_at_ms=self.away_ms)
        stretch = counts.since(self._began)
        kept_ms = stretch.kept_ms(self.readiness.ms + stretch.runner_waited_ms)
        return max(0.0, self.away_ms - sum(rival.unasked_ms for rival in rivals) - kept_ms)

    def is_overdrawn(self, spent: Spent) -> bool:
        """Whether an answer cost more than its allowance and all of the bank."""
        return self.is_enforced and spent.cpu_ms > self.limits.turn_ms + max(0.0, self.bank_ms)

    def charge_act(self, spent: Spent) -> None:
        """Take from the bank what went beyond the allowance."""
        self.seen_ms += spent.cpu_ms
        self.answers += 1
        self.away_ms += spent.away_ms
        self.bank_ms = max(0.0, self.bank_ms - max(0.0, spent.cpu_ms - self.limits.turn_ms))

    def note_stopped(self) -> None:
        """All its threads were seen stopped when it was last settled."""
        if self._stopped_ms is None:
            self._stopped_ms = self.seen_ms

    def note_resumed(self) -> None:
        self._stopped_ms = None

    def settle(self, cpu_ms: float) -> str:
        """Charge what it used since the last reading without being asked; says why that is a timeout, if it is."""
        used = max(0.0, cpu_ms - self.seen_ms)
        self.seen_ms = max(self.seen_ms, cpu_ms)
        self.unasked_ms += used
        self._overdraft_ms += max(0.0, used - self.bank_ms)
        self.bank_ms = max(0.0, self.bank_ms - used)
        if not self.is_enforced:
            return ""
        if self._stopped_ms is not None and self.seen_ms - self._stopped_ms > STOPPED_MS:
            return f"it used {self.seen_ms - self._stopped_ms:.0f} ms of cpu after it was stopped"
        if self._overdraft_ms > STOPPED_MS + SETTLING_MS * self.answers:
            return f"it used {self.unasked_ms:.0f} ms of cpu without being asked, more than its bank"
        return ""


class Stopwatch:
    """Runs from the moment a bot is asked until it has answered; look_at is when to look at it next.

    Most answers come before the first look, so nothing is kept for looks until there is one.
    """

    __slots__ = ("_asked_at_ms", "_asked_cpu_ms", "_budget", "_clock", "_wait", "bot", "look_at")

    def __init__(self, bot: Measured, clock: SeatClock, budget: AnswerBudget) -> None:
        self.bot, self._clock, self._budget = bot, clock, budget
        self._asked_at_ms, self._asked_cpu_ms = now_ms(), clock.seen_ms
        self._wait: Wait | None = None
        self.look_at = self._asked_at_ms + min(QUICK_MS, budget.cpu_ms)

    def left_ms(self) -> float:
        """How long nothing but the answer matters."""
        left_ms = self.look_at - now_ms()
        return left_ms if left_ms > 0.0 else 0.0

    def stop(self) -> Spent:
        """The bot has answered."""
        at_ms, cpu_ms = now_ms(), self.bot.cpu_ms()
        late_ms = at_ms - self.look_at
        if self._wait is None:
            wall_ms, used_ms = at_ms - self._asked_at_ms, cpu_ms - self._asked_cpu_ms
            return Spent(used_ms, wall_ms, away_ms(wall_ms, used_ms, used_ms, late_ms if late_ms > 0.0 else 0.0))
        self._wait.end(at_ms, cpu_ms, max(0.0, late_ms))
        return self._spent(at_ms, cpu_ms)

    def look(self) -> tuple[Spent, LateVerdict | None]:
        """Whether the wait is over: the bot used too much, idled too long, or the host keeps it from working."""
        clock = self._clock
        if self._wait is None:
            self._wait = Wait(clock.readiness, self._asked_at_ms, self._asked_cpu_ms, clock.away_ms)
        if clock.meter is None:
            self.look_at = now_ms() + LOOK_MS
            return self._spent(now_ms(), self.bot.cpu_ms()), None
        counts = clock.meter.counts(self.bot)
        self._wait.look(counts, self.bot.threads(), max(0.0, counts.at_ms - self.look_at))
        spent = self._spent(counts.at_ms, counts.bot_ms)
        left = self._budget.cpu_ms - spent.cpu_ms, self._budget.idle_ms - self._wait.idle_ms
        # No limit can be passed before the next look.
        self.look_at = counts.at_ms + min(LOOK_MS, max(1.0, min(left) + 0.5))
        if min(left) < 0:
            return spent, "timeout"
        wanted_ms = spent.cpu_ms + spent.away_ms - spent.idle_ms  # what it slept of its own accord starves nobody
        is_starved = wanted_ms > self._budget.patience_ms and self._wait.is_robbed
        return spent, "host_fault" if is_starved else None

    def look_soon(self) -> None:
        """Somebody waits for us: what it wrote has filled its pipe."""
        self.look_at = min(self.look_at, now_ms() + SOON_MS)

    def _spent(self, at_ms: float, cpu_ms: float) -> Spent:
        assert self._wait is not None
        cpu_ms, wall_ms = cpu_ms - self._asked_cpu_ms, at_ms - self._asked_at_ms
        return Spent(cpu_ms, wall_ms, self._wait.away_ms, self._wait.idle_ms)
