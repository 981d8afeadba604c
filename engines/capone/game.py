"""Capone as the registry knows it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import NoneType
from typing import ClassVar

from engines.api import EngineError, Game, InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot
from engines.capone.history import Misread
from engines.capone.rebuild import rebuild, take
from engines.capone.scoring import INCOME
from engines.capone.state import CaponeState
from engines.capone.tables import MOST_SEATS, YEAR_LIMIT


class Capone(Game):
    """Three to six families, one million to launder."""

    name: ClassVar[str] = "capone"
    title: ClassVar[str] = "Capone"
    rules_version: ClassVar[int] = 1
    seats: ClassVar[range] = range(3, MOST_SEATS + 1)
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = {"income": tuple(INCOME)}
    # A bound for one seat in one year:
    #   6 in the exchange (5 returns and done);
    #   3 in each of 5 turns (card, place, guards; every other card asks for less);
    #   14 puts: a put takes a member from home to a site, and within a year members come back home only by the one
    #     Takeover card (at most the 6 members a site can hold, CA 4.4) and by bails, counted below; 8 + 6 = 14;
    #   2 in the settlement (rehire, invest).
    # That is 37 a year for 40 years. Bails: each frees a member arrested by the one FBI card of a year, so there are
    # at most 40 in a game, each with one more put at most: 80. 40 * 37 + 80 = 1560.
    max_choices: ClassVar[int] = YEAR_LIMIT * (6 + 5 * 3 + 14 + 2) + YEAR_LIMIT * 2

    def new(self, *, seats: int = 4, seed: int = 0, **options: Json) -> CaponeState:
        chosen = self.check_setup(seats=seats, seed=seed, options=options)
        return CaponeState.begin(seats=seats, seed=seed, income=chosen["income"])

    def restore(self, snapshot: Snapshot) -> CaponeState:
        try:
            self._check_kind(snapshot)
            seed = self._seed(take(snapshot, "seed", str))
            shown = {key: value for key, value in snapshot.items() if key != "seed"}
            return self._rebuild({**shown, "seat": take(shown, "seat", NoneType)}, seed, None)
        except (Misread, EngineError, RecursionError) as error:
            raise InvalidSnapshot(f"not a snapshot of {self.name}: {error}") from error

    def imagine(self, observation: Observation, rng: Random) -> CaponeState:
        try:
            self._check_kind(observation)
            return self._rebuild(observation, rng.getrandbits(128), rng)
        except (Misread, EngineError, RecursionError) as error:
            raise InvalidObservation(f"not an observation of {self.name}: {error}") from error

    def _check_kind(self, given: Json) -> None:
        if type(given) is not dict:
            raise Misread(f"{given!r:.60} is no JSON object")
        if any(type(key) is not str for key in given):
            raise Misread("its keys are not all strings")
        for key, own in (("game", self.name), ("rules_version", self.rules_version)):
            if take(given, key, type(own)) != own:
                raise Misread(f"{key!r} is {given[key]!r:.60}, expected {own!r}")

    def _rebuild(self, given: Json, seed: int, rng: Random | None) -> CaponeState:
        seats = take(given, "seats", int)
        options = take(given, "options", dict)
        if any(type(option) is not str for option in options):
            raise Misread("'options' has keys that are not strings")
        chosen = self.check_setup(seats=seats, seed=seed, options=options)
        return rebuild(given, seats=seats, income=chosen["income"], seed=seed, rng=rng)

    @staticmethod
    def _seed(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) <= 39 and str(int(text)) == text):
            raise Misread(f"'seed' is {text!r:.60}, expected an int of up to 128 bits in decimal")
        return int(text)


GAME = Capone()
CaponeState.game = GAME
