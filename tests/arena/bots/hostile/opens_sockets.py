import socket

from seat import attempt, play, syscall


def send(family, kind, address):
    with socket.socket(family, kind) as s:
        s.settimeout(1)
        s.connect(address)
        s.send(b"hello from inside")


def try_it(message):
    with open("/bot/wanted.txt") as stream:
        tcp, udp, name = stream.read().split()
    attempt("tcp", lambda: send(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(tcp))))
    attempt("udp", lambda: send(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int(udp))))
    attempt("tcp6", lambda: send(socket.AF_INET6, socket.SOCK_STREAM, ("::1", int(tcp))))
    attempt("abstract unix", lambda: send(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + name))
    attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
    attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
    attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
    attempt("inet socketpair", lambda: syscall(53, 2, 1, 0, None))
    mine, _ = socket.socketpair()
    attempt("a program for the kernel", lambda: mine.setsockopt(socket.SOL_SOCKET, 26, bytes(16)))  # SO_ATTACH_FILTER
    attempt("a larger buffer", lambda: mine.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20))
    attempt("a number that is counted on for all", lambda: mine.getsockopt(socket.SOL_SOCKET, 57, 8))  # SO_COOKIE
    attempt("socket by number", lambda: syscall(41, 2, 1, 0))


play(on_first_act=try_it)
