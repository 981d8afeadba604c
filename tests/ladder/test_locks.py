"""Stages side by side: each ladder or tournament is one process's at a time, and nobody waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import call_command

from ladder import pipeline
from ladder.accounts.models import User
from ladder.accounts.services import make_token
from ladder.locks import alone, each_alone
from ladder.matches import leases
from ladder.matches.models import Match
from ladder.matches.services import request_matches
from ladder.operations.management.commands import migrate
from ladder.parlour.permissions import HumanPlayer
from ladder.parlour.services import Sitter, begin
from ladder.ratings.models import RatingStep
from ladder.ratings.services import rate_all
from ladder.refusals import Missing
from ladder.submissions.following import follow
from ladder.submissions.models import Bot
from ladder.submissions.services import create_bot, upload_version
from ladder.tournaments.models import Tournament
from ladder.tournaments.services import Wishes, create_tournament, enter_top
from tests.ladder.cast import enrol, make_ladder, make_user, play

pytestmark = pytest.mark.django_db


@contextmanager
def held_elsewhere(name: str) -> Iterator[None]:
    """Another thread is at the work of this name."""
    taken, over = threading.Event(), threading.Event()

    def hold() -> None:
        with alone(name) as is_mine:
            assert is_mine
            taken.set()
            over.wait(300)

    thread = threading.Thread(target=hold)
    thread.start()
    assert taken.wait(300)
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_a_name_is_one_s_at_a_time_and_free_afterwards() -> None:
    with held_elsewhere("rate 1"), alone("rate 1") as mine, alone("rate 2") as other:
        assert (mine, other) == (False, True)
    with alone("rate 1") as mine:
        assert mine


def test_a_ladder_that_another_process_rates_is_passed_by_and_the_others_are_rated() -> None:
    busy, idle = make_ladder("gatsby"), make_ladder("speak_easy")
    for ladder in (busy, idle):
        play(ladder, *enrol(ladder, 2), ranks=(1, 2))
    with held_elsewhere(f"rate {busy.pk}"):
        assert rate_all() == 1
        assert RatingStep.objects.get().ladder == idle
    assert rate_all() == 1


def test_one_that_fails_stops_no_other_and_is_told() -> None:
    done = []

    def work(pk: int) -> int:
        if pk == 1:
            raise RuntimeError("no ink")
        done.append(pk)
        return 1

    with pytest.raises(RuntimeError, match="no ink"):
        each_alone("rate", [1, 2, 3], work)
    assert done == [2, 3]


def test_a_stage_that_another_process_is_at_is_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(pipeline, "stage_function", lambda stage: lambda: ran.append(stage))
    with held_elsewhere("stage tidy"):
        pipeline.tick()
    assert ran == [stage for stage in pipeline.STAGES if stage != "tidy"]


def test_a_beat_within_a_beat_changes_nothing_more() -> None:
    """Two beats at once are two processes that run every stage."""
    ladder = make_ladder()
    enrol(ladder, 4)
    pipeline.tick()
    queued = Match.objects.count()
    pipeline.tick()
    assert Match.objects.count() == queued > 0
    assert leases.claim_match(worker="host/1") is not None


STALE = {
    "a token": lambda ann, cup: make_token(ann),
    "a bot": lambda ann, cup: create_bot(owner=ann, game="gatsby", name="late"),
    "a follower": lambda ann, cup: follow(ann, make_user("bob")),
    "a game": lambda ann, cup: begin(HumanPlayer(ann), game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND]),
    "a tournament": lambda ann, cup: create_tournament(by=ann, wishes=Wishes(name="Cup", ladder=cup.ladder)),
    "an entry": lambda ann, cup: enter_top(cup, 1, by=cup.organiser),
    "a match": lambda ann, cup: request_matches(user=ann, ladder=cup.ladder, versions=enrol(cup.ladder, 2)),
}


@pytest.mark.parametrize("ask", STALE.values(), ids=STALE)
def test_a_request_of_whom_another_request_has_just_deleted_is_told_so(ask) -> None:
    """It was let in before, and failed with a traceback."""
    ann, wishes = make_user("ann"), Wishes(name="Cup", ladder=make_ladder("gatsby"))
    cup = create_tournament(by=make_user("olga"), wishes=wishes)
    User.objects.filter(pk=ann.pk).delete()
    Tournament.objects.filter(pk=cup.pk).delete()
    with pytest.raises(Missing, match="was deleted a moment ago"):
        ask(ann, cup)


def test_an_upload_for_a_bot_that_was_deleted_while_it_came_in_is_told_so() -> None:
    ann = make_user("ann")
    bot = create_bot(owner=ann, game="gatsby", name="gone")
    Bot.objects.filter(pk=bot.pk).delete()
    with pytest.raises(Missing, match="gone"):
        upload_version(bot=bot, by=ann, content=b"print()", filename="main.py")


def test_nothing_asks_the_database_before_it_is_this_migration_s_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def endless(say: object) -> Iterator[None]:
        raise TimeoutError
        yield

    monkeypatch.setattr(migrate, "one_at_a_time", endless)
    monkeypatch.setattr(migrate.Command, "check", lambda *args, **options: pytest.fail("it asked before its turn"))
    with pytest.raises(TimeoutError):
        call_command("migrate", skip_checks=False)
