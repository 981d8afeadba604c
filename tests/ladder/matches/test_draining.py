"""A machine that is taken out of play ends what it plays and takes nothing more."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from ladder.accounts.models import AuditEntry
from ladder.matches import draining, registration
from ladder.matches.leases import claim_match
from ladder.matches.models import Match, Worker
from ladder.matches.queries import able_workers, unable_workers
from ladder.operations.management.commands import worker_health
from tests.ladder.cast import make_ladder, make_version, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def workers() -> None:
    for host in ("north", "south"):
        Worker.objects.create(
            name=f"matches@{host}", host=host, pid=1, plays=True, version="1", engines_digest="", sandbox_ok=True
        )


@pytest.fixture
def running(workers) -> Match:
    match = queue(make_ladder(), make_version(), make_version())
    assert claim_match(worker="north/77").match_id == match.pk
    return match


def names(rows) -> list[str]:
    return [row.name for row in rows]


def test_a_drained_machine_is_neither_able_nor_a_reason_to_worry(workers):
    assert draining.drain("north") == 1
    assert names(able_workers()) == ["matches@south"]
    assert names(unable_workers()) == []
    assert AuditEntry.objects.get().action == "drain"


def test_a_worker_that_can_not_play_still_says_why_after_it_was_drained(workers):
    Worker.objects.update(sandbox_ok=False, message="bwrap is missing")
    draining.drain("north")
    draining.undo_drain("north")
    assert set(unable_workers().values_list("message", flat=True)) == {"bwrap is missing"}


def test_undoing_without_a_machine_asks_for_its_name(workers):
    with pytest.raises(CommandError, match="Which machine"):
        call_command("drain", undo=True)


def test_draining_twice_changes_nothing_and_undoing_brings_it_back(workers):
    draining.drain("north")
    assert draining.drain("north") == 0
    assert draining.undo_drain("north") == 1
    assert names(able_workers()) == ["matches@north", "matches@south"]
    assert draining.undo_drain("north") == 0


def test_one_worker_of_a_machine_can_be_named(workers):
    Worker.objects.create(name="more@north", host="north", pid=2, plays=True, version="1", engines_digest="",
                          sandbox_ok=True)  # fmt: skip
    assert draining.drain("more@north") == 1
    assert names(able_workers()) == ["matches@north", "matches@south"]


def test_a_worker_hears_of_it_before_its_next_match_and_after_a_restart(workers, monkeypatch):
    for name, value in {"name": "matches@north", "plays": True, "message": "", "loss": None}.items():
        monkeypatch.setattr(registration.Registration, name, value)
    for cause in ("sandbox_message", "fairness_message", "engines_message"):
        monkeypatch.setattr(registration, cause, lambda: "")
    assert registration.may_play()
    draining.drain("north")
    assert not registration.may_play()
    monkeypatch.setattr(registration.Registration, "message", "")  # it was started again
    assert not registration.may_play()
    draining.undo_drain("north")
    assert registration.may_play()
    assert Worker.objects.get(name="matches@north").message == ""


class Messages:
    """The part of Celery's consumer that takes messages."""

    def __init__(self) -> None:
        self.queues = {"matches"}
        self.task_consumer = self

    def consuming_from(self, queue: str) -> bool:
        return queue in self.queues

    def cancel_by_queue(self, queue: str) -> None:
        self.queues.remove(queue)

    def add_task_queue(self, queue: str) -> None:
        self.queues.add(queue)


def test_who_may_not_play_takes_no_message_from_those_who_may(monkeypatch):
    consumer = Messages()
    monkeypatch.setattr(registration.Registration, "consumer", consumer)
    for wanted in (False, False, True, True):
        registration.listen(to_matches=wanted)
        assert consumer.consuming_from("matches") == wanted


def test_the_command_says_when_the_machine_is_empty(workers, capsys):
    call_command("drain", "north")
    told = capsys.readouterr().out
    assert "takes no more matches" in told
    assert "north is empty" in told
    call_command("drain")
    assert "matches@north since" in capsys.readouterr().out
    call_command("drain", "north", "--undo")
    assert "plays again" in capsys.readouterr().out
    call_command("drain")
    assert "No machine is drained." in capsys.readouterr().out


def test_the_command_waits_no_longer_than_it_was_told(running):
    with pytest.raises(CommandError, match="north is still playing 1 after 0 s"):
        call_command("drain", "north", "--wait", "0")
    assert draining.still_playing("south") == 0


def test_a_drained_worker_is_in_good_health(workers, capsys):
    """Else whoever looks after containers would start it again and again."""
    draining.drain("north")
    call_command("worker_health", "matches@north", "--canary")
    assert "is drained" in capsys.readouterr().out


def test_the_canary_is_sent_when_health_is_asked_for(workers, monkeypatch):
    monkeypatch.setattr(worker_health, "sandbox_message", lambda: "bwrap is missing")
    call_command("worker_health", "matches@north")
    with pytest.raises(CommandError, match="did not come back from the sandbox: bwrap is missing"):
        call_command("worker_health", "matches@north", "--canary")


def test_an_unknown_machine_is_refused_with_those_that_are_known(workers):
    with pytest.raises(CommandError, match=r"'nroth'\. Machines that play: north, south\."):
        call_command("drain", "nroth")
