"""The first start of a service: an administrator, the first ladders, and the house bots from their files."""

from __future__ import annotations

import ast
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction

from arena.house import HOUSE as HOUSE_FOLDER
from arena.house import house_bots
from engines import GAMES
from ladder.accounts.models import User
from ladder.accounts.permissions import HOUSE
from ladder.ladders.services import open_first_ladders
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.services import create_bot, upload_version

ADMINISTRATOR = "admin"
UNTOLD = "A house bot."  # what older releases said of all of them


@dataclass(slots=True)
class FirstStart:
    """What a first start did; a second one does nothing."""

    administrator: str = ""
    password: str = ""  # shown once, kept nowhere
    ladders: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)


def first_start() -> FirstStart:
    """Make what a service needs to begin with, and only what is missing."""
    done = FirstStart()
    _make_administrator(done)
    done.ladders = [ladder.slug for ladder in open_first_ladders()]
    done.versions = [str(version) for version in register_house_bots()]
    return done


@transaction.atomic
def _make_administrator(done: FirstStart) -> None:
    if User.objects.filter(role=User.Role.ADMINISTRATOR).exists():
        return
    done.administrator, done.password = ADMINISTRATOR, secrets.token_urlsafe(12)
    User.objects.create_superuser(ADMINISTRATOR, password=done.password)


def house_owner() -> User:
    """The user that owns the house bots; nobody can sign in as it."""
    owner, is_new = User.objects.get_or_create(username=HOUSE)
    if is_new:
        owner.set_unusable_password()
        owner.save(update_fields=["password"])
    return owner


def register_house_bots(folder: Path = HOUSE_FOLDER) -> list[BotVersion]:
    """Upload every ``GAME/NAME.py`` that is new or has changed; the sparring partners come first."""
    files = [(game, path) for game in sorted(GAMES) for path in house_bots(game, folder).values()]
    files.sort(key=lambda file: file[1].stem != "random")
    return [version for game, path in files if (version := _register(game, path, house_owner()))]


@transaction.atomic
def _register(game: str, path: Path, owner: User) -> BotVersion | None:
    """A new version if the file differs from the newest one that was uploaded."""
    name, content = path.stem, path.read_bytes()
    bot = Bot.objects.filter(owner=owner, game=game, name=name).first()
    if bot is None:
        bot = create_bot(owner=owner, game=game, name=name, description=_told(content))
    elif bot.description == UNTOLD:
        Bot.objects.filter(pk=bot.pk).update(description=_told(content))
    newest = bot.versions.order_by("-number").select_related("bundle").first()
    if newest is not None and bytes(newest.bundle.content) == content:
        return None
    return upload_version(bot=bot, by=owner, content=content, filename=path.name)


def _told(source: bytes) -> str:
    """What a house bot says about itself, for those who choose an opponent."""
    try:
        told = ast.get_docstring(ast.parse(source)) or ""
    except (SyntaxError, ValueError):
        told = ""
    return told.partition("\n")[0][:500] or UNTOLD
