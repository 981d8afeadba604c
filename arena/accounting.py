"""Whose time it was: what the kernel counted on the core of a match, told apart. Arithmetic only, nothing is read here.

All processes of a match share one core. Of any stretch of wall time on it, the kernel says how long the core was idle
or stolen and what the bots and the runner used; what remains was used by foreign programs. So no bot can make the host
look busy: it can only use the core or leave it idle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

# What a bot can make the kernel do in its own name is less than this share of the time; see docs/5-arena.md.
QUIET_SHARE = 0.15
# Cpu of threads that came and went between two looks; less than this is the difference between two clocks.
_LOST_MS = 0.5


class Counts(NamedTuple):
    """One reading, in ms since whenever: of the core, of the asked bot, of the others, and of the runner."""

    at_ms: float = 0.0
    idle_ms: float = 0.0
    steal_ms: float = 0.0
    irq_ms: float = 0.0
    bot_ms: float = 0.0
    others_ms: float = 0.0
    runner_ms: float = 0.0
    runner_waited_ms: float = 0.0

    def since(self, before: Counts) -> Stretch:
        return Stretch(*(now - then for now, then in zip(self, before, strict=True)))


class Stretch(NamedTuple):
    """What happened on the core between two readings."""

    wall_ms: float = 0.0
    idle_ms: float = 0.0
    steal_ms: float = 0.0
    irq_ms: float = 0.0
    bot_ms: float = 0.0
    others_ms: float = 0.0
    runner_ms: float = 0.0
    runner_waited_ms: float = 0.0

    @property
    def taken_ms(self) -> float:
        """All that the host can have kept from a bot: what nobody of the match used of a core that was not idle."""
        known = self.idle_ms + self.irq_ms + self.bot_ms + self.others_ms + self.runner_ms
        return max(0.0, self.wall_ms - known)

    @property
    def stolen_ms(self) -> float:
        """What the hypervisor had of it; where it let an idle core wait, nothing was stolen from a bot asleep."""
        return min(max(0.0, self.steal_ms), self.taken_ms)

    @property
    def foreign_ms(self) -> float:
        """What other programs had of it."""
        return self.taken_ms - self.stolen_ms

    @property
    def is_quiet(self) -> bool:
        return self.taken_ms <= QUIET_SHARE * self.wall_ms

    def kept_ms(self, ready_ms: float) -> float:
        """What the host kept from a bot that stood ready for so long; a bot asleep on a busy core is asleep."""
        return 0.0 if self.is_quiet else self.stolen_ms + min(self.foreign_ms, max(0.0, ready_ms))

    def away_ms(self, late_ms: float) -> float:
        """Time in which the asked bot did not work and nobody kept it from working, as far as the match goes.

        late_ms is how much later than due the referee looked. What nobody's work explains of that, it slept itself.
        """
        bots_ms = self.bot_ms + self.others_ms
        return away_ms(self.wall_ms, bots_ms, bots_ms + self.runner_ms, late_ms)


def away_ms(wall_ms: float, bots_ms: float, work_ms: float, late_ms: float) -> float:
    """What is left of wall_ms without the bots' cpu and without what nobody's work explains of a late look."""
    slept_ms = late_ms - work_ms if late_ms > work_ms else 0.0
    left_ms = wall_ms - bots_ms - slept_ms
    return left_ms if left_ms > 0.0 else 0.0


class ThreadTimes(NamedTuple):
    """How long one thread ran, how long it stood ready before it got the core, and whether it does so now."""

    ran_ms: float = 0.0
    waited_ms: float = 0.0
    is_ready: bool = False


@dataclass(slots=True)
class Readiness:
    """How long a bot stood ready without a core, from look to look; its time is the bot's time away.

    The kernel books a wait only when it ends, and forgets it when the thread does. So a thread that is ready now has
    waited since the look before, and where threads came and went between two looks, some thread was ready all the time.
    """

    at_ms: float = 0.0
    cpu_ms: float = 0.0
    threads: Mapping[str, ThreadTimes] = field(default_factory=dict)
    _booked_ms: float = 0.0
    _ready_since: float | None = None
    _stuck_since: Mapping[str, float] = field(default_factory=dict)

    @property
    def ms(self) -> float:
        pending = 0.0 if self._ready_since is None else max(0.0, self.at_ms - self._ready_since)
        return self._booked_ms + pending

    def look(self, at_ms: float, cpu_ms: float, threads: Mapping[str, ThreadTimes], *, asked_at_ms: float) -> None:
        """Take in the threads as they are now, at_ms into the bot's time away."""
        ran_ms = waited_ms = 0.0
        for name, now in threads.items():
            before = self.threads.get(name, ThreadTimes())
            ran_ms += now.ran_ms - before.ran_ms
            waited_ms += max(0.0, now.waited_ms - before.waited_ms)
        came_and_went = cpu_ms - self.cpu_ms - ran_ms > _LOST_MS
        self._booked_ms += max(waited_ms, at_ms - self.at_ms) if came_and_went else waited_ms
        self._ready_since = self._since(threads, max(self.at_ms, asked_at_ms))
        stuck = (name for name, now in threads.items() if now.is_ready and self.threads.get(name) == now)
        self._stuck_since = {name: self._stuck_since.get(name, self.at_ms) for name in stuck}
        self.at_ms, self.cpu_ms, self.threads = at_ms, cpu_ms, threads

    def certain_ms(self, before: Mapping[str, ThreadTimes], cpu_ms: float) -> float:
        """How long some thread has waited at least while no other thread of the bot ran; all used cpu_ms since before.

        The waits of threads that wait for each other add up to more than the wall's time, and no host kept them.
        """
        return max((self._certain_ms(name, before, cpu_ms) for name in self.threads), default=0.0)

    def _certain_ms(self, name: str, before: Mapping[str, ThreadTimes], cpu_ms: float) -> float:
        now, then = self.threads[name], before.get(name, ThreadTimes())
        unbooked_ms = self.at_ms - self._stuck_since[name] if name in self._stuck_since else 0.0
        others_ms = cpu_ms - (now.ran_ms - then.ran_ms)
        return max(0.0, now.waited_ms - then.waited_ms + unbooked_ms - others_ms)

    def _since(self, threads: Mapping[str, ThreadTimes], last_look: float) -> float | None:
        """Since when some thread has been ready without a pause, if one is."""
        ready = {name: now for name, now in threads.items() if now.is_ready}
        if not ready:
            return None
        is_stuck = any(self.threads.get(name) == now for name, now in ready.items())
        return self._ready_since if is_stuck and self._ready_since is not None else last_look


@dataclass(slots=True)
class Wait:
    """One wait for an answer, from look to look: how long the bot was away, and how much of that it was idle.

    Before the first look nothing but the answer matters; what a bot is away until then counts for the match alone.
    """

    readiness: Readiness
    asked_at_ms: float
    asked_cpu_ms: float
    away_before_ms: float
    away_ms: float = 0.0
    _quick_ms: float = 0.0
    _late_ms: float = 0.0
    _ready_before_ms: float = 0.0
    _threads_before: Mapping[str, ThreadTimes] = field(default_factory=dict)
    _first: Counts | None = None
    _last: Counts | None = None

    def look(self, counts: Counts, threads: Mapping[str, ThreadTimes], late_ms: float) -> None:
        """Take in the core and the asked bot as they are now, late_ms later than was meant."""
        if self._last is None:
            self._add(counts.at_ms, counts.bot_ms, late_ms)
            self._quick_ms = self.away_ms
        else:
            self.away_ms += counts.since(self._last).away_ms(late_ms)
            self._late_ms += late_ms
        away_ms = self.away_before_ms + self.away_ms
        self.readiness.look(away_ms, counts.bot_ms, threads, asked_at_ms=self.away_before_ms)
        if self._first is None:
            self._first, self._ready_before_ms, self._threads_before = counts, self.readiness.ms, threads
        self._last = counts

    def end(self, at_ms: float, cpu_ms: float, late_ms: float) -> None:
        """The answer is here; what it is worth to know now is only how long the bot was away."""
        self._add(at_ms, cpu_ms, late_ms)

    def _add(self, at_ms: float, cpu_ms: float, late_ms: float) -> None:
        from_ms, from_cpu_ms = self.asked_at_ms, self.asked_cpu_ms
        if self._last is not None:
            from_ms, from_cpu_ms = self._last.at_ms, self._last.bot_ms
        bot_ms = cpu_ms - from_cpu_ms
        self.away_ms += away_ms(at_ms - from_ms, bot_ms, bot_ms, late_ms)

    @property
    def is_robbed(self) -> bool:
        """Whether more of the core was certainly kept from the bot since the first look than it had of it.

        No bot can bring that about: on a quiet core nothing is kept, and neither is what others do while it sleeps or
        while its threads wait for each other.
        """
        if self._first is None or self._last is None:
            return False
        stretch = self._last.since(self._first)
        return stretch.kept_ms(self.readiness.certain_ms(self._threads_before, stretch.bot_ms)) > stretch.bot_ms

    @property
    def idle_ms(self) -> float:
        """Neither working, nor ready for a core that others had, nor robbed of it."""
        if self._first is None or self._last is None:
            return 0.0
        stretch = self._last.since(self._first)
        ready_ms = self.readiness.ms - self._ready_before_ms
        runner_ms = max(0.0, stretch.runner_waited_ms - self._late_ms)
        return max(0.0, self.away_ms - self._quick_ms - stretch.kept_ms(ready_ms + runner_ms))
