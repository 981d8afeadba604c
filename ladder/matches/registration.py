"""Workers show themselves, and one that can't play fairly says why and plays nothing."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog
from celery.signals import celeryd_after_setup, heartbeat_sent, worker_process_init, worker_ready, worker_shutting_down
from django.conf import settings
from django.db import DatabaseError, connections
from django.db.models import QuerySet
from django.db.models.functions import Now

from arena import SandboxUnavailable, UnfairClock, find_abilities, require_fairness
from arena.sandbox.sandbox_folder import code_digest, game_digests
from arena.sandbox.walls import require_sandbox
from arena.version import VERSION
from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches import functions
from ladder.matches.draining import DRAINED
from ladder.matches.models import Pulse, Worker
from ladder.matches.playing import STOP
from ladder.prepared import prepared

log = structlog.get_logger("ladder.matches")
MATCH_QUEUE = "matches"
SHOW_EVERY_S = 10.0
MEASURE_EVERY_S = 600.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 15.0, 600.0  # between two tries of a sandbox that can't be had


@dataclass(frozen=True, slots=True)
class Facts:
    """What the service says that a worker has to know before it takes a match."""

    games: Mapping[str, str] = field(default_factory=dict)  # with the digest of their code
    ladders: tuple[tuple[str, str, int], ...] = ()  # slug, game, rules
    is_drained: bool = False


def read_facts() -> Facts:
    """What the service says now."""
    if functions.are_here():
        games, ladders, drained = functions.call_for_row("service_facts", Registration.name) or (None, "[]", False)
        return Facts(json.loads(games or "{}"), tuple(map(tuple, json.loads(ladders))), drained)
    games = next(iter(_games_of("tick")), None)
    return Facts(games or {}, tuple(_rules_of_ladders()), bool(_drained(Registration.name)))


@prepared
def _games_of(stage: str) -> QuerySet[Pulse, Any]:
    return Pulse.objects.filter(stage=stage).values_list("games", flat=True)


@prepared
def _rules_of_ladders() -> QuerySet[Ladder, tuple[str, str, int]]:
    return Ladder.objects.values_list("slug", "game", "rules_version")


@prepared
def _drained(name: str) -> QuerySet[Worker, Any]:
    return Worker.objects.filter(name=name, drained_at__isnull=False).values_list("pk", flat=True)


@dataclass(frozen=True, slots=True)
class Loss:
    """A sandbox that can't be had: why, and when to try it again."""

    cause: str
    pause_s: float
    try_at: float


class Registration:
    """What this worker has found out about itself; the children of its pool inherit it."""

    name = ""
    facts = Facts()
    plays = False
    processes = 1
    message = ""
    left: tuple[str, ...] = ()  # games that workers of the service's version have to play
    loss: Loss | None = None  # of the sandbox, in this process
    shown_at = 0.0
    unfair = ""  # why foreign time could not be told when it was last measured
    measured_at: float | None = None
    consumer: Any = None  # of messages; the parent process has it


def sandbox_message() -> str:
    """Why no bot can be run in this process; empty when the canary came back from the sandbox with nothing to tell.

    A sandbox that is not there, at the start or later, is tried again after a pause, and then after longer ones.
    """
    loss = Registration.loss
    if loss and time.monotonic() < loss.try_at:
        return loss.cause
    try:
        require_sandbox()
    except SandboxUnavailable as error:
        _note_loss(str(error), min(2 * loss.pause_s, LONGEST_PAUSE_S) if loss else FIRST_PAUSE_S)
        return str(error)
    if loss:
        Registration.loss = None
        find_abilities.cache_clear()
        log.info("sandbox found again")
    return ""


def _note_loss(cause: str, pause_s: float) -> None:
    Registration.loss = Loss(cause, pause_s, time.monotonic() + pause_s)


def fairness_message() -> str:
    """Why this worker can't tell whose time it was; empty when it can. Measured at its start and now and then."""
    at = Registration.measured_at
    if at is None or time.monotonic() - at > MEASURE_EVERY_S:
        Registration.measured_at, Registration.unfair = time.monotonic(), ""
        try:
            require_fairness()
        except UnfairClock as error:
            Registration.unfair = str(error)
    return Registration.unfair


def playable_games() -> list[str]:
    """The games that this worker has as the service has them; the others are left to workers of its version."""
    facts = Registration.facts
    behind = {game for _, game, rules in facts.ladders if game in GAMES and rules > GAMES[game].rules_version}
    return [
        name
        for name, digest in game_digests().items()
        if name not in behind and facts.games.get(name, digest) == digest
    ]


def games_now() -> list[str]:
    """The games that are playable by what the service says in this moment."""
    Registration.facts = read_facts()
    return playable_games()


def engines_message() -> str:
    """Why this worker's engines don't fit the service; empty when some game of theirs does."""
    if playable_games():
        return ""
    return (
        f"OTHER ENGINES: this worker (version {VERSION}, engines {code_digest()[:12]}) has no game as the service has "
        "it. Fix: install the same version on both and restart them."
    )


def _note_left() -> None:
    left = tuple(sorted(set(GAMES) - set(playable_games())))
    if left and left != Registration.left:
        log.warning("games left to workers of the service's version", games=left, version=VERSION)
    Registration.left = left


def drained_message() -> str:
    """Why this worker takes nothing more though it could; empty unless an operator wants it so."""
    return DRAINED if Registration.facts.is_drained else ""


def may_play() -> bool:
    """Whether this worker may take matches now; if not, it says so where healthz looks."""
    Registration.facts = read_facts()
    _note_left()
    causes = (sandbox_message, fairness_message, engines_message, drained_message)
    message = next((told for cause in causes if (told := cause())), "")
    if message != Registration.message:
        Registration.message = message
        if message:
            log.error("matches refused", cause=message)
        _tell(message=message, sandbox_ok=not sandbox_message())
    return not message


def _tell(**health: Any) -> None:
    if settings.NARROW:
        functions.call("trouble", Registration.name, functions.as_json(health))
    else:
        Worker.objects.filter(name=Registration.name).update(**health)


def lose_sandbox(error: SandboxUnavailable) -> None:
    """The sandbox failed in mid-service: this process plays nothing until a later try finds it again."""
    _note_loss(str(error), FIRST_PAUSE_S)
    may_play()


def note_beat() -> None:
    """The pipeline ran through its stages just now, with these engines."""
    Pulse.objects.update_or_create(
        stage="tick", defaults={"at": Now(), "engines_digest": code_digest(), "games": game_digests()}
    )


def show_worker(*, is_new: bool = False) -> None:
    """Write down what this worker is and that it lives; what a child of it found out later stays."""
    about = {
        "host": socket.gethostname()[:100],
        "pid": os.getpid(),
        "plays": Registration.plays,
        "processes": Registration.processes,
        "version": VERSION,
        "engines_digest": code_digest(),
        "abilities": find_abilities().as_json() if Registration.plays else {},
    }
    health = {"sandbox_ok": not (Registration.plays and sandbox_message()), "message": Registration.message}
    if settings.NARROW:
        told = functions.as_json(health if is_new else {})
        functions.call("show", Registration.name, functions.as_json(about), told)
        return
    about["seen_at"] = Now()
    Worker.objects.update_or_create(
        name=Registration.name, defaults=about | health if is_new else about, create_defaults=about | health
    )


@celeryd_after_setup.connect
def _take_stock(sender: str, instance: Any, **_: Any) -> None:
    """Before the pool starts: find out whether this worker serves the match queue, and try the sandbox if so."""
    Registration.name = str(sender)[:100]
    Registration.plays = MATCH_QUEUE in instance.app.amqp.queues.consume_from
    Registration.processes = int(instance.concurrency or 1)
    if Registration.plays:
        Registration.message = sandbox_message() or fairness_message()
    if Registration.message:
        log.error("matches refused", cause=Registration.message)


@worker_ready.connect
def _show_ready(sender: Any, **_: Any) -> None:
    Registration.consumer = sender
    _show_safely(is_new=True)


@heartbeat_sent.connect
def _show_alive(**_: Any) -> None:
    if time.monotonic() - Registration.shown_at > SHOW_EVERY_S:
        _show_safely()


def _show_safely(*, is_new: bool = False) -> None:
    """Children are forked from this process, so it keeps no connection; a database that is away is tried again."""
    Registration.shown_at = time.monotonic()
    try:
        show_worker(is_new=is_new)
        if Registration.plays:
            listen(to_matches=may_play())
    except DatabaseError as error:
        log.warning("worker could not show itself", error=str(error))
    finally:
        connections.close_all()


def listen(*, to_matches: bool) -> None:
    """Take messages of the match queue only while they can be followed: those taken in vain are missed elsewhere."""
    messages = getattr(Registration.consumer, "task_consumer", None)
    if messages is None or messages.consuming_from(MATCH_QUEUE) == to_matches:
        return
    if to_matches:
        Registration.consumer.add_task_queue(MATCH_QUEUE)
    else:
        messages.cancel_by_queue(MATCH_QUEUE)  # still its own: after a lost connection it is asked again


@worker_shutting_down.connect
def _tell_children(**_: Any) -> None:
    STOP.raise_()


@worker_process_init.connect
def _begin_child(**_: Any) -> None:
    """A child of the pool must not use the connections of its parent."""
    for connection in connections.all(initialized_only=True):
        connection.connection = None
