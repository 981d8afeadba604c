"""What happens in a sitting: it begins, people join, choose and resign, bots answer, it ends."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from arena import Fault, is_cut, ranks_with_faults
from arena.record import outcome_json
from arena.sitting import Reply
from engines import GAMES, State
from engines.api import EngineError, InvalidSetup
from ladder.accounts.models import User
from ladder.accounts.permissions import has_no_limits
from ladder.events import Event, announce
from ladder.matches.services import fresh_seed
from ladder.parlour.models import Act, Chair, Sitting
from ladder.parlour.permissions import HumanPlayer, may_play_against, seat_of
from ladder.parlour.queries import (
    RESIGNED,
    RESUMABLE,
    active_guests,
    faults_of,
    sittings_in_full,
    state_of,
    unfinished_of,
)
from ladder.refusals import Conflict, Forbidden, QuotaReached, Refused, check_day, hold
from ladder.submissions.models import BotVersion

GUEST_BANK_MS = 1_000


class SittingRefused(Refused):
    """A game that can't be begun as it was asked for."""

    code = "sitting_refused"


class NotChoosable(Refused):
    """The action can't be taken now; message and code say why."""

    code = "illegal_action"
    status = 409


class Sitter(StrEnum):
    """Who takes a chair that no bot has."""

    ME = "me"
    FRIEND = "friend"  # by the link


@transaction.atomic
def begin(
    player: HumanPlayer, *, game: str, chairs: Sequence[Sitter | BotVersion], options: Mapping[str, Any] | None = None
) -> Sitting:
    """Begin a game, one entry of chairs a seat; raises SittingRefused, Forbidden or QuotaReached."""
    _check_chairs(player, game, chairs)
    _check_options(game, len(chairs), options or {})
    _check_quota(player)
    _give_up_others(player)
    bank_ms = settings.BOT_LIMITS_MS["bank_ms"]
    sitting = Sitting.objects.create(
        key=secrets.token_urlsafe(16),
        invite=secrets.token_urlsafe(16),
        game=game,
        rules_version=GAMES[game].rules_version,
        seats=len(chairs),
        options=dict(options or {}),
        seed=str(fresh_seed()),
        bank_ms=bank_ms if player.user else min(GUEST_BANK_MS, bank_ms),
        started_by=player.user,
    )
    Chair.objects.bulk_create(_chair(sitting, seat, sitter, player) for seat, sitter in enumerate(chairs))
    _start_if_full(sitting.pk)
    return _fresh(sitting.pk)


def _give_up_others(player: HumanPlayer) -> None:
    """A guest plays one game at a time."""
    if player.user is None:
        for left in unfinished_of(player):
            resign(player, left)


def _chair(sitting: Sitting, seat: int, sitter: Sitter | BotVersion, player: HumanPlayer) -> Chair:
    if isinstance(sitter, BotVersion):
        return Chair(sitting=sitting, seat=seat, version=sitter, bot_seed=secrets.randbits(48), bank_ms=sitting.bank_ms)
    if sitter == Sitter.FRIEND:
        return Chair(sitting=sitting, seat=seat, is_taken=False)
    return Chair(sitting=sitting, seat=seat, **player.mark)


def _check_chairs(player: HumanPlayer, game: str, chairs: Sequence[Sitter | BotVersion]) -> None:
    if game not in GAMES:
        raise SittingRefused(f"There is no game {game!r:.40}; the games are {', '.join(GAMES)}.")
    if chairs.count(Sitter.ME) != 1:
        raise SittingRefused(f"You can take one seat; {chairs.count(Sitter.ME)} were asked for.")
    if player.user is None and not player.secret:
        raise Forbidden("To play without an account, allow this site to keep a cookie, or sign in.")
    for version in chairs:
        if isinstance(version, BotVersion):
            _check_bot(player, game, version)


def _check_bot(player: HumanPlayer, game: str, version: BotVersion) -> None:
    if version.bot.game != game:
        raise SittingRefused(f"{version.bot.name} is a bot for {version.bot.game}, not for {game}.")
    if version.status != BotVersion.Status.QUALIFIED:
        raise SittingRefused(f"{version} is {version.status}; only qualified versions can play.")
    if not may_play_against(player, version.bot):
        cure = "Sign in to play against more than the house bots." if player.user is None else "Choose another bot."
        raise Forbidden(f"The owner of {version.bot.name} doesn't let people play against it. {cure}")


def _check_options(game: str, seats: int, options: Mapping[str, Any]) -> None:
    try:
        GAMES[game].check_setup(seats=seats, seed=0, options=dict(options))
    except InvalidSetup as error:
        raise SittingRefused(str(error)) from error


def _check_quota(player: HumanPlayer) -> None:
    if player.user is None:
        _check_room_for_guests()
    elif not has_no_limits(player.user):
        _check_day(player.user)


def _check_room_for_guests() -> None:
    if active_guests() >= settings.SITTINGS_OF_GUESTS:
        raise QuotaReached(
            f"{settings.SITTINGS_OF_GUESTS} people without an account are playing, which is all there is room for. "
            "Try again in a few minutes, or sign in."
        )


def _check_day(user: User) -> None:
    hold(user)
    told = "You began {had} games in the last 24 hours; the limit is {most}."
    check_day(Sitting.objects.filter(started_by=user), "created_at", settings.SITTINGS_A_DAY, told)


def check_invite(sitting: Sitting, invite: str) -> None:
    """Raises Forbidden unless this is the link to this game's open chairs."""
    if not secrets.compare_digest(invite.encode(), sitting.invite.encode()):
        raise Forbidden("This invitation is not valid. Ask for a new link.")


@transaction.atomic
def join(player: HumanPlayer, sitting: Sitting, invite: str) -> Sitting:
    """Take an open chair by the link; whoever sits there already stays.

    Raises Forbidden or Conflict, and QuotaReached where guests' games have no room for this one to begin.
    """
    check_invite(sitting, invite)
    hold(sitting)
    sitting = _fresh(sitting.pk)  # somebody may have sat down since it was found, even the same player
    if seat_of(player, sitting) is not None:
        return sitting
    if player.user is None and not player.secret:
        raise Forbidden("To play without an account, allow this site to keep a cookie, or sign in.")
    _give_up_others(player)
    free = [chair.pk for chair in sitting.chairs.all() if not chair.is_taken]
    taken = Chair.objects.filter(pk__in=free[:1], is_taken=False, sitting__status=Sitting.Status.OPEN)
    if not taken.update(is_taken=True, **player.mark):
        raise Conflict("Every seat in this game is taken.")
    if sitting.started_by_id is None and len(free) == 1:
        _check_room_for_guests()
    _start_if_full(sitting.pk)
    return _fresh(sitting.pk)


def _start_if_full(pk: int) -> None:
    waiting = Chair.objects.filter(sitting=pk, is_taken=False)
    if waiting.exists():
        return
    started = Sitting.objects.filter(pk=pk, status=Sitting.Status.OPEN)
    if started.update(status=Sitting.Status.PLAYING, moved_at=Now()):
        sitting = _fresh(pk)
        _go_on(sitting, state_of(sitting))


# ---- choosing ----


@transaction.atomic
def choose(player: HumanPlayer, sitting: Sitting, *, ply: int, text: str) -> Sitting:
    """Take a person's action at a ply; sent twice it counts once. Raises Forbidden, NotChoosable or Conflict."""
    seat = seat_of(player, sitting)
    if seat is None:
        raise Forbidden("You have no seat in this game.")
    sitting = _fresh(sitting.pk)
    if Act.objects.filter(sitting=sitting, ply=ply, seat=seat, text=text).exists():
        return sitting
    _check_turn(sitting, seat, ply)
    state = state_of(sitting)
    _take(state, text)
    _write(sitting, Act(sitting=sitting, ply=ply, seat=seat, text=text))
    _go_on(sitting, state)
    return _fresh(sitting.pk)


def _check_turn(sitting: Sitting, seat: int, ply: int) -> None:
    if sitting.status != Sitting.Status.PLAYING:
        raise Conflict(f"This game is {sitting.status}: nothing can be chosen.")
    if sitting.to_act != seat:
        raise NotChoosable("It is not your turn.", code="not_your_turn")
    if sitting.ply != ply:
        raise NotChoosable(f"The game is at ply {sitting.ply}, not at {ply}; refresh and try again.", code="stale_ply")


def _take(state: State, text: str) -> None:
    legal = [state.format(action) for action in state.legal_actions()]
    if text not in legal:
        raise NotChoosable(f"{text!r:.80} is not one of the {len(legal)} legal actions.")
    try:
        state.apply(state.parse(text))
    except EngineError as error:
        raise NotChoosable(str(error)) from error


def _write(sitting: Sitting, act: Act, *, lease: UUID | None = None) -> None:
    """Write one action and move the sitting on by it; raises Conflict when somebody else did."""
    at = Sitting.objects.filter(pk=sitting.pk, ply=act.ply, status=Sitting.Status.PLAYING)
    if lease is not None:
        at = at.filter(lease=lease, lease_until__gt=Now())
    if not at.update(ply=act.ply + 1, moved_at=Now(), due_at=None):
        raise Conflict("The game has moved on; refresh and try again.", code="stale_ply")
    act.save(force_insert=True)
    sitting.ply = act.ply + 1


def _go_on(sitting: Sitting, state: State) -> None:
    """After an action: play on who is out, end the game if it is over, otherwise say whose turn it is."""
    out = {fault.seat for fault in faults_of(sitting)}
    while not (over := _is_over(sitting, state)) and state.to_act in out:
        text = state.format(state.legal_actions()[0])
        act = Act(sitting=sitting, ply=sitting.ply, seat=state.to_act, text=text)
        _take(state, text)
        _write(sitting, act)
    if over:
        _finish(sitting, state)
        return
    is_bot = any(chair.is_bot for chair in sitting.chairs.all() if chair.seat == state.to_act)
    Sitting.objects.filter(pk=sitting.pk).update(to_act=state.to_act, due_at=Now() if is_bot else None)
    if is_bot:
        announce(Event.BOT_DUE)


def _is_over(sitting: Sitting, state: State) -> bool:
    """The game has ended, fewer than two seats are left in it, or no person is."""
    faults = faults_of(sitting)
    out = {fault.seat for fault in faults}
    people = [chair for chair in sitting.chairs.all() if not chair.is_bot and chair.seat not in out]
    return state.to_act is None or is_cut(sitting.seats, faults) or not people


def _finish(sitting: Sitting, state: State) -> None:
    faults, outcome = faults_of(sitting), state.outcome()
    Sitting.objects.filter(pk=sitting.pk).update(
        status=Sitting.Status.FINISHED,
        to_act=None,
        due_at=None,
        lease=None,
        lease_until=None,
        ending="finished" if outcome else faults[-1].kind,
        outcome=outcome_json(outcome),
        ranks=list(ranks_with_faults(sitting.seats, faults, outcome.ranks if outcome else None)),
        finished_at=Now(),
    )


@transaction.atomic
def resign(player: HumanPlayer, sitting: Sitting) -> Sitting:
    """Leave a game for good; the seat is played on while another person plays. Raises Forbidden or Conflict."""
    seat = seat_of(player, sitting)
    if seat is None:
        raise Forbidden("You have no seat in this game.")
    sitting = _fresh(sitting.pk)
    if sitting.status == Sitting.Status.OPEN:
        _call_off(sitting)
    elif sitting.status == Sitting.Status.PLAYING:
        _put_out(sitting, Fault(seat, RESIGNED, "act", sitting.ply))  # type: ignore[arg-type]
        sitting = _fresh(sitting.pk)
        _go_on(sitting, state_of(sitting))
    return _fresh(sitting.pk)


def _call_off(sitting: Sitting) -> None:
    Sitting.objects.filter(pk=sitting.pk).update(status=Sitting.Status.ABANDONED, due_at=None, finished_at=Now())


def _put_out(sitting: Sitting, fault: Fault) -> None:
    Chair.objects.filter(sitting=sitting, seat=fault.seat, fault="").update(
        fault=fault.kind, fault_stage=fault.stage, fault_ply=fault.ply, fault_reason=fault.reason
    )


# ---- bots ----


@dataclass(frozen=True, slots=True)
class Waited:
    """Under which lease a bot was asked, and how long it had waited for a core."""

    lease: UUID
    ms: int


@transaction.atomic
def record_reply(sitting: Sitting, state: State, reply: Reply, waited: Waited) -> Sitting:
    """Write down what a bot said or how it failed; raises Conflict when the lease is lost or the game moved on."""
    for fault in reply.faults:
        _put_out(sitting, fault)
    if reply.action is not None:
        action = reply.action
        act = Act(
            sitting=sitting, ply=sitting.ply, seat=action.seat, text=action.text, bank_ms=reply.bank_ms,
            cpu_ms=action.cpu_ms, wall_ms=action.wall_ms, waited_ms=waited.ms,
        )  # fmt: skip
        _write(sitting, act, lease=waited.lease)
        Chair.objects.filter(sitting=sitting, seat=action.seat).update(bank_ms=reply.bank_left_ms)
    elif not Sitting.objects.filter(pk=sitting.pk, lease=waited.lease, lease_until__gt=Now()).exists():
        raise Conflict("The lease on this game is lost.")
    sitting = _fresh(sitting.pk)
    _go_on(sitting, state.copy())
    return _fresh(sitting.pk)


def tell(sitting: Sitting, note: str) -> None:
    """Say something to the people of a sitting."""
    Sitting.objects.filter(pk=sitting.pk).update(note=note)


def leave_stale() -> int:
    """Close what nobody came back to within a day; returns how many."""
    stale = Sitting.objects.filter(
        Q(status=Sitting.Status.OPEN) | Q(status=Sitting.Status.PLAYING), moved_at__lt=Now() - RESUMABLE
    )
    return stale.update(
        status=Sitting.Status.ABANDONED, to_act=None, due_at=None, lease=None, lease_until=None, finished_at=Now()
    )


def _fresh(pk: int) -> Sitting:
    return sittings_in_full().get(pk=pk)
