"""A worker as host: it keeps the bots of sittings, asks them when they are due, and puts them away when people rest.

A host takes the place of one match: it leases a core for as long as it hosts, and its bots think on that core one
after another. Every write names the sitting's lease, so whoever lost it changes nothing any more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.timezone import now

from arena import BundleRejected, InvalidOrder, SandboxError
from arena.referee import GameCut, HostProblem
from arena.sandbox.leases import lease_core
from arena.sitting import Bench, BotSeat, PastAction, Reply
from engines import GAMES
from ladder.matches.playing import STOP, worker_name
from ladder.matches.queries import playing_slots, waiting_matches
from ladder.parlour.models import Act, Host, Sitting
from ladder.parlour.queries import IDLE, due_sittings, live_hosts, order_of, sittings_in_full
from ladder.parlour.services import Waited, record_reply, tell
from ladder.prepared import prepared
from ladder.refusals import Conflict
from ladder.submissions.bundles import unpacked

log = structlog.get_logger("ladder.parlour")
LEASE = timedelta(seconds=15)
RENEW_S = 2.0
LOOK_S = 0.1
LINGER_S = 5.0  # an empty host waits so long for the next sitting
TURN_S = 20.0  # on a machine with one place, sittings and matches take turns of this length
RETRY = timedelta(seconds=5)
OTHERWISE = (
    "A bot was restarted and would now choose differently at ply {plies}. The game continues with its original choice."
)
BUSY = "The server could not time the bot fairly ({problem}); it will be asked again in a moment."


def hosts_allowed() -> int:
    """How many matches' places sittings may take at once."""
    return max(1, playing_slots() * settings.SITTING_SHARE // 100)


def is_host_wanted() -> bool:
    """Whether a bot waits that no host has, and there may be one more."""
    return bool(_first_due()) and live_hosts().count() < hosts_allowed()


@prepared
def _first_due() -> QuerySet[Sitting, Any]:
    """Asked between matches."""
    return due_sittings().values_list("pk", flat=True)[:1]


@dataclass(slots=True)
class Guest:
    """A sitting whose bots are here."""

    sitting: Sitting
    lease: UUID
    bench: Bench
    used_at: float = field(default_factory=time.monotonic)

    @property
    def bots(self) -> int:
        return len(self.bench.bots)


def host_sittings(
    may_go_on: Callable[[], bool] = lambda: True, *, games: Callable[[], Collection[str]] = GAMES.keys
) -> int:
    """Host until nobody is left; returns how many actions bots took.

    Does nothing when there are hosts enough, or when only games wait that are not among these.
    """
    worker = worker_name()
    parlour = Parlour(worker, games)
    if not parlour.due().exists() or not _become_host(worker):
        return 0
    try:
        with lease_core(on_wait=parlour.renew):
            parlour.run(may_go_on)
    finally:
        parlour.close()
        Host.objects.filter(worker=worker).delete()
    return parlour.taken


@transaction.atomic
def _become_host(worker: str) -> bool:
    Host.objects.filter(until__lte=Now()).delete()
    Host.objects.update_or_create(worker=worker, defaults={"until": Now() + LEASE})
    if Host.objects.count() > hosts_allowed():
        Host.objects.filter(worker=worker).delete()
        return False
    return True


class Parlour:
    """The sittings that one host has."""

    def __init__(self, worker: str, games: Callable[[], Collection[str]] = GAMES.keys) -> None:
        self.worker, self.taken = worker, 0
        self._ask_games, self._games = games, frozenset(games())
        self.guests: dict[int, Guest] = {}
        self._leases: dict[int, UUID] = {}  # also of a sitting whose bots are just being started
        self._renewed = self._began = self._busy_at = time.monotonic()

    def run(self, may_go_on: Callable[[], bool]) -> None:
        """Ask who is due, put away who rests, until there is nobody and nobody comes."""
        self._began = self._busy_at = time.monotonic()  # to wait for a core is not to idle
        while may_go_on() and not STOP.is_up() and not self._is_done():
            self.renew()
            self.let_go_of_lost()
            if not self.serve():
                self.put_away_idle()
                time.sleep(LOOK_S)

    def _is_done(self) -> bool:
        if not self.guests and time.monotonic() - self._busy_at > LINGER_S:
            return True
        is_long = time.monotonic() - self._began > TURN_S
        return is_long and playing_slots() == 1 and waiting_matches(at_most=1) > 0

    def renew(self) -> None:
        """Show that this host lives, and keep its sittings; also while a bot thinks."""
        if time.monotonic() - self._renewed < RENEW_S:
            return
        self._renewed = time.monotonic()
        Host.objects.update_or_create(worker=self.worker, defaults={"until": Now() + LEASE})
        self._games = frozenset(self._ask_games())
        for pk, lease in list(self._leases.items()):
            held = Sitting.objects.filter(pk=pk, lease=lease, game__in=self._games)
            if not held.update(lease_until=Now() + LEASE):
                del self._leases[pk]

    def due(self) -> QuerySet[Sitting]:
        """Sittings that wait for a host with the games that this worker has as the service has them."""
        return due_sittings().filter(game__in=self._games)

    def let_go_of_lost(self) -> None:
        """A sitting that ended, that another host has by now, or whose game is another by now, needs no bots here."""
        for pk in self.guests.keys() - self._leases.keys():
            self.put_away(self.guests[pk])

    def serve(self) -> bool:
        """Ask the bot that waits longest; False when none is due here."""
        due = self._next_due()
        if due is None:
            return False
        self._busy_at = time.monotonic()
        try:
            self.answer(due)
        except Conflict:
            self._drop(due.pk)
        except (HostProblem, SandboxError, InvalidOrder, BundleRejected, OSError) as error:
            self._postpone(due, error)
        return True

    def _next_due(self) -> Sitting | None:
        mine = Sitting.objects.filter(pk__in=self.guests, due_at__lte=Now()).order_by("due_at").first()
        other = self.due().exclude(pk__in=self.guests).first()
        found = [one for one in (mine, other) if one is not None and one.due_at is not None]
        return min(found, key=lambda one: one.due_at or now(), default=None)

    def answer(self, due: Sitting) -> None:
        """Have the bots of a sitting act until a person is to."""
        waited_ms = max(0, round((now() - (due.due_at or now())).total_seconds() * 1000))
        guest = self.guests.get(due.pk) or self._take_in(due)
        if guest is None:
            return
        guest.sitting = sittings_in_full().get(pk=due.pk)
        self._catch_up(guest)
        while guest.sitting.due_at is not None and not STOP.is_past_grace():
            reply = guest.bench.act()
            guest.sitting = record_reply(guest.sitting, guest.bench.state, reply, Waited(guest.lease, waited_ms))
            self.taken += reply.action is not None
            waited_ms = 0
            self._catch_up(guest)
            self.renew()
        guest.used_at = time.monotonic()
        guest.bench.rest()
        if guest.sitting.is_over:
            self.put_away(guest)

    def _catch_up(self, guest: Guest) -> None:
        for act in _past(guest.sitting, since=guest.bench.ply):
            guest.bench.follow(act)

    def _take_in(self, due: Sitting) -> Guest | None:
        """Claim a sitting, make room for its bots and bring them back to where the game is; None if it is another's."""
        lease = uuid4()
        free = self.due().filter(pk=due.pk)
        if not free.update(lease=lease, lease_until=Now() + LEASE):
            return None
        self._leases[due.pk] = lease
        sitting = sittings_in_full().get(pk=due.pk)
        chairs = [chair for chair in sitting.chairs.all() if chair.is_bot and not chair.fault]
        self._make_room(len(chairs))
        bots = {chair.seat: BotSeat(chair.bot_seed, chair.bank_ms) for chair in chairs}
        order = order_of(sitting)
        bundles = {order.seats[seat]: unpacked(order.seats[seat]) for seat in bots}
        bench = Bench(order, bundles, bots, on_tick=self.renew)
        guest = self.guests[sitting.pk] = Guest(sitting, lease, bench)
        self._bring_back(guest)
        return guest

    def _bring_back(self, guest: Guest) -> None:
        """Replay the game to the bots; faults count, and whoever says otherwise than before is told about."""
        try:
            otherwise = guest.bench.bring_back(_past(guest.sitting))
        except GameCut:
            otherwise = []
        if otherwise:
            tell(guest.sitting, OTHERWISE.format(plies=", ".join(map(str, otherwise[:5]))))
        elif guest.sitting.note:
            tell(guest.sitting, "")
        if guest.bench.faults:
            self._note_faults(guest)

    def _note_faults(self, guest: Guest) -> None:
        reply = Reply(None, guest.bench.faults, 0, 0.0)
        guest.sitting = record_reply(guest.sitting, guest.bench.state, reply, Waited(guest.lease, 0))

    def _make_room(self, bots: int) -> None:
        """Put away who rested longest until the newcomers fit into the memory that a host may use."""
        most = max(bots, settings.SITTING_MEMORY_MIB // settings.BOT_MEMORY_MIB)
        for guest in sorted(self.guests.values(), key=lambda guest: guest.used_at):
            if sum(other.bots for other in self.guests.values()) + bots <= most:
                return
            self.put_away(guest)

    def put_away_idle(self) -> None:
        """End the bots of sittings in which nobody acted for two minutes; they come back by replaying."""
        for guest in list(self.guests.values()):
            if time.monotonic() - guest.used_at > IDLE.total_seconds():
                self.put_away(guest)

    def put_away(self, guest: Guest) -> None:
        """End the bots of a sitting and let any host have it."""
        self.guests.pop(guest.sitting.pk, None)
        self._leases.pop(guest.sitting.pk, None)
        guest.bench.close()
        Sitting.objects.filter(pk=guest.sitting.pk, lease=guest.lease).update(lease=None, lease_until=None)

    def _drop(self, pk: int) -> None:
        if pk in self.guests:
            self.put_away(self.guests[pk])

    def _postpone(self, due: Sitting, error: Exception) -> None:
        """The host's fault is nobody's loss: the bots are started again in a moment."""
        log.warning("sitting postponed", sitting=due.pk, problem=str(error))
        self._drop(due.pk)
        self._leases.pop(due.pk, None)
        Sitting.objects.filter(pk=due.pk, status=Sitting.Status.PLAYING).update(
            note=BUSY.format(problem=str(error)[:120]), due_at=Now() + RETRY, lease=None, lease_until=None
        )

    def close(self) -> None:
        """Put everybody away."""
        for guest in list(self.guests.values()):
            self.put_away(guest)


def _past(sitting: Sitting, since: int = 0) -> list[PastAction]:
    acts = Act.objects.filter(sitting=sitting, ply__gte=since, ply__lt=sitting.ply).order_by("ply")
    return [PastAction(act.seat, act.text, act.bank_ms) for act in acts]
