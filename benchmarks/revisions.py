"""The tree of an earlier commit beside the present one, for benchmarks that compare the two."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """The tree of a commit; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="rumrunner-before-") as folder:
        tree = Path(folder) / "tree"
        os.chmod(folder, 0o755)  # noqa: S103 bots' users read here
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, revision], cwd=ROOT, check=True)
        try:
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)
