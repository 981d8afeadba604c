"""Plays one match: the door through which a worker, a test and an author's desk all come."""

from __future__ import annotations

import platform
import secrets
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

from arena.bundle import BundleRejected, Manifest, open_folder, read_bundle_file, store_bundle
from arena.bundle.errors import NotABundle, WrongGame
from arena.clock import Meter, SeatClock
from arena.order import InvalidOrder, MatchOrder
from arena.players import Player
from arena.protocol import start_line
from arena.ranking import is_cut, ranks_with_faults
from arena.record import (
    FINISHED,
    HOST_FAULT,
    UNSANDBOXED,
    HostFacts,
    MatchRecord,
    PlayedAction,
    SandboxFacts,
    SeatReport,
)
from arena.referee import GameCut, HostProblem, Referee
from arena.sandbox.errors import SandboxError
from arena.sandbox.launcher import launch, launch_trusted
from arena.sandbox.leases import lease_core, lease_user
from arena.sandbox.places import is_root
from arena.sandbox.process import BotProcess
from arena.sandbox.profile import Cell
from arena.sandbox.staging import new_folder, readable_by_bots
from arena.sandbox.walls import Sandbox, require_sandbox
from engines import Game, State


class MatchAborted(RuntimeError):
    """The caller's abort() said that nobody wants this match any more."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running match stands."""

    ply: int
    to_act: int | None


@dataclass(frozen=True, slots=True)
class OpenedBundle:
    """A bundle as it will be run."""

    folder: Path
    manifest: Manifest


def play(
    order: MatchOrder,
    bundles: Mapping[str, Path],
    *,
    trust: bool = False,
    core: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_action: Callable[[PlayedAction], None] = lambda played: None,
    abort: Callable[[], bool] | None = None,
    sandbox: Sandbox | None = None,
) -> MatchRecord:
    """Play an order; bundles maps each digest to its folder or uploaded file.

    Call it from the main thread: bots die with the thread that started them. on_progress is called while bots start,
    when all are ready, and then at most once a second, also while a bot thinks; abort is asked at the same moments.
    on_action hears of each action right after it was applied, and should only take note: the match waits for it.
    Raises InvalidOrder, BundleRejected, SandboxUnavailable and MatchAborted; everything else is in the record.
    """
    game = order.check()
    with ExitStack() as stack:
        opened = {digest: open_bundle(stack, order, digest, bundles) for digest in dict.fromkeys(order.seats)}
        wall = None if trust else sandbox or require_sandbox()
        pinned = stack.enter_context(lease_core(core, on_wait=partial(_stop_if_unwanted, abort)))
        match = RunningMatch(order, game, opened, wall, pinned, _ticker(on_progress, abort), on_action)
        stack.callback(match.meter.close)
        return match.play(stack)


def _ticker(
    on_progress: Callable[[Progress], None] | None, abort: Callable[[], bool] | None
) -> Callable[[int, int | None], None]:
    def tick(ply: int, to_act: int | None) -> None:
        if on_progress is not None:
            on_progress(Progress(ply, to_act))
        _stop_if_unwanted(abort, ply)

    return tick


def _stop_if_unwanted(abort: Callable[[], bool] | None, ply: int = 0) -> None:
    if abort is not None and abort():
        raise MatchAborted(f"the match was called off at ply {ply}")


def open_bundle(stack: ExitStack, order: MatchOrder, digest: str, bundles: Mapping[str, Path]) -> OpenedBundle:
    """The bundle of a digest as a folder; an uploaded file is checked and unpacked for the time of the match."""
    path = bundles.get(digest)
    if path is None:
        raise InvalidOrder(f"no bundle was given for the digest {digest}")
    if path.is_dir():
        folder = path
    elif path.is_file():
        bundle = read_bundle_file(path, game=order.game)
        if bundle.digest != digest:
            raise NotABundle(f"{path} has the digest {bundle.digest}, but the order asks for {digest}.")
        folder = store_bundle(bundle, stack.enter_context(new_folder("unpacked-")))
    else:
        raise NotABundle(f"{path} does not exist.")
    manifest = open_folder(folder)
    if manifest.game not in (None, order.game):
        raise WrongGame(f"The bundle {path} is for {manifest.game}, but the match is of {order.game}.")
    return OpenedBundle(folder, manifest)


class RunningMatch:
    """Everything about one match while it is played."""

    def __init__(
        self,
        order: MatchOrder,
        game: Game,
        opened: Mapping[str, OpenedBundle],
        sandbox: Sandbox | None,
        core: int | None,
        on_tick: Callable[[int, int | None], None],
        on_action: Callable[[PlayedAction], None],
    ) -> None:
        self.order, self.game, self.opened, self.sandbox, self.core = order, game, opened, sandbox, core
        self._folders: dict[str, Path] = {}
        self.meter = Meter(core)
        enforced = self.meter if sandbox is not None else None
        self.players = [
            Player(
                seat=seat,
                clock=SeatClock(order.limits, enforced),
                bot_seed=secrets.randbits(48),
                memory_mib=order.limits.memory_mib,
                cpu_s=order.limits.most_cpu_s(order.game),
            )
            for seat in range(len(order.seats))
        ]
        self.started_at = datetime.now(UTC).isoformat(timespec="seconds")
        self.began = self.meter.counts()
        self.referee = Referee(
            self.players, meter=enforced, wall_ms=order.limits.wall_ms, on_tick=on_tick, on_action=on_action
        )

    def play(self, stack: ExitStack) -> MatchRecord:
        """Start the bots, play, end them whatever happens, and write it all down."""
        problems: list[str] = []
        state = self.game.new(seats=len(self.order.seats), seed=self.order.seed, **self.order.options)
        try:
            self._start(stack)
            self._play(state)
        except (HostProblem, SandboxError) as error:
            problems.append(str(error))
        finally:
            problems += self.clear()
        return self._record(state, "; ".join(problems))

    def _start(self, stack: ExitStack) -> None:
        for player in self.players:
            self.seat(stack, player)

    def seat(self, stack: ExitStack, player: Player) -> None:
        """Start the bot of a seat and greet it."""
        options = self.game.check_setup(
            seats=len(self.order.seats), seed=self.order.seed, options=dict(self.order.options)
        )
        digest = self.order.seats[player.seat]
        player.process = self._launched(stack, self._folder(stack, digest), self.opened[digest].manifest)
        self.meter.add(player.process)
        self.referee.greet(player, start_line(self.order, options, player.seat, player.bot_seed))

    def _folder(self, stack: ExitStack, digest: str) -> Path:
        """Where the bots of this digest read their files; made once for all of them."""
        if digest not in self._folders:
            folder = self.opened[digest].folder
            in_memory = self.sandbox is not None and self.sandbox.wall.has("forgetful_files")
            self._folders[digest] = (
                stack.enter_context(readable_by_bots(folder, in_memory=in_memory)) if self.sandbox else folder.resolve()
            )
        return self._folders[digest]

    def _launched(self, stack: ExitStack, folder: Path, manifest: Manifest) -> BotProcess:
        if self.sandbox is None:
            node = shutil.which("node")
            return launch_trusted(folder, manifest.runtime, manifest.entry, python=sys.executable, node=node)
        if manifest.runtime == "node" and not self.sandbox.folder.has_node:
            raise SandboxError("node is not installed on this machine; install it and run `make setup`", retryable=True)
        limits = self.order.limits
        cell = Cell(
            folder=folder,
            runtime=manifest.runtime,
            entry=manifest.entry,
            memory_mib=limits.memory_mib,
            cpu_s=limits.most_cpu_s(self.order.game),
            user=stack.enter_context(lease_user()) if is_root() else None,
        )
        return launch(self.sandbox.wall, self.sandbox.folder, cell)

    def _play(self, state: State) -> None:
        try:
            self.referee.play(state)
        except GameCut:
            pass
        except (HostProblem, MatchAborted, SandboxError):
            raise
        except Exception as error:  # an engine that fails is our fault, never a bot's
            raise HostProblem(f"the engine failed at ply {len(self.referee.actions)}: {error!r}") from error
        ranks, ending = self._verdict(state)
        outcome = state.outcome()
        self.referee.say_goodbye(ranks, ending, outcome.ending if outcome else None)

    def _verdict(self, state: State) -> tuple[tuple[int, ...], str]:
        faults, count = self.referee.faults, len(self.players)
        if is_cut(count, faults):
            return ranks_with_faults(count, faults, None), faults[-1].kind
        outcome = state.outcome()
        assert outcome is not None
        return ranks_with_faults(count, faults, outcome.ranks), FINISHED

    def clear(self) -> list[str]:
        """No bot outlives its match, not even when one of them is hard to end; says which were."""
        problems = []
        for player in self.players:
            try:
                player.leave()
            except SandboxError as error:
                problems.append(str(error))
        return problems

    def _record(self, state: State, problem: str) -> MatchRecord:
        ranks, ending = (None, HOST_FAULT) if problem else self._verdict(state)
        return MatchRecord(
            order=self.order,
            actions=tuple(self.referee.actions),
            faults=tuple(self.referee.faults),
            outcome=state.outcome() if ending == FINISHED else None,
            ending=ending,
            ranks=ranks,
            seats=tuple(player.report or SeatReport(bot_seed=player.bot_seed) for player in self.players),
            sandbox=self._sandbox_facts(),
            host=self.host_facts(problem),
        ).sealed()

    def _sandbox_facts(self) -> SandboxFacts:
        if self.sandbox is None:
            return SandboxFacts(kind=UNSANDBOXED)
        wall = self.sandbox.wall
        return SandboxFacts(f"{wall.kind} {wall.version}", wall.layers, self.sandbox.folder.digest[:16])

    def host_facts(self, problem: str) -> HostFacts:
        stretch = self.meter.counts().since(self.began)
        return HostFacts(
            kernel=platform.release(),
            cpu=_cpu_model(),
            core=self.core,
            started_at=self.started_at,
            wall_ms=round(stretch.wall_ms, 1),
            wait_ms=round(sum(player.clock.readiness.ms for player in self.players), 1),
            steal_ms=round(stretch.steal_ms, 1),
            problem=problem,
        )


@cache
def _cpu_model() -> str:
    try:
        with open("/proc/cpuinfo") as table:
            names = [line.split(":", 1)[1].strip() for line in table if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()


__all__ = ["BundleRejected", "MatchAborted", "Progress", "play"]
