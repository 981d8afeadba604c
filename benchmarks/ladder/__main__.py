"""How fast the service is beside its own floor: ``python -m benchmarks.ladder [PART …]``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile

PARTS = ("matches", "leaderboard", "pages", "recompute", "fleet")


def main() -> int:
    """Run the named parts, or all, each in a process and a data folder of its own."""
    wanted = sys.argv[1:] or PARTS
    if unknown := set(wanted) - set(PARTS):
        print(f"There is no benchmark {', '.join(sorted(unknown))}; choose from {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    return max(_run(part) for part in wanted)


def _run(part: str) -> int:
    folder = tempfile.mkdtemp(prefix="rumrunner-bench-")
    ours = {"RUMRUNNER_DATA": folder, "RUMRUNNER_DEMO": "false", "DJANGO_SETTINGS_MODULE": "ladder.settings"}
    try:
        return subprocess.run([sys.executable, "-m", f"benchmarks.ladder.{part}"], env=os.environ | ours).returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main())
