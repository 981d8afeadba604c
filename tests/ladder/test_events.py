"""What is announced is heard once, after the commit, or not at all."""

import ast
from pathlib import Path

import pytest
from django.db import transaction

from ladder import events, pipeline
from ladder.events import Event, announce

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def heard(monkeypatch):
    told = []
    monkeypatch.setattr(events, "LISTENING", {Event.MATCH_SETTLED: told.append})
    return told


@pytest.mark.django_db(transaction=True)
def test_an_event_is_heard_after_the_commit_and_not_before(heard):
    with transaction.atomic():
        announce(Event.MATCH_SETTLED, 7)
        assert heard == []
    assert heard == [7]


@pytest.mark.django_db(transaction=True)
def test_of_what_was_rolled_back_nobody_hears(heard):
    with transaction.atomic():
        announce(Event.MATCH_SETTLED, 7)
        transaction.set_rollback(True)
    assert heard == []


@pytest.mark.django_db(transaction=True)
def test_an_event_without_a_listener_is_no_error(heard):
    announce(Event.VERSION_RECEIVED, 7)
    assert heard == []


def test_the_pipeline_listens_to_every_event_in_this_process():
    assert set(pipeline.LISTENERS) == set(Event)
    assert events.LISTENING == pipeline.LISTENERS


def test_every_event_is_announced_by_some_room():
    text = "".join(path.read_text() for path in (ROOT / "ladder").glob("*/*.py"))
    assert [event for event in Event if f"announce(Event.{event.name}" not in text] == []


def test_the_page_of_the_pipeline_tells_of_every_event():
    page = ast.get_docstring(ast.parse((ROOT / "ladder" / "pipeline" / "__init__.py").read_text()))
    assert [event.value for event in Event if event.value not in page] == []
