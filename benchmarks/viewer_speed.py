"""How heavy the page of a match is, how soon it answers at a quarter of the speed, and how it scrubs.

    python benchmarks/viewer_speed.py

sets up a service of its own with a long match of each game, looks at them in a real browser, prints a line for each
and ends in about two minutes. Interactive (at most 1 s) is asked at a quarter of the speed, scrubbing (60 plies a
second) at full speed. A service's address and a match may be given instead: `… http://127.0.0.1:8000 17`.
Only on a quiet machine do the times mean anything; the bytes always do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scripts.screenshots import open_browser

SLOWER = 4
FRAME_MS = 1000 / 60
# Interactive: the board stands, a key moves it, and the browser has answered with a frame.
READY = """async () => {
  const board = () => document.querySelector('.board[data-ply]'), frame = () => new Promise(requestAnimationFrame);
  while (!board()) await frame();
  const drawn = performance.now(), ply = board().dataset.ply;
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  while (board().dataset.ply === ply) await frame();
  return [drawn, performance.now()];
}"""
# What a step of the slider costs the page itself: script, style and layout, from the frame in which the board follows.
STEPS = """async () => {
  const slider = document.querySelector('.story input'), plies = Math.min(Number(slider.max), 500), cost = [];
  const board = document.querySelector('.board'), frame = () => new Promise(requestAnimationFrame);
  while (document.querySelectorAll('.movelist [data-row]').length < Number(slider.max)) await frame();
  for (let ply = 0; ply <= plies; ply++) {
    let began;
    requestAnimationFrame(() => { began = performance.now(); });
    slider.value = ply;
    slider.dispatchEvent(new Event('input'));
    do {
      await frame();
      board.getBoundingClientRect();
    } while (Number(board.dataset.ply) !== ply);
    cost.push(performance.now() - began);
  }
  cost.sort((one, other) => one - other);
  const below = (share) => cost[Math.floor(plies * share)];
  return { plies, median: below(.5), p95: below(.95), p99: below(.99), most: cost[plies] };
}"""
# The slider goes on by one ply at every frame that the browser gives: paint, raster and all, as an eye sees it.
SCRUB = """async () => {
  const slider = document.querySelector('.story input'), plies = Math.min(Number(slider.max), 500), gaps = [];
  const frame = () => new Promise(requestAnimationFrame);
  let drawn = 0;
  document.addEventListener('ply', () => { drawn += 1; });
  let last = await frame();
  const began = last;
  for (let ply = 1; ply <= plies; ply++) {
    slider.value = ply;
    slider.dispatchEvent(new Event('input'));
    const now = await frame();
    gaps.push(now - last);
    last = now;
  }
  const late = gaps.filter((gap) => gap > 25).length;
  return { rate: 1000 * drawn / (last - began), late: 100 * late / plies };
}"""


def measure(browser: Browser, address: str, match: int) -> str:
    """Bytes, the moment a key is answered, what each step of the slider costs, and plies a second while it moves."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(f"{address}/matches/{match}/", wait_until="commit")
    drawn, answered = page.evaluate(READY)
    page.wait_for_load_state("networkidle")
    wire.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    step: dict[str, Any] = page.evaluate(STEPS)
    scrub: dict[str, Any] = page.evaluate(SCRUB)
    context.close()
    return (
        f"{sum(sizes) / 1000:4.0f} kB; cpu {SLOWER} times slower: board after {drawn:.0f} ms, "
        f"key answered after {answered:.0f}; full speed: a step of {step['plies']} plies costs {step['median']:.1f} ms "
        f"(95 of 100 below {step['p95']:.1f}, "
        f"99 below {step['p99']:.1f}, at most {step['most']:.1f}; a frame has {FRAME_MS:.1f}), "
        f"one a frame: {scrub['rate']:.0f} plies a second, {scrub['late']:.0f} of 100 frames late"
    )


@contextmanager
def own_service() -> Iterator[tuple[str, dict[str, int]]]:
    """A service with a match of each game, the longest that random play gave."""
    from tests.web.showroom import showroom

    longest = "from ladder.matches.models import Match\nanswer({game: Match.objects.filter(ladder__game=game)"
    with showroom() as room:
        found = f"{longest}.exclude(plies=None).order_by('-plies').first().pk for game in {list(room.matches)}}})"
        yield room.url, room.service.ask(found)


@contextmanager
def looked_at(given: list[str]) -> Iterator[tuple[str, dict[str, int]]]:
    """What the command line names, or a service of our own."""
    if given:
        yield given[0].rstrip("/"), {"match": int(given[1])}
    else:
        with own_service() as found:
            yield found


def main(given: list[str]) -> None:
    with looked_at(given) as (address, matches), sync_playwright() as playwright:
        browser = open_browser(playwright)
        measure(browser, address, next(iter(matches.values())))  # the service's first answers are its slowest
        for name, match in matches.items():
            print(f"{name:12} {measure(browser, address, match)}", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
