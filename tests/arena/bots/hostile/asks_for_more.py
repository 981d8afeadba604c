"""Memory that nobody counts, clocks that signal, files without a file system, other programs: each by its own call."""

import resource

from seat import attempt, play, syscall

CALLS = {
    "memfd_create": (319, b"x", 0), "memfd_secret": (447, 0), "shmget": (29, 0, 1 << 24, 0o1600),
    "semget": (64, 0, 8, 0o1600), "msgget": (68, 0, 0o1600), "mq_open": (240, b"x", 0o102, 0o600, None),
    "timer_create": (222, 1, None, bytes(8)), "signalfd": (289, -1, bytes(8), 8, 0), "inotify": (253,),
    "splice": (275, 0, None, 1, None, 1, 0), "tee": (276, 0, 1, 1, 0), "sendfile": (40, 1, 0, None, 1),
    "copy_file_range": (326, 0, None, 1, None, 1, 0), "sendmsg": (46, 1, bytes(56), 0), "mlock2": (325, None, 0, 1),
    "mlock": (149, None, 0), "remap_file_pages": (216, None, 4096, 0, 0, 0), "mbind": (237, None, 4096, 0, None, 0, 0),
    "set_mempolicy": (238, 0, None, 0), "migrate_pages": (256, 0, 0, None, None), "pidfd_open": (434, 1, 0),
    "pidfd_getfd": (438, 0, 0, 0), "process_vm_readv": (310, 1, None, 0, None, 0, 0), "ptrace": (101, 0, 0, None, None),
    "kcmp": (312, 1, 1, 0, 0, 0), "setsid": (112,), "setpgid": (109, 0, 0), "futex_waitv": (449, None, 0, 0, None, 0),
    "sched_setattr": (314, 0, bytes(48), 0), "sched_setparam": (142, 0, bytes(4)), "setxattr": (188, b"/tmp", b"user.x", b"x", 1, 0),
    "link": (86, b"/tmp", b"/tmp/x"), "symlink": (88, b"/", b"/tmp/x"), "chmod": (90, b"/tmp", 0o777), "utime": (132, b"/tmp", None),
    "pkey_alloc": (330, 0, 0), "cachestat": (451, 1, bytes(16), bytes(40), 0), "mincore": (27, None, 0, None),
    "fadvise": (221, 1, 0, 0, 4), "readahead": (187, 0, 0, 4096), "io_setup": (206, 8, bytes(8)), "rt_sigqueueinfo": (129, 1, 10, bytes(128)),
    "prctl timer slack": (157, 29, 1, 0, 0, 0), "prctl death signal": (157, 1, 18, 0, 0, 0), "prctl time stamps": (157, 26, 2, 0, 0, 0),
    "prctl core scheduling": (157, 62, 1, 0, 0, 0), "prctl reaper": (157, 36, 1, 0, 0, 0), "prctl huge pages": (157, 41, 1, 0, 0, 0),
    "prctl speculation": (157, 53, 0, 0, 0, 0), "prctl io flusher": (157, 57, 1, 0, 0, 0), "prctl merging": (157, 67, 1, 0, 0, 0),
}  # fmt: skip


def try_it(message):
    for name, call in CALLS.items():
        attempt(name, lambda call=call: syscall(*call))
    attempt("a dump that a program of the host reads", lambda: 1 / (resource.getrlimit(resource.RLIMIT_CORE) != (1, 1)))


play(on_first_act=try_it)
