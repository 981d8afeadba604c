# The warm parent of Python bots, inside the sandbox folder: has the engines and the kit loaded, and forks each bot from
# there into a cell of its own. It never runs a bot's code, knows nothing of any match but while it forks for it, and
# keeps no word of that. Set-up copies this file beside boot.py; serve() comes back in the bots only.
# mypy: disable-error-code="no-untyped-def,no-untyped-call"
import array
import contextlib
import ctypes
import gc
import importlib
import os
import pkgutil
import resource
import select
import signal
import socket
import struct
import sys

SOCKET, HOST_FILES, KERNEL_TABLES = 3, 4, 5  # the descriptors it is started with
REPORT = 3  # where the child keeps the last of its own until its set-up is done
# Which bundle, which entry, its user and how much it may have: where each stands in a request.
PATH_BYTES, ENTRY_BYTES = 4096, 1024
FACTS = struct.Struct(f"={ENTRY_BYTES}siqq")
REQUEST = struct.Struct(f"={PATH_BYTES}s{ENTRY_BYTES}siqq")
COMMAND_LINE = 2048
SET_UP = b"set up\n"
LOADED = ("json", "inspect", "orjson", "random", "math", "heapq", "bisect", "copy", "collections", "itertools",
          "functools", "time", "traceback", "dataclasses", "typing", "enum", "re", "engines", "bots.kit")  # fmt: skip

MOUNT, UTS, IPC, USER, PID, NET, CGROUP = (
    0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x2000000)  # fmt: skip
CLONE_PARENT, CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID = 0x8000, 0x1000000, 0x200000
CLONE, CAPSET, OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR, CLOSE_RANGE = 56, 126, 428, 429, 442, 436
AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE, TREE_CLONE, FROM_EMPTY_PATH = -100, 0x1000, 0x8000, 1, 4
READ_ONLY, NO_SUID, NO_DEV = 1, 2, 4
PDEATHSIG, DUMPABLE, SECCOMP, BOUNDING_DROP, NO_NEW_PRIVS, TID_ADDRESS, AMBIENT = 1, 4, 22, 24, 38, 40, 47
NO_HUGE_PAGES = 41  # of a huge page that is given back but for a piece, the kernel counts the piece and keeps the whole
INSIDE_ID = 65534

# Held all the way: another thread, there is none, and the child must not wait for a lock of its parent's.
libc = ctypes.PyDLL(None, use_errno=True)
python = ctypes.pythonapi
# Found once, before any fork: looking for a function touches memory that every child would have to copy.
for _name in ("mount", "prctl", "sethostname", "setns", "syscall", "unshare"):
    getattr(libc, _name)
for _name in ("PyOS_BeforeFork", "PyOS_AfterFork_Child", "PyOS_AfterFork_Parent"):
    getattr(python, _name)


class KernelRefused(Exception):
    """A step of the set-up that the kernel did not take."""


def call(name, *arguments):
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise KernelRefused(f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def syscall(name, number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise KernelRefused(f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def attributes(*flags):
    """struct mount_attr: what to set, nothing to clear."""
    return struct.pack("=QQQQ", sum(flags), 0, 0, 0)


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


class Recipe:
    """What is the same for every cell of this parent; told once, by the runner."""

    def __init__(self, facts, steps):
        self.layers = frozenset(facts["layers"])
        self.limits = [(getattr(resource, name), tuple(pair)) for name, pair in facts["limits"].items()]
        self.tmp = f"mode=1777,size={facts['tmp_bytes']}" if "small_tmp" in self.layers else "mode=1777"
        self.command, self.watches = facts["command"], "dies_with_runner" in self.layers
        self.namespaces = PID | NET | IPC | UTS | CGROUP if "namespaces" in self.layers else 0
        self.bundle = attributes(NO_SUID, NO_DEV, *([READ_ONLY] if "own_files" in self.layers else []))
        self.filter = Program(len(steps) // 8, steps) if steps else None
        self.own_namespace = os.open("self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC, dir_fd=KERNEL_TABLES)
        self.line_at, self.line_size = command_line_at()
        self.thread_id_at = thread_id_at()


def command_line_at():
    """Where the kernel shows this process's command line from."""
    descriptor = os.open("self/stat", os.O_RDONLY | os.O_CLOEXEC, dir_fd=KERNEL_TABLES)
    words = os.read(descriptor, 4096).rpartition(b") ")[2].split()
    os.close(descriptor)
    start, end = int(words[45]), int(words[46])
    return start, end - start


def thread_id_at():
    """Where the C library keeps the number of this thread, so that the kernel can put it right in a child."""
    address = ctypes.c_void_p()
    return address if libc.prctl(TID_ADDRESS, ctypes.byref(address), 0, 0, 0) == 0 else ctypes.c_void_p()


def serve():
    """Fork a bot for each request until the runner is gone; comes back in each bot, with everything in its place."""
    plan, runner = begin()
    request = ctypes.create_string_buffer(REQUEST.size)
    numbers = array.array("i", [0, 0, 0, 0])
    while True:
        if not take(runner, request, numbers):
            os._exit(0)
        child = fork(plan)
        if child == 0:
            runner.detach()
            settle(plan, request, numbers)
            return
        for number in numbers:
            os.close(number)
        ctypes.memset(request, 0, REQUEST.size)
        runner.send(b"%d\n" % child)


def begin():
    """Have what bots use loaded, hear the plan, say what is loaded."""
    sys.path[:] = [
        *(path for path in sys.path if path.startswith("/usr/")),
        "/opt/rumrunner/code",
        "/opt/rumrunner/site",
    ]
    sys.dont_write_bytecode = True
    load()
    runner = socket.socket(fileno=SOCKET)
    size, steps_size = struct.unpack("=II", hear(runner, 8))
    facts = sys.modules["json"].loads(hear(runner, size))
    plan = Recipe(facts, hear(runner, steps_size))
    if plan.watches:
        libc.prctl(PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if "limits" in plan.layers:
        libc.prctl(NO_HUGE_PAGES, 1, 0, 0, 0)
    names = sorted({name.partition(".")[0] for name in sys.modules})
    runner.sendall(" ".join(names).encode() + b"\n")
    gc.collect()
    gc.freeze()
    return plan, runner


def load():
    for name in LOADED:
        importlib.import_module(name)
    sys.modules["inspect"].signature  # noqa: B018 read when it is first used: here, not in every bot
    kit = importlib.import_module("bots.kit")
    for found in pkgutil.walk_packages(kit.__path__, "bots.kit."):
        importlib.import_module(found.name)


def hear(runner, size):
    heard = b""
    while len(heard) < size:
        piece = runner.recv(size - len(heard))
        if not piece:
            os._exit(0)
        heard += piece
    return heard


def take(runner, request, numbers):
    """The next request into a place that is used for every one, and its descriptors; False when there will be none."""
    size, extra, _, _ = runner.recvmsg_into([request], socket.CMSG_SPACE(4 * len(numbers)))
    if size != REQUEST.size or not extra:
        return False
    received = array.array("i", extra[0][2])
    for place in range(len(numbers)):
        numbers[place] = received[place]
    return True


def fork(plan):
    """One fork into the cell's own namespaces; the child is the runner's, as this process is, and has seeded random."""
    flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | plan.namespaces | signal.SIGCHLD
    if not plan.thread_id_at:
        flags &= ~(CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)
    python.PyOS_BeforeFork()
    child = libc.syscall(ctypes.c_long(CLONE), ctypes.c_long(flags), None, None, plan.thread_id_at, None)
    if child == 0:
        python.PyOS_AfterFork_Child()
    else:
        python.PyOS_AfterFork_Parent()
    return child


def settle(plan, request, numbers):
    """All that stands between the fork and the bot's own code; whatever is refused ends the process."""
    try:
        for wanted, number in enumerate(numbers[:3]):
            os.dup2(number, wanted)
        entry, user, memory, cpu_s = FACTS.unpack_from(request, PATH_BYTES)
        make_room(plan, request)
        ctypes.memset(request, 0, REQUEST.size)
        entry = entry.rstrip(b"\0").decode()
        if plan.namespaces:
            call("sethostname", b"bot", 3)
        if "own_session" in plan.layers:
            os.setsid()
        become_nobody(plan, user)
        limit(plan, memory, cpu_s)
        drop_rights()
        die_with_the_runner(plan)
        report = keep_only(numbers[3])
        show(plan, entry)
        call("prctl", NO_NEW_PRIVS, 1, 0, 0, 0)
        if plan.filter is not None:
            call("prctl", SECCOMP, 2, ctypes.byref(plan.filter), 0, 0)
        os.write(report, SET_UP)
        os.close(report)
    except BaseException as error:  # noqa: BLE001 nothing may go on from here
        with contextlib.suppress(OSError):
            os.write(2, f"the cell could not be set up: {error}\n".encode())
        os._exit(1)
    for name in ("nursery", "pkgutil"):
        sys.modules.pop(name, None)


def make_room(plan, request):
    """Its bundle, found among the host's files, at /bot, and a /tmp of its own, in a copy of the parent's mounts."""
    call("setns", HOST_FILES, MOUNT)
    tree = syscall("open_tree", OPEN_TREE, AT_FDCWD, request, TREE_CLONE | AT_RECURSIVE | os.O_CLOEXEC)
    syscall("mount_setattr", MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH | AT_RECURSIVE, plan.bundle, len(plan.bundle))
    call("setns", plan.own_namespace, MOUNT)
    call("unshare", MOUNT)
    syscall("move_mount", MOVE_MOUNT, tree, b"", AT_FDCWD, b"/bot", FROM_EMPTY_PATH)
    call("mount", b"tmpfs", b"/tmp", b"tmpfs", ctypes.c_ulong(NO_SUID | NO_DEV), plan.tmp.encode())
    os.chdir("/tmp")  # noqa: S108 its own


def become_nobody(plan, user):
    """A user of its own outside, nobody inside, in a user namespace that owns nothing and lets no other be made."""
    if user >= 0:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    outside = os.geteuid(), os.getegid()
    call("unshare", USER)
    call("prctl", DUMPABLE, 1, 0, 0, 0)  # so that its own tables belong to it while it writes them
    inside = (INSIDE_ID, INSIDE_ID) if "own_user" in plan.layers else outside
    tell_kernel("self/setgroups", "deny")
    tell_kernel("self/uid_map", f"{inside[0]} {outside[0]} 1")
    tell_kernel("self/gid_map", f"{inside[1]} {outside[1]} 1")
    if "no_more_namespaces" in plan.layers:
        tell_kernel("sys/user/max_user_namespaces", "0")


def tell_kernel(name, words):
    descriptor = os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=KERNEL_TABLES)
    os.write(descriptor, words.encode())
    os.close(descriptor)


def limit(plan, memory, cpu_s):
    if "limits" not in plan.layers:
        return
    for kind, pair in plan.limits:
        resource.setrlimit(kind, pair)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))


def drop_rights():
    """Every capability, also those that a program could have had by being started."""
    for number in range(64):
        if libc.prctl(BOUNDING_DROP, number, 0, 0, 0) < 0:
            break  # the kernel knows no more of them
    call("prctl", AMBIENT, 4, 0, 0, 0)
    syscall("capset", CAPSET, struct.pack("=Ii", 0x20080522, 0), bytes(24))


def die_with_the_runner(plan):
    """From here on the kernel sees to it; if the runner is gone already, nobody holds the other end any more."""
    if not plan.watches:
        return
    call("prctl", PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    poller = select.poll()
    poller.register(SOCKET, 0)
    if poller.poll(0):
        os._exit(1)


def keep_only(report):
    """Close everything but the three pipes and the report."""
    os.dup2(report, REPORT, inheritable=False)
    syscall("close_range", CLOSE_RANGE, REPORT + 1, ctypes.c_uint(0xFFFFFFFF), 0)
    return REPORT


def show(plan, entry):
    """The command line of a bot that was started in the ordinary way, inside and in the host's table."""
    words = [*plan.command, f"/bot/{entry}"]
    sys.orig_argv[:] = words
    sys.argv[:] = words[-2:]
    line = "\0".join(words).encode()[: plan.line_size - 1]
    ctypes.memset(plan.line_at, 0, plan.line_size)
    ctypes.memmove(plan.line_at, line, len(line))
