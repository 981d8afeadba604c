import os
import sys

from seat import hear, say

STAY = "import signal\nfor n in range(1, 65):\n  try: signal.signal(n, signal.SIG_IGN)\n  except (OSError, ValueError): pass\nwhile True: pass"

hear()
say({"type": "ready"})
while (message := hear())["type"] != "end":
    say({"action": message["legal"][0]})
os.execv(sys.executable or "/usr/bin/python3", ["bot", "-I", "-S", "-c", STAY])
