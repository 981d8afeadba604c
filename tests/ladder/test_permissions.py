"""Who may do what: said once for each act, and every door keeps to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from ladder.accounts.permissions import Visitor
from ladder.duels import services as duels
from ladder.matches.permissions import may_read_log, may_see
from ladder.operations.permissions import may_watch
from ladder.privacy.owning import BotWishes, change_bot, delete_bot
from ladder.qualifying.activation import activate
from ladder.ratings.permissions import may_close_seasons
from ladder.refusals import Refused
from ladder.submissions.models import Bot
from ladder.submissions.permissions import may_manage, may_see_source
from ladder.tournaments import services
from ladder.tournaments.models import Tournament
from ladder.tournaments.permissions import may_rate, may_run, may_take_out, shown_to
from tests.ladder.api.conftest import one_world, world  # noqa: F401 - fixtures
from tests.ladder.api.world import VISITORS, World

ROOT = Path(__file__).resolve().parents[2]
KEEPERS = {"owner", "administrator"}


@dataclass(frozen=True)
class Act:
    """Something that not everybody may do: what the permission says, and the doors that ask it."""

    name: str
    may: Callable[[Visitor, World], bool]
    who: set[str]
    get: tuple[str, ...] = ()  # paths that answer 200 to those who may
    post: tuple[tuple[str, dict], ...] = ()  # paths of the API and what is sent
    serves: tuple[Callable[[Visitor, World], object], ...] = field(default=())  # what commands and the desk call

    def __str__(self) -> str:
        return self.name


ACTS = (
    Act(
        "manage a bot",
        lambda visitor, w: may_manage(visitor, w.bot),
        KEEPERS,
        get=(
            "/versions/{spare_id}/",
            "/versions/{spare_id}/withdraw/",
            "/bots/{bot}/edit/",
            "/bots/{bot}/hide/",
            "/bots/{bot}/delete/",
        ),
        post=(("/api/v1/bots/{bot}/versions/{spare}/activate/", {}),),
        serves=(
            lambda visitor, w: activate(w.spare, by=visitor),
            lambda visitor, w: change_bot(Bot.objects.get(pk=w.bot.pk), BotWishes(is_hidden=True), by=visitor),
            lambda visitor, w: delete_bot(w.bot, by=visitor),
        ),
    ),
    Act(
        "test a new version",
        lambda visitor, w: may_manage(visitor, w.duel.bot),
        KEEPERS,
        get=("/duels/{duel}/", "/duels/{duel}/cancel/", "/api/v1/duels/{duel}/", "/api/v1/bots/{bot}/duels/"),
        post=(
            ("/api/v1/bots/{bot}/duels/", {}),
            ("/api/v1/duels/{duel}/cancel/", {}),
        ),
        serves=(
            lambda visitor, w: duels.start(bot=w.bot, by=visitor),
            lambda visitor, w: duels.cancel(w.duel, by=visitor),
            lambda visitor, w: duels.play_better_only(w.bot, True, by=visitor),
        ),
    ),
    Act(
        "see the source",
        lambda visitor, w: may_see_source(visitor, w.active),
        {"owner"},
        get=("/api/v1/bots/{bot}/versions/{active}/source/",),
    ),
    Act(
        "look through a seat's eyes",
        lambda visitor, w: may_see(visitor, w.unrevealed, 0),
        {"owner"},
        get=("/api/v1/matches/{unrevealed}/frames/?seat=0", "/matches/{unrevealed}/frames/?seat=0"),
    ),
    Act(
        "look through all eyes",
        lambda visitor, w: may_see(visitor, w.unrevealed, None),
        set(),
        get=("/api/v1/matches/{unrevealed}/frames/", "/matches/{unrevealed}/frames/"),
    ),
    Act(
        "look at what is over",
        lambda visitor, w: may_see(visitor, w.finished, None),
        set(VISITORS),
        get=("/api/v1/matches/{finished}/frames/", "/matches/{finished}/frames/"),
    ),
    Act(
        "read the log of a seat",
        lambda visitor, w: may_read_log(visitor, w.finished, 0),
        KEEPERS,
        get=("/api/v1/matches/{finished}/log/0/",),
    ),
    Act(
        "run a tournament",
        lambda visitor, w: may_run(visitor, w.cups["running"]),
        KEEPERS,
        get=("/tournaments/{running_cup}/cancel/",),
        post=(("/api/v1/tournaments/{running_cup}/pause/", {}),),
        serves=(lambda visitor, w: services.pause(w.cups["running"], by=visitor),),
    ),
    Act(
        "take a bot out of a tournament",
        lambda visitor, w: may_take_out(visitor, w.cups["open"], w.bot),
        KEEPERS,
        serves=(lambda visitor, w: services.leave(w.cups["draft"], w.bot, by=visitor),),
    ),
    Act(
        "see a draft",
        lambda visitor, w: Tournament.objects.filter(shown_to(visitor), pk=w.cups["draft"].pk).exists(),
        KEEPERS,
        get=("/api/v1/tournaments/{draft_cup}/", "/tournaments/{draft_cup}/"),
    ),
    Act(
        "hold a rated tournament",
        lambda visitor, w: may_rate(visitor),
        {"organiser", "administrator"},
        post=(("/api/v1/tournaments/", {"name": "Cup", "ladder": "{slug}", "is_rated": True}),),
    ),
    Act(
        "close a season",
        lambda visitor, w: may_close_seasons(visitor),
        {"administrator"},
        get=("/ladders/{slug}/seasons/close/", "/ladders/{closed}/seasons/1/reopen/"),
    ),
    Act("watch the service", lambda visitor, w: may_watch(visitor), {"administrator"}, get=("/metrics", "/admin/")),
)


def places(world: World) -> dict[str, object]:  # noqa: F811
    return {**world.places(), "spare_id": world.spare.pk}


def someone(name: str, world: World) -> Visitor:  # noqa: F811
    return world.people.get(name, AnonymousUser())


def let_in(world: World, ask: Callable[[str], bool]) -> set[str]:  # noqa: F811
    """Which visitors a question is answered with yes for; each asks as if nobody had before."""
    found = set()
    for name in VISITORS:
        cache.clear()
        with transaction.atomic():
            if ask(name):
                found.add(name)
            transaction.set_rollback(True)
    return found


def serve(call: Callable[[], object]) -> bool:
    try:
        call()
    except Refused:
        return False
    return True


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_the_permission_says_who_may(act: Act, world: World) -> None:  # noqa: F811
    assert let_in(world, lambda name: act.may(someone(name, world), world)) == act.who


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_every_door_lets_in_those_and_no_others(act: Act, world: World) -> None:  # noqa: F811
    for path in act.get:
        url = path.format(**places(world))
        got = let_in(world, lambda name, url=url: world.client(name).get(url).status_code == 200)
        assert got == act.who, url
    for path, body in act.post:
        url = path.format(**places(world))
        sent = {key: value.format(**places(world)) if isinstance(value, str) else value for key, value in body.items()}
        got = let_in(world, lambda name, url=url, sent=sent: taken(world.client(name), url, sent))
        assert got == act.who, url


def taken(client: Client, url: str, sent: dict) -> bool:
    return client.post(url, sent, "application/json").status_code < 400


@pytest.mark.parametrize("act", [act for act in ACTS if act.serves], ids=str)
def test_what_commands_and_the_desk_call_asks_too(act: Act, world: World) -> None:  # noqa: F811
    for call in act.serves:
        assert let_in(world, lambda name, call=call: serve(lambda: call(someone(name, world), world))) == act.who


def test_nobody_but_permissions_looks_at_roles_and_owners() -> None:
    asks = re.compile(r"\.role\b *(==|in)|\.is_administrator|\.is_organiser|(owner|organiser)_id *(==|!=)")
    told = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in (ROOT / "ladder").rglob("*.py")
        if path.name != "permissions.py" and path != ROOT / "ladder" / "accounts" / "models.py"
        for line in path.read_text().splitlines()
        if asks.search(line)
    ]
    assert told == []
