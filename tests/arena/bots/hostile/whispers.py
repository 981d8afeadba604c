"""Half of a pair that talks through what two bots share of files: one tells its bits, the other looks for them.

wanted.txt says which half it is, a name that no other pair has, when the pair began, and the bits (a listener's are
only as many). Every bit goes by many small signs, so that a busy host hides none of them. What caches forget first is
told last and listened to first.
"""

import fcntl
import os
import sys
import time

from seat import play

ROLE, MARK, BEGAN_NS, BITS = open("/bot/wanted.txt").read().split()
SIGNS = 15
PAGES = 6
STEP = 256 * 1024  # further apart than a disk reads ahead
LARGEST = "/usr/bin/node"
HAS_PAGES = os.path.exists(LARGEST)


def names(bit):
    return [f"/usr/{MARK}-{bit}-{sign}" for sign in range(SIGNS)]


def shared_files():
    """Files that every bot sees, in a fixed order: one for each bit."""
    folder = f"/usr/lib/python{sys.version_info.major}.{sys.version_info.minor}/encodings"
    return [f"{folder}/{name}" for name in sorted(os.listdir(folder)) if name.endswith(".py")]


def missing(path):
    began = time.perf_counter_ns()
    try:
        os.stat(path)
    except OSError:
        pass
    return time.perf_counter_ns() - began


def middle(times):
    return sorted(times)[len(times) // 2]


def pages(bit):
    """How long each page of a bit took to read."""
    descriptor = os.open(LARGEST, os.O_RDONLY)
    try:
        return [page(descriptor, bit * PAGES + sign + 1) for sign in range(PAGES)]
    finally:
        os.close(descriptor)


def page(descriptor, number):
    began = time.perf_counter_ns()
    os.pread(descriptor, 4096, number * STEP)
    return time.perf_counter_ns() - began


def lock(path):
    """Every lock that a file opened for reading can have; where none is to be had it is closed again."""
    descriptor = os.open(path, os.O_RDONLY)
    refused = [
        quietly(fcntl.flock, descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB),
        quietly(fcntl.lockf, descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB),
        quietly(fcntl.fcntl, descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    ]
    if all(isinstance(found, OSError) for found in refused):
        os.close(descriptor)


def quietly(action, *arguments):
    try:
        return action(*arguments)
    except OSError as error:
        return error


def tell(bit, path):
    for name in names(bit):
        missing(name)
    open(path).read()
    for touched in (path, os.path.dirname(path), "/dev/null", "/bot/wanted.txt"):
        quietly(os.utime, touched)
    lock(path)
    for number in range(8):  # a number of its own for each file that was ever made
        open(f"/tmp/{bit}-{number}", "w").close()


def by_times(times):
    """The bits as times tell them: below the border that parts them best is a one; stray ones are left out."""
    ranked = sorted(times)
    kept = ranked[: max(2, len(ranked) * 19 // 20)]
    border = max(range(1, len(kept)), key=lambda cut: apart(kept[:cut], kept[cut:]))
    return "".join(str(int(time < kept[border])) for time in times)


def apart(low, high):
    """How far two groups of times are from each other, the larger both are the more (Otsu's measure)."""
    return len(low) * len(high) * (sum(high) / len(high) - sum(low) / len(low)) ** 2


def is_younger(path, what):
    return str(int(getattr(os.stat(path), what) > int(BEGAN_NS)))


def is_held(path):
    """A shared lock is refused where another has it alone."""
    with open(path, "rb") as stream:
        found = quietly(fcntl.flock, stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return str(int(isinstance(found, BlockingIOError)))


def new_number(count):
    """How many files were made before, in bits; a fresh /tmp begins at the beginning."""
    open("/tmp/mine", "w").close()
    made = (os.stat("/tmp/mine").st_ino + 4) // 8
    return format(made % 2**count, f"0{count}b")


def listen(count):
    files = shared_files()[:count]
    yield "pages", by_times([middle(pages(bit)) for bit in range(count)]) if HAS_PAGES else "0" * count
    yield "look-ups", by_times([middle([missing(name) for name in names(bit)]) for bit in range(count)])
    for what in ("st_atime_ns", "st_mtime_ns", "st_ctime_ns"):
        yield what, "".join(is_younger(path, what) for path in files)
    yield "locks", "".join(is_held(path) for path in files)
    yield "inode numbers", new_number(count)


def try_it(message):
    if ROLE == "tell":
        for bit, (told, path) in enumerate(zip(BITS, shared_files(), strict=False)):
            if told == "1":
                tell(bit, path)
        for bit, told in enumerate(BITS):
            if told == "1" and HAS_PAGES:
                pages(bit)
        return
    for channel, heard in listen(int(BITS)):
        sys.stderr.write(f"heard {channel}: {heard}\n")
    sys.stderr.flush()


play(on_first_act=try_it)
