"""`with_peers.py MODULE …` runs a module with what `make peers` installed in reach, behind all that is ours."""

import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)
sys.path += map(str, (ROOT / ".peers").glob("lib/python*/site-packages"))
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
