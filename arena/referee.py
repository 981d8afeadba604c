"""Runs one match: asks, waits, judges, and never lets a bot or the host decide more than it may."""

from __future__ import annotations

import select
import signal
import time
from collections.abc import Callable, Sequence
from math import ceil

from arena.clock import QUICK_MS, Meter, Spent, Stopwatch, now_ms
from arena.players import MAX_FILES, MUCH_STDERR, BotFault, Player
from arena.protocol import InvalidAnswer, act_line, end_line, read_answer, read_ready
from arena.ranking import is_cut
from arena.record import Fault, FaultStage, PlayedAction
from arena.sandbox.counters import memory_kills
from engines import State
from engines.api import short as shown

GOODBYE_MS = 1000.0
_TICK_MS = 1000.0
# An answer may come in this many pieces before the referee takes a nap between two of them.
PIECES = 16
_NAP_S = 0.005
_IN = select.POLLIN
# What of a bot is listened to all the time: what it says, and whether it lives.
EARS = ("stdout", "pidfd")


class HostProblem(RuntimeError):
    """The match cannot go on through no fault of a bot."""


class GameCut(Exception):
    """Fewer than two seats without fault remain."""


class Referee:
    """The table of one match: bots are greeted one by one, then the game is played, then they are sent home."""

    def __init__(
        self,
        players: list[Player],
        *,
        meter: Meter | None,
        wall_ms: float,
        on_tick: Callable[[int, int | None], None],
        on_action: Callable[[PlayedAction], None] = lambda played: None,
    ) -> None:
        self.players = players
        self._rivals = [[other.clock for other in players if other is not player] for player in players]
        self._meter = meter
        self._memory_kills = memory_kills()
        self._began = meter.counts() if meter is not None else None
        self.actions: list[PlayedAction] = []
        self.faults: list[Fault] = []
        self._wall_ms = wall_ms
        self._until = now_ms() + wall_ms
        self._on_tick = on_tick
        self._on_action = on_action
        self._next_tick = 0.0
        self._poller = select.poll()
        self._ears: dict[int, tuple[Player, str]] = {}

    def greet(self, player: Player, hello: bytes) -> None:
        """Wait until a bot that was just started is ready; one that is not is out."""
        assert player.process is not None
        self._listen(player)
        player.clock.seen_ms = player.process.cpu_ms()
        watch = Stopwatch(player.process, player.clock, player.clock.start_budget())
        try:
            line, spent = self._ask(player, hello, watch, stage="start")
            player.clock.seen_ms += spent.cpu_ms
            read_ready(line)
        except InvalidAnswer as error:
            self._blame(player, "start", BotFault("invalid_answer", str(error)))
        except BotFault as fault:
            self._blame(player, "start", fault)
        else:
            player.pause()
            player.clock.begin(player.process)

    def play(self, state: State) -> None:
        """Play from this state to the end of the game; raises GameCut or HostProblem."""
        self._next_tick = 0.0
        self._judge_unasked()
        self._stop_if_cut()
        while (seat := state.to_act) is not None:
            self.step(self.players[seat], state)

    def step(self, player: Player, state: State) -> None:
        """Have the seat that is to act choose, or be blamed; raises GameCut or HostProblem."""
        self._look_at_the_time(player.seat)
        if player.fault is not None:
            self._play_on(player, state)
            return
        try:
            self._take_turn(player, state)
        except BotFault as fault:
            self._blame(player, "act", fault)
        if state.to_act is not None:
            self._judge_unasked()
            self._stop_if_cut()

    def ask_again(self, player: Player, state: State, *, bank_ms: int) -> str | None:
        """What a bot that was started anew says to a message of the past; None if that was a fault, which counts.

        What it uses is bounded by all of a match's bank and charged to none of it.
        """
        assert player.process is not None
        clock, texts = player.clock, [state.format(action) for action in state.legal_actions()]
        clock.bank_ms = float(clock.limits.bank_ms)
        message = act_line(len(self.actions), state.observe(player.seat), texts, clock.limits.turn_ms, bank_ms)
        watch = Stopwatch(player.process, clock, clock.act_budget(player.process, self._rivals[player.seat]))
        try:
            player.settle()
            line, spent = self._ask(player, message, watch, stage="act")
            clock.seen_ms += spent.cpu_ms
            return read_answer(line).action
        except InvalidAnswer as error:
            self._blame(player, "act", BotFault("invalid_answer", str(error)))
        except BotFault as fault:
            self._blame(player, "act", fault)
        return None

    def _play_on(self, player: Player, state: State) -> None:
        """A seat that is out takes its first legal action, at no cost."""
        action = state.legal_actions()[0]
        text = state.format(action)
        state.apply(action)
        self._write_down(PlayedAction(player.seat, text, 0.0, 0.0))

    def _write_down(self, played: PlayedAction) -> None:
        self.actions.append(played)
        self._on_action(played)

    def _take_turn(self, player: Player, state: State) -> None:
        legal = state.legal_actions()
        texts = [state.format(action) for action in legal]
        text, spent = self._choice(player, state, texts)
        try:
            place = texts.index(text)
        except ValueError:
            raise BotFault("illegal_action", f"{shown(text)} is not one of the {len(texts)} legal actions") from None
        state.apply(legal[place])
        self._write_down(PlayedAction(player.seat, text, round(spent.cpu_ms, 2), round(spent.wall_ms, 2)))
        if state.to_act != player.seat:
            player.pause()

    def _choice(self, player: Player, state: State, texts: Sequence[str]) -> tuple[str, Spent]:
        assert player.process is not None
        player.settle()
        clock, ply = player.clock, len(self.actions)
        message = act_line(ply, state.observe(player.seat), texts, clock.limits.turn_ms, ceil(clock.bank_ms))
        budget = clock.act_budget(player.process, self._rivals[player.seat])
        if clock.is_enforced and budget.idle_ms < 0:
            raise BotFault("timeout", f"it idled for more than {clock.limits.idle_match_ms} ms of the match")
        watch = Stopwatch(player.process, clock, budget)
        line, spent = self._ask(player, message, watch, stage="act")
        if clock.is_overdrawn(spent):
            player.inspect()
            raise BotFault("timeout", f"it used {spent.cpu_ms:.0f} ms of cpu, more than its allowance and bank")
        clock.charge_act(spent)
        player.inspect_now_and_then()
        try:
            answer = read_answer(line)
        except InvalidAnswer as error:
            raise BotFault("invalid_answer", str(error)) from error
        if answer.note:
            player.note(ply, answer.note)
        return answer.action, spent

    def _ask(self, player: Player, message: bytes, watch: Stopwatch, *, stage: FaultStage) -> tuple[bytes, Spent]:
        """Send a line and wait for one; raises BotFault about this player, GameCut through another, or HostProblem."""
        assert player.process is not None
        if player.is_dead:
            raise self._death(player, stage)
        player.send(message)
        if player.unsent:
            self._hear_on(player, "stdin", select.POLLOUT)
        player.resume()
        pieces = 0
        while True:
            events = self._poller.poll(watch.left_ms())
            self._attend(events, asked=player, stage=stage)
            line = player.next_line()
            if line is not None:
                return line, watch.stop()
            if player.is_dead:
                raise self._death(player, stage)
            if watch.left_ms() <= 0:
                self._look(player, watch, stage)
            pieces += bool(events)
            if pieces > PIECES:
                time.sleep(_NAP_S)
            self._look_at_the_time(player.seat)

    def _look(self, player: Player, watch: Stopwatch, stage: FaultStage) -> None:
        """Judge the bot that is asked, first what it holds and then its time, and see that the others rest."""
        assert player.process is not None
        spent, verdict = watch.look()
        player.inspect()
        if verdict is not None and player.process.is_leaving():
            raise self._death(player, stage)  # to die may take long where the kernel has much else to do
        if verdict is not None and stage == "start" and not player.process.is_set_up():
            raise HostProblem(f"the host did not set up a bot's cell within {spent.wall_ms:.0f} ms")
        if verdict == "timeout":
            player.clock.charge_act(spent)
            raise BotFault(
                "timeout",
                f"no answer after {spent.wall_ms:.0f} ms, of which {spent.cpu_ms:.0f} ms of cpu "
                f"and {spent.idle_ms:.0f} ms idle",
            )
        if verdict == "host_fault":
            raise HostProblem(f"the host was too busy: {spent.wall_ms:.0f} ms gave a bot {spent.cpu_ms:.0f} ms of cpu")
        if player.drain_stderr() >= MUCH_STDERR:
            watch.look_soon()
        player.process.bound_files(2 * MAX_FILES)
        for other in self.players:
            if other is not player and other.is_playing and not other.is_dead:
                self._see_at_rest(other)
        if stage == "act":
            self._stop_if_cut()

    def _see_at_rest(self, player: Player) -> None:
        try:
            player.look_while_stopped()
        except BotFault as fault:
            self._blame(player, "act", fault)

    def _look_at_the_time(self, to_act: int | None) -> None:
        """Once in a while tell the caller that we live; past the wall limit of the order it is the host's fault."""
        now = now_ms()
        if now >= self._until:
            raise HostProblem(f"the match reached its wall limit of {self._wall_ms:.0f} ms{self._load()}")
        if now >= self._next_tick:
            self._next_tick = now + _TICK_MS
            self._on_tick(len(self.actions), to_act)

    def _load(self) -> str:
        """What others used of the core, where that explains anything."""
        if self._meter is None or self._began is None:
            return ""
        stretch = self._meter.counts().since(self._began)
        if stretch.is_quiet:
            return ""
        return f": the host was too busy, others used {stretch.taken_ms:.0f} of {stretch.wall_ms:.0f} ms of the core"

    # Listening

    def _listen(self, player: Player) -> None:
        # What it writes to stderr is nobody's hurry: it is taken in at looks, or single bytes would keep us busy.
        for ear in EARS:
            self._hear_on(player, ear, _IN)

    def _hear_on(self, player: Player, ear: str, mask: int) -> None:
        descriptor: int = getattr(player.process, ear)
        self._ears[descriptor] = (player, ear)
        self._poller.register(descriptor, mask)

    def _forget(self, descriptor: int) -> None:
        if self._ears.pop(descriptor, None) is not None:
            self._poller.unregister(descriptor)

    def _attend(self, events: list[tuple[int, int]], *, asked: Player, stage: FaultStage) -> None:
        """Take in what happened; a fault of the bot that was asked is raised, that of another is written down."""
        faults = len(self.faults)
        for descriptor, _ in events:
            player, ear = self._ears.get(descriptor, (None, ""))
            if player is None:
                continue
            try:
                if not self._take_in(player, ear):
                    self._forget(descriptor)
            except BotFault as fault:
                if player is asked:
                    raise
                self._blame(player, "act", fault)
            if player is not asked:
                self._judge_unasked(asked)
        if stage == "act" and len(self.faults) > faults:
            self._stop_if_cut()

    def _take_in(self, player: Player, ear: str) -> bool:
        """False when there is nothing more to expect from this descriptor."""
        if ear == "stdout":
            return player.hear()
        if ear == "stdin":
            player.push()
            return bool(player.unsent)
        player.is_dead = True
        player.drain()
        return False

    # Judging

    def _judge_unasked(self, asked: Player | None = None) -> None:
        """A whole line from a bot that was not asked is a fault at once."""
        for player in self.players:
            if player is not asked and player.fault is None and player.has_line():
                self._blame(player, "act", BotFault("invalid_answer", "it sent a line without being asked"))

    def _stop_if_cut(self) -> None:
        if self.faults and is_cut(len(self.players), self.faults):
            raise GameCut

    def _death(self, player: Player, stage: FaultStage) -> BotFault:
        assert player.process is not None
        self._send_away(player)
        if player.killed_by == signal.SIGKILL and not player.is_spent and memory_kills() > self._memory_kills:
            raise HostProblem("the host ran out of memory and ended a bot")
        if stage == "start" and not player.process.was_set_up:
            raise HostProblem(f"the sandbox could not be set up: {player.last_words()[-300:] or 'no reason given'}")
        return player.death()

    def _blame(self, player: Player, stage: FaultStage, fault: BotFault) -> None:
        """The seat is out; its process is ended at once."""
        ply = len(self.actions) if stage == "act" else 0
        player.fault = Fault(player.seat, fault.kind, stage, ply, str(fault))
        self.faults.append(player.fault)
        self._send_away(player)

    def _send_away(self, player: Player) -> None:
        for descriptor in [key for key, (owner, _) in self._ears.items() if owner is player]:
            self._forget(descriptor)
        player.leave()

    # Going home

    def say_goodbye(self, ranks: Sequence[int] | None, ending: str, game_ending: str | None) -> None:
        """Tell every bot how it ended and give all of them a second to leave; nothing they do now is a fault."""
        leaving = [player for player in self.players if player.is_playing and not player.is_dead]
        for player in leaving:
            player.take_stock()
            player.send(end_line(ranks, ending, game_ending))
            player.resume()
        until = now_ms() + GOODBYE_MS
        while any(not player.is_dead for player in leaving) and (left := until - now_ms()) > 0:
            for player in leaving:
                player.drain()
            for descriptor, _ in self._poller.poll(min(left, QUICK_MS)):
                player, ear = self._ears[descriptor]
                try:
                    goes_on = self._take_in(player, ear)
                except BotFault:
                    goes_on = False
                player.heard.clear()
                if not goes_on:
                    self._forget(descriptor)
