"""The one place a bot can write to, /tmp: how many files stand there, and a mount that lets no more than so many stand.

Each file takes about a KiB of the kernel's memory that no limit of a process counts; bubblewrap can only bound their
content. Both ways go through any living thread of the bot: its first one may be gone.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
from contextlib import suppress

from arena.sandbox.places import is_root

_FSPICK, _FSCONFIG = 433, 431
_EMPTY_PATH, _SET_STRING, _RECONFIGURE = 8, 1, 7
_NS_GET_USERNS = 0xB701
_CLONE_NEWUSER, _CLONE_NEWNS = 0x10000000, 0x20000


class Room:
    """The /tmp of one bot, held on to from outside; raises OSError while bubblewrap has not put it in place."""

    def __init__(self, pid: int) -> None:
        self._folder, self._thread = _opened(pid)

    def files(self) -> int:
        """How many files and folders stand there, itself included."""
        found = os.fstatvfs(self._folder)
        return found.f_files - found.f_ffree

    def bound(self, most: int) -> None:
        """Have the mount itself refuse more files; raises OSError where it can't, as when there are more already."""
        if is_root():
            _reconfigure(self._folder, most)
        else:
            self._bound_as_owner(most)

    def _bound_as_owner(self, most: int) -> None:
        """The user namespace that owns the mount is ours; only who is inside may change it, and nobody comes back."""
        space = os.open(f"{self._thread}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
        try:
            owner = fcntl.ioctl(space, _NS_GET_USERNS)
            child = os.fork()
            if child == 0:
                _bound_inside(owner, space, most)
            os.close(owner)
            _, status = os.waitpid(child, 0)
        finally:
            os.close(space)
        if status:
            raise OSError(os.waitstatus_to_exitcode(status), "the mount could not be bounded")

    def close(self) -> None:
        os.close(self._folder)


def _opened(pid: int) -> tuple[int, str]:
    """The folder, and the thread through which it was found; before the mount it is the host's or the sandbox's."""
    here = os.stat("/tmp").st_dev  # noqa: S108
    for task in os.listdir(f"/proc/{pid}/task"):
        thread = f"/proc/{pid}/task/{task}"
        with suppress(OSError):
            shared = {here, os.stat(f"{thread}/root").st_dev}
            folder = os.open(f"{thread}/root/tmp", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            if os.fstat(folder).st_dev not in shared:
                return folder, thread
            os.close(folder)
    raise FileNotFoundError(f"process {pid} has no /tmp of its own")


def _bound_inside(owner: int, space: int, most: int) -> None:
    """In a child of ours that does nothing else."""
    try:
        _call("setns", owner, _CLONE_NEWUSER)
        _call("setns", space, _CLONE_NEWNS)
        _reconfigure(os.open("/tmp", os.O_PATH | os.O_DIRECTORY), most)  # noqa: S108
        os._exit(0)
    except OSError as error:
        os._exit(error.errno or 1)
    finally:
        os._exit(1)


def _reconfigure(folder: int, most: int) -> None:
    context = _syscall(_FSPICK, folder, b"", _EMPTY_PATH)
    try:
        _syscall(_FSCONFIG, context, _SET_STRING, b"nr_inodes", str(most).encode(), 0)
        _syscall(_FSCONFIG, context, _RECONFIGURE, None, None, 0)
    finally:
        os.close(context)


def _syscall(number: int, *arguments: object) -> int:
    return _call("syscall", ctypes.c_long(number), *arguments)


def _call(name: str, *arguments: object) -> int:
    result = int(getattr(_LIBC, name)(*arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


_LIBC = ctypes.CDLL(None, use_errno=True)
