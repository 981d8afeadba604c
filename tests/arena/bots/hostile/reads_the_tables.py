"""What the kernel counts for all programs together: a bot that fills and frees memory could talk to another that way."""

import os

from seat import attempt, play, syscall

TABLES = ("meminfo", "stat", "loadavg", "vmstat", "self/mountinfo", "self/status", "sys/kernel/random/entropy_avail")


def try_it(message):
    for name in TABLES:
        attempt(f"read {name}", lambda name=name: open(f"/proc/{name}").read())
    attempt("ask for the free memory", lambda: syscall(99, bytes(128)))
    attempt("list devices", lambda: os.listdir("/sys"))


play(on_first_act=try_it)
