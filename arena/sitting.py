"""One game with people in some seats and bots in the others: the bots are kept while people think, stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from arena.match import RunningMatch, open_bundle
from arena.order import MatchOrder
from arena.players import BotFault, Player
from arena.record import Fault, PlayedAction
from arena.referee import GameCut
from arena.sandbox.leases import lease_core
from arena.sandbox.walls import Sandbox, require_sandbox

PERSON = "0" * 64  # stands in an order where a bundle's digest would, for a seat that a person has


@dataclass(frozen=True, slots=True)
class BotSeat:
    """What a bot brings from one time it is started to the next."""

    bot_seed: int
    bank_ms: float


@dataclass(frozen=True, slots=True)
class PastAction:
    """An action that was taken, and what the bot that took it was told of its bank."""

    seat: int
    text: str
    bank_ms: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of asking a bot: its action, or the faults that it led to; bank_ms is what the bot was told it had."""

    action: PlayedAction | None
    faults: tuple[Fault, ...]
    bank_ms: int
    bank_left_ms: float


class Bench:
    """The bots of one sitting, on a core that its caller's thread has leased; raises as ``arena.play`` does.

    Call it from the main thread, and close it: no bot outlives its bench.
    """

    def __init__(
        self,
        order: MatchOrder,
        bundles: Mapping[str, Path],
        bots: Mapping[int, BotSeat],
        *,
        sandbox: Sandbox | None = None,
        on_tick: Callable[[], None] = lambda: None,
    ) -> None:
        game = order.check()
        self.order, self.bots = order, bots
        self.state = game.new(seats=len(order.seats), seed=order.seed, **order.options)
        with ExitStack() as stack:
            core = stack.enter_context(lease_core())
            digests = {order.seats[seat] for seat in bots}
            opened = {digest: open_bundle(stack, order, digest, bundles) for digest in digests}
            self._match = RunningMatch(
                order, game, opened, sandbox or require_sandbox(), core, lambda *_: on_tick(), lambda _: None
            )
            self._referee = self._match.referee
            stack.callback(self._match.meter.close)
            stack.callback(self._match.clear)
            for seat, bot in bots.items():
                player = self._match.players[seat]
                player.bot_seed, player.clock.bank_ms = bot.bot_seed, bot.bank_ms
                self._match.seat(stack, player)
            self._stack = stack.pop_all()

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all its bots."""
        self._stack.close()

    @property
    def ply(self) -> int:
        return len(self._referee.actions)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Who failed, at start or later."""
        return tuple(self._referee.faults)

    def bank_ms(self, seat: int) -> float:
        """What the bot of a seat has left."""
        return self._match.players[seat].clock.bank_ms

    def is_resting(self, seat: int) -> bool:
        """Whether the bot of a seat is stopped, all of it; a stop lands when its bot is next on the core."""
        process = self._match.players[seat].process
        return process is not None and process.is_stopped()

    def bring_back(self, past: Sequence[PastAction]) -> list[int]:
        """Replay what was said: every bot hears its messages again. Returns the plies at which one says otherwise."""
        otherwise = []
        for action in past:
            player = self._match.players[action.seat]
            if player.is_playing and self._referee.ask_again(player, self.state, bank_ms=action.bank_ms) != action.text:
                otherwise.append(self.ply)
            self.follow(action)
        self.rest()
        for seat, bot in self.bots.items():
            self._match.players[seat].clock.bank_ms = bot.bank_ms
        return otherwise

    def follow(self, action: PastAction) -> None:
        """Take an action that was chosen elsewhere."""
        self.state.apply(self.state.parse(action.text))
        self._referee.actions.append(PlayedAction(action.seat, action.text, 0.0, 0.0))
        if self.state.to_act != action.seat:
            self._match.players[action.seat].pause()

    def act(self) -> Reply:
        """Ask the bot that is to act; raises HostProblem when it could not be asked fairly."""
        assert self.state.to_act is not None
        player, ply, failed = self._match.players[self.state.to_act], self.ply, len(self.faults)
        bank_ms = ceil(player.clock.bank_ms)
        with suppress(GameCut):
            self._referee.step(player, self.state)
        action = self._referee.actions[-1] if self.ply > ply else None
        return Reply(action, self.faults[failed:], bank_ms, player.clock.bank_ms)

    def rest(self) -> None:
        """Stop every bot for sure, for as long as a person thinks."""
        for player in self._match.players:
            if player.is_playing and not player.is_dead:
                player.pause()
                self._see_at_rest(player)

    def _see_at_rest(self, player: Player) -> None:
        with suppress(BotFault):  # what it did is judged when it is asked next
            player.look_while_stopped()
