"""`python -m arena.sandbox.runtime` makes the runtime folder, or brings it up to date."""

from __future__ import annotations

import sys

from arena.sandbox.errors import SandboxUnavailable
from arena.sandbox.runtime_folder import set_up


def main() -> int:
    """Make the runtime folder and say where it is."""
    try:
        runtime = set_up()
    except SandboxUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"The runtime folder can't be made: {error}", file=sys.stderr)
        return 1
    print(f"runtime folder ready: {runtime.root.parent} ({runtime.python}, node {'yes' if runtime.has_node else 'no'})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
