"""`python -m benchmarks.engines`: random games a second, in turns with other libraries."""

from __future__ import annotations

import argparse
import json
import sys

from benchmarks.engines.builds import compare_builds
from benchmarks.engines.speed import measure, table
from engines import GAMES
from engines.__main__ import number


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= 60.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0 and up to 60")
    return value


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument("--game", choices=sorted(GAMES), metavar="GAME", help="only this game")
    parser.add_argument("--all-seats", action="store_true", help="every number of seats, not only fewest and most")
    parser.add_argument("--rounds", type=number(1, 1000), default=5, help="how often all take their turn (default 5)")
    parser.add_argument("--seconds", type=seconds, default=0.5, help="cpu seconds of a turn (default 0.5)")
    parser.add_argument(
        "--builds", action="store_true", help="compiled engines against pure ones (make compiled first)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def main(words: list[str] | None = None) -> int:
    arguments = build_parser().parse_args(words)
    names = [arguments.game] if arguments.game else list(GAMES)
    if arguments.builds:
        print(compare_builds(names=names, rounds=arguments.rounds, seconds=arguments.seconds))
        return 0
    report = measure(names=names, rounds=arguments.rounds, seconds=arguments.seconds, all_seats=arguments.all_seats)
    print(json.dumps(report.as_json(), indent=2) if arguments.json else table(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
