"""Fill an empty SQLite database with 100,000 bots and 1,000,000 matches, and time every page over it.

    RUMRUNNER_DATA=/somewhere/empty python benchmarks/large_database.py [--bots 100000] [--matches 1000000]

Results are made up; one real match with a record is played by random moves for the replay page.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")

SERIES = "WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last})"
# Made-up chance that is the same on every machine: a multiplicative hash of the row's number, from 0 to 999.
DICE = "(({i} * 2654435761) % 1000003) % 1000"

LONG_CAREER = 50_000  # matches of the first bot

FILL = {
    "bundles": "INSERT INTO submissions_bundle (digest, content, size_bytes, stored_at) "
    "{series} SELECT printf('%064x', i), x'00', 1, CURRENT_TIMESTAMP FROM n",
    "bots": "INSERT INTO submissions_bot (id, name, owner_id, game, description, active_version_id, created_at) "
    "{series} SELECT i, printf('bot-%06d', i), {owner}, '{game}', '', NULL, CURRENT_TIMESTAMP FROM n",
    "versions": "INSERT INTO submissions_botversion (id, bot_id, number, bundle_id, runtime, entry, filename, status, "
    "reason, uploaded_by_id, uploaded_at, checked_at, cleared_match) "
    "{series} SELECT i, i, 1, printf('%064x', i), 'python', 'main.py', 'main.py', 'qualified', '', {owner}, "
    "CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 0 FROM n",
    "active": "UPDATE submissions_bot SET active_version_id = id WHERE id BETWEEN {first} AND {last}",
    "standings": "INSERT INTO ratings_standing (ladder_id, version_id, bot_id, name, is_listed, start_mu, start_sigma, "
    "mu, sigma, rating, matches, wins, draws, losses, rank_sum, faults, recent_mu, updated_at) "
    "{series} SELECT {ladder}, i, i, printf('bot-%06d', i), 1, 25, 8.33, 10 + {dice} / 33.0, 0.9, "
    "10 + {dice} / 33.0 - 2.7, 20, 9, 2, 9, 30, 0, '[24, 25, 26, 25]', CURRENT_TIMESTAMP FROM n",
    "sets": "INSERT INTO matches_matchset (id, ladder_id, lane, seed, requested_by_id, created_at) "
    "{series} SELECT i, {ladder}, 'ladder', i, NULL, CURRENT_TIMESTAMP FROM n",
    "matches": "INSERT INTO matches_match (id, set_id, rotation, ladder_id, lane, priority, is_rated, is_held, status, "
    "created_at, lease, lease_until, attempts, worker, rating_number, rules_version, ending, game_ending, plies, "
    "wall_ms, digest, reason, started_at, finished_at) "
    "{series} SELECT i, i, 0, {ladder}, 'ladder', 0, 1, 0, 'finished', CURRENT_TIMESTAMP, NULL, NULL, 1, 'w', i, 1, "
    "'finished', 'five_families', 90, 900, printf('%064x', i), '', CURRENT_TIMESTAMP, "
    "datetime('now', printf('-%d seconds', {last} - i)) FROM n",
    "seats": "INSERT INTO matches_seat (match_id, seat, version_id, rank, score, fault, fault_stage, fault_ply, "
    "fault_reason, cpu_ms, peak_kib) "
    "{series} SELECT i, s.seat, CASE WHEN s.seat = 0 AND i % {every} = 0 THEN 1 ELSE "
    "2 + (i * (7 + 6 * s.seat) + s.seat) % ({bots} - 1) END, 1 + s.seat, 1 - s.seat, '', '', NULL, "
    "'', 100, 9000 FROM n, (SELECT 0 AS seat UNION SELECT 1) AS s",
    "steps": "INSERT INTO ratings_ratingstep (id, ladder_id, number, match_id, verdict, at) "
    "{series} SELECT i, {ladder}, i, i, 'rated', CURRENT_TIMESTAMP FROM n",
    "ratings": "INSERT INTO ratings_rating (step_id, ladder_id, version_id, bot_id, nth, seat, rank, mu_before, "
    "sigma_before, mu, sigma) SELECT match_id, {ladder}, version_id, version_id, "
    "ROW_NUMBER() OVER (PARTITION BY version_id ORDER BY match_id), seat, rank, 25, 1, 25.1 - seat / 5.0, 0.99 "
    "FROM matches_seat",
}


def fill(bots: int, matches: int) -> tuple[str, int]:
    """Make everything; returns the ladder's slug and the id of a match with a record."""
    from django.core.management import call_command
    from django.db import connection

    from ladder import pipeline
    from tests.ladder.cast import make_ladder, make_user
    from tests.web.world import enrolled, play_random

    pipeline._send = lambda task, **options: None  # type: ignore[assignment]
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    owner, ladder = make_user("owner"), make_ladder("gatsby", 2)
    with connection.cursor() as cursor:
        for name, statement in FILL.items():
            last = bots if name in ("bundles", "bots", "versions", "active", "standings") else matches
            began = time.monotonic()
            values = {
                "owner": owner.pk,
                "ladder": ladder.pk,
                "game": ladder.game,
                "bots": bots,
                "first": 1,
                "last": last,
                "every": max(1, matches // LONG_CAREER),
            }
            series = SERIES.format(first=1, last=last)
            cursor.execute(statement.format(series=series, dice=DICE.format(i="i"), **values))
            print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
        cursor.execute("ANALYZE")
    ladder.last_number = ladder.rated_through = matches
    ladder.save()
    match = play_random(ladder, *enrolled(["real one", "real two"], ladder, owner), rng=Random(1))
    return ladder.slug, match.pk


def measure(slug: str, match: int) -> None:
    """The median of five requests for each page, on the clock and of the processor, without a network in between."""
    from django.test import Client

    from ladder.ratings.leaderboard import ORDERS

    client = Client(SERVER_NAME="localhost")
    paths = {
        "home": "/", "ladder": f"/ladders/{slug}/", "ladder, search": f"/ladders/{slug}/?q=bot-0999",
        "ladder, search for what is nowhere": f"/ladders/{slug}/?q=nowhere",
        "ladder, search for what is everywhere": f"/ladders/{slug}/?q=bot-0&order=name",
        **{f"ladder by {order}": f"/ladders/{slug}/?order={order}" for order in ORDERS},
        "bot": "/bots/777/", "bot of many matches": "/bots/1/", "match": f"/matches/{match}/",
        "frames": f"/matches/{match}/frames/?start=0&stop=100", "matches": "/matches/",
        "matches of a ladder": f"/matches/?ladder={slug}&status=finished", "tournaments": "/tournaments/",
    }  # fmt: skip
    print("| page | ms | cpu ms | compressed KB |\n|---|---|---|---|")
    for name, path in paths.items():
        times, cpu = [], []
        for _ in range(6):
            began, burnt = time.perf_counter(), time.process_time()
            answer = client.get(path, headers={"Accept-Encoding": "gzip"})
            times.append(1000 * (time.perf_counter() - began))
            cpu.append(1000 * (time.process_time() - burnt))
        assert answer.status_code == 200, (path, answer.status_code)
        print(
            f"| {name} | {sorted(times[1:])[2]:.0f} | {sorted(cpu[1:])[2]:.0f} | {len(answer.content) / 1024:.1f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=100_000)
    parser.add_argument("--matches", type=int, default=1_000_000)
    wanted = parser.parse_args()
    import django

    django.setup()
    measure(*fill(wanted.bots, wanted.matches))


if __name__ == "__main__":
    main()
