"""Plays a series: the same seeds through all rotations of the seats, so that seat luck cancels."""

from __future__ import annotations

import multiprocessing
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations
from pathlib import Path

from arena.bundle import open_folder, read_bundle_file
from arena.bundle.errors import WrongGame
from arena.match import play
from arena.order import Limits, MatchOrder
from arena.record import MatchRecord
from engines import GAMES

SEED_BITS = 32  # of a seed drawn at the desk: short enough to type again


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part; two entrants may be the same file."""

    path: Path
    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class SeriesMatch:
    """One match of a series: who sits where, by entrant number."""

    number: int
    order: MatchOrder
    sitting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match and its record."""

    game: SeriesMatch
    record: MatchRecord


def enter(path: Path, game: str) -> Entrant:
    """Check a file or folder as a bot of this game; raises BundleRejected."""
    if path.is_dir():
        manifest = open_folder(path)
        if manifest.game not in (None, game):
            raise WrongGame(f"The bot is for {manifest.game}, but the match is of {game}.")
        return Entrant(path, manifest.name or path.name, _folder_digest(path))
    bundle = read_bundle_file(path, game=game)
    return Entrant(path, bundle.manifest.name or path.stem, bundle.digest)


def _folder_digest(folder: Path) -> str:
    whole = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            whole.update(f"{path.relative_to(folder)}\n".encode() + sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def schedule(game: str, entrants: Sequence[Entrant], *, games: int, seed: int, limits: Limits) -> list[SeriesMatch]:
    """Game k uses seed k // seats, with the seats turned by k % seats."""
    count = len(entrants)
    rules = GAMES[game].rules_version
    table = []
    for number in range(games):
        sitting = tuple((seat + number) % count for seat in range(count))
        order = MatchOrder(
            game=game,
            rules_version=rules,
            seed=(seed + number // count) % (1 << 128),
            seats=tuple(entrants[index].digest for index in sitting),
            limits=limits.lasting(game, count),
        )
        table.append(SeriesMatch(number, order, sitting))
    return table


def round_robin(
    game: str, field: Sequence[Entrant], *, seats: int, deals: int, seed: int, limits: Limits
) -> list[SeriesMatch]:
    """Every group of the field that fits a table, on the same deals from every seat; sittings count in the field."""
    games: list[SeriesMatch] = []
    for group in combinations(range(len(field)), seats):
        table = [field[place] for place in group]
        for each in schedule(game, table, games=deals * seats, seed=seed, limits=limits):
            games.append(replace(each, number=len(games), sitting=tuple(group[index] for index in each.sitting)))
    return games


def play_series(
    games: Sequence[SeriesMatch], entrants: Sequence[Entrant], *, jobs: int, trust: bool
) -> Generator[PlayedMatch, None, None]:
    """The records as they come in; each job is a process of its own, because bots die with what started them."""
    bundles = {entrant.digest: entrant.path for entrant in entrants}
    if jobs == 1:
        for game in games:
            yield PlayedMatch(game, play(game.order, bundles, trust=trust))
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=jobs, mp_context=context) as pool:
        waiting = {pool.submit(play, game.order, bundles, trust=trust): game for game in games}
        try:
            for done in as_completed(waiting):
                yield PlayedMatch(waiting[done], done.result())
        finally:  # who has seen enough does not wait for the rest
            pool.shutdown(cancel_futures=True)
