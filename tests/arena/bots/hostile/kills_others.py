import os
import signal

from seat import attempt, play, syscall


def kill(pid):
    os.kill(pid, signal.SIGKILL)
    return pid


def read_memory(pid):
    with open(f"/proc/{pid}/mem", "rb") as stream:
        stream.seek(4096)
        return stream.read(16)


def try_it(message):
    runner = int(open("/bot/wanted.txt").read())
    attempt("kill the runner", lambda: kill(runner))
    attempt("kill the parent", lambda: kill(os.getppid()) if os.getppid() else 1 / 0)
    attempt("kill all", lambda: kill(-1))
    attempt("ptrace the runner", lambda: syscall(101, 16, runner, 0, 0))
    attempt("ptrace itself", lambda: syscall(101, 0, 0, 0, 0))
    attempt("read the runner's memory", lambda: read_memory(runner))
    attempt("process_vm_readv", lambda: syscall(310, runner, None, 0, None, 0, 0))
    attempt("process_vm_writev", lambda: syscall(311, runner, None, 0, None, 0, 0))
    attempt("pidfd_open", lambda: syscall(434, runner, 0))
    attempt("pidfd_getfd", lambda: syscall(438, 3, 0, 0))
    attempt("kcmp", lambda: syscall(312, runner, 1, 0, 0, 0))
    attempt("signal by queue", lambda: syscall(129, runner, 9, None))


play(on_first_act=try_it)
