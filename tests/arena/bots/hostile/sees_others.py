import os

from seat import attempt, play


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def see():
    return next(pid for pid in range(1, 40_000) if pid != os.getpid() and is_there(pid))


def see_in_tables():
    return next(name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid())


def try_it(message):
    attempt("see others", see)
    attempt("see others in the tables", see_in_tables)


play(on_first_act=try_it)
