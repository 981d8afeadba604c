"""What chance gives a new game: tiles, starter, characters and the pile of specials (GA 2.1, 3)."""

from __future__ import annotations

from dataclasses import dataclass

from engines import chance
from engines.gatsby.tables import CHARACTERS, FACE_UP, OUTRANKS, PLACES, SPECIALS, STARS, TILES, printed_bonuses

QUARTERS = 4


@dataclass(frozen=True, slots=True)
class Deal:
    """What never changes in a game."""

    seed: int
    starter: int
    tiles: tuple[tuple[int, int], ...]  # (tile, quarter turns) of each quadrant
    prints: tuple[int, ...]  # the bonus of each cell of cabaret and tracks
    up: int  # characters that are face up, wherever they are: the face moves with the character (GA 5.2)
    box: tuple[int, ...]


def dealt_places(shuffled: list[int]) -> tuple[int, ...]:
    """The first characters of a shuffled deck on the places, the better ones on top (GA 3.1, 3.2)."""
    at = shuffled[: len(PLACES)]
    for top, bottom in OUTRANKS:
        if STARS[at[bottom]] > STARS[at[top]]:
            at[bottom], at[top] = at[top], at[bottom]
    return tuple(at)


def deal_from_seed(seed: int) -> tuple[Deal, tuple[int, ...], tuple[int, ...]]:
    """The deal, the character of each place and the specials from the top of the pile."""
    deck = chance.shuffle(seed, "characters", range(len(CHARACTERS)))
    at = dealt_places(deck)
    order = chance.shuffle(seed, "tiles", range(len(TILES)))
    tiles = tuple((tile, chance.draw(seed, f"turns/{n}", QUARTERS)) for n, tile in enumerate(order))
    deal = Deal(
        seed=seed,
        starter=chance.draw(seed, "starter", 2),
        tiles=tiles,
        prints=printed_bonuses(tiles),
        up=sum(1 << at[place] for place, is_up in enumerate(FACE_UP) if is_up),
        box=tuple(sorted(deck[len(PLACES) :])),
    )
    return deal, at, tuple(chance.shuffle(seed, "specials", SPECIALS))
