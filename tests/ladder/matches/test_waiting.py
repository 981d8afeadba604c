"""Why a match is not played yet, in a sentence for everybody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from ladder.ladders.models import Ladder
from ladder.matches import queries
from ladder.matches.models import MAX_ATTEMPTS, Lane, Match, Worker
from ladder.matches.services import create_set
from ladder.matches.waiting import what_it_waits_for
from ladder.submissions.models import BotVersion
from tests.ladder.cast import enrol, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ladder: Ladder) -> Match:
    return queue(ladder, *enrol(ladder, 2))


def worker(**abilities: Any) -> Worker:
    known = {"host": "h", "pid": 1, "plays": True, "version": "1", "engines_digest": "", "sandbox_ok": True}
    return Worker.objects.create(name=f"w{Worker.objects.count()}", abilities=abilities, **known)


def told(match: Match) -> str:
    return what_it_waits_for(Match.objects.get(pk=match.pk))


@pytest.mark.parametrize("status", [one for one in Match.Status if one != Match.Status.QUEUED])
def test_what_is_played_or_settled_waits_for_nothing(match: Match, status: str) -> None:
    match.status = status
    assert what_it_waits_for(match) == ""


def test_a_held_match_waits_for_its_ladder_or_tournament_whatever_else_is_missing(match: Match) -> None:
    Match.objects.update(is_held=True, aside_until=now() + timedelta(hours=1), times_aside=1)
    assert told(match) == "It is waiting because its ladder or tournament is paused."


def test_while_no_worker_has_said_what_it_can_any_may_be_the_one(match: Match) -> None:
    assert told(match) == "It is waiting for a free worker."
    worker()
    assert told(match) == "It is waiting for a free worker."


@pytest.mark.parametrize(
    ("runtimes", "at_hand", "sentence"),
    [
        (("python", "node"), {"python": "3.11"}, "It is waiting for a worker that can run node bots."),
        (("native", "node"), {"python": "3.11"}, "It is waiting for a worker that can run native and node bots."),
        (("python", "python"), {"python": "3.11"}, "It is waiting for a free worker."),
    ],
)
def test_a_runtime_that_nobody_has_is_named(
    ladder: Ladder, runtimes: tuple[str, str], at_hand: dict[str, str], sentence: str
) -> None:
    versions = enrol(ladder, 2)
    for version, runtime in zip(versions, runtimes, strict=True):
        BotVersion.objects.filter(pk=version.pk).update(runtime=runtime)
    worker(runtimes=at_hand)
    assert told(queue(ladder, *versions)) == sentence


def test_a_game_that_is_being_upgraded_is_told(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "game_digests", lambda: {"speak_easy": "new"})
    worker(runtimes={"python": "3.11"}, digests={"game speak_easy": "old"})
    assert "with this version of the game" in told(match)
    worker(runtimes={"python": "3.11"}, digests={"game speak_easy": "new"})
    assert told(match) == "It is waiting for a free worker."


@pytest.mark.parametrize("times", [1, 3])
def test_a_match_that_was_set_aside_says_after_how_many_tries_and_until_when(match: Match, times: int) -> None:
    until = datetime(now().year + 1, 3, 5, 7, 4, tzinfo=UTC)
    Match.objects.update(aside_until=until, times_aside=times)
    sentence = told(match)
    assert f"in {MAX_ATTEMPTS * times} tries, through no fault of the bots" in sentence
    assert "will be tried again at 07:04 UTC on 5 March" in sentence
    assert "Until then" not in sentence


def test_what_hangs_on_a_match_that_was_set_aside_is_told(ladder: Ladder) -> None:
    seating = [version.pk for version in enrol(ladder, 2)]
    made = create_set(ladder=ladder, seatings=[seating, seating[::-1]], lane=Lane.TOURNAMENT, is_rated=False)
    match = made.matches.first()
    Match.objects.filter(pk=match.pk).update(aside_until=now() + timedelta(hours=1), times_aside=1)
    sentence = told(match)
    assert "the seed of its set stays secret" in sentence
    assert sentence.endswith("and the next round of its tournament waits.")


def test_once_its_time_has_come_it_waits_for_a_worker_like_any_other(match: Match) -> None:
    Match.objects.update(aside_until=now() - timedelta(seconds=1), times_aside=1)
    assert told(match) == "It is waiting for a free worker."
