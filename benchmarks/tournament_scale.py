"""Measures a round robin of many bots: drawing, standings, pages, API and exports, in a database of its own.

    .venv/bin/python benchmarks/tournament_scale.py            1,000 bots, 499,500 tables, 999,000 matches
    .venv/bin/python benchmarks/tournament_scale.py --bots 200

Nothing is played: the results are drawn from a strength that each bot is given. Prints a table for docs/.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PIECE = 10_000  # tables written at once
LEFT = 500  # tables that are not played yet when the late batch is drawn

SEATED = "'$[' || m.rotation || '][' || s.seat || ']"  # where the results of a table have a seat of a match


class Figures:
    """What was measured, printed as it comes."""

    def take(self, what: str, act: Callable[[], Any]) -> Any:
        began, cpu = time.perf_counter(), time.process_time()
        value = act()
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"| {what} | {took:.3f} s | {cpu:.3f} s | {peak} MiB |", flush=True)
        return value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=1000)
    bots = parser.parse_args().bots
    with tempfile.TemporaryDirectory(prefix="rumrunner-scale-") as folder:
        os.environ |= {"RUMRUNNER_DATA": folder, "DJANGO_SETTINGS_MODULE": "ladder.settings"}
        sys.path.insert(0, str(ROOT))
        measure(bots)


def measure(bots: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    logging.disable(logging.WARNING)  # there is no broker to wake anybody, which costs nothing but words
    print("| what | time | cpu | peak memory so far |\n|---|---|---|---|")
    figures = Figures()
    tournament = start(figures, bots)
    draw(figures, tournament)
    play(figures, tournament)
    read(figures, tournament)


def start(figures: Figures, bots: int) -> Any:
    from ladder.accounts.models import User
    from ladder.ladders.services import find_ladder
    from ladder.submissions.models import Bot, BotVersion, Bundle
    from ladder.tournaments import services
    from ladder.tournaments.models import Entrant

    organiser = User.objects.create_user("olga", role="organiser")
    bundle = Bundle.objects.create(digest="0" * 64, content=b"", size_bytes=0)
    made = Bot.objects.bulk_create(Bot(name=f"bot {i}", game="gatsby") for i in range(bots))
    same = {"number": 1, "bundle": bundle, "runtime": "python", "entry": "main.py", "status": "qualified"}
    versions = BotVersion.objects.bulk_create(BotVersion(bot=bot, filename="main.py", **same) for bot in made)
    wishes = services.Wishes(name="Everybody", ladder=find_ladder(game="gatsby", seats=2))
    tournament = services.create_tournament(by=organiser, wishes=wishes)
    Entrant.objects.bulk_create(Entrant(tournament=tournament, bot=v.bot, version=v) for v in versions)
    figures.take(f"start with {bots} entrants", lambda: services.start(tournament, by=organiser))
    tournament.refresh_from_db()
    return tournament


def draw(figures: Figures, tournament: Any) -> None:
    from ladder.tournaments import drawing
    from ladder.tournaments.schedule import draw_round

    total = figures.take("draw the whole schedule once", lambda: sum(1 for _ in draw_round(tournament, 0)))
    assert total == tournament.tables_total
    figures.take("draw and queue the first batch", lambda: drawing.advance(tournament.pk))


def results(drawn: Any, skills: list[float], luck: random.Random) -> Iterator[list[list[object]]]:
    for turn in range(2):
        seated = drawn.entrants[turn:] + drawn.entrants[:turn]
        ahead = skills[seated[0]] - skills[seated[1]] + luck.gauss(0, 1)
        first = 1 if ahead > 0 else 2
        yield [[seated[0], first, float(first == 1), ""], [seated[1], 3 - first, float(first == 2), ""]]


def play(figures: Figures, tournament: Any) -> None:
    """Insert results in bulk for all but the last tables; then the service draws the next batch and writes a sheet."""
    from django.db import connection

    from ladder.matches.models import Match, MatchSet, Seat
    from ladder.tournaments import drawing, sheets
    from ladder.tournaments.models import SheetRow, Table, Tournament

    sets = list(Table.objects.values_list("match_set_id", flat=True))
    Table.objects.all().delete()
    Seat.objects.all().delete()
    Match.objects.all().delete()
    MatchSet.objects.filter(pk__in=sets).delete()
    done = tournament.tables_total - LEFT
    figures.take(f"(insert {done} results in bulk)", lambda: insert_results(tournament, done))
    with connection.cursor() as cursor:
        cursor.execute("analyze")
    Tournament.objects.filter(pk=tournament.pk).update(tables_drawn=done, tables_settled=done, sheet_settled=0)
    figures.take("write the standings", lambda: sheets.write(tournament))
    assert SheetRow.objects.count() == tournament.entrant_count
    figures.take("draw and queue a late batch", lambda: drawing.advance(tournament.pk))
    figures.take("look again with nothing to do", lambda: drawing.advance(tournament.pk))
    tournament.refresh_from_db()


def insert_results(tournament: Any, count: int) -> None:
    """So many tables, their matches and seats."""
    from benchmarks.ladder.bulk import insert, series
    from ladder.matches.models import Match, MatchSet, Seat
    from ladder.tournaments.models import Table
    from ladder.tournaments.schedule import draw_round

    luck, here = random.Random(1), {"ladder_id": str(tournament.ladder_id), "lane": "'tournament'"}
    skills = [luck.gauss(0, 1) for _ in range(tournament.entrant_count)]
    insert(MatchSet, series(1, count), id="n.i", seed="'0'", **here)
    tables = (
        Table(
            tournament=tournament, number=drawn.number, round=0, entrants=drawn.entrants, is_settled=True,
            match_set_id=drawn.number + 1, results=list(results(drawn, skills, luck)),
        )
        for drawn in islice(draw_round(tournament, 0), count)
    )  # fmt: skip
    while piece := list(islice(tables, PIECE)):
        Table.objects.bulk_create(piece)
    ended = {"status": "'finished'", "ending": "'finished'", "digest": "'d'", "finished_at": "CURRENT_TIMESTAMP"}
    played = {"game_ending": "'done'", "plies": "60", "wall_ms": "700", "worker": "'host/1'", "is_rated": "FALSE"}
    rotations = "(SELECT 0 AS turn UNION ALL SELECT 1) r"
    insert(Match, f"{series(1, count)}, {rotations}", set_id="n.i", rotation="r.turn", **here, **ended, **played)
    source = (
        "matches_match m JOIN tournaments_table t ON t.match_set_id = m.set_id "
        "JOIN (SELECT 0 AS seat UNION ALL SELECT 1) s JOIN tournaments_entrant e ON e.tournament_id = t.tournament_id "
        f"AND e.number = json_extract(t.results, {SEATED}[0]')"
    )
    rank = f"json_extract(t.results, {SEATED}[1]')"
    insert(Seat, source, match_id="m.id", seat="s.seat", version_id="e.version_id", rank=rank)


def read(figures: Figures, tournament: Any) -> None:
    from django.conf import settings
    from django.test import Client

    settings.ALLOWED_HOSTS = ["*"]
    client = Client(HTTP_HOST="127.0.0.1")
    base, middle = f"/api/v1/tournaments/{tournament.pk}/", tournament.entrant_count // 2

    def get(path: str) -> int:
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return sum(map(len, answer.streaming_content)) if answer.streaming else len(answer.content)

    get(base)  # the first request of a process loads what all others use
    for path in (
        base, f"{base}standings/", f"{base}standings/?from={middle}", f"{base}crosstable/",
        f"{base}crosstable/?from={middle}&column={middle}", f"{base}matches/", f"{base}matches/?entrant=1&entrant=2",
        f"/tournaments/{tournament.pk}/", f"{base}export/?as=csv", f"{base}export/",
    ):  # fmt: skip
        figures.take(f"GET {path}", lambda path=path: get(path))


if __name__ == "__main__":
    main()
