"""`python -m arena.sandbox.runtime` makes the sandbox folder, or brings it up to date."""

from __future__ import annotations

import shutil
import sys

from arena.sandbox.errors import SandboxUnavailable
from arena.sandbox.sandbox_folder import set_up


def main() -> int:
    """Make the sandbox folder and say where it is."""
    try:
        folder = set_up()
    except SandboxUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"The sandbox folder can't be made: {_first_cause(error)}", file=sys.stderr)
        return 1
    print(f"sandbox folder ready: {folder.root.parent} ({folder.python}, node {'yes' if folder.has_node else 'no'})")
    return 0


def _first_cause(error: OSError) -> object:
    """Of all files of a folder that could not be copied, the first: on a full disk they are hundreds."""
    return error.args[0][0][2] if isinstance(error, shutil.Error) else error


if __name__ == "__main__":
    raise SystemExit(main())
