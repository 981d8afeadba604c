"""Every number there is, and some there are not, but for those that are on the list."""

import errno
import sys

from seat import play, syscall

LAST = 600


def try_it(message):
    with open("/bot/wanted.txt") as stream:
        listed = {int(word) for word in stream.read().split()}
    for number in sorted(set(range(LAST)) - listed):
        try:
            result = syscall(number, 0, 0, 0, 0, 0, 0)
        except OSError as error:
            if error.errno != errno.EPERM:
                sys.stderr.write(f"{number}: DONE {errno.errorcode[error.errno]}\n")
        else:
            sys.stderr.write(f"{number}: DONE {result}\n")
    sys.stderr.write("tried all\n")


play(on_first_act=try_it)
