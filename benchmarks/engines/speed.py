"""How fast the engines play: random games through one driver, in turns with games of other libraries."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any

from engines import BUILD, GAMES, Game, State
from engines.perft import play_plies

# cpu time of this process, so that the machine's other work disturbs the figures less
clock = time.process_time


@dataclass(slots=True)
class Pace:
    """Moves and games played in some seconds."""

    moves: int = 0
    games: int = 0
    seconds: float = 0.0

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds


@dataclass(slots=True)
class Runner:
    """Something that plays one random game and says how many moves it had."""

    name: str
    play_game: Callable[[Random], int]
    pace: Pace = field(default_factory=Pace)

    def run(self, seconds: float, rng: Random) -> None:
        """Play whole games for about that long."""
        began = clock()
        while clock() - began < seconds:
            self.pace.moves += self.play_game(rng)
            self.pace.games += 1
        self.pace.seconds += clock() - began


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one game with one number of seats."""

    game: str
    seats: int
    moves_per_second: float
    games_per_second: float
    moves_per_game: float
    legal_us: float
    copy_us: float
    observe_us: float
    imagine_us: float
    ratios: dict[str, float]


@dataclass(frozen=True, slots=True)
class SpeedReport:
    """Which build was measured, the figures of all games, the moves/s of the peers, and those that could not be had."""

    build: str
    figures: list[Figures]
    peers: dict[str, float]
    missing: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def play_ours(game: Game, seats: int, rng: Random) -> int:
    state = game.new(seats=seats, seed=rng.getrandbits(64))
    moves = 0
    while state.to_act is not None:
        state.apply(rng.choice(state.legal_actions()))
        moves += 1
    return moves


def play_chess(chess: ModuleType, rng: Random) -> int:
    board = chess.Board()
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return len(board.move_stack)


def play_spiel(game: Any, rng: Random) -> int:
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        moves += 1
    return moves


def our_runners(names: list[str], *, all_seats: bool) -> dict[tuple[str, int], Runner]:
    """Each game with its smallest and its largest number of seats, or with every one."""
    seats_of = {name: GAMES[name].seats for name in names}
    tables = [
        (name, number)
        for name, seats in seats_of.items()
        for number in (seats if all_seats else sorted({seats[0], seats[-1]}))
    ]
    return {
        (name, seats): Runner(f"{name}-{seats}", lambda rng, game=GAMES[name], seats=seats: play_ours(game, seats, rng))  # type: ignore[misc]
        for name, seats in tables
    }


def peer_runners() -> tuple[list[Runner], dict[str, str]]:
    """The peers that can be imported here, and why the others can't."""
    found: list[Runner] = []
    missing: dict[str, str] = {}
    try:
        chess = import_module("chess")
        found.append(Runner("python-chess", lambda rng: play_chess(chess, rng)))
    except ImportError as error:
        missing["python-chess"] = str(error)
    for name in ("dark_chess", "connect_four"):
        try:
            game = import_module("pyspiel").load_game(name)
            found.append(Runner(f"open_spiel {name}", lambda rng, game=game: play_spiel(game, rng)))  # type: ignore[misc]
        except ImportError as error:
            missing[f"open_spiel {name}"] = str(error)
    return found, missing


def microseconds(act: Callable[[], object], seconds: float) -> float:
    """The mean time of a call."""
    calls, began = 0, clock()
    while clock() - began < seconds:
        for _ in range(10):
            act()
        calls += 10
    return (clock() - began) / calls * 1e6


def sample_states(game: Game, seats: int, rng: Random) -> list[State]:
    """Positions from the first, second, third and last quarter of a random game."""
    seed, order = rng.getrandbits(64), rng.getrandbits(64)
    length = play_ours_length(game, seats, seed, order)
    return [play_plies(game.new(seats=seats, seed=seed), length * part // 8, Random(order)) for part in (1, 3, 5, 7)]


def play_ours_length(game: Game, seats: int, seed: int, order: int) -> int:
    state = play_plies(game.new(seats=seats, seed=seed), seats * game.max_choices, Random(order))
    return int(state.observe(None)["ply"])


def measure(*, names: list[str], rounds: int, seconds: float, all_seats: bool = False) -> SpeedReport:
    """Run ours and the peers in turns, so that a slow moment of the machine meets all of them."""
    rng = Random(1923)
    ours = our_runners(names, all_seats=all_seats)
    peers, missing = peer_runners()
    for _ in range(rounds):
        for runner in (*ours.values(), *peers):
            runner.run(seconds, rng)
    pace_of_peers = {peer.name: peer.pace.moves_per_second for peer in peers}
    figures = [
        figures_of(GAMES[name], seats, runner.pace, pace_of_peers, seconds, rng)
        for (name, seats), runner in ours.items()
    ]
    return SpeedReport(BUILD, figures, pace_of_peers, missing)


def figures_of(game: Game, seats: int, pace: Pace, peers: dict[str, float], seconds: float, rng: Random) -> Figures:
    states = sample_states(game, seats, rng)
    views = [state.observe(state.to_act) for state in states]
    part = seconds / len(states)
    return Figures(
        game=game.name,
        seats=seats,
        moves_per_second=pace.moves_per_second,
        games_per_second=pace.games_per_second,
        moves_per_game=pace.moves / pace.games,
        legal_us=mean(microseconds(state.legal_actions, part) for state in states),
        copy_us=mean(microseconds(state.copy, part) for state in states),
        observe_us=mean(microseconds(lambda s=state: s.observe(s.to_act), part) for state in states),  # type: ignore[misc]
        imagine_us=mean(microseconds(lambda v=view: game.imagine(v, rng), part) for view in views),  # type: ignore[misc]
        ratios={name: pace.moves_per_second / speed for name, speed in peers.items()},
    )


def mean(values: Any) -> float:
    numbers = list(values)
    return float(sum(numbers) / len(numbers))


def table(report: SpeedReport) -> str:
    """The report as text."""
    head = ["game", "moves/s", "games/s", "moves/game", "legal µs", "copy µs", "observe µs", "imagine µs"]
    head += [f"x {peer}" for peer in report.peers]
    rows = [head]
    for one in report.figures:
        row = [f"{one.game}-{one.seats}", f"{one.moves_per_second:,.0f}", f"{one.games_per_second:,.0f}"]
        row += [f"{one.moves_per_game:,.1f}", f"{one.legal_us:,.2f}", f"{one.copy_us:,.2f}"]
        row += [f"{value:,.1f}" for value in (one.observe_us, one.imagine_us)]
        rows.append(row + [f"{ratio:.2f}" for ratio in one.ratios.values()])
    rows += [[peer, f"{speed:,.0f}"] for peer, speed in report.peers.items()]
    widths = [max(len(row[place]) for row in rows if place < len(row)) for place in range(len(head))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=False)) for row in rows]
    lines.append(f"measured: the {report.build} engines")
    lines += [f"{peer} is left out: {reason}" for peer, reason in report.missing.items()]
    return "\n".join(lines)
