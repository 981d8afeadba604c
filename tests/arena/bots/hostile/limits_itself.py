"""Takes away its own cpu time and memory, so that the kernel ends it in the host's stead."""

import resource

from seat import play


def limit(message):
    resource.setrlimit(resource.RLIMIT_CPU, (1, 2))
    while True:
        pass


play(on_first_act=limit)
