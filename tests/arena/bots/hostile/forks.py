import os
import subprocess
import threading

from seat import attempt, play, syscall


def bomb():
    for _ in range(2000):
        if os.fork() == 0:
            bomb()
    return "bomb went off"


def daemon():
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
    return "daemon runs"


def memory_times_forks():
    hoard = bytearray(50_000_000)
    for _ in range(20):
        if os.fork() == 0:
            hoard[::4096] = b"x" * len(hoard[::4096])
            while True:
                pass
    return len(hoard)


def many_threads():
    # With large stacks the last one may get its stack and no memory for its first frame: Python then waits for ever.
    threading.stack_size(64 * 1024)
    stop = threading.Event()
    threads = []
    try:
        for _ in range(100):
            threads.append(threading.Thread(target=stop.wait))
            threads[-1].start()
    finally:
        stop.set()
    return len(threads)


def try_it(message):
    attempt("fork", os.fork)
    attempt("vfork", lambda: syscall(58))
    attempt("clone", lambda: syscall(56, 17, 0, 0, 0, 0))
    attempt("clone3", lambda: syscall(435, None, 0))
    attempt("fork bomb", bomb)
    attempt("daemon", daemon)
    attempt("memory times forks", memory_times_forks)
    attempt("subprocess", lambda: subprocess.run(["/usr/bin/prlimit", "--version"]))
    attempt("a hundred threads", many_threads)


play(on_first_act=try_it)
