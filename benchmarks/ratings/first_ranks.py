"""How soon a fresh installation has ranks: `python -m benchmarks.ratings.first_ranks`.

Starts the whole service as `make run` does, with data of its own on a free port, and looks once a second until all open
ladders have ranked their bots, or until it has waited long enough.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pysqlite3.dbapi2 as sqlite3

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 540
LADDERS = """
select slug, (select min(finished_at) from matches_match m where m.ladder_id = l.id and m.is_rated),
  (select count(*) from matches_match m where m.ladder_id = l.id and m.is_rated and m.status = 'finished'),
  (select count(*) from ratings_standing s where s.ladder_id = l.id and s.is_listed and not s.is_provisional),
  (select count(*) from ratings_standing s where s.ladder_id = l.id and s.is_listed)
from ladders_ladder l where is_open order by slug
"""


@dataclass
class LadderSeen:
    """One ladder, as far as it was looked at."""

    first_match: datetime | None = None
    ranked: datetime | None = None  # when the first bot had a rank
    all_ranked: datetime | None = None
    matches: int = 0  # when the first bot had a rank


def look(database: Path, seen: dict[str, LadderSeen]) -> None:
    """Note what has happened since the last look."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10)
    try:
        rows = connection.execute(LADDERS).fetchall()
    except sqlite3.OperationalError:  # the tables are being made
        return
    finally:
        connection.close()
    now = datetime.now(UTC)
    for slug, first, matches, ranked, listed in rows:
        ladder = seen.setdefault(slug, LadderSeen())
        ladder.first_match = ladder.first_match or (first and datetime.fromisoformat(first).replace(tzinfo=UTC))
        if ranked and not ladder.ranked:
            ladder.ranked, ladder.matches = now, matches
        if ranked and ranked == listed and not ladder.all_ranked:
            ladder.all_ranked = now


def is_done(seen: dict[str, LadderSeen]) -> bool:
    return bool(seen) and all(ladder.all_ranked for ladder in seen.values())


def told(moment: datetime | None, since: datetime) -> str:
    return f"{(moment - since).total_seconds():.0f} s" if moment else "never"


def print_table(seen: dict[str, LadderSeen]) -> None:
    """Times since the first match of any ladder."""
    firsts = [ladder.first_match for ladder in seen.values() if ladder.first_match]
    if not firsts:
        print("No match was played.")
        return
    print("| ladder | first match | first rank | all ranked | matches until the first rank |\n|---|---|---|---|---|")
    for slug, one in sorted(seen.items()):
        times = " | ".join(told(moment, min(firsts)) for moment in (one.first_match, one.ranked, one.all_ranked))
        print(f"| {slug} | {times} | {one.matches} |")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patience", type=float, default=PATIENCE_S, help="seconds after which it gives up")
    patience = parser.parse_args().patience
    with tempfile.TemporaryDirectory(prefix="first-ranks-") as data:
        env = {**os.environ, "RUMRUNNER_DATA": data, "PORT": str(free_port())}
        service = subprocess.Popen([sys.executable, "manage.py", "up"], cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
        seen: dict[str, LadderSeen] = {}
        began = time.monotonic()
        try:
            while service.poll() is None and not is_done(seen) and time.monotonic() < began + patience:
                time.sleep(1)
                if (database := Path(data, "rumrunner.sqlite3")).exists():
                    look(database, seen)
        finally:
            service.send_signal(signal.SIGINT)
            service.wait(timeout=60)
    print_table(seen)


if __name__ == "__main__":
    main()
