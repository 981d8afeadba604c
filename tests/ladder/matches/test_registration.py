"""What a worker finds out about itself before it takes a match, and how it stops listening."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils.timezone import now

from arena import SandboxUnavailable, abilities, find_abilities
from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches import registration
from ladder.matches.draining import DRAINED
from ladder.matches.models import Pulse, Worker
from ladder.matches.registration import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    MATCH_QUEUE,
    Facts,
    Loss,
    Registration,
    drained_message,
    engines_message,
    listen,
    lose_sandbox,
    may_play,
    note_beat,
    playable_games,
    read_facts,
    sandbox_message,
    show_worker,
)
from tests.ladder.cast import make_ladder

OURS = {"speak_easy": "a1", "gatsby": "b1"}


class Clock:
    """A clock that stands still until it is moved."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    still = Clock()
    monkeypatch.setattr(registration, "time", still)
    return still


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """A worker named w on a machine that plays; what is put in the list goes wrong when the sandbox is tried."""
    troubles: list[Exception] = []

    def try_sandbox() -> None:
        if troubles:
            raise troubles[0]

    monkeypatch.setattr(registration, "require_sandbox", try_sandbox)
    monkeypatch.setattr(registration, "require_fairness", lambda: None)
    monkeypatch.setattr(registration, "game_digests", lambda: OURS)
    for name, value in {"name": "w", "plays": True, "message": "", "loss": None, "measured_at": None}.items():
        monkeypatch.setattr(Registration, name, value)
    return troubles


@pytest.mark.parametrize(
    ("facts", "games"),
    [
        (Facts(), ["speak_easy", "gatsby"]),
        (Facts(games=OURS), ["speak_easy", "gatsby"]),
        (Facts(games={"gatsby": "b2"}), ["speak_easy"]),
        (Facts(ladders=(("gatsby-2", "gatsby", 99),)), ["speak_easy"]),
        (Facts(ladders=(("gatsby-2", "gatsby", 1), ("chess-2", "chess", 9))), ["speak_easy", "gatsby"]),
        (Facts(games={"gatsby": "b2", "speak_easy": "a2"}), []),
    ],
)
def test_a_worker_plays_the_games_that_it_has_as_the_service_has_them(
    works: list[Exception], monkeypatch: pytest.MonkeyPatch, facts: Facts, games: list[str]
) -> None:
    monkeypatch.setattr(Registration, "facts", facts)
    assert playable_games() == games
    assert bool(engines_message()) is not bool(games)


def test_a_worker_without_any_game_says_how_to_mend_it(works: list[Exception], monkeypatch) -> None:
    monkeypatch.setattr(Registration, "facts", Facts(games={"gatsby": "x", "speak_easy": "x"}))
    assert "install the same version on both" in engines_message()


@pytest.mark.parametrize("is_drained", [True, False])
def test_an_operator_s_wish_is_a_reason(monkeypatch: pytest.MonkeyPatch, is_drained: bool) -> None:
    monkeypatch.setattr(Registration, "facts", Facts(is_drained=is_drained))
    assert drained_message() == (DRAINED if is_drained else "")


def test_a_lost_sandbox_is_not_tried_before_its_pause_is_over(works: list[Exception], clock: Clock) -> None:
    works.append(SandboxUnavailable("no bwrap", "install it"))
    Registration.loss = Loss("gone", FIRST_PAUSE_S, clock.now + FIRST_PAUSE_S)
    assert sandbox_message() == "gone"
    clock.now += FIRST_PAUSE_S
    assert "no bwrap" in sandbox_message()
    assert Registration.loss.pause_s == 2 * FIRST_PAUSE_S


def test_pauses_grow_to_a_longest_one(works: list[Exception], clock: Clock) -> None:
    works.append(SandboxUnavailable("no bwrap", "install it"))
    Registration.loss = Loss("gone", FIRST_PAUSE_S, clock.now)
    pauses = []
    for _ in range(8):
        clock.now = Registration.loss.try_at
        sandbox_message()
        pauses.append(Registration.loss.pause_s)
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE_S


def test_a_sandbox_that_is_back_is_found(works: list[Exception], clock: Clock) -> None:
    Registration.loss = Loss("gone", FIRST_PAUSE_S, clock.now)
    assert sandbox_message() == ""
    assert Registration.loss is None


@pytest.mark.django_db
def test_a_worker_that_began_without_a_sandbox_plays_once_there_is_one(
    works: list[Exception], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as outside:
        outside.setattr(abilities, "require_sandbox", registration.require_sandbox)
        find_abilities.cache_clear()
        works.append(SandboxUnavailable("no bwrap", "install it"))
        show_worker(is_new=True)
        assert not may_play()
    assert "no bwrap" in find_abilities().problem
    works.clear()
    clock.now += FIRST_PAUSE_S
    assert may_play()
    assert find_abilities().problem == ""


@pytest.mark.django_db
def test_what_the_service_says_is_read_from_its_tables(works: list[Exception]) -> None:
    assert read_facts() == Facts()
    ladder = make_ladder("gatsby")
    Pulse.objects.create(stage="tick", games={"gatsby": "b1"})
    show_worker(is_new=True)
    Worker.objects.update(drained_at=now())
    facts = read_facts()
    assert facts.games == {"gatsby": "b1"}
    assert facts.ladders == ((ladder.slug, "gatsby", GAMES["gatsby"].rules_version),)
    assert facts.is_drained


@pytest.mark.django_db
def test_a_worker_that_may_play_and_then_may_not_says_so_once(works: list[Exception], clock: Clock) -> None:
    show_worker(is_new=True)
    assert may_play()
    lose_sandbox(SandboxUnavailable("no bwrap", "install it"))
    row = Worker.objects.get()
    assert (row.sandbox_ok, "no bwrap" in row.message) == (False, True)
    Worker.objects.update(message="somebody else's note")
    assert not may_play()
    assert Worker.objects.get().message == "somebody else's note"
    clock.now += FIRST_PAUSE_S
    assert may_play()
    assert (Worker.objects.get().sandbox_ok, Worker.objects.get().message) == (True, "")


@pytest.mark.django_db
def test_a_worker_that_shows_itself_again_keeps_what_a_child_found_out(works: list[Exception]) -> None:
    show_worker(is_new=True)
    Worker.objects.update(message="the sandbox is gone", sandbox_ok=False)
    show_worker()
    assert Worker.objects.get().message == "the sandbox is gone"
    show_worker(is_new=True)
    assert (Worker.objects.get().message, Worker.objects.count()) == ("", 1)


@pytest.mark.django_db
def test_a_beat_tells_which_games_the_service_has(works: list[Exception]) -> None:
    for _ in range(2):
        note_beat()
    assert Pulse.objects.get(stage="tick").games == OURS
    assert Ladder.objects.count() == 0


class Messages:
    """The consumer of a worker's messages, and what it was told to do."""

    def __init__(self, is_listening: bool) -> None:
        self.is_listening, self.told = is_listening, []

    def consuming_from(self, queue: str) -> bool:
        assert queue == MATCH_QUEUE
        return self.is_listening

    def cancel_by_queue(self, queue: str) -> None:
        self.told.append(("cancel", queue))


@pytest.mark.parametrize(
    ("is_listening", "wanted", "told"),
    [(True, True, []), (False, False, []), (True, False, ["cancel"]), (False, True, ["add"])],
)
def test_a_worker_listens_only_while_it_may_play(
    monkeypatch: pytest.MonkeyPatch, is_listening: bool, wanted: bool, told: list[str]
) -> None:
    messages = Messages(is_listening)

    class Consumer:
        task_consumer: Any = messages

        def add_task_queue(self, queue: str) -> None:
            messages.told.append(("add", queue))

    monkeypatch.setattr(Registration, "consumer", Consumer())
    listen(to_matches=wanted)
    assert messages.told == [(word, MATCH_QUEUE) for word in told]


def test_before_there_is_a_consumer_nothing_is_asked_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for nobody in (None, SimpleNamespace(task_consumer=None)):
        monkeypatch.setattr(Registration, "consumer", nobody)
        listen(to_matches=True)
        assert Registration.consumer is nobody
