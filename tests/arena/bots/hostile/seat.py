"""The polite half of a hostile bot: speaks the protocol, takes the first legal action, reports what it tried."""

import json
import sys


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def hear():
    line = sys.stdin.readline()
    if not line:
        raise SystemExit(0)
    return json.loads(line)


def attempt(name, action):
    """Try something forbidden and tell the log; the word that must never appear there is DONE."""
    try:
        result = action()
    except BaseException as error:
        sys.stderr.write(f"{name}: refused ({type(error).__name__}: {str(error)[:80]})\n")
    else:
        sys.stderr.write(f"{name}: DONE {result!r:.300}\n")
    sys.stderr.flush()


def play(on_start=None, on_first_act=None, answer=None):
    start = hear()
    if on_start:
        on_start(start)
    say({"type": "ready"})
    first = True
    while True:
        message = hear()
        if message["type"] == "end":
            return
        if first and on_first_act:
            on_first_act(message)
        first = False
        if answer:
            answer(message)
        else:
            say({"action": message["legal"][0]})


def libc():
    import ctypes

    return ctypes.CDLL(None, use_errno=True)


def syscall(number, *arguments):
    """A raw system call; raises OSError when the kernel refuses."""
    import ctypes
    import os

    result = libc().syscall(ctypes.c_long(number), *[ctypes.c_void_p(a) if a is None else a for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
