"""Compiling the engines beside the running service, for its next start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from engines.compiled import SETTING, current_build


def compile_aside(log: Path) -> subprocess.Popen[bytes] | None:
    """Begin to compile the engines of this source at the lowest priority; None if they are there or not wanted."""
    script = settings.BASE_DIR / "scripts" / "compile_engines.py"
    if os.environ.get(SETTING) == "pure" or current_build() or not script.exists():
        return None
    with log.open("ab") as output:
        return subprocess.Popen(
            ["nice", "-n", "19", sys.executable, str(script)],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip


def stop_compiling(builder: subprocess.Popen[bytes] | None) -> None:
    """Stop it with all it started; nothing half done is ever found."""
    if builder is not None and builder.poll() is None:
        os.killpg(builder.pid, signal.SIGTERM)
        builder.wait()
