"""What goes wrong between machines, made on this one: slow and cut lines, wrong clocks, disks without room."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

HOST, GUEST = "10.213.77.1", "10.213.77.2"  # the two ends of the only cable
WRONG_CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, now);
    const char *shift = getenv("WRONG_BY_S");
    if (!failed && clock == CLOCK_REALTIME && shift) now->tv_sec += atol(shift);
    return failed;
}
time_t time(time_t *kept) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (kept) *kept = now.tv_sec;
    return now.tv_sec;
}
"""


class Line:
    """A TCP line to a server of the loopback that takes its time with everything a client says."""

    def __init__(self, port: int, *, host: str = "127.0.0.1", delay_s: float = 0.0) -> None:
        self.port, self.delay_s = port, delay_s
        self._listener = socket.create_server((host, 0))
        self.address = f"{host}:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                with suppress(OSError):
                    server = socket.create_connection(("127.0.0.1", self.port))
                    for ends in ((client, server, self.delay_s), (server, client, 0.0)):
                        threading.Thread(target=_carry, args=ends, daemon=True).start()
                    continue
                client.close()

    def close(self) -> None:
        self._listener.close()


def _carry(source: socket.socket, target: socket.socket, delay_s: float) -> None:
    with suppress(OSError):
        while said := source.recv(65536):
            time.sleep(delay_s)
            target.sendall(said)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def another_machine() -> Iterator[tuple[list[str], str]]:
    """A network namespace on a cable: the words that start a program there, and the cable's name; root only."""
    name = f"rum{os.getpid()}"
    _ip("netns", "add", name)
    try:
        _ip("link", "add", f"{name}h", "type", "veth", "peer", "name", f"{name}g", "netns", name)
        _ip("address", "add", f"{HOST}/30", "dev", f"{name}h")
        _ip("-n", name, "address", "add", f"{GUEST}/30", "dev", f"{name}g")
        for words in ((f"{name}h",), (f"{name}g",), ("lo",)):
            namespace = () if words[0].endswith("h") else ("-n", name)
            _ip(*namespace, "link", "set", *words, "up")
        yield ["nsenter", f"--net=/run/netns/{name}"], f"{name}h"
    finally:
        _ip("netns", "del", name)


@contextmanager
def cut(cable: str) -> Iterator[None]:
    """Nothing passes while it lasts, and neither end is told."""
    _ip("link", "set", cable, "down")
    yield
    _ip("link", "set", cable, "up")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=300)


def wrong_clock(folder: Path, *, by_s: int) -> dict[str, str]:
    """The environment in which a program's time of day is wrong by so much; needs a C compiler."""
    source, library = folder / "clock.c", folder / "clock.so"
    if not library.exists():
        source.write_text(WRONG_CLOCK)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True, timeout=300)
    return {"LD_PRELOAD": str(library), "WRONG_BY_S": str(by_s)}


@contextmanager
def small_disk(*, mib: int) -> Iterator[Path]:
    """A file system of its own in memory, which PostgreSQL's user can reach too; root only."""
    folder = Path(tempfile.mkdtemp(prefix="rumrunner-disk-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=755", "none", folder], check=True, timeout=300)
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True, timeout=300)
        folder.rmdir()


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Not a byte of room while it lasts."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x")
    yield
    filler.unlink()
