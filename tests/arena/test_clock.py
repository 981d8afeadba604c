"""The clock of a seat, with a kernel that says what the test wants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from arena import Limits
from arena.accounting import Counts, ThreadTimes
from arena.clock import SETTLING_MS, STOPPED_MS, Meter, SeatClock, Spent

LIMITS = Limits(turn_ms=100, bank_ms=1_000, idle_act_ms=2_000, idle_match_ms=20_000)


@dataclass
class StagedBot:
    """A bot whose counts are written down by hand."""

    cpu: float = 0.0
    waited: float = 0.0
    launcher: int = 0

    def launcher_ms(self) -> float:
        return 0.0

    def cpu_ms(self) -> float:
        return self.cpu

    def threads(self) -> Mapping[str, ThreadTimes]:
        return {"1": ThreadTimes(self.cpu, self.waited)}


@dataclass
class StagedMeter(Meter):
    """A core whose counts are written down by hand."""

    now: Counts = field(default_factory=Counts)

    def counts(self, asked: object = None) -> Counts:
        return self.now


@pytest.fixture
def bot() -> StagedBot:
    return StagedBot()


def clock_of(bot: StagedBot, meter: StagedMeter | None = None, **limits: int) -> SeatClock:
    clock = SeatClock(replace(LIMITS, **limits), meter or StagedMeter())
    clock.begin(bot)
    return clock


def test_what_a_bot_uses_between_its_answer_and_the_next_question_is_taken_from_its_bank(bot: StagedBot) -> None:
    clock = clock_of(bot)
    assert clock.settle(30.0) == ""
    assert clock.bank_ms == 970.0
    clock.charge_act(Spent(cpu_ms=80.0, wall_ms=90.0))
    assert clock.bank_ms == 970.0
    assert clock.settle(110.0) == ""
    assert clock.settle(115.0) == ""
    assert (clock.bank_ms, clock.unasked_ms) == (965.0, 35.0)


def test_cpu_after_all_threads_were_seen_stopped_is_a_timeout_beyond_20_ms(bot: StagedBot) -> None:
    clock = clock_of(bot)
    clock.settle(500.0)
    clock.note_stopped()
    assert clock.settle(500.0 + STOPPED_MS) == ""
    clock.note_stopped()  # seen again: what it used since the first time counts
    assert "after it was stopped" in clock.settle(501.0 + STOPPED_MS)


def test_a_stop_that_lands_late_is_charged_and_not_punished(bot: StagedBot) -> None:
    clock = clock_of(bot)
    for cpu in (200.0, 400.0, 600.0):
        assert clock.settle(cpu) == ""
        clock.note_resumed()
    assert clock.bank_ms == 400.0


def test_a_bot_that_thinks_unasked_until_its_bank_is_empty_is_out(bot: StagedBot) -> None:
    clock = clock_of(bot)
    assert clock.settle(1_000.0 + STOPPED_MS) == ""
    assert "without being asked" in clock.settle(1_001.0 + STOPPED_MS)


def test_with_no_bank_at_all_the_moment_between_answer_and_stop_is_forgiven(bot: StagedBot) -> None:
    clock = clock_of(bot, bank_ms=0)
    for _ in range(500):
        clock.charge_act(Spent(cpu_ms=5.0, wall_ms=6.0))
        assert clock.settle(clock.seen_ms + SETTLING_MS) == ""
    assert clock.settle(clock.seen_ms + STOPPED_MS + 1) != ""


def test_without_a_meter_nothing_is_enforced(bot: StagedBot) -> None:
    clock = SeatClock(LIMITS)
    clock.begin(bot)
    assert clock.settle(1e6) == ""
    assert not clock.is_overdrawn(Spent(cpu_ms=1e6, wall_ms=1e6))


def test_time_away_over_the_match_is_idle_unless_the_core_was_taken(bot: StagedBot) -> None:
    meter = StagedMeter()
    clock = clock_of(bot, meter)
    clock.charge_act(Spent(cpu_ms=100.0, wall_ms=19_100.0, away_ms=19_000.0))
    meter.now, bot.cpu, bot.waited = Counts(at_ms=19_100.0, idle_ms=19_000.0, bot_ms=100.0), 100.0, 0.0
    assert clock.idle_ms(bot) == 19_000.0
    assert clock.act_budget(bot).idle_ms == 1_000.0


def test_a_fair_bot_on_a_busy_core_may_be_away_for_as_long_as_it_takes(bot: StagedBot) -> None:
    """A thousand quick answers, each of which waited for the core, as did the referee before he read it."""
    meter = StagedMeter()
    clock = clock_of(bot, meter)
    for _ in range(1000):
        clock.charge_act(Spent(cpu_ms=1.0, wall_ms=46.0, away_ms=45.0))
    meter.now = Counts(at_ms=46_000.0, bot_ms=1_000.0, runner_ms=500.0, runner_waited_ms=22_000.0)
    bot.cpu, bot.waited = 1_000.0, 22_000.0
    assert clock.idle_ms(bot) == pytest.approx(1_000.0)
    assert clock.act_budget(bot).idle_ms == 2_000.0


def test_a_rival_that_did_not_stop_is_no_idleness_of_ours(bot: StagedBot) -> None:
    meter = StagedMeter()
    clock, rival = clock_of(bot, meter), clock_of(StagedBot(), meter)
    rival.settle(900.0)
    clock.charge_act(Spent(cpu_ms=0.0, wall_ms=19_500.0, away_ms=19_500.0))
    meter.now = Counts(at_ms=19_500.0, idle_ms=18_600.0, others_ms=900.0)
    assert clock.idle_ms(bot, [rival]) == 18_600.0


def test_a_bank_that_is_empty_leaves_the_allowance(bot: StagedBot) -> None:
    clock = clock_of(bot)
    clock.charge_act(Spent(cpu_ms=1_100.0, wall_ms=1_100.0))
    assert (clock.bank_ms, clock.act_budget(bot).cpu_ms) == (0.0, 100.0)
    assert clock.is_overdrawn(Spent(cpu_ms=100.1, wall_ms=101.0))
    assert not clock.is_overdrawn(Spent(cpu_ms=100.0, wall_ms=101.0))
