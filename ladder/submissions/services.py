"""What changes bots: making them and uploading versions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import CharField, Max, QuerySet, Value
from django.db.models.functions import Cast, Concat

from arena import BundleRejected, Manifest, read_bundle
from engines import GAMES
from ladder.accounts.models import User
from ladder.accounts.permissions import has_no_limits
from ladder.disk import is_disk_full
from ladder.events import Event, announce
from ladder.refusals import QuotaReached, Refused, check_day, hold
from ladder.submissions.bundles import bundle_limits
from ladder.submissions.models import Bot, BotVersion, Bundle
from ladder.submissions.permissions import check_may_manage

ANONYMOUS = "anonymous-"  # what the bots of those who left are called, with their number
LIKE_A_VERSION = re.compile(r".* v[0-9]+", re.IGNORECASE)
BOT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")


class UploadRejected(Refused):
    """The uploaded file is no bot that could be played; the code is the one of the check it failed."""

    code = "upload_rejected"


class BotRefused(Refused):
    """A bot that is not made or not changed."""

    code = "bot_refused"


class NoRoom(Refused):
    """Bundles and records have filled the disk they are given."""

    code = "no_room"
    status = 507


@transaction.atomic
def create_bot(*, owner: User, game: str, name: str, description: str = "") -> Bot:
    """A bot without versions; raises BotRefused or QuotaReached."""
    name = _in_single_spaces(name)
    if game not in GAMES:
        raise BotRefused(f"There is no game {game!r}; the games are {', '.join(GAMES)}.", code="unknown_game")
    _check_bot_name(name)
    _check_bot_quota(owner)
    try:
        with transaction.atomic():
            return Bot.objects.create(owner=owner, game=game, name=name, description=description[:500])
    except IntegrityError:
        raise _taken(name, game) from None


def _in_single_spaces(name: str) -> str:
    """A page shows several spaces as one: a name with more of them would pass for another bot's."""
    return re.sub(" +", " ", name.strip())


def _check_bot_name(name: str) -> None:
    if not BOT_NAME.fullmatch(name) or name.lower().startswith(ANONYMOUS):
        raise BotRefused(
            f"{name[:60]!r} can't be the name of a bot: use 1 to 40 letters A to Z, digits, spaces, dots, "
            f"hyphens or underscores, beginning with a letter or digit and not with {ANONYMOUS!r}.",
            code="invalid_name",
        )
    if LIKE_A_VERSION.fullmatch(name):
        bot, _, number = name.rpartition(" ")
        told = f"{name!r} reads like a version of a bot called {bot!r}. Choose another name, say {f'{bot}-{number}'!r}."
        raise BotRefused(told, code="invalid_name")


def _taken(name: str, game: str) -> BotRefused:
    return BotRefused(f"There is already a bot named {name!r} for {GAMES[game].title}.", code="name_taken", status=409)


def describe_bot(bot: Bot, *, name: str, description: str, by: User) -> None:
    """Give a bot another name and description; its results stay. Raises NotYours or BotRefused."""
    check_may_manage(by, bot)
    name = _in_single_spaces(name)
    if name != bot.name:  # one that was taken before a rule came stays
        _check_bot_name(name)
    try:
        with transaction.atomic():
            Bot.objects.filter(pk=bot.pk).update(name=name, description=description.strip()[:500])
    except IntegrityError:
        raise _taken(name, bot.game) from None
    bot.refresh_from_db(fields=["name", "description"])


def let_people_play(bot: Bot, wanted: bool, *, by: User) -> None:
    """Open a bot to people who want to play against it, or close it again; raises NotYours."""
    check_may_manage(by, bot)
    Bot.objects.filter(pk=bot.pk).update(plays_people=wanted)
    bot.plays_people = wanted


def _check_bot_quota(owner: User) -> None:
    if has_no_limits(owner):
        return
    hold(owner)
    if Bot.objects.filter(owner=owner).count() >= settings.BOTS_A_USER:
        raise QuotaReached(f"You have {settings.BOTS_A_USER} bots, the maximum for one user.")


def upload_version(*, bot: Bot, by: User, content: bytes, filename: str) -> BotVersion:
    """Check an upload and take it in as the bot's next version; raises UploadRejected, NotYours or QuotaReached."""
    check_may_manage(by, bot)
    return take_in(Upload.of(content, filename, game=bot.game), bot=bot, by=by)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that is a bot."""

    content: bytes
    filename: str
    digest: str
    manifest: Manifest

    @classmethod
    def of(cls, content: bytes, filename: str, *, game: str) -> Upload:
        """Open a file, which may take seconds, so never while others wait for the database; raises UploadRejected."""
        try:
            bundle = read_bundle(content, filename, bundle_limits(), game=game)
        except BundleRejected as error:
            too_large = error.code == "upload_too_large"
            raise UploadRejected(str(error), code=error.code, status=413 if too_large else 400) from error
        return cls(content, filename, bundle.digest, bundle.manifest)


@transaction.atomic
def take_in(upload: Upload, *, bot: Bot, by: User) -> BotVersion:
    """Store an upload as the bot's next version; raises NotYours, QuotaReached or NoRoom."""
    check_may_manage(by, bot)
    _check_upload_quota(by)
    if is_disk_full():
        raise NoRoom("The service has run out of disk space for bots. Ask the operator to raise RUMRUNNER_DISK_GIB.")
    hold(bot)
    stored, _ = Bundle.objects.get_or_create(
        digest=upload.digest, defaults={"content": upload.content, "size_bytes": len(upload.content)}
    )
    version = BotVersion.objects.create(
        bot=bot,
        number=(bot.versions.aggregate(last=Max("number"))["last"] or 0) + 1,
        bundle=stored,
        runtime=upload.manifest.runtime,
        entry=upload.manifest.entry,
        filename=_plain_name(upload.filename),
        uploaded_by=by,
    )
    announce(Event.VERSION_RECEIVED, version.pk)
    return version


def _plain_name(filename: str) -> str:
    """The last part of a name as the uploader's machine spelt it, fit for a header and a page."""
    suffix = PurePosixPath(filename).suffix.lower()
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", PurePosixPath(filename.replace("\\", "/")).stem)[:100]
    return f"{stem or 'bot'}{suffix if suffix == '.py' else '.zip'}"


def _check_upload_quota(user: User) -> None:
    if has_no_limits(user):
        return
    hold(user)
    told = "You uploaded {had} versions in the last 24 hours, the maximum."
    check_day(user.uploads.all(), "uploaded_at", settings.UPLOADS_A_DAY, told)


def release_bots(bots: QuerySet[Bot]) -> int:
    """Take owner, name, description and file names from bots; versions and results stay. Returns how many."""
    versions = BotVersion.objects.filter(bot__in=bots)
    versions.filter(filename__endswith=".py").update(filename="bot.py")
    versions.exclude(filename="bot.py").update(filename="bot.zip")
    nameless = Concat(Value(ANONYMOUS), Cast("pk", CharField()))
    return bots.update(name=nameless, owner=None, description="", plays_people=False)
