from __future__ import annotations

import pytest

from ladder.matches import leases, results
from ladder.matches.models import Lane, Match, SeatLog, StoredRecord
from ladder.matches.records import NoRecord, frames_of, log_of, public_record, stored_record, verification_of
from ladder.matches.services import create_set, rotations
from tests.ladder.cast import enrol, make_ladder, make_record, queue

pytestmark = pytest.mark.django_db


def played(match: Match, **more) -> Match:
    claim = leases.claim_match(worker="host/1")
    record = make_record(claim.order, ranks=(1, 2), **more)
    assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=record)
    match.refresh_from_db()
    return match


@pytest.fixture
def match() -> Match:
    ladder = make_ladder()
    return queue(ladder, *enrol(ladder, 2))


def test_a_record_is_kept_packed_and_its_digest_is_the_match_s(match: Match) -> None:
    played(match)
    assert stored_record(match).digest == match.digest
    assert len(bytes(StoredRecord.objects.get().content)) < 2000


def test_logs_are_kept_apart_so_that_they_can_be_thrown_away(match: Match) -> None:
    played(match, stderr="thinking hard")
    assert stored_record(match).seats[0].stderr == ""
    assert log_of(match, 0) == "thinking hard"
    SeatLog.objects.all().delete()
    assert log_of(match, 0) == ""


@pytest.mark.parametrize("content", [b"garbage", b""])
def test_a_record_that_can_t_be_read_is_none_and_no_failure(match: Match, client, content: bytes) -> None:
    played(match)
    StoredRecord.objects.update(content=content)
    with pytest.raises(NoRecord, match="can't be read"):
        public_record(match)
    assert client.get(f"/api/v1/matches/{match.pk}/record/").status_code == 404
    assert client.get(f"/matches/{match.pk}/").status_code == 200


def test_a_match_without_a_record_says_so(match: Match) -> None:
    with pytest.raises(NoRecord, match="queued"):
        public_record(match)


def test_the_public_record_waits_for_the_whole_set() -> None:
    ladder = make_ladder()
    seatings = rotations([version.pk for version in enrol(ladder, 2)])
    first, second = create_set(ladder=ladder, seatings=seatings, lane=Lane.LADDER, is_rated=True).matches.order_by("pk")
    played(first)
    with pytest.raises(NoRecord) as refused:
        public_record(first)
    assert refused.value.code == "not_revealed"
    played(second)
    assert public_record(first).order.seed == int(first.set.seed)


def test_a_record_that_is_not_true_is_found_out(match: Match) -> None:
    played(match)
    assert not verification_of(match).ok  # it was never played
    assert len(frames_of(match)) == 1
