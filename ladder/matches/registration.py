"""Workers show themselves, and one that can't play fairly says why and plays nothing."""

from __future__ import annotations

import os
import socket
import time
from functools import cache
from typing import Any

import structlog
from celery.signals import celeryd_after_setup, heartbeat_sent, worker_process_init, worker_ready, worker_shutting_down
from django.db import DatabaseError, connections
from django.db.models.functions import Now

from arena import SandboxUnavailable, UnfairClock, find_abilities, require_fairness
from arena.sandbox.runtime_folder import code_digest
from arena.sandbox.walls import require_sandbox
from arena.version import VERSION
from ladder.matches.models import Pulse, Worker
from ladder.matches.playing import STOP
from ladder.matches.queries import ladders_ahead

log = structlog.get_logger("ladder.matches")
MATCH_QUEUE = "matches"
SHOW_EVERY_S = 10.0
MEASURE_EVERY_S = 600.0


class Registration:
    """What this worker has found out about itself; the children of its pool inherit it."""

    name = ""
    plays = False
    processes = 1
    message = ""
    lost_sandbox = ""  # why the sandbox that once worked does so no more
    shown_at = 0.0
    unfair = ""  # why foreign time could not be told when it was last measured
    measured_at: float | None = None


@cache
def sandbox_message() -> str:
    """Why no bot can be run here; empty when the canary came back from the sandbox with nothing to tell."""
    try:
        require_sandbox()
    except SandboxUnavailable as error:
        return str(error)
    return ""


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


def engines_message() -> str:
    """Why this worker's engines don't fit the service; empty when they do."""
    theirs = Pulse.objects.filter(stage="tick").values_list("engines_digest", flat=True).first()
    if theirs in (None, "", code_digest()):
        return ""
    return (
        f"OTHER ENGINES: this worker has {code_digest()[:12]}, the service {str(theirs)[:12]}. "
        "Fix: install the same version on both and restart them."
    )


def rules_message() -> str:
    """Why this worker's rules are too old; empty when they are not."""
    for slug, rules in ladders_ahead().items():
        return (
            f"NEWER RULES: the ladder {slug} is played under rules {rules}, which this worker doesn't have. "
            "Fix: install the version of the service that has them and restart it."
        )
    return ""


def may_play() -> bool:
    """Whether this worker may take matches now; if not, it says so where healthz looks."""
    causes = (sandbox_message, fairness_message, engines_message, rules_message)
    message = Registration.lost_sandbox or next((told for cause in causes if (told := cause())), "")
    if message != Registration.message:
        Registration.message = message
        if message:
            log.error("matches refused", cause=message)
        Worker.objects.filter(name=Registration.name).update(
            message=message, sandbox_ok=not (Registration.lost_sandbox or sandbox_message())
        )
    return not message


def lose_sandbox(error: SandboxUnavailable) -> None:
    """The sandbox failed in mid-service: this process plays nothing more until the worker is started again."""
    Registration.lost_sandbox = str(error)
    may_play()


def note_beat() -> None:
    """The pipeline ran through its stages just now, with these engines."""
    Pulse.objects.update_or_create(stage="tick", defaults={"at": Now(), "engines_digest": code_digest()})


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
        "seen_at": Now(),
    }
    health = {"sandbox_ok": not (Registration.plays and sandbox_message()), "message": Registration.message}
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
    if Registration.plays and sandbox_message():
        sender.cancel_task_queue(MATCH_QUEUE)
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
            may_play()
    except DatabaseError as error:
        log.warning("worker could not show itself", error=str(error))
    finally:
        connections.close_all()


@worker_shutting_down.connect
def _tell_children(**_: Any) -> None:
    STOP.raise_()


@worker_process_init.connect
def _begin_child(**_: Any) -> None:
    """A child of the pool must not use the connections of its parent."""
    for connection in connections.all(initialized_only=True):
        connection.connection = None
