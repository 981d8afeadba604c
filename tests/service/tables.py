"""Tables that one test of a run makes and the others copy: to make them takes most of a service's first seconds."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = "RUMRUNNER_TEST_TABLES"  # where they are kept for this run; without one everybody makes their own


def keep_in(folder: Path) -> None:
    """Keep tables there from now on; all processes of a run should name the same folder."""
    os.environ[FOLDER] = str(folder)


@contextmanager
def kept(name: str) -> Iterator[Path | None]:
    """Where tables of that name are kept, for the one who holds it now; None where nothing is."""
    if FOLDER not in os.environ:
        yield None
        return
    folder = Path(os.environ[FOLDER])
    with open(folder / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder / name
