"""Gatsby as the contract wants it: new games, restored ones and imagined ones."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from engines import chance
from engines.api import Game, Json, Observation, Snapshot
from engines.gatsby import asks, imagination, observation
from engines.gatsby.moves import ask
from engines.gatsby.state import Deal, GatsbyState
from engines.gatsby.tables import (
    ACTION_STEPS,
    ALL_TRACKS,
    BONUSES,
    CELLS,
    CHARACTERS,
    DRAWN_AT_SETUP,
    FACE_UP,
    FLOOR_BONUS,
    NONE,
    OUTRANKS,
    PLACES,
    SPECIALS,
    STARS,
    TILES,
    TOP_FLOOR,
    printed_bonuses,
)

QUARTERS = 4


def dealt_places(shuffled: list[int]) -> tuple[int, ...]:
    """The first characters of a shuffled deck on the places, the better ones on top (GA 3.1, 3.2)."""
    at = shuffled[: len(PLACES)]
    for top, bottom in OUTRANKS:
        if STARS[at[bottom]] > STARS[at[top]]:
            at[bottom], at[top] = at[top], at[bottom]
    return tuple(at)


def _deal(seed: int, deck: list[int], at: tuple[int, ...]) -> Deal:
    """The tiles, the starter and the faces of a new game."""
    order = chance.shuffle(seed, "tiles", range(len(TILES)))
    tiles = tuple((tile, chance.draw(seed, f"turns/{n}", QUARTERS)) for n, tile in enumerate(order))
    return Deal(
        seed=seed,
        starter=chance.draw(seed, "starter", 2),
        tiles=tiles,
        prints=printed_bonuses(tiles),
        up=sum(1 << at[place] for place, is_up in enumerate(FACE_UP) if is_up),
        box=tuple(sorted(deck[len(PLACES) :])),
    )


def _opening(seed: int) -> GatsbyState:
    """The table before the first choice: the seat that doesn't start has two specials in hand (GA 3.3)."""
    deck = chance.shuffle(seed, "characters", range(len(CHARACTERS)))
    pile = tuple(chance.shuffle(seed, "specials", SPECIALS))
    at = dealt_places(deck)
    s = GatsbyState.__new__(GatsbyState)
    s.deal = _deal(seed, deck, at)
    s.to_act = s.turn = 1 - s.deal.starter
    s.ply, s.log, s.result = 0, None, None
    s.tokens, s.filled, s.rim, s.open, s.full = [0, 0], 0, 0, ALL_TRACKS, 0
    s.floors, s.at, s.claimed, s.known = [0, 0], at, [0, 0], [s.deal.up, s.deal.up]
    s.slots, s.aside, s.left_out, s.used = (NONE, NONE), ((), ()), ((), ()), ()
    s.pile, s.drawn = pile[DRAWN_AT_SETUP:], pile[:DRAWN_AT_SETUP]
    s.marker = s.forced = s.action = s.last = s.first = s.second = NONE
    s.step, s.tracks, s.offers, s.forcing = 0, 0, (), False
    ask(s, asks.SETUP_PICK)
    return s


def most_choices() -> int:
    """A number of choices that no seat can exceed in one game; RULES.md tells the count."""
    cells = CELLS - 1  # each takes a token once, and the first lies there from the setup
    single = sum("advance" not in steps and "swap_own" in steps for steps in ACTION_STEPS)
    turns = cells + 2 * TOP_FLOOR + single
    printed = [BONUSES[bonus] for bonus in (*printed_bonuses(_ANY_TILES), *FLOOR_BONUS) if bonus != NONE]
    in_bonuses = sum(1 + _CHOICES_OF_BONUS[letter] for letter in printed)
    in_steps = sum(_CHOICES_OF_STEP.get(step, 0) for steps in ACTION_STEPS for step in steps)
    return 2 + (turns + 1) // 2 + cells + in_bonuses + in_steps


# Choices beyond take or skip; the token of I is counted with the cells.
_CHOICES_OF_BONUS = {"X": 3, "A": 0, "I": 0, "S": 2, "F": 1, "D": 2}
_CHOICES_OF_STEP = {"exchange_first": 2, "swap_own": 2}
_ANY_TILES = tuple((tile, 0) for tile in range(len(TILES)))


class Gatsby(Game):
    """Dorothy and James gather characters at a cabaret, a finance centre and a racetrack."""

    name = observation.GAME_NAME
    title = "Gatsby"
    rules_version = observation.RULES_VERSION
    seats = range(2, 3)
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = {}
    max_choices = most_choices()

    def new(self, *, seats: int = 2, seed: int = 0, **options: Json) -> GatsbyState:
        self.check_setup(seats=seats, seed=seed, options=options)
        return _opening(seed)

    def restore(self, snapshot: Snapshot) -> GatsbyState:
        return imagination.restore(snapshot)

    def imagine(self, observation: Observation, rng: Random) -> GatsbyState:
        return imagination.imagine(observation, rng)


GAME = Gatsby()
GatsbyState.game = GAME
