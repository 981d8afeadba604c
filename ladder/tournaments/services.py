"""What organisers and owners do with a tournament; ``drawing`` is what the service does with it from then on."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from unicodedata import bidirectional, category

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from ladder.accounts.models import User
from ladder.events import Event, announce
from ladder.ladders.models import Ladder
from ladder.matches import services as matches
from ladder.ratings.models import Standing
from ladder.refusals import Conflict, Forbidden, QuotaExceeded, Refused, hold
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.permissions import owns
from ladder.tournaments.drawing import stop_matches, unsettled_sets
from ladder.tournaments.formats import FORMATS, VERSION, Plan, PlanRefused, seed_commitment
from ladder.tournaments.formats.round_robin import MOST_ENTRANTS
from ladder.tournaments.models import LONGEST_CODE, LONGEST_NAME, Entrant, Tournament
from ladder.tournaments.permissions import check_may_run, may_rate, may_run, may_run_many, may_take_out
from ladder.tournaments.schedule import format_of, plan_of

Status = Tournament.Status
MOST_POINTS = 1000.0
MOST_TOP = 1000
SHORTEST_CODE = 8  # of the codes that organisers choose; older ones stay as they are
ENDS_LINES = ("Cc", "Zl", "Zp")  # by their Unicode categories
TURNS_TEXT = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


class TournamentRefused(Refused):
    """Settings a tournament can't have."""

    code = "tournament_refused"


class EntryRefused(Refused):
    """A bot that can't enter."""

    code = "entry_refused"


class AlreadyEntered(Conflict):
    """The bot is in already, with this very version."""

    code = "already_entered"


class WrongStage(Conflict):
    """The tournament is in a stage in which this can't be done."""

    code = "wrong_stage"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an organiser asks for."""

    name: str
    ladder: Ladder
    format: str = "round_robin"
    description: str = ""
    entry: str = Tournament.Entry.ANYONE
    invite_code: str = ""
    entries_until: datetime | None = None
    is_rated: bool = False
    cycles: int = 1
    rounds: int = 0
    best_of: int = 1
    champion: Bot | None = None
    all_rotations: bool = True
    points: Sequence[float] = field(default_factory=tuple)
    seed: int | None = None  # 256 bits; drawn unless somebody wants to repeat a tournament


@transaction.atomic
def create_tournament(*, by: User, wishes: Wishes) -> Tournament:
    """A draft; raises TournamentRefused, Forbidden or QuotaExceeded."""
    check_wishes(wishes)
    if wishes.is_rated and not may_rate(by):
        raise Forbidden("Rated tournaments are for organisers; make it unrated, or ask an administrator for the role.")
    if wishes.is_rated and wishes.seed is not None:
        raise TournamentRefused(
            "A rated tournament draws its own seed; only an unrated one can be given a seed.", field="seed"
        )
    _check_quota(by)
    seed = secrets.randbits(256) if wishes.seed is None else wishes.seed
    return Tournament.objects.create(
        name=wishes.name.strip(),
        description=wishes.description.strip(),
        ladder=wishes.ladder,
        organiser=by,
        entry=wishes.entry,
        invite_code=wishes.invite_code.strip() or (secrets.token_urlsafe(6) if wishes.entry == "invite" else ""),
        entries_until=wishes.entries_until,
        is_rated=wishes.is_rated,
        format=wishes.format,
        cycles=wishes.cycles,
        rounds=wishes.rounds,
        best_of=wishes.best_of,
        champion=wishes.champion,
        all_rotations=wishes.all_rotations,
        points=list(wishes.points),
        draw_version=VERSION,
        seed=f"{seed:064x}",
        seed_commitment=seed_commitment(seed),
    )


def check_wishes(wishes: Wishes) -> None:
    """Raises TournamentRefused for settings that could never be played, whoever enters."""
    if not wishes.name.strip() or len(wishes.name.strip()) > LONGEST_NAME:
        raise TournamentRefused(f"A name has 1 to {LONGEST_NAME} characters, not {wishes.name!r}.", field="name")
    if not _is_one_plain_line(wishes.name.strip()):
        told = f"The name {wishes.name!a} can't be shown: use one line, without characters that reverse text."
        raise TournamentRefused(told, field="name")
    if wishes.format not in FORMATS:
        formats = ", ".join(FORMATS)
        raise TournamentRefused(f"There is no format {wishes.format!r}; choose one of {formats}.", field="format")
    if wishes.entry not in Tournament.Entry.values:
        ways = ", ".join(Tournament.Entry.values)
        raise TournamentRefused(f"Entry can't be {wishes.entry!r}; choose one of {ways}.", field="entry")
    if wishes.seed is not None and not 0 <= wishes.seed < 1 << 256:
        raise TournamentRefused(f"A seed is a number from 0 to 2**256 - 1, not {wishes.seed}.", field="seed")
    if wishes.entries_until is not None and wishes.entries_until <= timezone.now():
        raise TournamentRefused(f"The deadline {wishes.entries_until:%Y-%m-%d %H:%M} is past.", field="entries_until")
    _check_code(wishes.invite_code.strip())
    _check_champion(wishes)
    _check_points(wishes)
    try:
        FORMATS[wishes.format].check(plan_of(tournament_like(wishes), entrants=max(8, wishes.ladder.seats)))
    except PlanRefused as refused:
        raise TournamentRefused(str(refused)) from None


def _is_one_plain_line(name: str) -> bool:
    """Something is seen of it, no line ends in it, and it turns no text around it from right to left."""
    is_seen = any(category(letter)[0] in "LNPS" for letter in name)
    return is_seen and not any(category(letter) in ENDS_LINES or bidirectional(letter) in TURNS_TEXT for letter in name)


def tournament_like(wishes: Wishes) -> Tournament:
    """A tournament of these wishes to try a plan with; it is never stored."""
    return Tournament(
        draw_version=VERSION,
        ladder=wishes.ladder,
        cycles=wishes.cycles,
        rounds=wishes.rounds,
        best_of=wishes.best_of,
        seed="0",
    )


def _check_code(code: str) -> None:
    if 0 < len(code) < SHORTEST_CODE:
        raise TournamentRefused(
            f"The code {code!r} can be guessed: it has {len(code)} of at least {SHORTEST_CODE} characters. "
            "Choose a longer one, or leave it empty and get one that is drawn.",
            field="invite_code",
        )


def _check_champion(wishes: Wishes) -> None:
    if not FORMATS[wishes.format].has_champion:
        return
    if wishes.champion is None:
        raise TournamentRefused("A gauntlet needs a champion: name the bot that everyone meets.", field="champion")
    if wishes.champion.game != wishes.ladder.game:
        raise TournamentRefused(f"{wishes.champion} can't play {wishes.ladder.game}.", field="champion")


def _check_points(wishes: Wishes) -> None:
    points, seats = list(wishes.points), wishes.ladder.seats
    if not points:
        return
    if len(points) != seats:
        raise TournamentRefused(f"Points need one number for each of {seats} ranks, not {points}.", field="points")
    if any(not 0 <= value <= MOST_POINTS for value in points) or points != sorted(points, reverse=True):
        raise TournamentRefused(
            f"Points must fall from first to last and lie between 0 and {MOST_POINTS:g}, not {points}.", field="points"
        )
    if points[0] == points[-1]:
        raise TournamentRefused(f"With the points {points} nobody could win.", field="points")


def _check_quota(user: User) -> None:
    if may_run_many(user):
        return
    hold(user)
    unfinished = Tournament.objects.filter(organiser=user).exclude(status__in=(Status.FINISHED, Status.CANCELLED))
    if unfinished.count() >= settings.TOURNAMENTS_A_USER:
        raise QuotaExceeded(
            f"You have {unfinished.count()} unfinished tournaments; the limit is {settings.TOURNAMENTS_A_USER}. "
            "Finish or cancel one first."
        )


def open_entries(tournament: Tournament, *, by: User) -> None:
    """Show a draft and take entries; raises WrongStage."""
    check_may_run(by, tournament)
    _move(tournament, {Status.DRAFT}, Status.OPEN, opened_at=Now())


@transaction.atomic
def enter(tournament: Tournament, bot: Bot, *, by: User, code: str = "", version: BotVersion | None = None) -> Entrant:
    """Enter a bot with its active version or one named; doing so again changes the version. Raises EntryRefused."""
    tournament = _locked(tournament)
    is_organiser = may_run(by, tournament)
    if tournament.status not in ({Status.OPEN, Status.DRAFT} if is_organiser else {Status.OPEN}):
        raise WrongStage(f"{tournament} is {tournament.status} and does not accept entries.")
    present = tournament.entrants.filter(bot=bot).select_related("version").first()
    is_swap = present is not None and owns(by, bot)
    if not is_organiser and not is_swap:  # whoever is in may change the version until the start, deadline or not
        _check_may_enter(tournament, bot, by, code)
    pinned = _checked_version(tournament, bot, version or bot.active_version)
    if present is None:
        return _new_entrant(tournament, pinned, by)
    if present.version_id == pinned.pk:
        raise AlreadyEntered(f"{pinned} has already entered {tournament}.")
    present.version = pinned
    present.save(update_fields=["version"])
    return present


def _new_entrant(tournament: Tournament, version: BotVersion, by: User) -> Entrant:
    if tournament.entrants.count() >= MOST_ENTRANTS:
        raise EntryRefused(f"{tournament} is full: it has {MOST_ENTRANTS} entrants.")
    return Entrant.objects.create(tournament=tournament, bot_id=version.bot_id, version=version, entered_by=by)


def _check_may_enter(tournament: Tournament, bot: Bot, user: User, code: str) -> None:
    if not owns(user, bot):
        raise Forbidden(f"{bot} is not yours; only its owner or the organiser can enter it.")
    if tournament.entries_until is not None and tournament.entries_until <= timezone.now():
        raise WrongStage(f"Entries for {tournament} closed at {tournament.entries_until:%Y-%m-%d %H:%M} UTC.")
    if tournament.entry == Tournament.Entry.CLOSED:
        raise Forbidden(f"{tournament} is closed: only its organiser can enter bots.")
    if tournament.entry == Tournament.Entry.INVITE and not secrets.compare_digest(
        code.encode(), tournament.invite_code.encode()
    ):
        told = code[:LONGEST_CODE]
        raise Forbidden(f"{tournament} is by invitation, and {told!r} is not its code. Ask the organiser for it.")


def _checked_version(tournament: Tournament, bot: Bot, version: BotVersion | None) -> BotVersion:
    if bot.game != tournament.ladder.game:
        raise EntryRefused(f"{bot} can't enter: {tournament} is for {tournament.ladder.game}.")
    if version is None:
        raise EntryRefused(f"{bot} has no active version. Upload a version that qualifies first.")
    if version.bot_id != bot.pk:
        raise EntryRefused(f"{version} is not a version of {bot}.")
    if version.status != BotVersion.Status.QUALIFIED:
        raise EntryRefused(f"{version} is {version.status}; only qualified versions can enter.")
    if bot.is_hidden:
        raise EntryRefused(f"{bot} is hidden by its owner; only bots that are shown can enter.")
    return version


def leave(tournament: Tournament, bot: Bot, *, by: User) -> None:
    """Take a bot out before the start; raises WrongStage, Forbidden or EntryRefused."""
    if not may_take_out(by, tournament, bot):
        raise Forbidden(f"Only the organiser of {tournament} may do this.")
    with transaction.atomic():
        tournament = _locked(tournament)
        if tournament.status not in {Status.DRAFT, Status.OPEN}:
            raise WrongStage(f"{tournament} is {tournament.status}; its entrants are fixed.")
        if not tournament.entrants.filter(bot=bot).delete()[0]:
            raise EntryRefused(f"{bot} is not in {tournament}.", status=404)


@transaction.atomic
def leave_unstarted(bot: Bot) -> int:
    """Take a bot out of every tournament that has not started, and doesn't meanwhile; returns out of how many."""
    entered = Tournament.objects.filter(entrants__bot=bot, status__in=(Status.DRAFT, Status.OPEN))
    waiting = list(entered.select_for_update(of=("self",)).order_by("pk"))
    return Entrant.objects.filter(bot=bot, tournament__in=waiting).delete()[0]


@transaction.atomic
def enter_top(tournament: Tournament, count: int, *, by: User) -> list[Entrant]:
    """Enter the first so many bots of the tournament's own ladder; those that are in stay as they are."""
    check_may_run(by, tournament)
    if not 1 <= count <= MOST_TOP:
        raise EntryRefused(f"The first {count} can't be entered; choose a number from 1 to {MOST_TOP}.", field="top")
    tournament = _locked(tournament)
    if tournament.status not in {Status.OPEN, Status.DRAFT}:
        raise WrongStage(f"{tournament} is {tournament.status} and does not accept entries.")
    listed = Standing.objects.filter(ladder=tournament.ladder, is_listed=True).order_by("-board_key", "id")
    top = list(listed.values_list("bot_id", "version_id")[:count])
    present = set(tournament.entrants.values_list("bot_id", flat=True))
    new = [Entrant(tournament=tournament, bot_id=b, version_id=v, entered_by=by) for b, v in top if b not in present]
    if len(present) + len(new) > MOST_ENTRANTS:
        raise EntryRefused(f"{tournament} would have more than {MOST_ENTRANTS} entrants.", field="top")
    Entrant.objects.bulk_create(new, batch_size=500)
    return list(tournament.entrants.filter(bot__in=[bot for bot, _ in top]))


def start(tournament: Tournament, *, by: User) -> None:
    """Pin the entrants, number them by rating, and let the drawing begin; raises WrongStage or TournamentRefused."""
    check_may_run(by, tournament)
    _checked_plan(tournament, _seeded(tournament))  # a big schedule takes seconds to find: not while others wait
    _start(tournament, by)


@transaction.atomic
def _start(tournament: Tournament, by: User) -> None:
    tournament = _locked(tournament)
    if tournament.status not in {Status.DRAFT, Status.OPEN}:
        raise WrongStage(f"{tournament} is {tournament.status}; a tournament can be started only once.")
    entrants = _seeded(tournament)
    plan = _checked_plan(tournament, entrants)
    tournament.tables_total = format_of(tournament).table_count(plan)
    _check_size(tournament, by)
    for number, entrant in enumerate(entrants):
        entrant.number = number
    Entrant.objects.bulk_update(entrants, ["number"], batch_size=500)
    tournament.entrant_count = len(entrants)
    tournament.status, tournament.started_at = Status.RUNNING, timezone.now()
    tournament.opened_at = tournament.opened_at or tournament.started_at
    tournament.save()
    announce(Event.TOURNAMENT_CHANGED, tournament.pk)


def _checked_plan(tournament: Tournament, entrants: Sequence[Entrant]) -> Plan:
    """What would be played; raises TournamentRefused when it can't be."""
    shape = format_of(tournament)
    plan = plan_of(tournament, entrants=len(entrants), champion=_champion_number(tournament, entrants))
    try:
        shape.check(plan)
    except PlanRefused as refused:
        raise TournamentRefused(str(refused)) from None
    shape.table_count(plan)  # finds the schedule and keeps it
    return plan


def _check_size(tournament: Tournament, by: User) -> None:
    matches_total, most = tournament.tables_total * tournament.matches_a_table, settings.TOURNAMENT_MATCHES_A_USER
    if matches_total > most and not may_run_many(by):
        raise QuotaExceeded(
            f"{tournament} would have {matches_total} matches; the limit is {most}. "
            "Choose fewer bots or cycles, or ask an organiser to run it."
        )


def _seeded(tournament: Tournament) -> list[Entrant]:
    """The entrants, best rating first; raises TournamentRefused for a version that may not play any more."""
    ratings = dict(
        Standing.objects.filter(ladder=tournament.ladder, version__entries__tournament=tournament).values_list(
            "version_id", "board_key"
        )
    )
    entrants = list(tournament.entrants.select_related("version__bot"))
    for entrant in entrants:
        try:
            _checked_version(tournament, entrant.version.bot, entrant.version)
        except EntryRefused as refused:
            cure = f"Take {entrant.version.bot.name} out or enter another version of it, then start again."
            raise TournamentRefused(f"{refused.message} {cure}") from None
    return sorted(entrants, key=lambda entrant: (-ratings.get(entrant.version_id, -inf), entrant.pk))


def _champion_number(tournament: Tournament, entrants: Sequence[Entrant]) -> int:
    if not format_of(tournament).has_champion:
        return 0
    for number, entrant in enumerate(entrants):
        if entrant.bot_id == tournament.champion_id:
            return number
    raise TournamentRefused(f"The champion {tournament.champion} has not entered.", field="champion")


@transaction.atomic
def pause(tournament: Tournament, *, by: User) -> None:
    """Let no further match begin; running ones end. Raises WrongStage."""
    check_may_run(by, tournament)
    _move(tournament, {Status.RUNNING}, Status.PAUSED)
    stop_matches(tournament)


@transaction.atomic
def resume(tournament: Tournament, *, by: User) -> None:
    """Go on after a pause; raises WrongStage."""
    check_may_run(by, tournament)
    _move(tournament, {Status.PAUSED}, Status.RUNNING)
    matches.release_sets(unsettled_sets(tournament))
    announce(Event.TOURNAMENT_CHANGED, tournament.pk)


@transaction.atomic
def cancel(tournament: Tournament, *, by: User) -> None:
    """Call the tournament off; what was played stays readable. Raises WrongStage."""
    check_may_run(by, tournament)
    unfinished = {Status.DRAFT, Status.OPEN, Status.RUNNING, Status.PAUSED}
    _move(tournament, unfinished, Status.CANCELLED, finished_at=Now())
    stop_matches(tournament)


def delete_draft(tournament: Tournament, *, by: User) -> None:
    """Throw a draft away; raises WrongStage for anything that was opened."""
    check_may_run(by, tournament)
    if not Tournament.objects.filter(pk=tournament.pk, status=Status.DRAFT).delete()[0]:
        raise WrongStage(f"{tournament} is {tournament.status}; only a draft can be deleted. Cancel it instead.")


def _locked(tournament: Tournament) -> Tournament:
    hold(tournament)
    return Tournament.objects.select_for_update(of=("self",)).select_related("ladder").get(pk=tournament.pk)


def _move(tournament: Tournament, stages: set[Status], stage: Status, **also: object) -> None:
    """Change the stage if it is one of these; raises WrongStage."""
    if not Tournament.objects.filter(pk=tournament.pk, status__in=stages).update(status=stage, **also):
        now = Tournament.objects.values_list("status", flat=True).get(pk=tournament.pk)
        raise WrongStage(f"{tournament} is {now}; it can't become {stage.value} from there.")
    tournament.refresh_from_db()
