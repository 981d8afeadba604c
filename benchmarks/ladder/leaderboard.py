"""Leaderboard requests a second as the ladder grows, as a ratio to a view that does nothing."""

from __future__ import annotations

import io
import random
import subprocess
import sys
import time
from collections.abc import Callable
from types import ModuleType

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402

from benchmarks.ladder.bots import bench_ladder  # noqa: E402
from ladder.broker import server_command  # noqa: E402
from ladder.ladders.models import Ladder  # noqa: E402
from ladder.ratings.leaderboard import BEST_FIRST, leaderboard  # noqa: E402
from ladder.ratings.models import Standing  # noqa: E402
from ladder.ratings.paging import Cursor, Listing  # noqa: E402
from ladder.submissions.models import Bot, BotVersion, Bundle  # noqa: E402

SIZES = (10_000, 100_000)
ROUNDS, REQUESTS = 8, 60


def empty(request: HttpRequest) -> HttpResponse:
    """The floor: the same middleware, no work."""
    return HttpResponse(b"{}", content_type="application/json")


def urls() -> ModuleType:
    """The service's paths and one that does nothing."""
    module = ModuleType("benchmarks.ladder.paths")
    vars(module)["urlpatterns"] = [path("empty/", empty), path("", include("ladder.urls"))]
    sys.modules[module.__name__] = module
    return module


def grow(ladder: Ladder, size: int) -> None:
    """Fill the ladder up to so many bots."""
    rng, have = random.Random(size), Standing.objects.filter(ladder=ladder).count()
    bundle, _ = Bundle.objects.get_or_create(digest="0" * 64, defaults={"content": b"", "size_bytes": 0})
    for start in range(have, size, 5000):
        numbers = range(start, min(size, start + 5000))
        bots = Bot.objects.bulk_create(Bot(name=f"bot {number}", game=ladder.game) for number in numbers)
        versions = BotVersion.objects.bulk_create(
            BotVersion(bot=bot, number=1, bundle=bundle, runtime="python", entry="main.py", filename="main.py")
            for bot in bots
        )
        Standing.objects.bulk_create(_standing(ladder, version, rng) for version in versions)


def _standing(ladder: Ladder, version: BotVersion, rng: random.Random) -> Standing:
    mu, sigma = rng.gauss(25, 8), rng.uniform(0.8, 2)
    counts = {"matches": 100, "wins": 50, "losses": 50, "rank_sum": 150}
    return Standing(
        ladder=ladder, version=version, bot_id=version.bot_id, name=version.bot.name, is_listed=True, mu=mu,
        sigma=sigma, rating=mu, sd=sigma, is_provisional=False, board_key=mu, recent_mu=[mu] * 20, **counts,
    )  # fmt: skip


def ask(handler: WSGIHandler, where: str, query: str = "") -> None:
    """One request through the whole of Django."""
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": where, "QUERY_STRING": query, "SERVER_NAME": "localhost",
        "SERVER_PORT": "80", "HTTP_HOST": "localhost", "REMOTE_ADDR": f"127.0.{random.randrange(255)}.1",
        "wsgi.input": io.BytesIO(), "wsgi.url_scheme": "http", "wsgi.errors": sys.stderr,
    }  # fmt: skip
    seen: list[str] = []

    def start(status: str, headers: object, failure: object = None, /) -> Callable[[bytes], object]:
        seen.append(status)
        return lambda data: None

    response = handler(environ, start)
    b"".join(response)
    response.close()
    assert seen[0].startswith("200"), f"{where}?{query}: {seen[0]}"


def speed(handler: WSGIHandler, where: str, queries: list[str]) -> float:
    began = time.perf_counter()
    for query in queries:
        ask(handler, where, query)
    return len(queries) / (time.perf_counter() - began)


def deep_queries(ladder: Ladder) -> list[str]:
    """Pages all over the table, each asked once: nothing of them is in the cache."""
    rng = random.Random()
    standings = list(Standing.objects.filter(ladder=ladder).values_list("board_key", "id"))
    listing, picked = Listing(BEST_FIRST), rng.sample(standings, REQUESTS)
    return [f"cursor={Cursor(rating, pk, rng.randrange(1, len(standings))).text(listing)}" for rating, pk in picked]


def measure(handler: WSGIHandler, ladder: Ladder) -> dict[str, float]:
    """The first page again and again, pages all over the table, and the floor, in turn."""
    where = f"/api/v1/ladders/{ladder.slug}/leaderboard/"
    total = {"first page": 0.0, "deep pages": 0.0, "empty": 0.0}
    for _ in range(ROUNDS):
        total["empty"] += speed(handler, "/empty/", [""] * REQUESTS) / ROUNDS
        total["first page"] += speed(handler, where, [""] * REQUESTS) / ROUNDS
        total["deep pages"] += speed(handler, where, deep_queries(ladder)) / ROUNDS
    return total


def main() -> None:
    """Measure at every size and print the ratios."""
    call_command("migrate", verbosity=0)
    broker = subprocess.Popen(server_command(settings.DATA), stdout=subprocess.DEVNULL)
    try:
        settings.ROOT_URLCONF = urls().__name__
        settings.REST_FRAMEWORK["DEFAULT_THROTTLE_CLASSES"] = []
        handler, ladder = WSGIHandler(), bench_ladder()
        for size in SIZES:
            grow(ladder, size)
            leaderboard(ladder)
            found = measure(handler, ladder)
            ratio, deep = found["first page"] / found["empty"], found["deep pages"] / found["empty"]
            print(
                f"leaderboard of {size} bots: first page {found['first page']:.0f}/s ({ratio:.2f} of an empty view's "
                f"{found['empty']:.0f}/s, aim 0.75), pages never asked before {found['deep pages']:.0f}/s ({deep:.2f})"
            )
    finally:
        broker.terminate()
        broker.wait(timeout=20)


if __name__ == "__main__":
    main()
