"""What the worker's image leaves out is nothing that a worker loads."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.service.harness import ROOT

MODULES = {"setuptools": "setuptools", "resvg-py": "resvg_py", "networkx": "networkx"}
LOAD = """
import sys
sys.modules.update(dict.fromkeys({left_out!r}))
import django
django.setup()
from ladder.celery import app
app.loader.import_default_modules()
print(len(app.tasks))
"""


def left_out() -> list[str]:
    told = re.search(r"pip uninstall --quiet --yes (setuptools .*)", (ROOT / "docker" / "install").read_text())
    assert told is not None
    return [MODULES[package] for package in told[1].split()]


def test_a_worker_loads_all_its_tasks_without_the_packages_that_its_image_leaves_out(tmp_path: Path) -> None:
    assert "networkx" in left_out()
    env = {"RUMRUNNER_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "ladder.settings"}
    command = [sys.executable, "-c", LOAD.format(left_out=left_out())]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 5
