import random
import sys

from seat import play

FIRST = random.getrandbits(64)
play(on_first_act=lambda message: sys.stderr.write(f"{FIRST} {random.getrandbits(64)}\n"))
