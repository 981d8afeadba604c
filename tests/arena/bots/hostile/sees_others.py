import os

from seat import attempt, play


def see():
    return next(name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid())


play(on_first_act=lambda message: attempt("see others", see))
