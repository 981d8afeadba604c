import os
import sys

from seat import play

PLACES = ("/tmp/trace", "/var/tmp/trace", "/dev/shm/trace", "/bot/trace", "/opt/rumrunner/trace", "/run/trace")


def try_it(message):
    for path in PLACES:
        if os.path.exists(path):
            sys.stderr.write(f"{path}: DONE a trace of the match before\n")
        try:
            open(path, "w").write("I was here")
        except OSError:
            pass


play(on_first_act=try_it)
