"""The blame matrix in slices: `python -m tests.arena.blame_slices --minutes M`, as root on a machine at rest.

A share of the time goes to root and to an ordinary user, with a bank of 1 s and with all limits as they are. Each
plays a column at a time, as many matches at once as there are cores, first the column that has the fewest, and so goes
on where the last slice stopped. Every match is counted in docs/blame.json and shown in docs/5-arena.md. With
--before-others its programs get their core before all else on a busy machine; what the kernel does for others they
still feel.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from arena import Limits
from arena.sandbox.places import is_root
from tests.arena import blame_page
from tests.arena.as_user import Guest, guest
from tests.arena.blame import COLUMNS, ROWS, SMALL, Cell, Runner, play_cell
from tests.arena.blame_runner import before_others

BANK, FULL, BEFORE = "bank 1 s", "full limits", ", before all others"
SHARES = {("root", BANK): 0.35, ("user", BANK): 0.35, ("root", FULL): 0.15, ("user", FULL): 0.15}
# So often a column is played before the next: programs that make trouble take long to begin.
ROUNDS = 3
# What was counted before, for an ordinary user, whose own counts begin anew.
KNOWN = Path(os.environ.get("RUMRUNNER_BLAME_KNOWN", blame_page.COUNTS))


def played(who: str, form: str, column: str) -> int:
    """How many matches the rows of a column have at least."""
    files = {KNOWN, blame_page.COUNTS}
    runs = [blame_page.known_runs(file).get(f"{who}, {form}, {column}", {"counts": {}}) for file in files]
    return min(sum(sum(run["counts"].get(row, {}).values()) for run in runs) for row in ROWS)


def play_one(row: str, *, column: str, form: str, count: int, runners: SimpleQueue[Runner]) -> Cell:
    """One match of a cell by a runner that is free; a frozen one is frozen a little later each time."""
    is_full, runner = form.startswith(FULL), runners.get()
    try:
        with tempfile.TemporaryDirectory(prefix="rumrunner-blame-") as folder:
            Path(folder).chmod(0o755)
            return play_cell(
                Path(folder),
                row,
                column,
                limits=Limits() if is_full else SMALL,
                freeze_s=25.0 if is_full else 5.0,
                after_s=0.05 * count,
                runner=runner,
            )
    finally:
        runners.put(runner)


def play_column(who: str, form: str, until: float) -> int:
    """Each row of the column with the fewest matches, again and again for a while; how many verdicts were wrong."""
    counts = {column: played(who, form, column) for column in COLUMNS}
    column = min(COLUMNS, key=counts.__getitem__)
    wrong, rounds = 0, 1 if form.startswith(FULL) else ROUNDS
    with runners_for(column, before="before" in form and is_root()) as runners:
        for count in range(counts[column], counts[column] + rounds):
            one = partial(play_one, column=column, form=form, count=count, runners=runners)
            with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
                cells = list(pool.map(one, ROWS))
            wrong += told(cells, who, form)
            if time.monotonic() > until:
                break
    return wrong


@contextmanager
def runners_for(column: str, *, before: bool) -> Iterator[SimpleQueue[Runner]]:
    """As many as there are cores."""
    free: SimpleQueue[Runner] = SimpleQueue()
    all_of_them = [Runner(column, before_others=before) for _ in os.sched_getaffinity(0)]
    for runner in all_of_them:
        free.put(runner)
    try:
        yield free
    finally:
        for runner in all_of_them:
            runner.close()


def told(cells: list[Cell], who: str, form: str) -> int:
    """Print and count the verdicts; how many were wrong."""
    for cell in cells:
        verdict = f"{cell.verdict} {cell.wrong and 'WRONG ' + cell.wrong}"
        print(f"{who}, {form}, {cell.column}, {cell.row}: {verdict}", flush=True)
    blame_page.keep(cells, form=form)
    blame_page.show_at_home()
    return sum(bool(cell.wrong) for cell in cells)


def play_for(minutes: float, who: str, form: str) -> int:
    """Column after column until the time is up."""
    until, wrong = time.monotonic() + 60 * minutes, 0
    while time.monotonic() < until:
        wrong += play_column(who, form, until)
    return wrong


def play_as_user(minutes: float, form: str) -> int:
    """The same by an ordinary user, whom root puts before all others; its counts come to ours."""
    with guest() as user, before_others() if "before" in form else nullcontext():
        _play_there(user, minutes, form)
        runs = blame_page.known_runs(user.counts)
    blame_page.merge(runs)
    blame_page.show_at_home()
    return sum(
        times
        for run in runs.values()
        for verdicts in run["counts"].values()
        for verdict, times in verdicts.items()
        if verdict.startswith("wrong")
    )


def _play_there(user: Guest, minutes: float, form: str) -> None:
    known = user.tree / "known.json"
    if blame_page.COUNTS.exists():
        shutil.copy(blame_page.COUNTS, known)
    plain, *before = form.split(BEFORE)
    words = ("tests.arena.blame_slices", "--minutes", str(minutes), "--only", f"user, {plain}")
    words += ("--before-others",) * len(before)
    user.run(*words, timeout_s=60 * minutes + 600, capture=False, RUMRUNNER_BLAME_KNOWN=str(known))


def main() -> int:
    """Play for so long; how many verdicts were wrong is the exit code."""
    parts = {f"{who}, {form}": (who, form) for who, form in SHARES}
    parser = argparse.ArgumentParser(
        prog="python -m tests.arena.blame_slices", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--minutes", type=float, default=20.0, help="for how long matches are begun")
    parser.add_argument("--only", choices=parts, help="all the time for this part")
    parser.add_argument("--before-others", action="store_true", help="first on its core, by a control group; as root")
    wanted = parser.parse_args()
    shares = {parts[wanted.only]: 1.0} if wanted.only else SHARES
    wrong = 0
    for (who, form), share in shares.items():
        form += BEFORE if wanted.before_others else ""
        minutes = share * wanted.minutes
        wrong += play_as_user(minutes, form) if who == "user" and is_root() else play_for(minutes, who, form)
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
