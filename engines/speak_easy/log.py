"""The log as a chain that copies share: each link is (the log before, what happened)."""

from __future__ import annotations

from engines.speak_easy.actions import FIRST_MOVE, TEXTS
from engines.speak_easy.tables import CODES, PIECES_A_SIDE, RESULTS, TO_PLACE

# a placement is a kind, a quiet move its action, a confrontation (action, mover's kind, defender's kind)
Entry = int | tuple[int, int, int]
Log = tuple["Log", Entry] | None


def entries(log: Log) -> list[Entry]:
    """What happened, oldest first."""
    happened = []
    while log is not None:
        log, entry = log
        happened.append(entry)
    happened.reverse()
    return happened


def chain(happened: list[Entry]) -> Log:
    """The log of what happened."""
    log: Log = None
    for entry in happened:
        log = (log, entry)
    return log


class MoveTexts(dict[Entry, str]):
    """What a seat's moves read like: `1 a6-a7`, or `1 a6-a7 8x3` for a confrontation (spelled when asked for)."""

    __slots__ = ("_seat",)

    def __init__(self, seat: int) -> None:
        super().__init__({action: f"{seat} {TEXTS[action]}" for action in TEXTS if action >= FIRST_MOVE})
        self._seat = seat

    def __missing__(self, entry: Entry) -> str:
        assert type(entry) is tuple
        action, mover, defender = entry
        return f"{self._seat} {TEXTS[action]} {CODES[mover]}x{CODES[defender]}"


MOVE_TEXTS = (MoveTexts(0), MoveTexts(1))


def texts(happened: list[Entry], *, first: int, seat: int | None) -> list[str]:
    """The log as a seat reads it; SE 7.3: enemy placements as `?`."""
    told = []
    for placer in (0, 1):
        placements = happened[placer * PIECES_A_SIDE : (placer + 1) * PIECES_A_SIDE]
        if seat in (placer, None):
            told += [f"{placer} {CODES[kind]}" for kind in placements]  # type: ignore[index]
        else:
            told += [f"{placer} ?"] * len(placements)
    told += [""] * (len(happened) - len(told))
    for turn in (0, 1):  # the seats move in turns
        spell = MOVE_TEXTS[(first + turn) % 2].__getitem__
        told[TO_PLACE + turn :: 2] = map(spell, happened[TO_PLACE + turn :: 2])
    return told


def confrontations(happened: list[Entry]) -> list[str]:
    """SE 5.1: every confrontation with the ply, the cells, both kinds and the result."""
    return [
        f"{ply} {TEXTS[entry[0]]} {CODES[entry[1]]}x{CODES[entry[2]]} {RESULTS[entry[1]][entry[2]]}"
        for ply, entry in enumerate(happened)
        if type(entry) is tuple
    ]
