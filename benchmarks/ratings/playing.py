"""Seasons played by many processes at once; those that a file keeps are not played again."""

from __future__ import annotations

import argparse
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, TypeVar

Order = TypeVar("Order", bound=tuple[Any, ...])
Found = TypeVar("Found")


def parser_of(page: str | None, *, seasons: int) -> argparse.ArgumentParser:
    """What every benchmark that plays seasons can be told."""
    parser = argparse.ArgumentParser(description=page)
    parser.add_argument("--seasons", type=int, default=seasons)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=Path, help="a file in which seasons are kept; those in it are not played again")
    return parser


def played(play: Callable[..., Found], orders: Sequence[Order], wanted: argparse.Namespace) -> dict[Order, Found]:
    """What came of each order, its parts given to ``play``; a season is kept as soon as it is over."""
    known: dict[Order, Found] = dict(_kept(wanted.keep))
    with ProcessPoolExecutor(wanted.processes) as pool:
        order_of = {pool.submit(play, *order): order for order in orders if order not in known}
        for one in as_completed(order_of):
            known[order_of[one]] = one.result()
            if wanted.keep:
                with wanted.keep.open("ab") as file:
                    pickle.dump((order_of[one], one.result()), file)
    return {order: known[order] for order in orders}


def _kept(path: Path | None) -> Iterator[Any]:
    if path is None or not path.exists():
        return
    with path.open("rb") as file:
        while file.peek(1):
            yield pickle.load(file)  # noqa: S301 our own
