"""A machine whose results differ from the others' is told; chance alone is not."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from django.core.cache import cache
from django.utils.timezone import now

from ladder.accounts.models import User
from ladder.matches.models import FailedAttempt, Match, MatchSet, Seat
from ladder.operations import deviations
from ladder.operations.deviations import chi_square, surprise
from tests.ladder.cast import make_ladder, make_version

VERSIONS = range(8)


def results(seed: int, matches: int, *, slow: float = 0.0, favourite: int | None = None):
    """What one machine reports: each version wins as often as it deserves, unless the machine has its own mind."""
    rng = random.Random(seed)
    found: deviations.EndingCounts = {}
    for _ in range(matches):
        version = rng.choice(VERSIONS)
        wins = rng.random() < (1.0 if version == favourite else (version + 1) / 10)
        ending = "timeout" if rng.random() < slow else "finished"
        found.setdefault((1, None), Counter())[ending] += 1
        found.setdefault((1, version), Counter())["first" if wins else "not first"] += 1
    return found


def test_the_statistic_is_pearson_s():
    statistic, freedom = chi_square(Counter(a=30, b=10), Counter(a=20, b=40))
    assert statistic == pytest.approx(16.6667, abs=1e-3)
    assert freedom == 1


def test_counts_too_small_to_tell_are_pooled_or_left_out():
    assert chi_square(Counter(a=2, b=1), Counter(a=1, b=2)) == (0.0, 0)
    assert chi_square(Counter(a=50, b=2, c=3), Counter(a=50, b=4, c=2))[1] == 1


def test_chance_alone_is_told_as_often_as_it_should_be():
    others = [results(seed, 500) for seed in range(9)]
    found = [surprise(results(seed, 500), others) for seed in range(1000, 1400)]
    assert max(found) < deviations.TOLD_FROM
    assert sum(each >= 1 for each in found) == pytest.approx(20, abs=13)  # one in ten, halved for the second question


@pytest.mark.parametrize("wrong", [{"slow": 0.15}, {"favourite": 2}])
def test_a_machine_with_a_mind_of_its_own_is_told(wrong):
    others = [results(seed, 500) for seed in range(9)]
    assert surprise(results(99, 500, **wrong), others) > deviations.TOLD_FROM


@pytest.fixture
def played(db) -> None:
    """300 matches on each of two honest machines and one that lets the second seat win."""
    cache.clear()
    ladder, versions = make_ladder(), [make_version(), make_version()]
    rng = random.Random(5)
    for host in ("east", "north", "west"):
        made = MatchSet.objects.bulk_create(MatchSet(ladder=ladder, lane="ladder", seed="1") for _ in range(300))
        matches = Match.objects.bulk_create(
            Match(set=each, rotation=0, ladder=ladder, lane="ladder", is_rated=False, status="finished", digest="d",
                  ending="finished", worker=f"{host}/7", finished_at=now())
            for each in made
        )  # fmt: skip
        Seat.objects.bulk_create(
            Seat(match=match, seat=0, version=versions[0], rank=2 if host == "west" else rng.choice((1, 2)))
            for match in matches
        )
    FailedAttempt.objects.create(match=matches[0], worker="west/8", cause="host_fault")


def test_metrics_and_healthz_name_the_machine(client, played):
    client.force_login(User.objects.create_user("ann", role="administrator"))
    text = client.get("/metrics").content.decode()
    assert 'rumrunner_worker_results{host="west",result="finished"} 300.0' in text
    assert 'rumrunner_worker_results{host="west",result="host_fault"} 1.0' in text
    reports = {report.host: report for report in deviations.latest_reports()}
    assert reports["west"].surprise == max(report.surprise for report in reports.values())
    assert reports["west"].deviates


def test_one_machine_alone_deviates_from_nobody(played):
    Match.objects.exclude(worker__startswith="west").delete()
    assert [report.surprise for report in deviations.latest_reports()] == [0.0]


@pytest.mark.parametrize("close", [0, deviations.CLOSE])
def test_the_latest_matches_are_told_of_wherever_their_numbers_lie(played, monkeypatch, close):
    monkeypatch.setattr(deviations, "CLOSE", close)
    monkeypatch.setattr(deviations, "SAMPLE", 400)
    Match.objects.filter(worker__startswith="east").update(finished_at=now())  # the oldest numbers ended last
    Match.objects.filter(worker__startswith="north").update(status="void")
    counted = {report.host: report.results["finished"] for report in deviations.latest_reports()}
    assert counted == {"east": 300, "west": 100}


def test_seats_of_matches_with_close_numbers_are_read_in_one_go(played, django_assert_num_queries):
    with django_assert_num_queries(3) as asked:
        deviations.latest_reports()
    assert '"matches_seat"."match_id" >= ' in asked[1]["sql"]


def test_before_the_first_match_no_machine_is_told_of(db):
    assert deviations.latest_reports() == []
