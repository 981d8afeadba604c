"""The checks of the contract can fail: each of these games breaks one promise."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines.contract import BrokenPromise, about, check_game, play, promises, sight, tell
from engines.playing import Setup

sys.path.append(str(Path(__file__).parents[1] / "outside" / "nickel-dice"))

from nickel_dice.game import NickelDice
from nickel_dice.state import DiceState
from nickel_dice.words import DiceWords


def flawed(state: type[DiceState] = DiceState, words: type[DiceWords] = DiceWords, **about_it: Any) -> NickelDice:
    """Nickel Dice, but its states are of this kind and it talks like that."""

    class Flawed(NickelDice):
        def new(self, **setup: Any) -> DiceState:
            return _turned(super().new(**setup))

        def restore(self, snapshot: Any) -> DiceState:
            return _turned(super().restore(snapshot))

        def imagine(self, observation: Any, rng: Random) -> DiceState:
            return _turned(super().imagine(observation, rng))

    def _turned(made: DiceState) -> DiceState:
        made.__class__ = state
        return made

    Flawed.words = words()
    for name, value in about_it.items():
        setattr(Flawed, name, value)
    return Flawed()


class Sound(DiceState):
    __slots__ = ()

    def copy(self) -> DiceState:
        twin = super().copy()
        twin.__class__ = type(self)
        return twin


class Unsorted(Sound):
    __slots__ = ()

    def legal_actions(self) -> list[int]:
        return super().legal_actions()[::-1]


class SharedCopies(Sound):
    __slots__ = ()

    def copy(self) -> DiceState:
        twin = super().copy()
        twin.kept = self.kept
        return twin


class TellsTheSeed(Sound):
    __slots__ = ()

    def observe(self, seat: int | None) -> dict[str, Any]:
        return {**super().observe(seat), "hint": str(self.seed)}


class PublicDice(Sound):
    __slots__ = ()

    def public(self) -> dict[str, Any]:
        return {**super().public(), "rolled": [list(dice) for dice in self.rolled]}


class PublicLog(Sound):
    __slots__ = ()

    def public(self) -> dict[str, Any]:
        return {**super().public(), "log": self.observe(None)["log"]}


class ReadsTheRandomModule(Sound):
    __slots__ = ()

    def apply(self, action: int) -> None:
        random.random()
        super().apply(action)


class TakesAnything(Sound):
    __slots__ = ()

    def apply(self, action: int) -> None:
        super().apply(action if action in self.legal_actions() else self.legal_actions()[0])


class WrongWay(Sound):
    __slots__ = ()

    def parse(self, text: str) -> int:
        return 0


class Silent(DiceWords):
    def sentence(self, *_: Any) -> str:
        return ""


class Anonymous(DiceWords):
    def asked(self, *_: Any) -> str:
        return "Somebody has to bid."


class Fickle(DiceWords):
    def turn_order(self, state: Any) -> tuple[int, ...]:
        return tuple(sorted(range(state.seats), key=lambda seat: (seat + state.ply) % state.seats))


class Endless(DiceWords):
    endings = {}


BROKEN: list[tuple[Callable[[Any], None], NickelDice, str]] = [
    (play.offers_short_lists_until_it_ends, flawed(Unsorted), "not sorted"),
    (play.offers_short_lists_until_it_ends, flawed(max_choices=2), "is not over after 5 actions"),
    (play.copies_are_independent, flawed(SharedCopies), "playing a copy changed the state"),
    (play.leaves_the_global_random_source_alone, flawed(ReadsTheRandomModule), "the random module was used"),
    (play.refuses_illegal_actions, flawed(TakesAnything), "is accepted; expected IllegalAction"),
    (play.spells_actions_one_way, flawed(WrongWay), "is read as 0"),
    (sight.hides_the_seed, flawed(TellsTheSeed), "holds the seed"),
    (sight.public_follows_from_every_seat, flawed(PublicDice), "can't know rolled"),
    (sight.public_has_the_shape_of_an_observation, flawed(PublicLog), "is public; the seats read"),
    (tell.tells_every_action, flawed(Sound, Silent), "the sentence is ''"),
    (tell.asks_and_draws_for_every_viewer, flawed(Sound, Anonymous), "asked does not name"),
    (tell.has_one_turn_order, flawed(Sound, Fickle), "the turn order was"),
    (tell.knows_its_endings, flawed(Sound, Endless), "no words for the ending"),
]


@pytest.mark.parametrize(("promise", "game", "told"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_a_broken_promise_is_told(promise: Callable[[Any], None], game: NickelDice, told: str) -> None:
    with pytest.raises((BrokenPromise, RuntimeError), match=told):
        promise(Setup(game, 2))


@pytest.mark.parametrize(("name", "value"), [("name", "Nickel Dice"), ("seats", (2, 3)), ("rules_version", "1")])
def test_a_game_that_says_something_else_of_itself_breaks_a_promise(name: str, value: object) -> None:
    with pytest.raises(BrokenPromise, match=name):
        about.says_what_it_is(flawed(**{name: value}))


def test_a_sound_game_keeps_every_promise_and_a_flawed_one_breaks_few() -> None:
    assert [finding.problem for finding in check_game(flawed(Sound)) if finding.problem] == [
        finding.problem for finding in check_game(flawed(Sound)) if "RULES.md" in finding.problem
    ]
    broken = [finding for finding in check_game(flawed(TellsTheSeed)) if finding.problem]
    assert 0 < len(broken) < len(promises()) // 2
    assert any("seed" in finding.problem and finding.table == "nickel_dice-2" for finding in broken)
