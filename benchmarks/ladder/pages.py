"""Pages that nobody asked for before, as a ratio to a view that does nothing: processor time of single requests."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from random import Random

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.core.management import call_command  # noqa: E402

from benchmarks.ladder.leaderboard import ask, grow, urls  # noqa: E402
from ladder import pipeline  # noqa: E402
from ladder.broker import server_command  # noqa: E402
from ladder.ladders.models import Ladder  # noqa: E402
from ladder.matches.models import Match  # noqa: E402
from ladder.ratings.fits import fit_ladder  # noqa: E402
from ladder.ratings.leaderboard import BEST_FIRST  # noqa: E402
from ladder.ratings.models import Standing  # noqa: E402
from ladder.ratings.paging import Cursor, Listing  # noqa: E402
from ladder.submissions.models import Bot  # noqa: E402
from tests.web import world  # noqa: E402

ROUNDS, REQUESTS, BOTS = 6, 15, 2_000
WARM = "home, as its readers get it"
Visit = Callable[[], tuple[str, str]]


def furnish(rng: Random) -> None:
    """People, bots, rated matches with records, fitted ladders, and one ladder with many bots."""
    pipeline.send = lambda *_, **__: None
    pipeline.messages_waiting = lambda queue: 0
    world.furnish(rng)
    for ladder in Ladder.objects.all():
        fit_ladder(ladder)
    grow(Ladder.objects.get(slug="gatsby-2"), BOTS)


def questions(rng: Random) -> dict[str, Visit]:
    """A page of each kind, another one every time."""
    bots = _in_turn(
        rng, list(Bot.objects.filter(versions__seats__isnull=False).distinct().values_list("pk", flat=True))
    )
    matches = _in_turn(rng, list(Match.objects.filter(status="finished").values_list("pk", flat=True)))
    lines = list(Standing.objects.filter(ladder__slug="gatsby-2").values_list("board_key", "id"))

    def cursor() -> str:
        key, line = rng.choice(lines)
        return f"cursor={Cursor(key, line, rng.randrange(1, 10**9)).text(Listing(BEST_FIRST))}"

    return {
        "an empty view": lambda: ("/empty/", ""),
        "API: leaderboard": lambda: ("/api/v1/ladders/gatsby-2/leaderboard/", cursor()),
        "API: bot": lambda: (f"/api/v1/bots/{next(bots)}/", ""),
        "API: match": lambda: (f"/api/v1/matches/{next(matches)}/", ""),
        "API: list of 50 matches": lambda: ("/api/v1/matches/", ""),
        "leaderboard": lambda: ("/ladders/gatsby-2/", cursor()),
        "bot": lambda: (f"/bots/{next(bots)}/", ""),
        "match": lambda: (f"/matches/{next(matches)}/", ""),
        "list of matches": lambda: ("/matches/", ""),
        "home": lambda: ("/", ""),
        WARM: lambda: ("/", ""),
    }


def _in_turn(rng: Random, numbers: list[int]) -> Iterator[int]:
    while True:
        yield from rng.sample(numbers, len(numbers))


def cost_ms(handler: WSGIHandler, question: Visit, count: int, *, is_cold: bool = True) -> float:
    """What one request costs this process, when nothing is in its caches or with what the one before left there."""
    total = 0.0
    for _ in range(count):
        where, query = question()
        if is_cold:
            for cache in caches.all():
                cache.clear()
        began = time.process_time()
        ask(handler, where, query)
        total += time.process_time() - began
    return total * 1e3 / count


def main() -> None:
    """Measure every kind of page in turn, least of several rounds, and print the ratios."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    broker = subprocess.Popen(server_command(settings.DATA), stdout=subprocess.DEVNULL)
    try:
        furnish(Random(7))
        settings.ROOT_URLCONF = urls().__name__
        handler, asked = WSGIHandler(), questions(Random(8))
        costs: dict[str, list[float]] = {name: [] for name in asked}
        for _ in range(ROUNDS):
            for name, question in asked.items():
                costs[name].append(cost_ms(handler, question, REQUESTS, is_cold=name != WARM))
        floor = min(costs["an empty view"])
        for name, found in costs.items():
            print(f"{name}: {min(found):.2f} ms of cpu, {floor / min(found):.2f} of an empty view (aim 0.3)")
    finally:
        broker.terminate()
        broker.wait(timeout=20)


if __name__ == "__main__":
    main()
