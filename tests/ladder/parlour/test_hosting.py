"""Bots of sittings, in the real sandbox: asked, kept, put away, brought back; whatever is killed, nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from arena import verify
from arena.sandbox.leases import lease_core
from arena.sandbox.sandbox_folder import game_digests
from engines import GAMES
from ladder.matches import registration
from ladder.matches.models import Pulse
from ladder.parlour import hosting, tasks
from ladder.parlour.hosting import Parlour, host_sittings, is_host_wanted
from ladder.parlour.models import Act, Host, Sitting
from ladder.parlour.queries import get_sitting, record_of
from ladder.parlour.services import begin, resign
from ladder.refusals import Conflict
from tests.ladder.parlour.table import Sitter, against, bot_of, house_bot, person, play_on

pytestmark = pytest.mark.django_db

OTHERWISE = """
import json, os, sys
sys.stdin.readline()
print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end":
        break
    print(json.dumps({"action": message["legal"][os.urandom(1)[0] % len(message["legal"])]}), flush=True)
"""
CRASHES = """
import json, sys
sys.stdin.readline()
print('{"type":"ready"}', flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def games() -> list[str]:
    """The games that the host has as the service has them."""
    return list(GAMES)


@pytest.fixture
def parlour(games: list[str]) -> Iterator[Parlour]:
    with lease_core():
        host = Parlour("host/1", lambda: games)
        yield host
        host.close()


def test_a_whole_game_is_played_and_its_record_verifies(parlour: Parlour) -> None:
    ann = person("ann")
    sitting = play_on(parlour, ann, against(ann, house_bot("gatsby")), until_ply=1000)
    assert sitting.status == Sitting.Status.FINISHED
    assert sitting.ending == "finished"
    assert sitting.lease is None
    assert verify(record_of(sitting)).ok


@pytest.mark.parametrize(("game", "seats"), [("capone", 3), ("cotton_club", 4), ("speak_easy", 2)])
def test_every_game_is_played_with_bots_in_all_other_seats(parlour: Parlour, game: str, seats: int) -> None:
    ann = person("ann")
    sitting = play_on(parlour, ann, against(ann, house_bot(game), seats=seats), until_ply=30)
    assert sitting.ply >= 30
    assert {act.seat for act in sitting.acts.all()} == set(range(seats))


def test_a_killed_host_loses_nothing(parlour: Parlour) -> None:
    ann = person("ann")
    sitting = play_on(parlour, ann, against(ann, house_bot("gatsby")), until_ply=9)
    before = list(Act.objects.filter(sitting=sitting).values_list("ply", "seat", "text"))
    # It is gone in mid-thought: no word to the database, and its lease runs out.
    Sitting.objects.filter(pk=sitting.pk).update(lease_until=Now() - timedelta(seconds=1))
    other = Parlour("host/2")
    try:
        sitting = play_on(other, ann, sitting, until_ply=20)
    finally:
        other.close()
    after = list(Act.objects.filter(sitting=sitting, ply__lt=9).order_by("ply").values_list("ply", "seat", "text"))
    assert after == before[:9]
    assert sitting.note == ""  # the bot came back with the same seed and said the same


def test_who_lost_the_lease_writes_nothing(parlour: Parlour) -> None:
    ann = person("ann")
    sitting = against(ann, house_bot("gatsby"))
    sitting = play_on(parlour, ann, sitting, until_ply=4)
    while sitting.due_at is None:
        play_on(parlour, ann, sitting, until_ply=sitting.ply + 1)
        sitting = get_sitting(sitting.key)
    Sitting.objects.filter(pk=sitting.pk).update(lease="00000000-0000-4000-8000-000000000000")
    guest = parlour.guests[sitting.pk]
    with pytest.raises(Conflict):
        parlour.answer(get_sitting(sitting.key))
    assert get_sitting(sitting.key).ply == sitting.ply
    assert Act.objects.filter(sitting=sitting).count() == sitting.ply
    assert guest.lease != get_sitting(sitting.key).lease


def test_people_are_told_when_a_bot_comes_back_and_would_choose_otherwise(parlour: Parlour) -> None:
    ann = person("ann")
    sitting = play_on(parlour, ann, against(ann, bot_of("bob", "gatsby", OTHERWISE, plays_people=True)), until_ply=30)
    parlour.close()
    said = list(Act.objects.filter(sitting=sitting).values_list("text", flat=True))
    while sitting.due_at is None:
        sitting = play_on(parlour, ann, sitting, until_ply=sitting.ply + 1)
    sitting = play_on(parlour, ann, sitting, until_ply=sitting.ply + 1)
    assert "would now choose differently at ply" in sitting.note
    assert list(Act.objects.filter(sitting=sitting).values_list("text", flat=True))[: len(said)] == said


def test_a_bot_that_crashes_loses_to_the_person(parlour: Parlour) -> None:
    ann = person("ann")
    sitting = play_on(parlour, ann, against(ann, bot_of("bob", "gatsby", CRASHES, plays_people=True)), until_ply=99)
    assert (sitting.status, sitting.ending, sitting.ranks) == ("finished", "crash", [1, 2])


def test_a_bot_that_crashes_at_a_larger_table_is_played_on(parlour: Parlour) -> None:
    ann = person("ann")
    crashes, good = bot_of("bob", "capone", CRASHES, plays_people=True), house_bot("capone")
    sitting = begin(ann, game="capone", chairs=[Sitter.ME, crashes, good])
    sitting = play_on(parlour, ann, sitting, until_ply=25)
    assert sitting.status == Sitting.Status.PLAYING
    assert [chair.fault for chair in sitting.chairs.all()] == ["", "crash", ""]
    assert Act.objects.filter(sitting=sitting, seat=1).exists()


def test_the_bots_of_people_who_rest_are_put_away_and_come_back(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = person("ann")
    sitting = play_on(parlour, ann, against(ann, house_bot("gatsby")), until_ply=8)
    parlour.put_away_idle()
    assert sitting.pk in parlour.guests
    monkeypatch.setattr(hosting, "IDLE", timedelta(0))
    parlour.put_away_idle()
    assert not parlour.guests
    assert get_sitting(sitting.key).lease is None
    assert play_on(parlour, ann, sitting, until_ply=14).ply >= 14


def test_a_newcomer_gets_the_memory_of_who_rested_longest(parlour: Parlour, settings) -> None:
    settings.SITTING_MEMORY_MIB = 2 * settings.BOT_MEMORY_MIB
    version = house_bot("gatsby")
    sittings = []
    for name in ("ann", "ben", "cleo"):
        player = person(name)
        sittings.append(play_on(parlour, player, against(player, version), until_ply=6))
    assert list(parlour.guests) == [sitting.pk for sitting in sittings[1:]]


def test_a_host_takes_a_share_of_the_places_and_leaves_when_nobody_is_left(
    monkeypatch: pytest.MonkeyPatch, settings
) -> None:
    settings.WORKERS = 2
    monkeypatch.setattr(hosting, "LINGER_S", 0.2)
    monkeypatch.setattr(hosting, "RETRY", timedelta(0))  # a machine too busy to ask fairly asks again at once
    ann = person("ann")
    sitting = against(ann, house_bot("gatsby"))
    while sitting.due_at is None:
        sitting = play_on(None, ann, sitting, until_ply=sitting.ply + 1)
    assert is_host_wanted()
    Host.objects.create(worker="another", until=Now() + timedelta(minutes=10))
    assert not is_host_wanted()
    assert host_sittings() == 0
    Host.objects.all().delete()
    monkeypatch.setattr(hosting, "IDLE", timedelta(0))
    assert host_sittings() > 0
    assert not Host.objects.exists()
    assert not is_host_wanted()


def due_sitting(player) -> Sitting:
    """A game of Gatsby in which it is the bot's turn."""
    sitting = against(player, house_bot("gatsby"))
    while sitting.due_at is None:
        sitting = play_on(None, player, sitting, until_ply=sitting.ply + 1)
    return sitting


def test_a_worker_with_another_version_of_the_game_hosts_none_of_its_sittings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "LINGER_S", 0.0)
    sitting = due_sitting(person("ann"))
    assert host_sittings(games=lambda: ["capone", "speak_easy"]) == 0
    assert not Host.objects.exists()
    assert get_sitting(sitting.key).lease is None
    assert is_host_wanted(), "another worker is asked"


def test_what_the_worker_s_task_hosts_are_the_games_that_are_the_service_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "may_play", lambda: True)
    monkeypatch.setattr(hosting, "host_sittings", lambda *, games: asked.append(games()))
    registration.note_beat()
    Pulse.objects.update(games=game_digests() | {"gatsby": "e" * 64})
    asked: list[list[str]] = []
    tasks.host_sittings()
    assert asked == [[game for game in game_digests() if game != "gatsby"]]


def test_a_game_that_is_upgraded_under_its_host_goes_to_another(
    parlour: Parlour, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = person("ann")
    sitting = play_on(parlour, ann, against(ann, house_bot("gatsby")), until_ply=5)
    assert list(parlour.guests) == [sitting.pk]
    monkeypatch.setattr(hosting, "RENEW_S", 0.0)
    games.remove("gatsby")
    parlour.renew()
    parlour.let_go_of_lost()
    assert not parlour.guests
    assert get_sitting(sitting.key).lease is None


def test_a_resigned_game_needs_no_bots(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person("ann")
    sitting = play_on(parlour, ann, against(ann, house_bot("gatsby")), until_ply=5)
    resign(ann, sitting)
    monkeypatch.setattr(hosting, "RENEW_S", 0.0)
    parlour.renew()
    parlour.let_go_of_lost()
    assert not parlour.guests
