import os

from seat import attempt, play, syscall

CALLS = {
    "unshare user": (272, 0x10000000), "unshare mount": (272, 0x20000), "unshare net": (272, 0x40000000),
    "setns": (308, 0, 0), "mount": (165, b"none", b"/tmp", b"tmpfs", 0, None), "umount": (166, b"/bot", 0),
    "pivot_root": (155, b"/tmp", b"/tmp"), "chroot": (161, b"/tmp"), "open_tree": (428, -100, b"/", 0),
    "move_mount": (429, -100, b"/", -100, b"/tmp", 0), "fsopen": (430, b"tmpfs", 0), "io_uring": (425, 8, None),
    "keyctl": (250, 0, -3, 1), "add_key": (248, b"user", b"k", b"v", 1, -3), "bpf": (321, 0, None, 0),
    "perf_event_open": (298, None, 0, -1, -1, 0), "userfaultfd": (323, 0), "personality": (135, 0x0008),
    "sched_setaffinity": (203, 0, 8, b"\xff" * 8), "setpriority": (141, 0, 0, -5), "nice up": (141, 0, 0, 5),
    "sched_setscheduler": (144, 0, 1, b"\x01\0\0\0"), "ioprio_set": (251, 1, 0, 0), "reboot": (169, 1, 2, 3, None),
    "swapon": (167, b"/tmp/x", 0), "init_module": (175, None, 0, b""), "kexec": (246, 0, 0, None, 0),
    "syslog": (103, 3, None, 0), "acct": (163, None), "settimeofday": (164, None, None), "sethostname": (170, b"x", 1),
    "quotactl": (179, 0, None, 0, None), "name_to_handle_at": (303, -100, b"/", None, None, 0), "landlock": (444, None, 0, 1),
    "open_by_handle_at": (304, 0, None, 0), "fanotify": (300, 0, 0), "inotify": (294, 0), "seccomp": (317, 0, 0, None),
    "mlockall": (151, 1), "process_madvise": (440, 0, None, 0, 0, 0), "vmsplice": (278, 0, None, 0, 0),
    "prctl dumpable": (157, 4, 1, 0, 0, 0), "prctl seccomp": (157, 22, 1, 0, 0, 0), "setuid": (105, 0), "mknod": (133, b"/tmp/n", 0o20666, 0x101),
    "tiocsti": (16, 0, 0x5412, b"x"), "tioclinux": (16, 0, 0x541C, b"\0"), "execveat": (322, -100, b"/usr/bin/prlimit", None, None, 0),
}  # fmt: skip


def raise_limits():
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def try_it(message):
    for name, call in CALLS.items():
        attempt(name, lambda call=call: syscall(*call))
    attempt("raise limits", raise_limits)
    attempt("be root", lambda: 1 / (os.getuid() == 0))
    attempt("be in a group", lambda: [g for g in os.getgroups() if g != 65534][0])


play(on_first_act=try_it)
