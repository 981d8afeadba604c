"""Old and new workers side by side: a match goes only to one whose code of that game is the service's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.sandbox import sandbox_folder
from arena.sandbox.sandbox_folder import game_digests
from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches import leases, registration
from ladder.matches.models import Match, Pulse, Worker
from ladder.matches.registration import Registration, engines_message, playable_games, read_facts
from ladder.matches.waiting import what_it_waits_for
from tests.ladder.cast import enrol, finish, make_ladder, queue

pytestmark = pytest.mark.django_db
OLD, NEW = "old/1", "new/1"


@pytest.fixture
def upgraded(monkeypatch) -> Callable[[str], list[str]]:
    """A service whose Gatsby is new; the value is the games that a worker of that age may claim."""
    monkeypatch.setattr(Registration, "facts", Registration.facts)
    registration.note_beat()
    old = game_digests()
    new = old | {"gatsby": "e" * 64}
    Pulse.objects.update(games=new)

    def games_of(worker: str) -> list[str]:
        monkeypatch.setattr(registration, "game_digests", lambda: old if worker == OLD else new)
        Registration.facts = read_facts()
        return playable_games()

    return games_of


@pytest.fixture
def waiting() -> dict[str, Match]:
    ladders = [make_ladder("gatsby"), make_ladder("speak_easy")]
    return {ladder.game: queue(ladder, *enrol(ladder, 2)) for ladder in ladders}


def claim(worker: str, games: list[str]) -> int | None:
    taken = leases.claim_match(worker=worker, games=games)
    return taken.match_id if taken else None


def test_a_new_engine_s_matches_wait_for_new_workers_and_the_others_do_not(upgraded, waiting):
    assert claim(OLD, upgraded(OLD)) == waiting["speak_easy"].pk
    assert claim(OLD, upgraded(OLD)) is None
    assert claim(NEW, upgraded(NEW)) == waiting["gatsby"].pk


def test_an_upgrade_that_goes_worker_by_worker_plays_everything_once(upgraded, waiting):
    for worker in (OLD, NEW, OLD, NEW):
        if (pk := claim(worker, upgraded(worker))) is not None:
            finish(Match.objects.get(pk=pk), 1, 2)
    assert set(Match.objects.values_list("status", "attempts")) == {("finished", 1)}


def test_a_worker_behind_one_game_is_able_and_one_behind_all_says_so(upgraded):
    assert set(GAMES) - set(upgraded(OLD)) == {"gatsby"}
    assert engines_message() == ""
    Pulse.objects.update(games=dict.fromkeys(GAMES, "f" * 64))
    assert upgraded(OLD) == []
    assert engines_message().startswith("OTHER ENGINES")


def test_newer_rules_of_a_ladder_idle_its_game_only(upgraded, waiting):
    Pulse.objects.update(games={})
    Ladder.objects.filter(game="gatsby").update(rules_version=99)
    assert set(GAMES) - set(upgraded(OLD)) == {"gatsby"}


def test_a_service_that_has_not_said_what_it_has_is_believed_to_fit(upgraded):
    Pulse.objects.all().delete()
    assert set(upgraded(OLD)) == set(GAMES)


def test_a_match_says_that_it_waits_for_the_new_version(waiting):
    about = {"host": "h", "pid": 1, "plays": True, "version": "1", "engines_digest": "", "sandbox_ok": True}
    runtimes = {"python": "3"}
    old = {"game gatsby": "0" * 64, "game speak_easy": game_digests()["speak_easy"]}
    Worker.objects.create(name="matches@old", abilities={"runtimes": runtimes, "digests": old}, **about)
    assert "version of the game" in what_it_waits_for(waiting["gatsby"])
    assert what_it_waits_for(waiting["speak_easy"]) == "It is waiting for a free worker."
    new = {"game gatsby": game_digests()["gatsby"]}
    Worker.objects.create(name="matches@new", abilities={"runtimes": runtimes, "digests": new}, **about)
    assert what_it_waits_for(waiting["gatsby"]) == "It is waiting for a free worker."


@pytest.mark.parametrize(
    ("changed", "games"),
    [
        ("engines/gatsby/state.py", {"gatsby"}),
        ("bots/kit/policies/capone.py", {"capone"}),
        ("engines/chance.py", {"gatsby", "capone", "speak_easy", "cotton_club"}),
        ("bots/kit/search.py", {"gatsby", "capone", "speak_easy", "cotton_club"}),
    ],
)
def test_a_file_counts_for_its_own_game_and_a_shared_one_for_all(monkeypatch, changed, games):
    before = game_digests()
    files = [(name, content + b"#" * (str(name) == changed)) for name, content in sandbox_folder.code_files()]
    monkeypatch.setattr(sandbox_folder, "code_files", lambda: iter(files))
    after = game_digests.__wrapped__()
    assert {name for name in before if before[name] != after[name]} >= games
    assert {name for name in GAMES if before[name] != after[name]} & {
        "gatsby",
        "capone",
        "speak_easy",
        "cotton_club",
    } == games
