"""Whose time it was, judged from counts that the kernel gave or could give; nothing here runs or sleeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from arena.accounting import Counts, Readiness, Stretch, ThreadTimes, Wait

LATE_IDLE_MS = 2000.0


@dataclass
class Scene:
    """A bot that is asked on a core where so much happens in each ms of wall time."""

    bot: float = 0.0
    others: float = 0.0
    runner: float = 0.0
    idle: float = 0.0
    steal: float = 0.0
    irq: float = 0.0
    ready: bool = False
    waited: float = 0.0  # booked by the kernel for the bot's one thread
    runner_waited: float = 0.0
    wait: Wait = field(default_factory=lambda: Wait(Readiness(), 0.0, 0.0, 0.0))
    counts: Counts = field(default_factory=Counts)
    thread: ThreadTimes = field(default_factory=ThreadTimes)

    def goes_on(self, ms: float, *, late: float = 0.0, **changes: Any) -> Scene:
        """So much later the referee looks; late is how much of that was not meant."""
        for name, value in changes.items():
            setattr(self, name, value)
        rates = (1.0, self.idle, self.steal, self.irq, self.bot, self.others, self.runner, self.runner_waited)
        self.counts = Counts(*(before + rate * ms for before, rate in zip(self.counts, rates, strict=True)))
        self.thread = ThreadTimes(
            self.thread.ran_ms + self.bot * ms, self.thread.waited_ms + self.waited * ms, self.ready
        )
        self.wait.look(self.counts, {"1": self.thread}, late)
        return self

    def looks(self, ms: float, *, every: float = 250.0, late: float = 0.0) -> float:
        """A first look after 50 ms, then one after another; how long the bot was idle by then."""
        self.goes_on(50.0)
        for _ in range(int(ms / every)):
            self.goes_on(every + late, late=late)
        return self.wait.idle_ms


# Measured on a core with the runner and one bot for 3,000 ms: what each used, and how much of it was the bot's idling.
MEASURED = {
    "drips to stderr, quiet": (Scene(bot=0.349, runner=0.651, waited=0.651, ready=True), 1953),
    "drips to stderr, four burners": (Scene(bot=0.001, runner=0.002, waited=0.999, ready=True), 0),
    "sleeps, quiet": (Scene(idle=0.999, runner=0.001), 3000),
    "sleeps, four burners": (Scene(runner=0.001), 3000),
    "burns, quiet": (Scene(bot=0.9995, ready=True), 0),
    "burns, four burners": (Scene(bot=0.199, waited=0.801, ready=True), 0),
    "waits unbooked for a core, four burners": (Scene(ready=True), 0),
    "sleeps while it is robbed of nothing": (Scene(idle=0.9, runner=0.1), 3000),
    "burns, robbed by the hypervisor": (Scene(bot=0.5, steal=0.5, ready=True), 0),
    "naps for microseconds while the hypervisor lets the idle core wait": (
        Scene(bot=0.05, idle=0.93, steal=0.85),
        2850,
    ),
    "burns beside a rival that did not stop": (Scene(bot=0.5, others=0.5, waited=0.5, ready=True), 0),
    "makes the kernel work, quiet": (Scene(bot=0.1, idle=0.8, waited=0.1), 2700),
    "lets interrupts work, quiet": (Scene(bot=0.1, irq=0.5, idle=0.4, waited=0.5), 2700),
}


@pytest.mark.parametrize("case", MEASURED)
def test_idle_time_is_what_nobody_else_explains(case: str) -> None:
    scene, expected = MEASURED[case]
    assert scene.looks(3000) == pytest.approx(expected, abs=65)


def test_on_a_core_that_the_kernel_shows_quiet_nothing_excuses_a_bot() -> None:
    """Threads that wait for each other, or a thread that is ready at every look, make nobody look busy."""
    for foreign in (0.0, 0.05, 0.14):
        scene = Scene(idle=0.9 - foreign, bot=0.1, waited=5.0, ready=True)
        assert scene.looks(4000) == pytest.approx(0.9 * 4000, rel=0.01)
    assert Scene(idle=0.7, bot=0.1, waited=5.0, ready=True).looks(4000) < 0.8 * 4000


def test_below_the_threshold_a_fair_bot_that_uses_its_whole_bank_is_still_not_idle_for_long() -> None:
    """15 % of the wall time in which a bot uses 10.1 s is less than the 2 s that it may be idle."""
    assert Scene(bot=0.86, ready=True, waited=0.14).looks(10_100 / 0.86) < LATE_IDLE_MS


@pytest.mark.parametrize(("bot", "foreign", "robbed"), [(0.2, 0.8, True), (0.4, 0.3, False), (0.1, 0.14, False)])
def test_a_bot_is_robbed_only_where_others_had_more_of_the_core_than_itself(
    bot: float, foreign: float, robbed: bool
) -> None:
    """What the kernel does for a bot in nobody's name is never as much as the bot does itself."""
    scene = Scene(bot=bot, idle=1.0 - bot - foreign, waited=foreign)
    scene.looks(3000)
    assert scene.wait.is_robbed == robbed


def test_a_bot_that_has_not_had_the_core_since_the_first_look_is_robbed() -> None:
    scene = Scene(ready=True)
    scene.looks(3000)
    assert scene.wait.is_robbed


def threads_at(ms: float, *, ran: float, waited: float, count: int = 14) -> dict[str, ThreadTimes]:
    """Each has run and waited for so much of the time."""
    return {str(number): ThreadTimes(ran * ms, waited * ms) for number in range(count)}


@pytest.mark.parametrize(("waited", "robbed"), [(0.1, False), (0.9, True)], ids=["each other", "foreign programs"])
def test_threads_are_robbed_by_others_and_not_by_each_other(waited: float, robbed: bool) -> None:
    """Fourteen threads with a fifth of a core that is never idle; their waits add up to more than all of the time."""
    wait = Wait(Readiness(), 0.0, 0.0, 0.0)
    for at in range(50, 3050, 250):
        wait.look(Counts(at_ms=at, bot_ms=0.2 * at), threads_at(at, ran=0.2 / 14, waited=waited), 0.0)
    assert wait.is_robbed == robbed


def test_a_bot_that_sleeps_while_a_background_program_works_is_not_robbed() -> None:
    """Such a program takes nothing from a bot that works, and all that a bot leaves."""
    scene = Scene(bot=0.3, idle=0.0)
    scene.looks(3000)
    assert not scene.wait.is_robbed


def test_a_bot_that_naps_is_not_robbed_by_a_hypervisor_that_lets_its_idle_core_wait() -> None:
    """Such a wait is counted twice, as idle and as stolen; one that works loses what is stolen, and is never idle."""
    napper, worker = Scene(bot=0.05, idle=0.93, steal=0.85), Scene(bot=0.15, steal=0.85, ready=True)
    for scene in (napper, worker):
        scene.looks(3000)
    assert (napper.wait.is_robbed, worker.wait.is_robbed) == (False, True)


def test_what_a_bot_stood_ready_bounds_what_the_host_kept_from_it() -> None:
    scene = Scene(bot=0.1, waited=0.2)
    assert scene.looks(3000) == pytest.approx((1 - 0.1 - 0.2) * 3000, rel=0.02)


def test_a_wait_that_the_kernel_has_not_booked_yet_is_seen_as_soon_as_it_lasts_from_look_to_look() -> None:
    scene = Scene(ready=True)
    assert scene.looks(4000) == 0.0
    scene.goes_on(250.0, waited=4300 / 250, bot=0.01)  # it gets the core, and the whole wait is booked at once
    assert scene.wait.idle_ms == 0.0
    scene.goes_on(1000.0, waited=0.0, bot=0.0, ready=False)
    assert scene.wait.idle_ms == pytest.approx(1000, abs=10)


def test_a_bot_that_wakes_for_every_look_on_a_busy_core_gains_one_look_and_not_all_of_them() -> None:
    scene = Scene(bot=0.0004, waited=0.004, ready=True)
    assert scene.looks(4000) > 4000 - 2 * 250 - 100


def test_the_time_in_which_the_referee_slept_is_nobodys() -> None:
    for frozen in (5_000.0, 25_000.0):
        scene = Scene(idle=1.0).goes_on(50.0).goes_on(250.0 + frozen, late=frozen)
        assert scene.wait.idle_ms == pytest.approx(250)
        scene.goes_on(250.0)
        assert scene.wait.idle_ms == pytest.approx(500)


def test_the_referee_asleep_before_the_first_look_costs_nobody_anything() -> None:
    scene = Scene(idle=1.0).goes_on(25_050.0, late=25_000.0)
    assert (scene.wait.idle_ms, scene.wait.away_ms) == (0.0, pytest.approx(50))


def test_work_that_a_bot_makes_for_the_referee_is_no_sleep_of_his() -> None:
    """Flooding makes looks late as well; that is the bot's own time."""
    scene = Scene(bot=0.3, runner=0.7).goes_on(50.0)
    for _ in range(10):
        scene.goes_on(500.0, late=250.0)
    assert scene.wait.idle_ms == pytest.approx(0.7 * 5000)


def test_a_bot_that_keeps_the_referee_from_its_core_gains_nothing() -> None:
    scene = Scene(bot=1.0, ready=True).goes_on(50.0).goes_on(500.0, late=250.0)
    assert scene.wait.away_ms == 0.0
    scene.goes_on(1000.0, bot=0.0, idle=1.0, ready=False)
    assert scene.wait.idle_ms == pytest.approx(1000)


def test_when_the_answer_is_here_its_wait_counts_for_the_match() -> None:
    wait = Wait(Readiness(), 1000.0, 40.0, 0.0)
    wait.end(1030.0, 45.0, 0.0)
    assert (wait.away_ms, wait.idle_ms) == (25.0, 0.0)
    slept = Wait(Readiness(), 1000.0, 40.0, 0.0)
    slept.end(26_050.0, 45.0, 25_000.0)
    assert slept.away_ms == pytest.approx(50)


def test_threads_that_come_and_go_between_two_looks_take_their_waits_with_them_and_are_believed() -> None:
    readiness = Readiness()
    readiness.look(100.0, 10.0, {"1": ThreadTimes(10.0, 0.0)}, asked_at_ms=0.0)
    assert readiness.ms == 0.0
    readiness.look(350.0, 30.0, {"1": ThreadTimes(10.0, 0.0)}, asked_at_ms=0.0)
    assert readiness.ms == 250.0


def test_waits_of_several_threads_add_up_until_the_core_says_otherwise() -> None:
    """Hand-offs of an interpreter's lock spread one wait over many threads."""
    readiness = Readiness()
    readiness.look(800.0, 200.0, {str(n): ThreadTimes(25.0, 100.0) for n in range(8)}, asked_at_ms=0.0)
    assert readiness.ms == 800.0


def test_a_number_given_to_a_new_thread_takes_nothing_back() -> None:
    readiness = Readiness()
    readiness.look(100.0, 10.0, {"7": ThreadTimes(10.0, 90.0)}, asked_at_ms=0.0)
    readiness.look(200.0, 10.1, {"7": ThreadTimes(0.1, 1.0)}, asked_at_ms=0.0)
    assert readiness.ms >= 90.0


def test_counts_that_move_in_steps_never_make_time_negative() -> None:
    """/proc/stat moves by 10 ms at a time, and may be ahead of the finer clocks."""
    stretch = Stretch(wall_ms=25.0, idle_ms=30.0, steal_ms=-2.0, bot_ms=4.0)
    assert (stretch.foreign_ms, stretch.taken_ms, stretch.kept_ms(100.0)) == (0.0, 0.0, 0.0)
    assert stretch.is_quiet
