"""What an upload would be told: the look into the bundle, then the trials; one report for every command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from arena.bundle import Bundle, read_bundle
from arena.desk.faults import log_end, save_turn, show_fault
from arena.desk.trials import FAILED, PASSED, Trial, hold_trials, sparring_partner
from arena.desk.upload import Upload
from arena.qualifying import SPARRING_PARTNER, first_tables
from arena.sandbox import require_sandbox
from engines import GAMES

AGAINST = {"self": "with itself", "house": f"against house {SPARRING_PARTNER}"}
COLOURS = {PASSED: "green", FAILED: "red"}


class CannotCheck(ValueError):
    """The question makes no sense: no game is named, or it has no such table."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The whole answer; saved is the file with the questions of the turn that failed."""

    game: str
    bundle: Bundle
    trials: tuple[Trial, ...]
    saved: Path | None

    @property
    def ok(self) -> bool:
        return all(trial.status != FAILED for trial in self.trials)

    def as_json(self) -> dict[str, Any]:
        failed = next((trial for trial in self.trials if trial.fault is not None), None)
        return {
            "ok": self.ok,
            "name": self.bundle.manifest.name,
            "game": self.game,
            "runtime": self.bundle.manifest.runtime,
            "digest": self.bundle.digest,
            "trials": [trial.as_json() for trial in self.trials],
            "log": log_end(failed.record, failed.fault) if failed and failed.record and failed.fault else "",
            "turn": self.saved and self.saved.name,
        }


def check_upload(
    upload: Upload, *, game: str | None, seats: Sequence[int] = (), trust: bool = False, out: Console | None = None
) -> CheckReport:
    """Do what the server does with an upload, telling each step; raises CannotCheck and what opening and playing do."""
    bundle = read_bundle(upload.content, upload.filename, game=game)
    wanted = game or bundle.manifest.game
    if wanted is None:
        raise CannotCheck(f"{upload.filename} does not name its game; add --game with one of {', '.join(GAMES)}.")
    tables = _tables(wanted, seats)
    if not trust:
        require_sandbox()
    _show_bundle(out, bundle)
    trials, saved = [], None
    for trial in hold_trials(upload, wanted, tables, partner=sparring_partner(wanted), trust=trust):
        trials.append(trial)
        show_trial(out, trial.as_json())
        if trial.record is not None and trial.fault is not None:
            saved = save_turn(trial.record, trial.fault, Path.cwd())
            if out is not None:
                name = bundle.manifest.name or upload.filename
                show_fault(out, name, upload.path, trial.record, trial.fault, saved)
    return CheckReport(wanted, bundle, tuple(trials), saved)


def _tables(game: str, seats: Sequence[int]) -> tuple[int, ...]:
    for count in seats:
        if count not in GAMES[game].seats:
            allowed = ", ".join(map(str, GAMES[game].seats))
            raise CannotCheck(f"{game} can't be played with {count} seats; choose from {allowed}.")
    return tuple(sorted(set(seats))) or first_tables(game)


def _show_bundle(out: Console | None, bundle: Bundle) -> None:
    if out is None:
        return
    count = len(bundle.files)
    told = f"{count} file{'s' * (count != 1)}, {bundle.unpacked_bytes} bytes, runtime {bundle.manifest.runtime}"
    out.print(f"[green]The bundle is well formed[/]: {told}.", highlight=False)
    out.print(f"digest {bundle.digest}", highlight=False)


def show_trial(out: Console | None, trial: dict[str, Any]) -> None:
    """One line of a report, from the desk or from a server."""
    if out is None:
        return
    status, reason = trial["status"], trial["reason"]
    colour = COLOURS.get(status, "yellow")
    told = f": {escape(reason)}" if reason else ""
    out.print(
        f"{trial['ladder']}, {AGAINST[trial['kind']]}: [{colour}]{status}[/]{told}", highlight=False, soft_wrap=True
    )
