"""A table at which a test plays everybody: the page of a game with people, answered from an engine in this process."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route

from arena.framing import Camera, apply_changes
from arena.record import PlayedAction
from engines import GAMES, State

HOST = "http://table.test"
SEEN = 0.12  # of the moments of a random game
KINDS = {".css": "text/css", ".js": "text/javascript", ".woff2": "font/woff2", ".svg": "image/svg+xml"}


@dataclass
class PaperTable:
    """A game from its seed: seat 0 is the page's, the others take random actions, one at each question of the page."""

    game: str
    seats: int
    seed: int
    state: State = field(init=False)
    rng: Random = field(init=False)
    frames: list[dict[str, Any]] = field(init=False)
    chosen: list[str] = field(default_factory=list)  # what the page chose

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        self.state = GAMES[self.game].new(seats=self.seats, seed=self.seed)
        self.camera = Camera(0)
        self.frames = [self.camera.take(self.state, None).as_json()]

    @property
    def ply(self) -> int:
        return len(self.frames) - 1

    @property
    def is_over(self) -> bool:
        return self.state.to_act is None

    def legal(self) -> list[str]:
        """What the page may choose now."""
        if self.state.to_act != 0:
            return []
        return [self.state.format(action) for action in self.state.legal_actions()]

    def play(self, text: str) -> None:
        seat = self.state.to_act
        assert seat is not None
        self.state.apply(self.state.parse(text))
        self.frames.append(self.camera.take(self.state, PlayedAction(seat, text, 1.0, 1.0)).as_json())

    def play_others(self, most: int = 1) -> None:
        """What the other seats do, as far as the page's turn."""
        for _ in range(most):
            if self.state.to_act in (0, None):
                return
            self.play(self.state.format(self.rng.choice(self.state.legal_actions())))

    def play_ahead(self, ply: int) -> None:
        """Everybody's actions as far as a ply, and on to the page's turn."""
        while not self.is_over and (self.ply < ply or self.state.to_act != 0):
            self.play(self.state.format(self.rng.choice(self.state.legal_actions())))

    def wanted(self) -> str:
        """The action that this game's own dice choose for the page."""
        return self.rng.choice(self.legal())

    def told_beforehand(self, ply: int) -> list[tuple[int, str, dict[str, Any]]]:
        """The game from a ply on if the page does what the dice say: ply, action and what the page then sees."""
        found = []
        self.play_ahead(ply)
        while not self.is_over:
            if self.state.to_act == 0:
                found.append((self.ply, self.wanted(), self.state.observe(0)))
                self.play(found[-1][1])
            self.play_others()
        return found

    # ---- what the page asks ----
    def told(self, since: int) -> dict[str, Any]:
        words = self.state.game.words
        names = [f"{{{seat}}}" for seat in range(self.seats)]
        seen = self.state.observe(0)
        return {
            "ply": self.ply,
            "status": "finished" if self.is_over else "playing", "note": "", "to_act": self.state.to_act,
            "seat": 0, "chairs": self.chairs(), "frames": self.since(since),
            "legal": [{"text": text, "offer": words.offer(text, seen, names)} for text in self.legal()],
            "ending": "The game is over." if self.is_over else "",
        }  # fmt: skip

    def since(self, ply: int) -> list[dict[str, Any]]:
        """The frames from a ply on, the first of them whole."""
        start = max(0, min(ply, self.ply))
        return [self.whole(start), *self.frames[start + 1 :]]

    def whole(self, ply: int) -> dict[str, Any]:
        state = copy.deepcopy(self.frames[0]["state"])
        for frame in self.frames[1 : ply + 1]:
            state = apply_changes(state, copy.deepcopy(frame["changes"]))
        return {key: value for key, value in self.frames[ply].items() if key != "changes"} | {"state": state}

    def chairs(self) -> list[dict[str, Any]]:
        words = GAMES[self.game].words
        return [
            {
                "seat": seat, "name": f"random {seat}" if seat else "ann",
                "place": words.seat_name(seat, self.seats),
                "is_bot": seat > 0, "is_you": seat == 0, "is_taken": True, "fault": "",
            }
            for seat in range(self.seats)
        ]  # fmt: skip

    # ---- what a browser is given ----
    def lay(self, page: Page, html: str) -> None:
        """Open the page of a game between people, with this game on it."""

        def answer(route: Route) -> None:
            asked = urlsplit(route.request.url)
            if asked.path.startswith("/static/"):
                return static_file(route, asked.path.removeprefix("/static/"))
            if asked.path.endswith("/choose/"):
                given = parse_qs(route.request.post_data or "")
                return self.take(route, int(given["ply"][0]), given["action"][0])
            if asked.path.endswith("/state/"):
                return self.look(route, int(parse_qs(asked.query)["since"][0]))
            return route.fulfill(body=html, content_type="text/html")

        page.route(f"{HOST}/**", answer)
        page.goto(f"{HOST}/")

    def take(self, route: Route, ply: int, text: str) -> None:
        if ply != self.ply or text not in self.legal():
            message = f"{text} can't be chosen at ply {ply}"
            return route.fulfill(status=409, json={"error": {"code": "illegal_action", "message": message}})
        self.wanted()  # the dice fall whoever chooses, so that a game can be told beforehand
        self.play(text)
        self.chosen.append(text)
        return route.fulfill(json=self.told(ply))

    def look(self, route: Route, since: int) -> None:
        """One more of the others acts; where nothing is new the page is told so."""
        self.play_others()
        return route.fulfill(json={"same": True} if since == self.ply else self.told(since))


def static_file(route: Route, name: str) -> None:
    found = finders.find(name)
    if not isinstance(found, str):
        return route.fulfill(status=404, body="")
    return route.fulfill(body=Path(found).read_bytes(), content_type=KINDS.get(Path(found).suffix, "text/plain"))


def positions(game: str, count: int) -> list[dict[str, Any]]:
    """Moments of random games of all seat counts, as the one to act sees them."""
    rng, found = Random(f"positions of {game}"), []
    while len(found) < count:
        state = GAMES[game].new(seats=rng.choice(list(GAMES[game].seats)), seed=rng.getrandbits(60))
        while state.to_act is not None:
            legal = state.legal_actions()
            if rng.random() < SEEN:
                seen = {key: value for key, value in state.observe(state.to_act).items() if key != "log"}
                found.append({"state": seen, "legal": [state.format(action) for action in legal]})
            state.apply(rng.choice(legal))
    return found[:count]
