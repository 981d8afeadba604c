# The warm parent of Python bots, inside the sandbox folder: has the engines and the kit loaded, and forks each bot from
# there into a cell of its own. It never runs a bot's code, knows nothing of any match but while it forks for it, and
# keeps no word of that. Set-up copies this file beside boot.py; serve() comes back in the bots only.
# mypy: disable-error-code="no-untyped-def,no-untyped-call"
import contextlib
import ctypes
import gc
import importlib
import marshal
import mmap
import os
import pkgutil
import resource
import signal
import socket
import struct
import sys
import warnings

SOCKET, HOST_FILES, KERNEL_TABLES = 3, 4, 5  # the descriptors it is started with
OWN_FILES = 6
_, _, _, REPORT_END, PROGRAM_FILE = RECEIVED = range(7, 12)  # the first free ones: a request brings them
NETWORKS = 100  # where the first of them is held
REPORT, PROGRAM = 3, 4  # where the child keeps the last of its own until its set-up is done
TREE = 99  # and its bundle on the way to /bot
# A request: which bundle, which entry, how much memory and cpu it may have, who it is inside and out; then what the
# kernel writes straight into the calls that need it: the descriptor of its network, its group and user, thrice each.
PATH_BYTES, ENTRY_BYTES, IDS_BYTES = 4096, 1024, 40
REQUEST = struct.Struct(f"={PATH_BYTES}s{ENTRY_BYTES}s2q2q{IDS_BYTES}sq3q3q")
MEMORY_AT = PATH_BYTES + ENTRY_BYTES
CPU_AT, IDS_AT, KEPT_BYTES = MEMORY_AT + 16, MEMORY_AT + 32, MEMORY_AT + 32 + IDS_BYTES
CHILD = struct.Struct("=q")  # the answer: its number among the runner's processes
LENGTH = struct.Struct("=q")  # of a program that is kept; it is written last
PROGRAM_BYTES = 1 << 20
COMMAND_LINE = 2048
SET_UP = b"set up\n"
OWN = ("nursery", "pkgutil")
HELD: list[object] = []  # by a bot, so that it need not take it to pieces
LOADED = ("json", "inspect", "orjson", "random", "math", "heapq", "bisect", "copy", "collections", "itertools",
          "functools", "time", "traceback", "dataclasses", "typing", "enum", "re", "engines", "bots.kit")  # fmt: skip

MOUNT, UTS, IPC, USER, PID, NET, CGROUP = (
    0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x2000000)  # fmt: skip
CLONE_PARENT, CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID = 0x8000, 0x1000000, 0x200000
WRITE, CLOSE, DUP2, ALARM, SENDTO, RECVMSG, CLONE, CHDIR, SETSID, SETGROUPS, SETRESUID, SETRESGID, CAPSET = (
    1, 3, 33, 37, 44, 47, 56, 80, 112, 116, 117, 119, 126)  # fmt: skip
PRCTL, MOUNT_CALL, SETHOSTNAME, OPENAT, UNSHARE, DUP3, PRLIMIT, SETNS = 157, 165, 170, 257, 272, 292, 302, 308
OPEN_TREE, MOVE_MOUNT, CLOSE_RANGE, MOUNT_SETATTR = 428, 429, 436, 442
AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE, TREE_CLONE, FROM_EMPTY_PATH = -100, 0x1000, 0x8000, 1, 4
READ_ONLY, NO_SUID, NO_DEV = 1, 2, 4
PDEATHSIG, DUMPABLE, SECCOMP, BOUNDING_READ, BOUNDING_DROP, NO_NEW_PRIVS, TID_ADDRESS, AMBIENT = (
    1, 4, 22, 23, 24, 38, 40, 47)  # fmt: skip
NO_HUGE_PAGES = 41  # of a huge page that is given back but for a piece, the kernel counts the piece and keeps the whole
INSIDE_ID = 65534

# Held all the way: another thread, there is none, and the child must not wait for a lock of its parent's.
libc = ctypes.PyDLL(None, use_errno=True)
python = ctypes.pythonapi
# Found once, before any fork: looking for a function touches memory that every child would have to copy.
for _name in ("prctl", "syscall", "unshare"):
    getattr(libc, _name)
for _name in ("PyOS_BeforeFork", "PyOS_AfterFork_Child"):
    getattr(python, _name)


class KernelRefused(Exception):
    """A step of the set-up that the kernel did not take."""

    def __init__(self, step, why):
        super().__init__(f"{step}: {why}")
        self.step = step


def call(name, *arguments):
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise KernelRefused(name, os.strerror(ctypes.get_errno()))
    return result


def syscall(name, number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise KernelRefused(name, os.strerror(ctypes.get_errno()))
    return result


def attributes(*flags):
    """struct mount_attr: what to set, nothing to clear."""
    return struct.pack("=QQQQ", sum(flags), 0, 0, 0)


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


class Given:
    """An argument that is filled in for each bot, by name."""

    def __init__(self, name):
        self.name = name


class Result:
    """An argument that is the result of an earlier call, by its name; a result goes to one place only."""

    def __init__(self, name):
        self.name = name


class Batch:
    """System calls that are written down beforehand and made one after the other, with no step of Python in between.

    A row is a call's number, its six arguments, where its result goes, and which row follows when that is zero; after
    any other result it is the next one. Every page of Python's memory that a child writes to has to be copied for it,
    and every page that its parent writes to after the fork: what these calls don't touch costs nothing.
    """

    # push rbx; rbx = first row; next: rax, rdi, rsi, rdx, r10, r8, r9 = the row; if rax is -1, done; syscall; its
    # result to where it goes; if it is negative, done; if it is zero, rbx = the row for that, else the one behind; to
    # next; done: return rbx; pop rbx.
    CODE = bytes.fromhex(
        "53 4889fb 488b03 488b7b08 488b7310 488b5318 4c8b5320 4c8b4328 4c8b4b30 4883f8ff 741c"
        "0f05 488b4b38 488901 4885c0 780e 7406 4883c348 ebc9 488b5b40 ebc3 4889d8 5b c3"
    )
    ROW, RESULT, ZERO, WORD = 9, 7, 8, 8
    END = -1  # in place of a call's number

    def __init__(self, rows, *, if_zero=(), into=()):
        self._names = [name for name, *_ in rows] + ["end"]
        self._texts = [ctypes.create_string_buffer(word) for row in rows for word in row[1:] if isinstance(word, bytes)]
        self._cells = (ctypes.c_int64 * (self.ROW * len(self._names)))()
        self._first, self._result, self._given = ctypes.addressof(self._cells), ctypes.c_int64(), {}
        follows, goes, texts = dict(if_zero), dict(into), iter(self._texts)
        for place, (name, *words) in enumerate(rows):
            self._cells[self.ROW * place + self.RESULT] = goes.get(name, ctypes.addressof(self._result))
            self._cells[self.ROW * place + self.ZERO] = self._row(follows.get(name, self._names[place + 1]))
            for cell, word in enumerate(words, self.ROW * place):
                self._write(cell, ctypes.addressof(next(texts)) if isinstance(word, bytes) else word)
        self._cells[self.ROW * len(rows)] = self.END
        self._page, self._do = executable(self.CODE)

    def _row(self, name):
        return self._first + self.WORD * self.ROW * self._names.index(name)

    def _write(self, cell, word):
        if isinstance(word, Given):
            self._given.setdefault(word.name, self._first + self.WORD * cell)
        elif isinstance(word, Result):
            giver = self.ROW * self._names.index(word.name)
            self._cells[giver + self.RESULT] = self._first + self.WORD * cell
        else:
            self._cells[cell] = word

    def place_of(self, name):
        """Where what is given under this name goes, the first of them if there are several; None if nobody needs it."""
        return self._given.get(name)

    def run(self, begin=None):
        """Make the calls from this row or the first on; the name of the row it ended at, raises KernelRefused."""
        at = self._do(self._row(begin or self._names[0])) - self._first
        place = at // (self.WORD * self.ROW)
        if self._cells[self.ROW * place] != self.END:
            error = ctypes.c_int64.from_address(self._cells[self.ROW * place + self.RESULT]).value
            raise KernelRefused(self._names[place], os.strerror(-error))
        return self._names[place]


def executable(code):
    """These bytes as a function of one address, in a page that nobody can write to any more."""
    page = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    call("mprotect", ctypes.c_void_p(address), ctypes.c_size_t(mmap.PAGESIZE), mmap.PROT_READ | mmap.PROT_EXEC)
    return page, ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)


class Recipe:
    """What is the same for every cell of this parent; told once, by the runner."""

    def __init__(self, facts, steps):
        self.layers = frozenset(facts["layers"])
        self.limits = [(getattr(resource, name), tuple(pair)) for name, pair in facts["limits"].items()]
        self.tmp = f"mode=1777,size={facts['tmp_bytes']}" if "small_tmp" in self.layers else "mode=1777"
        self.command, self.watches = facts["command"], "dies_with_runner" in self.layers
        self.namespaces = PID | IPC | UTS | CGROUP if "namespaces" in self.layers else 0
        self.bundle = attributes(NO_SUID, NO_DEV, *([READ_ONLY] if "own_files" in self.layers else []))
        self.filter = Program(len(steps) // 8, steps) if steps else None
        stand_at("self/ns/mnt", OWN_FILES)
        self.line_at, self.line_size = command_line_at()
        self.thread_id_at = thread_id_at()
        self.request = ctypes.create_string_buffer(KEPT_BYTES)
        self.request_at = ctypes.addressof(self.request)
        self.changes_user = facts["changes_user"]
        self.number, self.message = ctypes.c_int64(), Message()
        self.life = life_of(self)
        self.message.goes_to(
            (self.request_at, KEPT_BYTES),
            *((self.life.place_of(name), size) for name, size in (("network", 8), ("group", 24), ("user", 24))),
        )


class Message(ctypes.Structure):
    """struct msghdr: a request and its descriptors, each part of it to where it is needed."""

    class Part(ctypes.Structure):
        _fields_ = (("place", ctypes.c_void_p), ("size", ctypes.c_size_t))

    _fields_ = (
        ("name", ctypes.c_void_p), ("name_size", ctypes.c_uint), ("parts", ctypes.POINTER(Part)),
        ("how_many", ctypes.c_size_t), ("control", ctypes.c_char_p), ("control_size", ctypes.c_size_t),
        ("flags", ctypes.c_int),
    )  # fmt: skip

    def goes_to(self, *places):
        """Where there is no place for a part it goes to one of which nothing is read."""
        self.nowhere = ctypes.create_string_buffer(max(size for _, size in places))
        self.how_many = len(places)
        parts = [self.Part(place or ctypes.addressof(self.nowhere), size) for place, size in places]
        self.parts = (self.Part * len(parts))(*parts)
        self.control_size = socket.CMSG_SPACE(4 * len(RECEIVED))
        self.control = bytes(self.control_size)


def stand_at(path, number):
    """Hold what stands there in the kernel's tables as this descriptor."""
    found = os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=KERNEL_TABLES)
    if found != number:
        os.dup2(found, number, inheritable=False)
        os.close(found)


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
    plan = begin()
    python.PyOS_BeforeFork()  # once: no step of Python is made from here on but in the bots, and for a new network
    refused = live(plan)
    python.PyOS_AfterFork_Child()  # which seeds random, too
    if refused is not None:
        give_up(refused)
    settle(plan)


def live(plan):
    """Comes back in a bot, with what the kernel refused of its set-up, if anything."""
    step = PARENTS[0]
    while True:
        try:
            if plan.life.run(step) == "gone":
                os._exit(0)
        except KernelRefused as refused:
            if refused.step not in PARENTS:
                return refused
            if (step := refused.step) != "network":
                raise
            make_network(plan)
        else:
            return None


def make_network(plan):
    """An empty one, that each bot has to itself; the runner says which, and lends none while a bot is in it.

    To make one takes as long as to fork a bot. Nothing can be left in it: a bot has no rights over it, and its sockets
    go with its process.
    """
    call("unshare", NET)
    stand_at("self/ns/net", ctypes.c_int64.from_address(plan.life.place_of("network")).value)


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
    for name in OWN:
        python.Py_IncRef(ctypes.py_object(sys.modules[name]))  # for the same reason
    runner.detach()
    gc.collect()
    gc.freeze()
    return plan


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


PARENTS = ("request", "network", "fork", "close", "answer", "forget")


def life_of(plan):
    """All that the parent does: hear a request, fork, answer, and again; and what its child does then."""
    set_up, number = list(set_up_rows(plan)), ctypes.addressof(plan.number)
    rows = [
        ("request", RECVMSG, SOCKET, ctypes.addressof(plan.message), socket.MSG_CMSG_CLOEXEC),
        *([("network", SETNS, Given("network"), NET)] if plan.namespaces else []),
        fork_row(plan),
        ("close", CLOSE_RANGE, RECEIVED[0], RECEIVED[-1], 0),
        ("answer", SENDTO, SOCKET, number, CHILD.size, socket.MSG_NOSIGNAL),
        ("forget", ALARM, 0),
        ("gone", Batch.END),
        *set_up,
    ]
    # Every thread of a bot moves the numbers of processes on, so who found that of an earlier bot could be told
    # something by it: it stands in one place until the runner has it, and a zero goes there then.
    into = {"fork": number, "forget": number}
    return Batch(rows, if_zero={"request": "gone", "fork": set_up[0][0], "forget": "request"}, into=into)


def fork_row(plan):
    """One fork into the cell's own namespaces; the child is the runner's, as this process is."""
    flags = CLONE_PARENT | plan.namespaces | signal.SIGCHLD
    if plan.thread_id_at:
        flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID
    return "fork", CLONE, flags, 0, 0, plan.thread_id_at.value or 0


def settle(plan):
    """What stands between the set-up and the bot's own code; whatever goes wrong ends the process."""
    try:
        entry = ctypes.string_at(plan.request_at + PATH_BYTES, ENTRY_BYTES).rstrip(b"\0").decode()
        ctypes.memset(plan.request, 0, KEPT_BYTES)
        show(plan, entry)
    except BaseException as error:  # noqa: BLE001 nothing may go on from here
        give_up(error)
    HELD.append(plan)
    for name in OWN:
        del sys.modules[name]


def give_up(error):
    with contextlib.suppress(OSError):
        os.write(2, f"the cell could not be set up: {error}\n".encode())
    os._exit(1)


def set_up_rows(plan):
    """What makes a fork a bot in its cell, in this order."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        yield f"{name} in its place", DUP2, RECEIVED[number], number
    yield from room(plan)
    if plan.namespaces:
        yield "sethostname", SETHOSTNAME, b"bot", 3
    if "own_session" in plan.layers:
        yield "setsid", SETSID
    yield from nobody(plan)
    yield from limited(plan)
    yield from without_rights()
    if plan.watches:
        # From here on the kernel sees to it; if the runner is gone already, nobody holds the other end any more.
        yield "die with the runner", PRCTL, PDEATHSIG, signal.SIGKILL
        yield "the runner", SENDTO, SOCKET, b"", 0, socket.MSG_NOSIGNAL
    yield "report in its place", DUP3, REPORT_END, REPORT, os.O_CLOEXEC
    yield "program in its place", DUP3, PROGRAM_FILE, PROGRAM, os.O_CLOEXEC
    yield "close_range", CLOSE_RANGE, PROGRAM + 1, 0xFFFFFFFF, 0  # everything but the three pipes and these two
    yield "no_new_privs", PRCTL, NO_NEW_PRIVS, 1
    if plan.filter is not None:
        yield "seccomp", PRCTL, SECCOMP, 2, ctypes.addressof(plan.filter)
    yield "report", WRITE, REPORT, SET_UP, len(SET_UP)
    yield "close the report", CLOSE, REPORT


def room(plan):
    """Its bundle, found among the host's files, at /bot, and a /tmp of its own, in a copy of the parent's mounts."""
    yield "setns out", SETNS, HOST_FILES, MOUNT
    yield "open_tree", OPEN_TREE, AT_FDCWD, plan.request_at, TREE_CLONE | AT_RECURSIVE | os.O_CLOEXEC
    yield "bundle in its place", DUP3, Result("open_tree"), TREE, os.O_CLOEXEC
    yield "mount_setattr", MOUNT_SETATTR, TREE, b"", AT_EMPTY_PATH | AT_RECURSIVE, plan.bundle, len(plan.bundle)
    yield "setns back", SETNS, OWN_FILES, MOUNT
    yield "unshare mounts", UNSHARE, MOUNT
    yield "move_mount", MOVE_MOUNT, TREE, b"", AT_FDCWD, b"/bot", FROM_EMPTY_PATH
    yield "mount", MOUNT_CALL, b"tmpfs", b"/tmp", b"tmpfs", NO_SUID | NO_DEV, plan.tmp.encode()
    yield "chdir", CHDIR, b"/tmp"


def nobody(plan):
    """A user of its own outside, nobody inside, in a user namespace that owns nothing and lets no other be made."""
    if plan.changes_user:
        yield "setgroups", SETGROUPS, 0, 0
        yield "setresgid", SETRESGID, *[Given("group")] * 3
        yield "setresuid", SETRESUID, *[Given("user")] * 3
    yield "unshare user", UNSHARE, USER
    yield "dumpable", PRCTL, DUMPABLE, 1  # so that its own tables belong to it while it writes them
    yield from told("self/setgroups", b"deny", 4)
    for name, own in (("self/uid_map", os.geteuid()), ("self/gid_map", os.getegid())):
        inside = INSIDE_ID if "own_user" in plan.layers else own
        ids = plan.request_at + IDS_AT if plan.changes_user else (b"%d %d 1" % (inside, own)).ljust(IDS_BYTES)
        yield from told(name, ids, IDS_BYTES)
    if "no_more_namespaces" in plan.layers:
        yield from told("sys/user/max_user_namespaces", b"0", 1)


def told(name, words, size):
    """What is said to the kernel through one of its tables."""
    yield f"open {name}", OPENAT, KERNEL_TABLES, name.encode(), os.O_WRONLY | os.O_CLOEXEC
    yield name, WRITE, Result(f"open {name}"), words, size


def limited(plan):
    if "limits" not in plan.layers:
        return
    for kind, (soft, hard) in plan.limits:
        yield f"limit {kind}", PRLIMIT, 0, kind, struct.pack("=QQ", soft, hard), 0
    yield "limit of memory", PRLIMIT, 0, resource.RLIMIT_AS, plan.request_at + MEMORY_AT, 0
    yield "limit of cpu", PRLIMIT, 0, resource.RLIMIT_CPU, plan.request_at + CPU_AT, 0


def without_rights():
    """No capability, and none that a program could have by being started."""
    known = [number for number in range(64) if libc.prctl(BOUNDING_READ, number, 0, 0, 0) >= 0]
    for number in known:
        yield f"bounding set {number}", PRCTL, BOUNDING_DROP, number
    yield "ambient set", PRCTL, AMBIENT, 4
    yield "capset", CAPSET, struct.pack("=Ii", 0x20080522, 0), bytes(24)


def program_of(entry):
    """The bot's program, as an earlier start compiled it or as this one does and keeps it.

    None where Python has something to say about the source: it is to say it in the ordinary way.
    """
    try:
        size = os.pread(PROGRAM, LENGTH.size, 0)
        if not size:
            return compiled(entry)
        return marshal.loads(os.pread(PROGRAM, LENGTH.unpack(size)[0], LENGTH.size))  # noqa: S302 the bot's own
    finally:
        os.close(PROGRAM)


def compiled(entry):
    with contextlib.suppress(Exception), open(entry, "rb") as stream, warnings.catch_warnings(record=True) as said:
        source = stream.read()
        if names_a_coding(source):
            return None
        program = compile(source.decode(), entry, "exec", dont_inherit=True)
        if not said:
            keep(marshal.dumps(program))
            return program
    return None


def names_a_coding(source):
    """Whether its first two lines may: Python would import what reads it, also from the bot's own folder."""
    return b"coding" in b"".join(source.split(b"\n", 2)[:2])


def keep(words):
    """For the matches to come, before anything of the bot has run; where the runner wants it."""
    with contextlib.suppress(OSError):
        if len(words) <= PROGRAM_BYTES and os.pwrite(PROGRAM, words, LENGTH.size) == len(words):
            os.pwrite(PROGRAM, LENGTH.pack(len(words)), 0)


def show(plan, entry):
    """The command line of a bot that was started in the ordinary way, inside and in the host's table."""
    words = [*plan.command, f"/bot/{entry}"]
    sys.orig_argv[:] = words
    sys.argv[:] = words[-2:]
    line = "\0".join(words).encode()[: plan.line_size - 1]
    ctypes.memset(plan.line_at, 0, plan.line_size)
    ctypes.memmove(plan.line_at, line, len(line))
