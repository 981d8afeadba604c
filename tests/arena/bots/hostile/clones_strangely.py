from seat import attempt, play, syscall

CLONE, CLONE3 = 56, 435
THREAD = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000
HARMLESS = 0x40000 | 0x80000 | 0x100000 | 0x200000 | 0x400000 | 0x1000000


def try_it(message):
    """Every flag that makes a thread more than a thread, and a thread that lacks one of those that make it one."""
    for bit in range(33):
        if not (1 << bit) & (THREAD | HARMLESS) and bit < 32:
            attempt(f"clone with bit {bit}", lambda bit=bit: syscall(CLONE, THREAD | 1 << bit, 0, 0, 0, 0))
        if (1 << bit) & THREAD:
            attempt(f"clone without bit {bit}", lambda bit=bit: syscall(CLONE, THREAD & ~(1 << bit), 0, 0, 0, 0))
    for size in (0, 64, 88, 4096):
        attempt(f"clone3 of {size} bytes", lambda size=size: syscall(CLONE3, bytes(size), size))


play(on_first_act=try_it)
