"""``manage.py build_wheel``: the command line for authors, as the site serves it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from engines.compiled import current_build

PARTS = ("engines", "arena", "bots", "pyproject.toml", "README.md", "LICENSE")
BUILD = "import sys; from setuptools.build_meta import build_wheel; print(build_wheel(sys.argv[1]))"


class Command(BaseCommand):
    help = "Build the rumrunner wheel into the folder of static files, where the site offers it."

    def handle(self, *args: Any, **options: Any) -> None:
        target = settings.STATIC_ROOT / "download"
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="rumrunner-wheel-") as folder:
            copy_parts(settings.BASE_DIR, Path(folder))
            command = [sys.executable, "-c", BUILD, str(target)]
            built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            raise CommandError(f"the wheel could not be built: {built.stderr.strip().splitlines()[-1:]}")
        self.stdout.write(f"built {target / built.stdout.split()[-1]}")


def copy_parts(source: Path, target: Path) -> None:
    """Copy what the wheel is made of, so that building leaves nothing in the checkout.

    Compiled engines go with it as data: whose interpreter can't load them has the source beside.
    """
    for name in PARTS:
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "_compiled"))
        else:
            shutil.copy(source / name, target / name)
    if build := current_build():
        shutil.copytree(build, target / Path(build).relative_to(source))
