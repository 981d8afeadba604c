import os

from seat import attempt, play


def fill(folder, megabytes):
    written = 0
    for number in range(megabytes):
        with open(f"{folder}/fill-{number}", "wb") as stream:
            written += stream.write(bytes(1 << 20))
    return written


def huge_file():
    with open("/tmp/huge", "wb") as stream:
        stream.seek(100 << 20)
        stream.write(b"x")
    return os.path.getsize("/tmp/huge")


def try_it(message):
    attempt("fill /tmp with 40 MiB", lambda: fill("/tmp", 40))
    for name in os.listdir("/tmp"):
        os.unlink(f"/tmp/{name}")
    attempt("write /dev/shm", lambda: fill("/dev/shm", 1))
    attempt("write /dev", lambda: fill("/dev", 1))
    attempt("write a sparse file", huge_file)
    attempt("fallocate", lambda: os.posix_fallocate(os.open("/tmp/f", os.O_RDWR | os.O_CREAT), 0, 100 << 20))


play(on_first_act=try_it)
