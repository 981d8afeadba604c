"""What is to be played: everything a runner needs to know about a match, and nothing about who asked for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import ceil

from arena.shape import Fields
from engines import GAMES, Game, InvalidSetup
from engines.api import Json
from engines.api import short as shown

_DIGEST = re.compile(r"[0-9a-f]{64}")
# Beside what its seats may use, a match takes the runner's own work and what a core that counts as quiet gives others.
_SPARE = 1.25


class InvalidOrder(ValueError):
    """An order that cannot be read, or that names a game, option or limit that does not exist."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What each bot may use; cpu time is what is limited, wall and idle time only bound it from outside."""

    start_ms: int = 5_000
    turn_ms: int = 100
    bank_ms: int = 10_000
    memory_mib: int = 512
    idle_act_ms: int = 2_000
    idle_match_ms: int = 20_000
    wall_ms: int = 600_000

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            low = 64 if item.name == "memory_mib" else 0 if item.name == "bank_ms" else 1
            if type(value) is not int or not low <= value <= 86_400_000:
                raise InvalidOrder(f"limits.{item.name} must be a whole number from {low} up, not {shown(value)}")

    def lasting(self, game: str, seats: int) -> Limits:
        """The same, but with a wall limit within which every seat can use up all it is given."""
        to_start = self.start_ms + max(2 * self.start_ms, 2_000)
        to_play = GAMES[game].max_choices * self.turn_ms + self.bank_ms + self.idle_match_ms
        return replace(self, wall_ms=max(self.wall_ms, ceil(_SPARE * seats * (to_start + to_play))))

    def most_cpu_s(self, game: str) -> int:
        """Where the kernel ends a bot, should nobody look: all that its clock can give in a match, and some more."""
        return ceil((self.start_ms + GAMES[game].max_choices * self.turn_ms + self.bank_ms) / 1000) + 5

    def as_json(self) -> dict[str, int]:
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @classmethod
    def from_json(cls, data: Json) -> Limits:
        read = Fields(data, "limits", InvalidOrder)
        return cls(**{item.name: read.int(item.name) for item in fields(cls)})


# What else an order is made of than numbers.
_KINDS = (
    ("game", str, "a string"),
    ("seats", (tuple, list), "a list of digests"),
    ("options", Mapping, "an object"),
    ("limits", Limits, "Limits"),
)


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """One match to play: seats holds the sha256 digest of the bot version in each seat."""

    game: str
    rules_version: int
    seed: int
    seats: tuple[str, ...]
    options: Mapping[str, Json] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for name, kind, expected in _KINDS:
            if not isinstance(getattr(self, name), kind):
                raise InvalidOrder(f"order.{name} must be {expected}, not {shown(getattr(self, name))}")
        object.__setattr__(self, "seats", tuple(self.seats))
        if type(self.rules_version) is not int or self.rules_version < 1:
            raise InvalidOrder(f"order.rules_version must be a whole number from 1 up, not {shown(self.rules_version)}")
        if type(self.seed) is not int or not 0 <= self.seed < 1 << 128:
            raise InvalidOrder(f"order.seed must be a whole number from 0 to 2**128 - 1, not {shown(self.seed)}")
        for digest in self.seats:
            if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
                raise InvalidOrder(f"order.seats must hold sha256 digests (64 hex digits), not {shown(digest)}")

    @property
    def is_outdated(self) -> bool:
        """Whether it is for older rules than those of this installation; False for a game that is not known here."""
        game = GAMES.get(self.game)
        return game is not None and self.rules_version < game.rules_version

    def known(self) -> Game:
        """The game of this order, under its present or older rules; raises InvalidOrder."""
        game = GAMES.get(self.game)
        if game is None:
            raise InvalidOrder(f"there is no game {shown(self.game)}; the games are {', '.join(GAMES) or 'none'}")
        if self.rules_version > game.rules_version:
            raise InvalidOrder(
                f"rules version {self.rules_version} of {self.game} is not known here: "
                f"this installation has version {game.rules_version}; install a newer one"
            )
        return game

    def check(self) -> Game:
        """The game of this order, if it can be played here; raises InvalidOrder."""
        game = self.known()
        if self.is_outdated:
            raise InvalidOrder(
                f"the order is for rules version {self.rules_version} of {self.game}; "
                f"this installation plays version {game.rules_version}"
            )
        try:
            game.check_setup(seats=len(self.seats), seed=self.seed, options=self.options)
        except InvalidSetup as error:
            raise InvalidOrder(str(error)) from error
        return game

    def as_json(self) -> dict[str, Json]:
        return {
            "game": self.game,
            "rules_version": self.rules_version,
            "options": dict(self.options),
            "seed": str(self.seed),
            "seats": list(self.seats),
            "limits": self.limits.as_json(),
        }

    @classmethod
    def from_json(cls, data: Json) -> MatchOrder:
        """Read an order; raises InvalidOrder, but does not ask whether its game is known here (see check)."""
        read = Fields(data, "order", InvalidOrder)
        return cls(
            game=read.text("game"),
            rules_version=read.int("rules_version"),
            options=read.any("options"),
            seed=_read_seed(read.text("seed")),
            seats=read.texts("seats"),
            limits=Limits.from_json(read.any("limits")),
        )


def _read_seed(text: str) -> int:
    """A seed travels as a decimal string, because 128 bits do not fit in every reader's numbers."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,38}", text) or int(text) >= 1 << 128:
        raise InvalidOrder(f"order.seed must be a decimal string below 2**128, not {shown(text)}")
    return int(text)
