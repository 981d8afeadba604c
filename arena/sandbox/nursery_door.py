# Puts the warm parent of Python bots into the file system that they have in common, and becomes it; run by the runner
# as a program of its own. What it mounts here every cell gets a copy of: the root, the code and the devices.
# mypy: disable-error-code="no-untyped-def,no-untyped-call,import-not-found"
import json
import os
import sys

sys.path.append(os.path.dirname(__file__))
from nursery import (
    AT_FDCWD,
    AT_RECURSIVE,
    HOST_FILES,
    KERNEL_TABLES,
    MOUNT,
    MOUNT_SETATTR,
    NO_DEV,
    NO_SUID,
    READ_ONLY,
    SOCKET,
    USER,
    attributes,
    call,
    syscall,
)

BIND, RECURSIVE, PRIVATE, DETACH, PIVOT_ROOT = 0x1000, 0x4000, 0x40000, 2, 155


def enter(facts):
    if os.geteuid() == 0:
        call("unshare", MOUNT)
    else:
        become_owner()
    mount(b"none", "/", PRIVATE | RECURSIVE)
    stand_at("/proc/self/ns/mnt", HOST_FILES, os.O_RDONLY)
    stand_at("/proc", KERNEL_TABLES, os.O_PATH)
    call("unshare", MOUNT)
    furnish(facts["root"], facts["code"], frozenset(facts["layers"]))
    os.chdir(facts["root"])
    syscall("pivot_root", PIVOT_ROOT, b".", b".")
    call("umount2", b".", DETACH)
    os.chdir("/")
    os.execve(facts["command"][0], facts["command"], dict(facts["environment"]))  # noqa: S606


def become_owner():
    """An ordinary user is root of a user namespace of his own, in which the cells' are made."""
    user, group = os.geteuid(), os.getegid()
    call("unshare", USER | MOUNT)
    for name, words in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        with open(f"/proc/self/{name}", "w") as table:
            table.write(words)


def furnish(root, code, layers):
    mount(root.encode(), root, BIND | RECURSIVE)
    change(root, READ_ONLY, NO_SUID, NO_DEV)
    mount(code.encode(), f"{root}/opt/rumrunner/code", BIND)
    change(f"{root}/opt/rumrunner/code", READ_ONLY, NO_SUID, NO_DEV)
    mount(b"tmpfs", f"{root}/dev", NO_SUID | NO_DEV, b"tmpfs", b"mode=755")
    for name in ("null", "random", "urandom"):
        os.close(os.open(f"{root}/dev/{name}", os.O_CREAT | os.O_WRONLY, 0o444))
        mount(f"/dev/{name}".encode(), f"{root}/dev/{name}", BIND)
    if "read_only_dev" in layers:
        syscall("mount_setattr", MOUNT_SETATTR, AT_FDCWD, f"{root}/dev".encode(), 0, attributes(READ_ONLY), 32)
    else:
        os.chmod(f"{root}/dev", 0o777)  # noqa: S103 only a test takes that layer away
    if "own_files" not in layers:
        mount(b"/etc", f"{root}/etc", BIND | RECURSIVE)
    if "no_kernel_tables" not in layers:
        mount(b"/proc", f"{root}/proc", BIND | RECURSIVE)


def mount(source, target, flags, kind=None, options=None):
    import ctypes

    call("mount", source, target.encode(), kind, ctypes.c_ulong(flags), options)


def change(target, *flags):
    syscall("mount_setattr", MOUNT_SETATTR, AT_FDCWD, target.encode(), AT_RECURSIVE, attributes(*flags), 32)


def stand_at(path, number, how):
    hold(os.open(path, how | os.O_CLOEXEC), number)


def hold(descriptor, number):
    if descriptor == number:
        os.set_inheritable(descriptor, True)
    else:
        os.dup2(descriptor, number, inheritable=True)
        os.close(descriptor)


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    hold(given["socket"], SOCKET)
    enter(given)
