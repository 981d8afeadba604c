"""Who came where: the engine's ranks for the seats that kept the rules, and the faults below them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.record import Fault


def first_faults(faults: Iterable[Fault]) -> dict[int, Fault]:
    """The fault that put each seat out."""
    out: dict[int, Fault] = {}
    for fault in faults:
        out.setdefault(fault.seat, fault)
    return out


def is_void(seats: int, faults: Iterable[Fault]) -> bool:
    """Every seat failed at start."""
    return len({fault.seat for fault in faults if fault.stage == "start"}) == seats


def is_cut(seats: int, faults: Iterable[Fault]) -> bool:
    """Fewer than two seats without fault remain, so the game cannot go on."""
    return bool(first_faults(faults)) and seats - len(first_faults(faults)) < 2


def ranks_with_faults(seats: int, faults: Iterable[Fault], ranks: Sequence[int] | None) -> tuple[int, ...]:
    """Final ranks from the engine's (None when the game was cut): seats at fault come last, the later fault first."""
    out = first_faults(faults)

    def place(seat: int) -> tuple[bool, bool, int]:
        # Smaller is better: clean seats by the engine's rank, then faults from the latest to those at start.
        if seat not in out:
            return (False, False, ranks[seat] if ranks is not None else 0)
        on_act, ply = out[seat].when
        return (True, not on_act, -ply)

    places = [place(seat) for seat in range(seats)]
    return tuple(1 + sum(other < mine for other in places) for mine in places)
