"""Brings channels up to date: how a match stands is asked of the database, what is played of the broker."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from arena import InvalidOrder, MatchRecord
from engines import GAMES
from engines.api import EngineError
from engines.games import UnknownGame
from ladder.live.channels import Channel, Phase
from ladder.live.showing import A_STEP, Showing
from ladder.matches.broadcast import heard
from ladder.matches.leases import order_of
from ladder.matches.models import Match
from ladder.matches.queries import UNSETTLED
from ladder.matches.records import NoRecord, stored_record

LOOK_S = 0.9  # how long an answer of the database is good
NOT_OURS = (EngineError, InvalidOrder, UnknownGame)  # of a game, or of rules, that this process does not have


@dataclass(frozen=True, slots=True)
class MatchState:
    """How a match stands by the database."""

    status: str
    lease: UUID | None
    set_is_settled: bool

    @property
    def phase(self) -> Phase:
        if self.status == Match.Status.QUEUED:
            return Phase.WAITING
        if self.status == Match.Status.RUNNING:
            return Phase.PLAYING
        if self.status != Match.Status.FINISHED:
            return Phase.OFF
        return Phase.SETTLED if self.set_is_settled else Phase.OVER


def standings(match_ids: Collection[int]) -> dict[int, MatchState]:
    """How these matches stand, in two queries; what is missing does not exist."""
    rows = list(Match.objects.filter(pk__in=match_ids).values_list("pk", "status", "lease", "set"))
    still = Match.objects.filter(set__in={row[3] for row in rows}, status__in=UNSETTLED).order_by()
    unsettled = set(still.values_list("set", flat=True))
    return {pk: MatchState(status, lease, of not in unsettled) for pk, status, lease, of in rows}


def exists(match_id: int) -> bool:
    return Match.objects.filter(pk=match_id).exists()


def refresh(channels: Collection[Channel]) -> None:
    """Look where the last look is too old, and hear what was played since; may raise DatabaseError."""
    now = time.monotonic()
    due = [channel for channel in channels if not channel.is_final and now - channel.looked_at >= LOOK_S]
    found = standings([channel.match_id for channel in due]) if due else {}
    for channel in due:
        channel.looked_at = now
        _apply(channel, found.get(channel.match_id))
    _hear([channel for channel in channels if channel.phase in (Phase.PLAYING, Phase.SILENT)])


def _apply(channel: Channel, standing: MatchState | None) -> None:
    phase = standing.phase if standing else Phase.OFF
    if standing and phase == Phase.PLAYING:
        if channel.lease != standing.lease:
            _begin(channel, standing.lease)
        return
    if phase == Phase.OVER:
        _finish(channel)
    channel.phase = phase


def _begin(channel: Channel, lease: UUID | None) -> None:
    """A new attempt; its first sentence is told when it is heard."""
    match = Match.objects.select_related("ladder", "set").filter(pk=channel.match_id).first()
    if match is None or lease is None:
        return
    try:
        channel.begin(Showing(order_of(match), lease), lease)
        channel.phase = Phase.PLAYING
    except NOT_OURS:
        channel.phase = Phase.WAITING


def _hear(channels: Collection[Channel]) -> None:
    playing = {str(one.lease): one for one in channels if one.showing is not None}
    told = heard({topic: one.showing.plies for topic, one in playing.items() if one.showing}) if playing else {}
    for topic, texts in told.items():
        playing[topic].listen(None if texts is None else texts[:A_STEP])


def _finish(channel: Channel) -> None:
    """The rest of a match that is over, from its record: the broker may have lost it."""
    record = _record(channel.match_id)
    if record is None or record.order.is_outdated or record.order.game not in GAMES:
        return
    texts = [action.text for action in record.actions]
    if channel.showing is None or channel.showing.texts != texts[: channel.showing.plies]:  # of an earlier attempt
        channel.begin(Showing(record.order, OF_THE_RECORD), OF_THE_RECORD)
    assert channel.showing is not None
    channel.showing.take(texts[channel.showing.plies :])


OF_THE_RECORD = UUID(int=0)  # which attempt it was is not kept, and nobody who comes late asks


def _record(match_id: int) -> MatchRecord | None:
    try:
        return stored_record(Match(pk=match_id))
    except NoRecord:
        return None
