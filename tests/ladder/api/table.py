"""Who gets what: every endpoint and every kind of visitor. An endpoint that is missing here fails a test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

OK, MADE, TAKEN, DONE = 200, 201, 202, 204
BAD, WHO, NO, GONE, CLASH = 400, 401, 403, 404, 409


@dataclass(frozen=True, slots=True)
class Row:
    """One request; the statuses are for nobody, a stranger, the owner, an organiser and an administrator."""

    method: str
    name: str
    path: str
    statuses: tuple[int, int, int, int, int]
    body: dict[str, Any] = field(default_factory=dict)
    is_upload: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def everybody(status: int) -> tuple[int, int, int, int, int]:
    return (status,) * 5


def members(status: int) -> tuple[int, int, int, int, int]:
    return (WHO, status, status, status, status)


def owner(status: int, administrator: int | None = None) -> tuple[int, int, int, int, int]:
    return (WHO, NO, status, NO, status if administrator is None else administrator)


def get(name: str, path: str, statuses: tuple[int, int, int, int, int], /) -> Row:
    return Row("GET", name, path, statuses)


def post(name: str, path: str, statuses: tuple[int, int, int, int, int], /, **body: Any) -> Row:
    return Row("POST", name, path, statuses, body)


BOTS_CHAIR = {"who": "bot", "bot": "{bot}"}
TABLE = (
    get("schema", "v1/schema/", everybody(OK)),
    get("docs", "docs/", everybody(OK)),
    get("nowhere", "v1/nowhere/", everybody(GONE)),
    post("login", "v1/auth/login/", everybody(MADE), username="owner", password="long enough 1"),
    post("login", "v1/auth/login/", everybody(WHO), username="owner", password="wrong"),
    post("logout", "v1/auth/logout/", members(DONE)),
    get("tokens", "v1/auth/tokens/", members(OK)),
    post("tokens", "v1/auth/tokens/", members(MADE), name="another"),
    Row("DELETE", "token", "v1/auth/tokens/{token}/", (WHO, GONE, DONE, GONE, GONE)),
    get("me", "v1/me/", members(OK)),
    Row("DELETE", "me", "v1/me/", (WHO, DONE, DONE, DONE, CLASH), {"password": "long enough 1"}),
    Row("DELETE", "me", "v1/me/", members(BAD), {"password": "wrong"}),
    get("export", "v1/me/export/", members(OK)),
    get("notifications", "v1/me/notifications/", members(OK)),
    post("notifications", "v1/me/notifications/", members(DONE)),
    get("games", "v1/games/", everybody(OK)),
    get("game", "v1/games/{game}/", everybody(OK)),
    get("game", "v1/games/chess/", everybody(GONE)),
    get("ladders", "v1/ladders/", everybody(OK)),
    get("ladder", "v1/ladders/{slug}/", everybody(OK)),
    get("ladder", "v1/ladders/chess-2/", everybody(GONE)),
    get("leaderboard", "v1/ladders/{slug}/leaderboard/", everybody(OK)),
    get("leaderboard", "v1/ladders/{slug}/leaderboard/?order=-matches&search=o", everybody(OK)),
    get("leaderboard", "v1/ladders/{slug}/leaderboard/?order=luck", everybody(BAD)),
    get("leaderboard-export", "v1/ladders/{slug}/export/", everybody(OK)),
    get("leaderboard-export", "v1/ladders/{slug}/export/?as=csv", everybody(OK)),
    get("leaderboard-export", "v1/ladders/{slug}/export/?as=pdf", everybody(BAD)),
    get("seasons", "v1/ladders/{closed}/seasons/", everybody(OK)),
    get("seasons", "v1/ladders/chess-2/seasons/", everybody(GONE)),
    get("season", "v1/ladders/{closed}/seasons/1/", everybody(OK)),
    get("season", "v1/ladders/{closed}/seasons/1/?after=x", everybody(BAD)),
    get("season", "v1/ladders/{slug}/seasons/1/", everybody(GONE)),
    get("season-export", "v1/ladders/{closed}/seasons/1/export/?as=csv", everybody(OK)),
    get("season-export", "v1/ladders/{closed}/seasons/1/export/?as=pdf", everybody(BAD)),
    get("truth", "v1/ladders/{slug}/truth/", everybody(OK)),
    get("truth", "v1/ladders/chess-2/truth/", everybody(GONE)),
    get("compare", "v1/ladders/{slug}/compare/?a={bot_name}&b={rival_name}", everybody(OK)),
    get("compare", "v1/ladders/{slug}/compare/?a={bot_name}%20v1&b={rival_name}&as=csv", everybody(OK)),
    get("compare", "v1/ladders/{slug}/compare/?a={bot_name}&b={bot_name}", everybody(BAD)),
    get("compare", "v1/ladders/{slug}/compare/?a={bot_name}&b=nobody", everybody(GONE)),
    get("compare", "v1/ladders/{slug}/compare/?a={bot_name}&b={rival_name}&as=pdf", everybody(BAD)),
    get("compare", "v1/ladders/{slug}/compare/", everybody(BAD)),
    get("bots", "v1/bots/", everybody(OK)),
    post("bots", "v1/bots/", members(MADE), name="newcomer", game="gatsby"),
    get("bot", "v1/bots/{bot}/", everybody(OK)),
    get("bot", "v1/bots/999999/", everybody(GONE)),
    get("history", "v1/bots/{bot}/history/", everybody(OK)),
    get("opponents", "v1/bots/{bot}/opponents/", everybody(OK)),
    get("versions", "v1/bots/{bot}/versions/", everybody(OK)),
    Row("POST", "versions", "v1/bots/{bot}/versions/", owner(TAKEN), is_upload=True),
    get("version", "v1/bots/{bot}/versions/{active}/", everybody(OK)),
    get("version", "v1/bots/{bot}/versions/99/", everybody(GONE)),
    post("activate", "v1/bots/{bot}/versions/{spare}/activate/", owner(OK)),
    post("withdraw", "v1/bots/{bot}/versions/{spare}/withdraw/", owner(OK)),
    post("check-again", "v1/bots/{bot}/versions/{spare}/check-again/", owner(CLASH)),
    post("check-again", "v1/bots/{bot}/versions/99/check-again/", members(GONE)),
    get("source", "v1/bots/{bot}/versions/{active}/source/", owner(OK, administrator=NO)),
    Row("PATCH", "bot", "v1/bots/{bot}/", owner(OK), {"plays_better_only": True}),
    Row("PATCH", "bot", "v1/bots/{bot}/", owner(BAD), {"plays_better_only": "sometimes"}),
    Row("PATCH", "bot", "v1/bots/{bot}/", owner(OK), {"plays_people": True, "is_hidden": True, "description": ""}),
    Row("PATCH", "bot", "v1/bots/{bot}/", owner(CLASH), {"name": "{rival_name}"}),
    Row("PATCH", "bot", "v1/bots/{bot}/", owner(BAD)),
    Row("DELETE", "bot", "v1/bots/{bot}/", owner(DONE), {"name": "{bot_name}"}),
    Row("DELETE", "bot", "v1/bots/{bot}/", owner(BAD), {"name": "another"}),
    Row("PUT", "follow-bot", "v1/bots/{bot}/follow/", members(DONE)),
    Row("DELETE", "follow-bot", "v1/bots/{bot}/follow/", members(DONE)),
    Row("PUT", "follow-bot", "v1/bots/999999/follow/", members(GONE)),
    Row("PUT", "follow-author", "v1/authors/owner/follow/", members(DONE)),
    Row("DELETE", "follow-author", "v1/authors/owner/follow/", members(DONE)),
    Row("PUT", "follow-author", "v1/authors/nobody/follow/", members(GONE)),
    get("following", "v1/me/following/", members(OK)),
    Row("PATCH", "me", "v1/me/", members(OK), {"hears_followed": False}),
    Row("PATCH", "me", "v1/me/", members(BAD), {"hears_followed": "seldom"}),
    get("duels", "v1/bots/{bot}/duels/", owner(OK)),
    post("duels", "v1/bots/{bot}/duels/", owner(MADE)),
    post("duels", "v1/bots/{bot}/duels/", owner(BAD), new=99),
    post("duels", "v1/bots/{bot}/duels/", owner(GONE), ladder="chess-2"),
    get("duel", "v1/duels/{duel}/", owner(OK)),
    get("duel", "v1/duels/999999/", members(GONE)),
    post("cancel-duel", "v1/duels/{duel}/cancel/", owner(OK)),
    get("matches", "v1/matches/", everybody(OK)),
    post("matches", "v1/matches/", members(MADE), ladder="{slug}", seats=[{"bot": "{bot}"}, {"bot": "{bot}"}]),
    get("match", "v1/matches/{finished}/", everybody(OK)),
    get("match", "v1/matches/{running}/", everybody(OK)),
    get("match", "v1/matches/999999/", everybody(GONE)),
    get("record", "v1/matches/{finished}/record/", everybody(OK)),
    get("record", "v1/matches/{unrevealed}/record/", everybody(CLASH)),
    get("record", "v1/matches/{running}/record/", everybody(GONE)),
    get("frames", "v1/matches/{finished}/frames/", everybody(OK)),
    get("frames", "v1/matches/{finished}/frames/?seat=1", everybody(OK)),
    get("frames", "v1/matches/{unrevealed}/frames/", everybody(NO)),
    get("frames", "v1/matches/{unrevealed}/frames/?seat=0", (NO, NO, OK, NO, NO)),
    get("frames", "v1/matches/{unrevealed}/frames/?seat=1", (NO, OK, NO, NO, NO)),
    get("frames", "v1/matches/{running}/frames/?seat=0", (NO, NO, OK, NO, NO)),
    get("frames", "v1/matches/{queued}/frames/", everybody(NO)),
    get("verify", "v1/matches/{finished}/verify/", everybody(OK)),
    get("verify", "v1/matches/{unrevealed}/verify/", everybody(CLASH)),
    get("verify", "v1/matches/{queued}/verify/", everybody(GONE)),
    get("log", "v1/matches/{finished}/log/0/", owner(OK)),
    get("log", "v1/matches/{finished}/log/1/", (WHO, OK, NO, NO, OK)),
    get("log", "v1/matches/{running}/log/0/", owner(OK)),
    get("log", "v1/matches/{finished}/log/9/", members(GONE)),
    get("sittings", "v1/sittings/", members(OK)),
    post("sittings", "v1/sittings/", members(MADE), game="gatsby", chairs=[{"who": "me"}, {"who": "friend"}]),
    post("sittings", "v1/sittings/", (WHO, NO, MADE, NO, NO), game="gatsby", chairs=[{"who": "me"}, BOTS_CHAIR]),
    post("sittings", "v1/sittings/", members(BAD), game="gatsby", chairs=[{"who": "me"}]),
    post("sittings", "v1/sittings/", members(BAD), game="gatsby", chairs=[{"who": "me"}, {"who": "bot"}]),
    get("sitting", "v1/sittings/{sitting}/", owner(OK, administrator=NO)),
    get("sitting", "v1/sittings/{sitting}/?since=1", owner(OK, administrator=NO)),
    get("sitting", "v1/sittings/{sitting}/?since=now", owner(BAD, administrator=NO)),
    get("sitting", "v1/sittings/nowhere/", members(GONE)),
    post("join-sitting", "v1/sittings/{sitting}/join/", members(OK), invite="{invite}"),
    post("join-sitting", "v1/sittings/{sitting}/join/", members(NO), invite="guessed"),
    post("act", "v1/sittings/{sitting}/act/", owner(CLASH, administrator=NO), ply=0, action="M1"),
    post("act", "v1/sittings/{sitting}/act/", members(BAD), ply="first", action="M1"),
    post("resign", "v1/sittings/{sitting}/resign/", owner(OK, administrator=NO)),
    get("tournaments", "v1/tournaments/", everybody(OK)),
    post("tournaments", "v1/tournaments/", members(MADE), name="Cup", ladder="{slug}"),
    post("tournaments", "v1/tournaments/", (WHO, NO, NO, MADE, MADE), name="Cup", ladder="{slug}", is_rated=True),
    post("tournaments", "v1/tournaments/", members(BAD), name="Cup", ladder="{slug}", format="lottery"),
    get("tournament", "v1/tournaments/{open_cup}/", everybody(OK)),
    get("tournament", "v1/tournaments/{draft_cup}/", (GONE, GONE, OK, GONE, OK)),
    get("tournament", "v1/tournaments/999999/", everybody(GONE)),
    Row("DELETE", "tournament", "v1/tournaments/{draft_cup}/", (WHO, GONE, DONE, GONE, DONE)),
    Row("DELETE", "tournament", "v1/tournaments/{running_cup}/", owner(CLASH)),
    get("entries", "v1/tournaments/{open_cup}/entries/", everybody(OK)),
    post("entries", "v1/tournaments/{open_cup}/entries/", owner(MADE), bot="{bot}"),
    post("entries", "v1/tournaments/{open_cup}/entries/", (WHO, MADE, MADE, NO, MADE), bot="{rival_bot}"),
    post("entries", "v1/tournaments/{open_cup}/entries/", owner(MADE), top=2),
    post("entries", "v1/tournaments/{running_cup}/entries/", members(CLASH), bot="{bot}"),
    Row("DELETE", "entry", "v1/tournaments/{draft_cup}/entries/{bot}/", (WHO, GONE, DONE, GONE, DONE)),
    Row("DELETE", "entry", "v1/tournaments/{running_cup}/entries/{bot}/", owner(CLASH)),
    post("open-entries", "v1/tournaments/{draft_cup}/open/", (WHO, GONE, OK, GONE, OK)),
    post("open-entries", "v1/tournaments/{open_cup}/open/", owner(CLASH)),
    post("start", "v1/tournaments/{draft_cup}/start/", (WHO, GONE, OK, GONE, OK)),
    post("start", "v1/tournaments/{open_cup}/start/", owner(BAD)),
    post("start", "v1/tournaments/{running_cup}/start/", owner(CLASH)),
    post("pause", "v1/tournaments/{running_cup}/pause/", owner(OK)),
    post("pause", "v1/tournaments/{cancelled_cup}/pause/", owner(CLASH)),
    post("resume", "v1/tournaments/{paused_cup}/resume/", owner(OK)),
    post("resume", "v1/tournaments/{running_cup}/resume/", owner(CLASH)),
    post("cancel", "v1/tournaments/{running_cup}/cancel/", owner(OK)),
    post("cancel", "v1/tournaments/{cancelled_cup}/cancel/", owner(CLASH)),
    get("tournament-matches", "v1/tournaments/{running_cup}/matches/", everybody(OK)),
    get("tournament-matches", "v1/tournaments/{running_cup}/matches/?entrant=0&entrant=1", everybody(OK)),
    get("tournament-matches", "v1/tournaments/{running_cup}/matches/?entrant=one", everybody(BAD)),
    get("standings", "v1/tournaments/{running_cup}/standings/", everybody(OK)),
    get("standings", "v1/tournaments/{running_cup}/standings/?limit=0", everybody(BAD)),
    get("crosstable", "v1/tournaments/{running_cup}/crosstable/", everybody(OK)),
    get("tournament-export", "v1/tournaments/{running_cup}/export/", everybody(OK)),
    get("tournament-export", "v1/tournaments/{running_cup}/export/?as=csv", everybody(OK)),
    get("tournament-export", "v1/tournaments/{running_cup}/export/?as=pdf", everybody(BAD)),
)


def filled(value: Any, places: dict[str, object]) -> Any:
    """A body or path with what the words in braces stand for."""
    if isinstance(value, dict):
        return {key: filled(part, places) for key, part in value.items()}
    if isinstance(value, list):
        return [filled(part, places) for part in value]
    if isinstance(value, str) and value.startswith("{") and value.endswith("}") and value[1:-1] in places:
        return places[value[1:-1]]
    return value


def a_bot() -> SimpleUploadedFile:
    return SimpleUploadedFile("main.py", b"print('a bot')\n")
