import select

from seat import play


def answer(message):
    """Watches that watch watches: for each the kernel looks through all of them, under one lock of the whole host."""
    watches = [select.epoll() for _ in range(40)]
    while True:
        for outer, inner in zip(watches, watches[1:], strict=False):
            try:
                outer.register(inner, select.EPOLLIN)
                for other in watches[:8]:
                    if other is not outer:
                        other.register(outer, select.EPOLLIN)
            except OSError:
                pass
        for outer in watches:
            outer.close()
        watches = [select.epoll() for _ in range(40)]


play(answer=answer)
