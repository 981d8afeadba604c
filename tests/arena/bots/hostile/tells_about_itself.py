"""Everything a bot can ask about the process it is, so that two ways of starting one can be compared."""

import json
import os
import resource
import signal
import sys
import threading

from seat import play


def descriptors():
    found = {}
    for number in range(64):
        try:
            state = os.fstat(number)
        except OSError:
            continue
        found[number] = [state.st_mode, os.get_inheritable(number), os.get_blocking(number)]
    return found


def limits():
    return {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")}


FACTS = {
    "environment": dict(os.environ),
    "arguments": [len(sys.argv), sys.argv[0] == __file__, sys.orig_argv[:-1], sys.orig_argv[-1] == __file__],
    "path": sys.path,
    "flags": str(sys.flags),
    "main": sorted(vars(sys.modules["__main__"])),
    "here": [
        os.getcwd(),
        os.umask(0o22),
        sorted(os.listdir("/")),
        sorted(os.listdir("/dev")),
        sorted(os.listdir("/tmp")),
        os.uname().nodename,
    ],
    "ids": [
        os.getpid(),
        os.getppid(),
        os.getuid(),
        os.geteuid(),
        os.getgid(),
        os.getgroups(),
        os.getsid(0),
        os.getpgrp(),
    ],
    "hash": hash("prohibition"),
    "limits": limits(),
    "descriptors": descriptors(),
    "signals": [str(signal.getsignal(number)) for number in range(1, 65) if number not in (32, 33)],
    "blocked": sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))),
    "threads": [threading.active_count(), threading.current_thread().name],
    "streams": [[s.encoding, s.errors, s.line_buffering, s.write_through] for s in (sys.stdin, sys.stdout, sys.stderr)],
    "recursion": sys.getrecursionlimit(),
    "writes_bytecode": sys.dont_write_bytecode,
}


def tell(message):
    sys.stderr.write("FACTS " + json.dumps(FACTS) + "\n")


play(on_first_act=tell)
