"""What a game promises of snapshots and observations, and of what a seat can imagine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from engines.api import (
    COMMON_FIELDS,
    EngineError,
    InvalidObservation,
    InvalidSnapshot,
    Json,
    Observation,
    State,
)
from engines.contract.promise import hold, refused
from engines.playing import Setup, over_the_wire, play_on, played, positions, views
from engines.reading import short

MOST_BYTES = 24 * 1024


def restores_the_same_game(setup: Setup) -> None:
    """A restored snapshot is the same game now and later."""
    for state in positions(setup, 4, 5):
        snapshot = state.snapshot()
        restored = setup.game.restore(over_the_wire(snapshot))
        hold(over_the_wire(snapshot) == snapshot == restored.snapshot(), "a snapshot is no plain JSON, or not restored")
        hold(restored.to_act == state.to_act, "the restored state has another seat to act")
        hold(restored.legal_actions() == state.legal_actions(), "the restored state has other legal actions")
        hold(views(restored, setup.seats) == views(state, setup.seats), "the restored state looks different")
        later = play_on(restored, Random(6)).snapshot()
        hold(later == play_on(state, Random(6)).snapshot(), "the restored state plays on in another way")


def restoring_leaves_the_snapshot_alone(setup: Setup) -> None:
    """What is restored shares nothing with the snapshot."""
    state = positions(setup, 4, 4)[1]
    snapshot = state.snapshot()
    play_on(setup.game.restore(snapshot), Random(7))
    hold(snapshot == state.snapshot(), "playing the restored state changed the snapshot")


def writes_the_seed_as_a_decimal_string(setup: Setup) -> None:
    """A snapshot holds the seed, all 128 bits of it, as a decimal string."""
    seed = (1 << 128) - 159
    written = setup.new(seed).snapshot().get("seed")
    hold(written == str(seed), f"the seed {seed} is written as {written!r}")


def refuses_what_is_no_snapshot(setup: Setup) -> None:
    """Whatever is no snapshot or no observation is refused by name."""
    game, state = setup.game, positions(setup, 4, 4)[1]
    for bad in _bent(state.snapshot()):
        refused(InvalidSnapshot, f"the snapshot {short(bad)}", lambda wrong=bad: game.restore(wrong))  # type: ignore[misc]
    for bad in (*_bent(state.observe(0)), {**state.observe(0), "seat": setup.seats}):
        refused(InvalidObservation, f"the observation {short(bad)}", lambda wrong=bad: game.imagine(wrong, Random(1)))  # type: ignore[misc]


def _bent(good: dict[str, Json]) -> Iterator[Json]:
    """What can't be read: other things than objects, a field too few or too many, another game or version."""
    yield from (None, 7, "text", [], {}, {"game": good["game"]})
    for field in good:
        yield {key: value for key, value in good.items() if key != field}
    yield {**good, "extra": 1}
    yield {**good, "game": "no_such_game"}
    yield {**good, "rules_version": good["rules_version"] + 1}
    yield {**good, "seats": 10**9}


# --- observations


def shows_plain_and_small_json(setup: Setup) -> None:
    """Observations are plain JSON of less than 24 KiB."""
    for state in positions(setup, 5, 8):
        for view in (*views(state, setup.seats), state.public()):
            hold(over_the_wire(view) == view, "an observation is not plain JSON")
            hold(len(json.dumps(view)) < MOST_BYTES, f"an observation has {len(json.dumps(view))} bytes")


def shows_the_common_fields(setup: Setup) -> None:
    """Every observation has the fields that all games share, and they are true."""
    state = setup.new(5)
    options = {option: values[0] for option, values in setup.game.options.items()} | dict(setup.options)
    for ply, action in enumerate(played(setup, 5)):
        for seat in (*range(setup.seats), None) if ply % 9 == 0 else ():
            view = state.observe(seat)
            missing = [field for field in COMMON_FIELDS if field not in view]
            hold(not missing, f"the observation has no {', '.join(missing)}")
            told = {
                "game": setup.name, "rules_version": setup.game.rules_version, "seat": seat, "seats": setup.seats,
                "options": options, "to_act": state.to_act, "ply": ply, "outcome": None,
            }  # fmt: skip
            for field, value in told.items():
                hold(view[field] == value, f"ply {ply}: {field} is {view[field]!r}, expected {value!r}")
        state.apply(action)
    outcome = state.outcome()
    for view in views(state, setup.seats):
        hold(view["to_act"] is None, "an observation of the end has somebody to act")
        hold(
            outcome is not None and view["outcome"] == outcome.as_json(),
            "an observation has another outcome",
        )


def hides_the_seed(setup: Setup) -> None:
    """No observation holds the seed."""
    seed = 0xC0FFEE_0DDBA11 << 64 | 0xFEDC_BA98_7654_3210
    fresh, over = setup.new(seed), play_on(setup.new(seed), Random(8))
    for state in (fresh, over):
        for view in (*views(state, setup.seats), state.public()):
            hold("seed" not in view and str(seed) not in str(view), "an observation holds the seed")


def refuses_other_viewers(setup: Setup) -> None:
    """A seat that is not at the table sees nothing."""
    for seat in (-1, 99, True, "0", 0.0):
        refused(EngineError, f"observe({seat!r})", _observed(setup.new(1), seat), saying="seat")


def _observed(state: State, seat: Json) -> Callable[[], Observation]:
    return lambda: state.observe(seat)


def logs_every_action(setup: Setup) -> None:
    """The log names who acted, and its actor and all eyes read an action as it was spelled."""
    actors: list[int] = []
    state = setup.new(5)
    for action in played(setup, 5):
        seat, text = state.to_act or 0, state.format(action)
        state.apply(action)
        actors.append(seat)
        for viewer in (*range(setup.seats), None) if len(actors) % 7 == 0 else ():
            log = state.observe(viewer)["log"]
            told = [int(entry.split(" ")[0]) for entry in log]
            hold(told == actors[len(actors) - len(told) :], f"ply {len(actors)}: {viewer} reads of other actors")
            if log and viewer in (seat, None):
                hold(log[-1].startswith(f"{seat} {text}"), f"{viewer} reads {log[-1]!r} for '{seat} {text}'")


# --- what a seat can imagine, and what nobody can know


def imagines_what_it_sees(setup: Setup) -> None:
    """A seat recognises what it imagines: the same view, the same seat to act, the same legal actions."""
    for seed in (21, 22):
        check_imagining(setup, seed, 12)


def check_imagining(setup: Setup, seed: int, count: int) -> None:
    """Hold that every seat recognises what it imagines at so many positions of a random game."""
    for state in positions(setup, seed, count):
        for seat in range(setup.seats):
            _check_imagined(setup, state, seat, seed)


def _check_imagined(setup: Setup, state: State, seat: int, seed: int) -> None:
    view = state.observe(seat)
    where = f"seed {seed}, ply {view['ply']}, seat {seat}"
    imagined = setup.game.imagine(over_the_wire(view), Random(seed))
    hold(imagined.observe(seat) == view, f"{where}: the imagined state looks different")
    hold(imagined.to_act == state.to_act, f"{where}: another seat is to act")
    hold(imagined.outcome() == state.outcome(), f"{where}: another outcome")
    own = state.to_act == seat
    hold(not own or imagined.legal_actions() == state.legal_actions(), f"{where}: other legal actions")


def plays_on_what_it_imagined(setup: Setup) -> None:
    """An imagined game plays to its end within the bound, and can be snapshot, restored and imagined again."""
    for number, state in enumerate(positions(setup, 23, 6)):
        seat = number % setup.seats
        imagined = setup.game.imagine(state.observe(seat), Random(number))
        again = setup.game.restore(over_the_wire(imagined.snapshot()))
        hold(again.snapshot() == imagined.snapshot(), "an imagined state is not restored from its snapshot")
        twice = setup.game.imagine(imagined.observe(seat), Random(1))
        hold(twice.observe(seat) == state.observe(seat), "what is imagined twice looks different")
        choices: Counter[int] = Counter()
        while imagined.to_act is not None:
            choices[imagined.to_act] += 1
            imagined.apply(Random(number).choice(imagined.legal_actions()))
        hold(max(choices.values(), default=0) <= setup.game.max_choices, "an imagined game exceeds max_choices")
        hold(imagined.outcome() is not None, "an imagined game ends without an outcome")


def imagines_from_the_rng_alone(setup: Setup) -> None:
    """The same rng imagines the same, another one another seed, and the observation is left alone."""
    state = positions(setup, 25, 4)[1]
    view = state.observe(0)
    first, again, other = (setup.game.imagine(view, Random(n)).snapshot() for n in (1, 1, 2))
    hold(first == again, "the same rng imagined two states")
    hold(first["seed"] != other["seed"], "two rngs imagined the same seed")
    hold(setup.game.imagine(setup.new(27).observe(0), Random(1)).snapshot()["seed"] != "27", "the true seed is known")
    play_on(setup.game.imagine(view, Random(1)), Random(2))
    hold(view == state.observe(0), "imagining changed the observation")


def public_follows_from_every_seat(setup: Setup) -> None:
    """What is public follows from each seat's observation alone."""
    for seed in (21, 26):
        for state in positions(setup, seed, 10):
            public = state.public()
            for seat in range(setup.seats):
                imagined = setup.game.imagine(over_the_wire(state.observe(seat)), Random(f"{seed}/{seat}"))
                differing = _differing(imagined.public(), public)
                hold(not differing, f"seed {seed}, ply {public['ply']}: seat {seat} can't know {', '.join(differing)}")


def _differing(one: Observation, other: Observation) -> list[str]:
    return [field for field in {**one, **other} if one.get(field, ...) != other.get(field, ...)]


def public_has_the_shape_of_an_observation(setup: Setup) -> None:
    """A public view has the fields of an observation, no seat, and hides every line that some seat did not see."""
    for state in positions(setup, 26, 8):
        public, seen = state.public(), [state.observe(seat) for seat in range(setup.seats)]
        hold(set(public) == set(seen[0]), "the public view has other fields than an observation")
        hold(public["seat"] is None, "the public view is that of a seat")
        for line, *lines in zip(public["log"], *(view["log"] for view in seen), strict=True):
            hidden = any(other.endswith("?") for other in lines)
            hold(line.endswith("?") if hidden else line == lines[0], f"{line!r} is public; the seats read {lines}")


PROMISES: tuple[Callable[[Setup], None], ...] = (
    restores_the_same_game,
    restoring_leaves_the_snapshot_alone,
    writes_the_seed_as_a_decimal_string,
    refuses_what_is_no_snapshot,
    shows_plain_and_small_json,
    shows_the_common_fields,
    hides_the_seed,
    refuses_other_viewers,
    logs_every_action,
    imagines_what_it_sees,
    plays_on_what_it_imagined,
    imagines_from_the_rng_alone,
    public_follows_from_every_seat,
    public_has_the_shape_of_an_observation,
)
