"""What a game promises of itself: its name, its pages, the tables it can be played at."""

from __future__ import annotations

import re
from collections.abc import Callable

from engines.api import (
    Game,
    InvalidSetup,
    Json,
    State,
)
from engines.contract.promise import hold, refused

_SLUG = re.compile(r"[a-z][a-z0-9_]{0,39}")


def says_what_it_is(game: Game) -> None:
    """The game has a name, a title, a rules version, numbers of seats, options and a bound of choices."""
    hold(bool(_SLUG.fullmatch(game.name)), f"name is {game.name!r}; expected lower-case letters, digits and _")
    hold(bool(game.title.strip()), "title is empty")
    hold(type(game.rules_version) is int and game.rules_version > 0, f"rules_version is {game.rules_version!r}")
    hold(isinstance(game.seats, range) and len(game.seats) > 0, f"seats is {game.seats!r}; expected a range")
    hold(all(len(values) > 0 for values in game.options.values()), "an option has no value")
    hold(type(game.max_choices) is int and game.max_choices > 0, f"max_choices is {game.max_choices!r}")


def has_its_pages(game: Game) -> None:
    """RULES.md and BOTS.md lie beside the game's code."""
    for page in ("RULES.md", "BOTS.md"):
        hold((game.folder / page).is_file(), f"there is no {page} in {game.folder}")


def refuses_other_seats(game: Game) -> None:
    """A number of seats that the game doesn't have is refused."""
    for seats in (0, -1, game.seats[0] - 1, game.seats[-1] + 1, 10**9, True, "2", 2.0, None, [2]):
        refused(InvalidSetup, f"seats={seats!r}", _new(game, seats=seats), saying="seats")


def refuses_other_seeds(game: Game) -> None:
    """A seed that is no int of 128 bits is refused."""
    for seed in (-1, 1 << 128, True, "7", 1.5, None):
        refused(InvalidSetup, f"seed={seed!r}", _new(game, seed=seed), saying="seed")


def refuses_other_options(game: Game) -> None:
    """An option, or a value of one, that the game doesn't have is refused."""
    refused(InvalidSetup, "option jazz", _new(game, jazz=True), saying="jazz")
    for option in game.options:
        for value in ("no such value", None, 17, True, ["x"]):
            refused(InvalidSetup, f"{option}={value!r}", _new(game, **{option: value}), saying=option)


def _new(game: Game, **arguments: Json) -> Callable[[], State]:
    return lambda: game.new(**({"seats": game.seats[0], "seed": 1} | arguments))


PROMISES: tuple[Callable[[Game], None], ...] = (
    says_what_it_is,
    has_its_pages,
    refuses_other_seats,
    refuses_other_seeds,
    refuses_other_options,
)
