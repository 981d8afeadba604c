"""The system calls a bot may make, by their x86-64 numbers; whatever is not here is refused."""

from __future__ import annotations

FILES = {
    "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "lseek": 8, "pread64": 17,
    "pwrite64": 18, "readv": 19, "writev": 20, "access": 21, "pipe": 22, "dup": 32, "dup2": 33,
    "truncate": 76, "ftruncate": 77, "getcwd": 79, "chdir": 80, "fchdir": 81, "rename": 82, "mkdir": 83, "rmdir": 84,
    "unlink": 87, "readlink": 89, "umask": 95, "getdents64": 217, "openat": 257, "mkdirat": 258, "newfstatat": 262,
    "unlinkat": 263, "renameat": 264, "readlinkat": 267, "faccessat": 269, "fallocate": 285, "dup3": 292,
    "pipe2": 293, "renameat2": 316, "statx": 332, "faccessat2": 439,
}  # fmt: skip

MEMORY = {
    "mprotect": 10, "munmap": 11, "brk": 12, "mremap": 25, "membarrier": 324,
}  # fmt: skip

WAITING = {
    "poll": 7, "select": 23, "pause": 34, "nanosleep": 35, "getitimer": 36, "alarm": 37, "setitimer": 38,
    "epoll_create": 213, "restart_syscall": 219, "clock_nanosleep": 230, "epoll_wait": 232, "epoll_ctl": 233,
    "pselect6": 270, "ppoll": 271, "epoll_pwait": 281, "timerfd_create": 283, "timerfd_settime": 286,
    "timerfd_gettime": 287, "eventfd2": 290, "epoll_create1": 291, "epoll_pwait2": 441,
}  # fmt: skip

PROCESS = {
    "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "getpid": 39, "execve": 59,
    "exit": 60, "wait4": 61, "kill": 62, "uname": 63, "gettimeofday": 96, "getrlimit": 97, "getrusage": 98,
    "times": 100, "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110,
    "getpgrp": 111, "getgroups": 115, "getresuid": 118, "getresgid": 120, "getpgid": 121, "getsid": 124,
    "capget": 125, "rt_sigpending": 127, "rt_sigtimedwait": 128, "rt_sigsuspend": 130, "sigaltstack": 131,
    "sched_getparam": 143, "sched_getscheduler": 145, "sched_get_priority_max": 146, "sched_get_priority_min": 147,
    "arch_prctl": 158, "gettid": 186, "time": 201, "futex": 202, "sched_getaffinity": 204, "set_tid_address": 218,
    "clock_gettime": 228, "clock_getres": 229, "exit_group": 231, "tgkill": 234, "set_robust_list": 273,
    "get_robust_list": 274, "prlimit64": 302, "getcpu": 309, "getrandom": 318, "rseq": 334,
}  # fmt: skip

# Both ends of a socketpair are in the bot's own hands; asyncio wakes itself through one.
OWN_SOCKETS = {"sendto": 44, "recvfrom": 45, "shutdown": 48}

# Answered with success and not done: all a bot can write is memory, and the kernel's work for it would be booked to the
# host; and who gives its core away to a program in the background would look as if it were kept from it.
INERT = {
    "sched_yield": 24, "msync": 26, "fsync": 74, "fdatasync": 75, "sync": 162, "sync_file_range": 277, "syncfs": 306,
}  # fmt: skip

ALLOWED = FILES | MEMORY | WAITING | PROCESS | OWN_SOCKETS | INERT

# These are looked at more closely by the filter.
MMAP, IOCTL, MADVISE, SOCKETPAIR, GETSOCKOPT, CLONE, FCNTL, PRCTL, MEMBARRIER = 9, 16, 28, 53, 55, 56, 72, 157, 324
CLONE3, CLOSE_RANGE = 435, 436

# Only for the start through setpriv, before the bot's own code runs; without capabilities they give nothing.
CHANGING_USER = {
    "setuid": 105, "setgid": 106, "setgroups": 116, "setresuid": 117, "setresgid": 119, "capset": 126,
}  # fmt: skip
