"""Which games there are: those built in, and those that installed packages add as entry points of `rumrunner.games`."""

from __future__ import annotations

import json
import os
import sys
import warnings
from _thread import RLock  # all of threading would be imported into every bot for it
from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import asdict, dataclass
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING

from engines.api import Game, short

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "rumrunner.games"
# Where bots run nothing is installed: the games from outside are listed in a file beside this one.
RESOLVED = os.path.join(os.path.dirname(__file__), "outside.json")
OUR_OWN = frozenset(("engines", "arena", "bots", "ladder"))


class UnknownGame(KeyError):
    """A game that is not installed here; it may have been once."""

    def __init__(self, name: object) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"the game {short(self.name)} is not installed here"


class BrokenGame(UserWarning):
    """A package offers a game that can't be used; the message names the package and says why."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A game that a package offers: its name, where its Game object is (`package.module:GAME`), and who offers it."""

    name: str
    value: str
    distribution: str

    @property
    def package(self) -> str:
        """The top of the package that holds the game."""
        return self.value.partition(":")[0].partition(".")[0]


class Games(MutableMapping[str, Game]):
    """The games by name, the built-in ones first; others are looked for when they are first asked for.

    A built-in game given by its name is imported from the engines when it is first asked for. A program that sets a
    game has it in its own process only.
    """

    def __init__(self, built_in: Iterable[Game | str]) -> None:
        self._here: dict[str, Game | None] = {}
        for game in built_in:
            self._here.update({game: None} if isinstance(game, str) else {game.name: game})
        self._outside: dict[str, Game] | None = None
        self._offers: dict[str, Offer] = {}
        self._refused: dict[str, str] = {}
        self._lock = RLock()

    def __getitem__(self, name: str) -> Game:
        if name not in self._here:
            if name not in self._found():
                raise UnknownGame(name)
            return self._found()[name]
        found = self._here[name]
        if found is None:
            found = self._here[name] = import_module(f"engines.{name}").GAME
        return found

    def __setitem__(self, name: str, game: Game) -> None:
        self._here[name] = game

    def __delitem__(self, name: str) -> None:
        del self._here[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._here, *self._found())))

    def __len__(self) -> int:
        return len({*self._here, *self._found()})

    def is_outside(self, name: str) -> bool:
        """Whether an installed package brings the game of that name."""
        return name not in self._here and name in self._found()

    def offers(self) -> list[Offer]:
        """The games from outside that can be used, and where each comes from."""
        self._found()
        return list(self._offers.values())

    def refused(self) -> list[str]:
        """Why games that are offered can't be used, one line each."""
        self._found()
        return list(self._refused.values())

    def _found(self) -> dict[str, Game]:
        with self._lock:
            if self._outside is None:
                self._outside, self._offers, self._refused = {}, {}, {}
                for offer in offered():
                    self._take(self._outside, offer)
            return self._outside

    def _take(self, games: dict[str, Game], offer: Offer) -> None:
        """Add the game of an offer; a broken one is told and left out."""
        try:
            self._check(offer)
            games[offer.name] = load(offer)
            self._offers[offer.name] = offer
        except UnusableOffer as reason:
            told = f"{offer.distribution} offers the game {offer.name!r}, which is left out: {reason}"
            self._refused[f"{offer.name} {offer.distribution}"] = told
            warnings.warn(told, BrokenGame, stacklevel=5)

    def _check(self, offer: Offer) -> None:
        if offer.name in self._here:
            raise UnusableOffer("a game of that name is built in")
        if offer.name in self._offers:
            raise UnusableOffer(f"{self._offers[offer.name].distribution} has a game of that name")


class UnusableOffer(ValueError):
    """Why a game that is offered can't be used."""


def offered() -> list[Offer]:
    """The games that installed packages offer, by name of the game and of the package."""
    if os.path.exists(RESOLVED):
        with open(RESOLVED, encoding="utf-8") as file:
            return [Offer(**line) for line in json.load(file)]
    found = {Offer(point.name, point.value, point.dist.name if point.dist else "?") for point in _points()}
    return sorted(found, key=lambda offer: (offer.name, offer.distribution, offer.value))


def resolved(offers: Iterable[Offer]) -> str:
    """The offers as the text of the file that stands for them where nothing is installed."""
    return json.dumps([asdict(offer) for offer in offers], indent=1) + "\n"


def load(offer: Offer) -> Game:
    """The Game object of an offer; raises UnusableOffer."""
    game = game_at(offer.value)
    if game.name != offer.name:
        raise UnusableOffer(f"{offer.value} calls itself {game.name!r}")
    return game


def game_at(place: str) -> Game:
    """The Game object at `package.module:NAME`, NAME being GAME if it is left out; raises UnusableOffer."""
    module, _, name = place.partition(":")
    package = module.partition(".")[0]
    if package in OUR_OWN or package in sys.stdlib_module_names:
        raise UnusableOffer(f"its package can't be called {package!r}: that name is taken")
    try:
        game, file = attrgetter(name or "GAME")(import_module(module)), import_module(package).__file__
    except (Exception, SystemExit) as error:
        raise UnusableOffer(f"{place} can't be imported ({type(error).__name__}: {error})") from error
    if file is None:
        raise UnusableOffer(f"its package {package!r} has no __init__.py")
    if not isinstance(game, Game):
        raise UnusableOffer(f"{place} is a {type(game).__name__}; expected an instance of engines.Game")
    return game


def _points() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # takes as long to import as a game

    return entry_points(group=GROUP)
