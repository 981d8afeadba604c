"""What the rows of a match and its seats learn from a record."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from arena import Fault, MatchRecord, SeatReport, unpack
from ladder.ladders.models import Ladder
from ladder.matches import leases
from ladder.matches.models import Match, SeatLog, StoredRecord
from ladder.matches.permissions import Eyes, eyes_of, may_read_log, may_see
from ladder.matches.records import log_of
from ladder.matches.results import fault_of, record_result, report_of
from ladder.submissions.models import Bot
from tests.ladder.cast import crash, enrol, make_ladder, make_record, make_user, queue

pytestmark = pytest.mark.django_db
BOTH_AT_START = (Fault(0, "crash", "start", 0, "exit code 1"), Fault(1, "timeout", "start", 0))


@pytest.fixture
def match(ladder: Ladder) -> Match:
    one = queue(ladder, *enrol(ladder, 2))
    leases.claim_match(worker="host/1")
    one.refresh_from_db()
    return one


def report(match: Match, **facts) -> MatchRecord:
    record = make_record(leases.order_of(match), **{"ranks": (1, 2), **facts})
    assert record_result(match_id=match.pk, lease=match.lease, record=record)
    match.refresh_from_db()
    return record


def seats(match: Match, *columns: str) -> list[tuple]:
    return list(match.seats.order_by("seat").values_list(*columns))


def test_a_finished_match_has_its_ending_digest_ranks_and_scores(match: Match) -> None:
    record = report(match)
    assert (match.status, match.ending, match.game_ending, match.plies) == ("finished", "finished", "done", 0)
    assert (match.digest, match.wall_ms, match.reason) == (record.digest, 12, "")
    assert seats(match, "rank", "score", "fault") == [(1, 1.0, ""), (2, 0.0, "")]
    assert (match.lease, match.lease_until) == (None, None)


def test_a_fault_is_kept_with_the_seat_it_happened_in(match: Match) -> None:
    report(match, ranks=(2, 1), faults=(crash(0, ply=7),))
    assert seats(match, "rank", "fault", "fault_stage", "fault_ply", "fault_reason") == [
        (2, "crash", "act", 7, "exit code 1"),
        (1, "", "", None, ""),
    ]
    assert (match.ending, match.game_ending) == ("crash", "")


def test_a_match_in_which_nobody_got_ready_is_void_and_blames_both(match: Match) -> None:
    report(match, ranks=(1, 1), faults=BOTH_AT_START)
    assert (match.status, match.reason) == ("void", "every seat failed at start")
    assert seats(match, "rank", "fault") == [(None, "crash"), (None, "timeout")]


def test_only_the_first_fault_of_a_seat_counts() -> None:
    record = make_record_of(Fault(1, "timeout", "act", 3), Fault(1, "crash", "act", 4))
    assert fault_of(record, 1).kind == "timeout"
    assert fault_of(record, 0) is None


def make_record_of(*faults: Fault) -> MatchRecord:
    ladder = make_ladder()
    match = queue(ladder, *enrol(ladder, 2))
    return make_record(leases.order_of(match), ranks=(1, 2), faults=faults)


def test_what_a_seat_used_is_rounded_to_whole_numbers(match: Match) -> None:
    record = make_record(leases.order_of(match), ranks=(1, 2))
    used = (SeatReport(cpu_ms=12.6, peak_memory_kib=9000), SeatReport(cpu_ms=0.2))
    assert record_result(match_id=match.pk, lease=match.lease, record=replace(record, seats=used).sealed())
    assert seats(match, "cpu_ms", "peak_kib") == [(13, 9000), (0, 0)]


def test_logs_are_kept_for_those_who_wrote_and_not_in_the_record(match: Match) -> None:
    record = make_record(leases.order_of(match), ranks=(1, 2))
    wrote = (SeatReport(stderr="Traceback é\n"), SeatReport())
    assert record_result(match_id=match.pk, lease=match.lease, record=replace(record, seats=wrote))
    assert list(SeatLog.objects.values_list("seat", "text")) == [(0, "Traceback é\n")]
    assert (log_of(match, 0), log_of(match, 1), log_of(match, 9)) == ("Traceback é\n", "", "")
    kept = unpack(bytes(StoredRecord.objects.get().content))
    assert [seat.stderr for seat in kept.seats] == ["", ""]
    assert kept.digest == record.digest


def test_the_report_for_postgresql_says_the_same(match: Match) -> None:
    record = make_record(leases.order_of(match), ranks=(2, 1), faults=(crash(0),), stderr="log")
    told = json.loads(report_of(record))
    assert (told["ending"], told["is_rateable"], told["digest"]) == ("crash", True, record.digest)
    assert [(seat["seat"], seat["rank"], seat["fault"], seat["log"]) for seat in told["seats"]] == [
        (0, 2, "crash", "log"),
        (1, 1, "", "log"),
    ]


def test_a_second_report_leaves_the_first_as_it_was(match: Match) -> None:
    lease = match.lease
    first = report(match)
    other = make_record(leases.order_of(match), ranks=(2, 1), stderr="late")
    assert not record_result(match_id=match.pk, lease=lease, record=other)
    match.refresh_from_db()
    assert (match.digest, seats(match, "rank")) == (first.digest, [(1,), (2,)])
    assert StoredRecord.objects.count() == 1
    assert not SeatLog.objects.filter(text="late").exists()


@pytest.mark.parametrize(
    ("eyes", "views", "allowed"),
    [
        (Eyes(True, ()), ["all", "0", "1"], {None, 0, 1, "public"}),
        (Eyes(True, (1,)), ["all", "0", "1"], {None, 0, 1, "public"}),
        (Eyes(False, (1,)), ["public", "1"], {1, "public"}),
        (Eyes(False, ()), ["public"], {"public"}),
    ],
)
def test_before_the_seed_is_out_one_looks_through_one_s_own_eyes(eyes: Eyes, views: list[str], allowed: set) -> None:
    assert eyes.views(2) == views
    assert {view for view in (None, 0, 1, "public") if eyes.may(view)} == allowed


def test_a_bot_that_sits_twice_has_two_pairs_of_eyes(ladder: Ladder) -> None:
    (version,) = enrol(ladder, 1)
    owner = make_user()
    Bot.objects.update(owner=owner)
    match = queue(ladder, version, version, is_rated=False)
    assert eyes_of(owner, match).own == (0, 1)
    assert may_see(owner, match, 1)
    assert not may_see(owner, match, None)


@pytest.mark.parametrize(
    ("who", "reads"), [("owner", True), ("administrator", True), ("organiser", False), ("author", False)]
)
def test_a_log_is_for_the_owner_and_whoever_keeps_the_service(match: Match, who: str, reads: bool) -> None:
    owner = make_user()
    Bot.objects.filter(versions__seats__match=match, versions__seats__seat=0).update(owner=owner)
    visitor = owner if who == "owner" else make_user(role=who)
    assert may_read_log(visitor, match, 0) is reads
    assert may_read_log(owner, match, 1) is False
    assert may_read_log(None, match, 0) is False
