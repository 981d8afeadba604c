"""Write every page of a running service, in both themes and three widths, to screenshots/.

    python scripts/screenshots.py --url http://127.0.0.1:8000 --user lena --password …

Pages that need something to show (a match, a bot, a tournament) are found by following the site's own links.
Without --url a service with a small world of its own is started and stopped again.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# The shell has no windows, tabs and menus to draw: a page costs it less than half of the cpu.
DEBIANS = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
WIDTHS = {"phone": 390, "tablet": 1024, "wide": 1440}
THEMES = ("light", "dark")
STRANGERS = [  # whoever is signed in is sent elsewhere
    ("sign-in", "/accounts/login/"), ("sign-up", "/accounts/signup/"), ("forgotten", "/accounts/password/reset/"),
]  # fmt: skip
GAMES = ("speak_easy", "gatsby", "capone", "cotton_club")
# For a picture of a whole page the window is another one for a moment, and what is off its screen would not be painted.
ALL_DRAWN = """document.querySelectorAll('.movelist ol, .under').forEach((part) => {
  part.style.contentVisibility = 'visible';
})"""


def open_browser(playwright) -> Browser:
    """Debian's chromium if it is there, otherwise playwright's own."""
    path = next((path for path in DEBIANS if Path(path).exists()), None)
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


def sign_in(page: Page, url: str, user: str, password: str) -> None:
    page.goto(f"{url}/accounts/login/")
    page.fill("[name=login]", user)
    page.fill("[name=password]", password)
    page.click("form.fields button")
    page.wait_for_url(lambda address: "/accounts/login/" not in address)  # a click returns before the next page is


def links(page: Page, address: str, pattern: str) -> list[str]:
    """The paths of the links on a page that look like this; the page is read and not drawn."""
    answer = page.request.get(address)
    linked = [urljoin(answer.url, unescape(href)) for href in re.findall(r'href="([^"]+)"', answer.text())]
    return [path for path in dict.fromkeys(urlsplit(link).path for link in linked) if re.search(pattern, path)]


def first_link(page: Page, address: str, pattern: str) -> str | None:
    return next(iter(links(page, address, pattern)), None)


def pages_of(page: Page, url: str) -> Iterator[tuple[str, str]]:
    """Name and path of every page; those of a match, bot or tournament are looked up."""
    yield from [("home", "/"), ("matches", "/matches/"), ("tournaments", "/tournaments/"), ("docs", "/docs/")]
    yield from [("missing", "/no-such-page/"), ("delete-account", "/accounts/delete/"), ("api", "/api/docs/")]
    yield from [("submit", "/submit/"), ("account", "/account/"), ("tokens", "/accounts/tokens/")]
    yield from [("password", "/accounts/password/change/"), ("tournament-new", "/tournaments/new/")]
    yield from [("games", "/games/"), ("for-bots", "/games/gatsby/bots/"), ("play", "/play/?game=capone")]
    yield from [("following", "/following/")]
    for game in GAMES:
        yield f"learn-{game}", f"/games/{game}/learn/"
        yield f"rules-{game}", f"/games/{game}/rules/"
        ladder = urlsplit(page.request.get(f"{url}/games/{game}/").url).path
        yield f"ladder-{game}", ladder
        slug = ladder.rstrip("/").rsplit("/", 1)[-1]
        if match := first_link(page, f"{url}/matches/?ladder={slug}&status=finished", r"/matches/\d+/$"):
            yield f"match-{game}", f"{match}#ply=60"
            if game == "gatsby":
                yield "embedded-match", f"{match}embed/#ply=60"
        if game == "gatsby" and (bot := first_link(page, f"{url}{ladder}", r"/bots/\d+/$")):
            yield "bot", bot
            yield "compare", f"/ladders/{slug}/compare/"
            yield "accuracy", f"/ladders/{slug}/truth/"
            yield "seasons", f"/ladders/{slug}/seasons/"
            yield "embedded-ladder", f"{ladder}embed/"
            if author := first_link(page, f"{url}{bot}", r"/authors/[^/]+/$"):
                yield "author", author
    for number, found in enumerate(tournaments_of(page, url)):
        yield f"tournament-{number}", found
        if proof := first_link(page, f"{url}{found}", r"/proof/$"):
            yield f"proof-{number}", proof
    if bot := first_link(page, f"{url}/account/", r"/bots/\d+/$"):
        yield "manage-bot", f"{bot}edit/"
        yield "hide-bot", f"{bot}hide/"
    if version := _own_version(page, url):
        yield "version", version
        yield "withdraw", f"{version}withdraw/"
    if doc := first_link(page, f"{url}/docs/", r"/docs/[\w-]+/$"):
        yield "docs-page", doc


def tournaments_of(page: Page, url: str) -> list[str]:
    return links(page, f"{url}/tournaments/", r"/tournaments/\d+/$")[:8]


def _own_version(page: Page, url: str) -> str | None:
    bot = first_link(page, f"{url}/account/", r"/bots/\d+/$")
    return first_link(page, f"{url}{bot}", r"/versions/\d+/$") if bot else None


def settle(page: Page) -> None:
    """Wait for fonts and, where there is a replay, for its board."""
    page.evaluate("document.fonts.ready")
    if page.locator("[data-viewer]").count():
        page.wait_for_selector(".board[data-ply]")
        row = "[aria-current]" if re.search("#ply=[1-9]", page.url) else "[data-row]"  # before the first move none is
        page.wait_for_selector(f".movelist {row}", state="attached")  # a small frame has no room for it
        page.evaluate(ALL_DRAWN)
    elif page.locator("[data-scene]").count():
        page.wait_for_selector(".scene .board")
    elif page.locator("#proof").count():
        page.wait_for_selector("#proof .state")
    elif page.locator("#swagger-ui").count():
        page.wait_for_selector("#swagger-ui .opblock")
    elif page.locator("#preview").count():
        page.wait_for_function("() => !document.getElementById('preview').textContent.includes('appear here')")


def shoot(context: BrowserContext, url: str, pages: list[tuple[str, str]], folder: Path, label: str) -> list[str]:
    """Every page once; returns what is wrong with them: errors in the console, pages wider than the window."""
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda line: problems.append(f"{page.url}: {line.text}") if line.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
    for name, path in pages:
        page.goto("about:blank")
        page.goto(url + path, wait_until="load")
        settle(page)
        page.screenshot(path=folder / f"{name}-{label}.png", full_page=True)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            problems.append(f"{path} is wider than the window at {label}")
    page.close()
    return [problem for problem in problems if "no-such-page" not in problem]


def take_all(url: str, user: str, password: str, folder: Path) -> list[str]:
    """All pages in all widths and themes; returns what is wrong with them."""
    folder.mkdir(exist_ok=True)
    problems: list[str] = []
    with sync_playwright() as playwright:
        browser = open_browser(playwright)
        desk = browser.new_context()
        scout = desk.new_page()
        if user:
            sign_in(scout, url, user, password)
        pages = list(pages_of(scout, url))
        state = desk.storage_state()
        for theme in THEMES:
            for label, width in WIDTHS.items():
                view = {"width": width, "height": 900}
                context = browser.new_context(viewport=view, color_scheme=theme, storage_state=state)
                problems += shoot(context, url, pages, folder, f"{theme}-{label}")
                context.close()
                stranger = browser.new_context(viewport=view, color_scheme=theme)
                problems += shoot(stranger, url, STRANGERS, folder, f"{theme}-{label}")
                stranger.close()
        browser.close()
    print(f"{(len(pages) + len(STRANGERS)) * len(THEMES) * len(WIDTHS)} screenshots in {folder}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="")
    parser.add_argument("--user", default="")
    parser.add_argument("--password", default="")
    parser.add_argument("--out", type=Path, default=ROOT / "screenshots")
    wanted = parser.parse_args()
    if wanted.url:
        problems = take_all(wanted.url.rstrip("/"), wanted.user, wanted.password, wanted.out)
    else:
        from tests.web.showroom import showroom

        with showroom(days=3) as room:
            problems = take_all(room.url, room.user, room.password, wanted.out)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
