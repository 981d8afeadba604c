"""``python -m engines``: list the games, watch a random one, count positions."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from random import Random
from typing import Any

from engines import GAMES, Game, State
from engines.api import EngineError
from engines.perft import perft, play_plies
from engines.telling import seat_names, table_of, take


def list_games(_: argparse.Namespace) -> None:
    for name, game in GAMES.items():
        options = "; ".join(f"{key}: {', '.join(map(str, values))}" for key, values in game.options.items())
        seats = " or ".join(str(seats) for seats in game.seats)
        print(f"{name:12} {game.title}, {seats} seats, rules version {game.rules_version}", end="")
        print(f" (options: {options})" if options else "")


def start(arguments: argparse.Namespace) -> State:
    """The game the arguments ask for; raises InvalidSetup."""
    game = GAMES[arguments.game]
    seats = game.seats[0] if arguments.seats is None else arguments.seats
    return game.new(seats=seats, seed=arguments.seed, **dict(read_option(game, text) for text in arguments.option))


def read_option(game: Game, text: str) -> tuple[str, Any]:
    """`income=mixed` as the option and the value of that spelling; what is unknown is left to the game to refuse."""
    option, _, value = text.partition("=")
    known = {str(value): value for value in game.options.get(option, ())}
    return option, known.get(value, value)


def play(arguments: argparse.Namespace) -> None:
    """A random game, told action by action, with the table after each turn."""
    state, rng = start(arguments), Random(arguments.seed)
    names = seat_names(state)
    print(table_of(state))
    turns = 0
    while state.to_act is not None:
        seat, action = state.to_act, rng.choice(state.legal_actions())
        print(f"{state.format(action):>12}  {take(state, action, names)}")
        if state.to_act != seat:
            turns += 1
            if turns % arguments.every == 0 or state.to_act is None:
                print(f"\n{table_of(state)}\n")
    outcome = state.outcome()
    assert outcome is not None
    print(f"The game is over ({outcome.ending}).")
    for place, (rank, score) in enumerate(zip(outcome.ranks, outcome.scores, strict=True)):
        print(f"seat {place}: rank {rank}, score {score:g}")


def count(arguments: argparse.Namespace) -> None:
    state = play_plies(start(arguments), arguments.after, Random(arguments.seed))
    for depth in range(1, arguments.depth + 1):
        print(f"depth {depth}: {perft(state, depth)}")


def number(least: int, most: int) -> Callable[[str], int]:
    """An argument type: an int within bounds."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between {least} and {most}")
        return value

    return read


def add_game(parser: argparse.ArgumentParser) -> None:
    """The arguments that say which game to set up."""
    parser.add_argument("game", choices=sorted(GAMES), metavar="GAME", help=f"one of {', '.join(sorted(GAMES))}")
    parser.add_argument("--seats", type=number(1, 99), help="number of seats (default: the fewest the game has)")
    parser.add_argument("--seed", type=number(0, (1 << 128) - 1), default=0, help="the same seed, the same game")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated; see list")


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engines", description="The rules of four board games.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="the games, their seats and options")
    listing.set_defaults(run=list_games)
    playing = commands.add_parser("play", help="a random game as text, the table drawn after each turn")
    add_game(playing)
    playing.add_argument("--every", type=number(1, 10**6), default=1, metavar="N", help="draw the table every N turns")
    playing.set_defaults(run=play)
    counting = commands.add_parser("perft", help="count the ways to play on, by depth")
    add_game(counting)
    counting.add_argument("--depth", type=number(1, 9), default=3, help="how many actions deep, 1 to 9 (default 3)")
    counting.add_argument("--after", type=number(0, 10**6), default=0, metavar="N", help="take N random actions first")
    counting.set_defaults(run=count)
    return parser


def main(words: list[str] | None = None) -> int:
    arguments = build_parser().parse_args(words)
    try:
        arguments.run(arguments)
    except EngineError as error:
        print(f"python -m engines: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
