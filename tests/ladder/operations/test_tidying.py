"""What is thrown away, each kind at the edge of its days, and what stays."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import kombu
import pytest
from axes.models import AccessLog
from django.contrib.sessions.models import Session
from django.utils.timezone import now
from knox.models import AuthToken

from ladder.accounts.models import Invite, Notification
from ladder.accounts.services import invite, make_token, notify
from ladder.cache import near_cache
from ladder.matches import broadcast
from ladder.matches.models import Match, Pulse, SeatLog, Worker
from ladder.operations import queries, tidying
from ladder.operations.queries import gauges, last_backup, seldom
from ladder.operations.tidying import LOG_IN_DAYS, NEWS_DAYS, STEPS, WORKER_DAYS, tidy, tidy_when_due
from ladder.parlour.models import Sitting
from ladder.parlour.services import Sitter, begin
from tests.ladder.cast import enrol, make_ladder, make_user, make_version, play, queue
from tests.ladder.parlour.table import guest, person
from tests.ladder.valkey import running_valkey

pytestmark = pytest.mark.django_db
NARROW = {
    "global_keyprefix": "rumrunner:",
    **{f"{name}_key": f"matches.{name}" for name in ("unacked", "unacked_index", "unacked_mutex")},
}
Make = Callable[[timedelta], None]


@pytest.fixture(autouse=True)
def data(settings, tmp_path: Path) -> Path:
    settings.DATA = tmp_path
    return tmp_path


def a_log(age: timedelta) -> None:
    ladder = make_ladder()
    match = queue(ladder, *enrol(ladder, 2))
    SeatLog.objects.create(match=match, seat=0, text="x", written_at=now() - age)


def a_token(age: timedelta) -> None:
    make_token(make_user())
    AuthToken.objects.update(expiry=now() - age)


def a_session(age: timedelta) -> None:
    Session.objects.create(session_key="x", session_data="", expire_date=now() - age)


def a_log_in(age: timedelta) -> None:
    AccessLog.objects.create(username="ann", user_agent="x", ip_address="10.0.0.1", path_info="/")
    AccessLog.objects.update(attempt_time=now() - age)


def read_news(age: timedelta) -> None:
    notify(make_user(), "account", "hello")
    Notification.objects.update(read_at=now() - age)


def an_invite(age: timedelta) -> None:
    invite(by=None)
    Invite.objects.update(expires_at=now() - age)


def a_worker(age: timedelta) -> None:
    known = {"host": "h", "pid": 1, "plays": True, "version": "1", "engines_digest": "", "sandbox_ok": True}
    Worker.objects.create(name="old", seen_at=now() - age, **known)


def a_guest_s_game(age: timedelta) -> None:
    begin(guest(), game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND])
    Sitting.objects.update(status="abandoned", finished_at=now() - age)


DAY = timedelta(days=1)
SOON = timedelta(minutes=20)  # longer than a test on a busy machine
KINDS: list[tuple[str, Make, timedelta]] = [
    ("logs", a_log, 30 * DAY),
    ("tokens", a_token, timedelta(0)),
    ("sessions", a_session, timedelta(0)),
    ("log_ins", a_log_in, LOG_IN_DAYS * DAY),
    ("news", read_news, NEWS_DAYS * DAY),
    ("invites", an_invite, NEWS_DAYS * DAY),
    ("workers", a_worker, WORKER_DAYS * DAY),
    ("sittings", a_guest_s_game, 30 * DAY),
]


@pytest.mark.parametrize(("kind", "make", "kept"), KINDS, ids=[kind for kind, *_ in KINDS])
@pytest.mark.parametrize("is_past", [True, False])
def test_each_kind_goes_after_its_days_and_not_before(
    settings, kind: str, make: Make, kept: timedelta, is_past: bool
) -> None:
    settings.LOG_DAYS = 30
    make(kept + SOON if is_past else kept - SOON)
    assert bool(tidy()[kind]) is is_past
    assert tidy()[kind] == 0


def test_every_kind_that_goes_by_days_is_tried_here() -> None:
    assert set(STEPS) - {kind for kind, *_ in KINDS} == {"left_sittings", "bundles", "orphans", "links", "messages"}


def test_news_that_nobody_read_and_games_of_members_stay() -> None:
    ann = person("ann")
    notify(ann.user, "account", "hello")
    Notification.objects.update(created_at=now() - 1000 * DAY)
    begin(ann, game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND])
    Sitting.objects.update(status="finished", finished_at=now() - 1000 * DAY)
    tidy()
    assert (Notification.objects.count(), Sitting.objects.count()) == (1, 1)


def test_a_machine_that_was_drained_is_still_drained_when_it_comes_back_after_months() -> None:
    a_worker(100 * DAY)
    Worker.objects.update(drained_at=now() - 100 * DAY)
    tidy()
    assert Worker.objects.get().drained_at is not None


def test_many_logs_go_in_parts(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LOG_DAYS = 1
    monkeypatch.setattr(tidying, "BATCH", 2)
    ladder = make_ladder()
    match = queue(ladder, *enrol(ladder, 2))
    SeatLog.objects.bulk_create(SeatLog(match=match, seat=n, text="x", written_at=now() - 2 * DAY) for n in range(5))
    assert tidy()["logs"] == 5


def unpacked(data: Path, digest: str, age_s: float) -> Path:
    folder = data / "bundles" / digest
    folder.mkdir(parents=True)
    os.utime(folder, (time.time() - age_s, time.time() - age_s))
    return folder


@pytest.mark.parametrize(("hours", "goes"), [(25, True), (23, False)])
def test_an_unpacked_bundle_that_nobody_plays_with_goes_after_a_day(data: Path, hours: int, goes: bool) -> None:
    folder = unpacked(data, "ab" * 32, hours * 3600)
    assert tidy()["bundles"] == int(goes)
    assert folder.exists() is not goes


def test_a_bundle_that_plays_or_waits_to_play_stays(data: Path) -> None:
    ladder = make_ladder()
    active, waiting, idle = make_version(), make_version(status="withdrawn"), make_version(status="withdrawn")
    queue(ladder, waiting, active)
    folders = {version: unpacked(data, version.digest, 90_000) for version in (active, waiting, idle)}
    tidy()
    assert [folders[version].exists() for version in (active, waiting, idle)] == [True, True, False]


@pytest.mark.parametrize(("minutes", "is_due"), [(59, False), (61, True)])
def test_it_is_tidied_once_an_hour(monkeypatch: pytest.MonkeyPatch, minutes: int, is_due: bool) -> None:
    monkeypatch.setattr(tidying, "tidy", lambda: {"logs": 3})
    Pulse.objects.create(stage="tidy", at=now() - timedelta(minutes=minutes))
    assert tidy_when_due() == (3 if is_due else 0)
    assert tidy_when_due() == 0


def test_the_first_beat_tidies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "tidy", lambda: {"logs": 3, "news": 1})
    assert [tidy_when_due(), tidy_when_due()] == [4, 0]


@pytest.fixture
def on_the_clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that looks at the clock will tell."""
    near_cache().clear()
    looks: list[float] = []
    monkeypatch.setattr(queries, "time", SimpleNamespace(monotonic=lambda: looks.pop(0)))
    return looks


@pytest.mark.parametrize(("took", "counts"), [(0.01, 2), (0.2, 1)])
def test_what_takes_long_to_count_is_counted_seldom(on_the_clock: list[float], took: float, counts: int) -> None:
    on_the_clock += [0.0, took, 0.0, took]
    asked: list[int] = []
    for _ in range(2):
        assert seldom("x", lambda: asked.append(1) or 7) == 7
    assert len(asked) == counts


def test_the_gauges_of_an_idle_service_are_zero() -> None:
    near_cache().clear()
    seen = gauges()
    assert set(seen.queued.values()) == {0}
    assert (seen.void_rate, seen.held, seen.set_aside, seen.workers, seen.backup_age_s) == (0.0, 0, 0, 0, None)
    assert set(seen.versions) == {"received", "checking", "qualified", "rejected", "withdrawn", "quarantined"}


def test_voids_are_a_share_of_what_was_settled_today() -> None:
    near_cache().clear()
    ladder = make_ladder()
    versions = enrol(ladder, 2)
    for _ in range(4):
        play(ladder, *versions, ranks=(1, 2))
    first, second = Match.objects.order_by("pk")[:2]
    Match.objects.filter(pk=first.pk).update(status="void")
    assert gauges().void_rate == 0.25
    Match.objects.filter(pk__in=[first.pk, second.pk]).update(finished_at=now() - 2 * DAY)
    assert gauges().void_rate == 0.0


def test_the_last_backup_is_remembered() -> None:
    assert last_backup() is None
    Pulse.objects.create(stage="backup", at=now() - timedelta(hours=1))
    assert last_backup() is not None
    assert 3590 < (gauges().backup_age_s or 0) < 7200


@pytest.fixture
def broker(tmp_path: Path, settings) -> Iterator[str]:
    with running_valkey(tmp_path / "broker") as url:
        settings.CELERY_BROKER_URL = url
        broadcast.broker.cache_clear()
        yield url
    broadcast.broker.cache_clear()


@pytest.mark.parametrize(("longest_task_s", "goes"), [(3600, False), (-1, True)])
def test_a_message_that_a_killed_narrow_worker_had_in_hand_goes(broker: str, settings, longest_task_s, goes) -> None:
    with kombu.Connection(broker, transport_options=NARROW) as connection:
        queue = connection.SimpleQueue("matches")
        queue.put("wake up")
        queue.get(timeout=120)  # taken and never confirmed
        settings.LONGEST_TASK_S = longest_task_s
        assert tidy()["messages"] == int(goes)
        left = broadcast.broker()
        assert left.hlen(tidying.IN_HAND) == left.zcard(f"{tidying.IN_HAND}_index") == int(not goes)


def test_a_broker_that_is_away_keeps_nothing_from_being_tidied(settings, tmp_path: Path) -> None:
    settings.CELERY_BROKER_URL = f"redis+socket://{tmp_path}/none.sock?virtual_host=0"
    broadcast.broker.cache_clear()
    assert tidy()["messages"] == 0
    broadcast.broker.cache_clear()
