# Goes through the real launcher before any bot does, and tries what no bot may do. It reads one line with the path
# of a file on the host and answers one line: for each attempt how it was refused, or null if it was not.
# mypy: disable-error-code="no-untyped-def,no-untyped-call"
import ctypes
import json
import os
import resource
import socket
import sys


def attempt(action):
    try:
        action()
    except BaseException as error:  # noqa: BLE001 any refusal will do
        return type(error).__name__
    return None


def read_host_file():
    with open(HOST_FILE, "rb") as stream:
        stream.read(1)


def open_a_socket():
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()


def fork():
    if os.fork() == 0:
        os._exit(0)


def unshare():
    if ctypes.CDLL(None, use_errno=True).unshare(0x10000000) != 0:
        raise OSError(ctypes.get_errno(), "unshare")


def write(path):
    with open(path, "w") as stream:
        stream.write("x")


def stay_root():
    if os.getuid() != 0 and os.getgroups() in ([], [65534]):
        raise PermissionError


def have_unlimited_memory():
    if resource.getrlimit(resource.RLIMIT_AS)[1] != resource.RLIM_INFINITY:
        raise MemoryError


def see_other_processes():
    # The first process of a machine is always there, and nobody may signal it; of its own world a bot is the first.
    if os.getpid() == 1:
        raise ProcessLookupError


def read_kernel_tables():
    os.stat("/proc/meminfo")


def find_no_room_of_its_own():
    try:
        write("/tmp/canary")  # noqa: S108 the bot's own, nobody else's
    except OSError:
        return
    raise FileExistsError


HOST_FILE = json.loads(sys.stdin.readline())["host_file"]
ATTEMPTS = {
    "read a file of the host": read_host_file,
    "open a socket": open_a_socket,
    "fork": fork,
    "make a namespace": unshare,
    "write into its own folder": lambda: write("/bot/canary"),
    "write beside the interpreter": lambda: write("/usr/canary"),
    "write to /dev": lambda: write("/dev/canary"),
    "write to a file of the host": lambda: write(HOST_FILE),
    "be root or in a group": stay_root,
    "use memory without limit": have_unlimited_memory,
    "see other processes": see_other_processes,
    "read the kernel's tables": read_kernel_tables,
    "find no room of its own in /tmp": find_no_room_of_its_own,
}
print(json.dumps({name: attempt(action) for name, action in ATTEMPTS.items()}), flush=True)
