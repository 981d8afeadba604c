"""A tournament through real processes: run from the terminal, killed at random, proved and tampered with."""

from __future__ import annotations

import json
import os
import random
import re
import time
from pathlib import Path

import pytest

from tests.service.harness import Service, running

pytestmark = [pytest.mark.service, pytest.mark.slow]
SEED = "1923c0ffee"
PLAYERS = ("child", "matches")

STEADY = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({{"type": "ready"}}), flush=True)
    elif message["type"] == "act":
        time.sleep(0.002)
        legal = message["legal"]
        print(json.dumps({{"action": legal[{taste} * (1 + message["ply"]) % len(legal)]}}), flush=True)
    else:
        break
"""  # a bot without chance; its taste 0 is the first legal action

REGISTER = """
from ladder.accounts.models import User
from ladder.submissions.models import BotVersion
from ladder.submissions.services import create_bot, upload_version
from ladder.qualifying.activation import set_active
owner = User.objects.create_user("ann", role="administrator")
for name, source in {bots!r}.items():
    bot = create_bot(owner=owner, game="gatsby", name=name)
    version = upload_version(bot=bot, by=owner, content=source.encode(), filename="main.py")
    BotVersion.objects.filter(pk=version.pk).update(status="qualified")
    version.refresh_from_db()
    set_active(bot, version)
"""

EXPORT = """
from ladder.tournaments.models import Tournament
from ladder.tournaments.queries import export_json
answer(b"".join(export_json(Tournament.objects.get(pk={number}))).decode())
"""

TAMPER = """
from django.db import transaction
from ladder.matches.models import Seat
from ladder.matches.models import StoredRecord
from ladder.tournaments.models import SheetRow, Tournament
from ladder.tournaments.verification import verify_tournament
of_cup = {"match__set__table__tournament": 2}
tricks = {
    "nothing": lambda: None,
    "ranks": lambda: Seat.objects.filter(**of_cup, match__set__table__number=0).update(rank=1),
    "a record": lambda: StoredRecord.objects.filter(**of_cup).update(content=b"{}"),
    "the standings": lambda: SheetRow.objects.filter(tournament=2).update(wins=99),
}
found = {}
for name, trick in tricks.items():
    with transaction.atomic():
        trick()
        proof = list(verify_tournament(Tournament.objects.select_related("ladder").get(pk=2)))[-1]
        found[name] = bool(proof.problems)
        transaction.set_rollback(True)
answer(found)
"""


def register(service: Service, count: int) -> list[str]:
    bots = {f"bot {taste}": f"# {taste}\n" + STEADY.format(taste=taste) for taste in range(count)}
    service.ask(REGISTER.format(bots=bots))
    return list(bots)


def strike(service: Service, rng: random.Random, victim: str) -> None:
    """Wait a moment, kill somebody, and start again what does not start itself."""
    time.sleep(rng.uniform(0.2, 1.5))
    if victim == "child":
        service.kill_child("matches")
        return
    service.kill(victim)
    time.sleep(rng.uniform(0, 0.5))
    service.restart(victim)


AGAIN = """
select count(*) from matches_match m join matches_failedattempt f on f.match_id = m.id
where m.status in ('queued', 'running')
"""


HELD = "select id, lease from matches_match where status = 'running'"


def recover(service: Service) -> None:
    """Wait until what was lost has been played, so that no match is lost three times and becomes void."""
    held = set(service.sql(HELD))
    service.wait_for("the end of every lease of now", lambda: held.isdisjoint(service.sql(HELD)))
    service.wait_for("lost matches to be played", lambda: service.one(AGAIN) == 0)


def contest(folder: Path, *, bots: int, cycles: int, victims: list[str], seed: int) -> None:
    """The same tournament twice, once in peace and once under fire; both end with the same bytes."""
    print(f"seed {seed}: {victims}")
    with running(folder, RUMRUNNER_LEASE_S="4", RUMRUNNER_DEMO="false") as service:
        service.start_all(processes=2)
        command = ["tournament", "gatsby", "--bots", *register(service, bots), "--cycles", str(cycles)]
        command += ["--seed", SEED, "--as", "ann"]
        told = service.manage(*command, "--wait")
        check_terminal(told, bots)
        assert "Tournament 2 runs" in service.manage(*command)
        under_fire(service, random.Random(seed), victims)
        state = "select status from tournaments_tournament where id = 2"
        service.wait_for("the end", lambda: service.one(state) == "finished")
        check_counted_once(service, tables=cycles * bots * (bots - 1) // 2)
        peace, fire = service.ask(EXPORT.format(number=1)), service.ask(EXPORT.format(number=2))
        assert json.loads(peace)["seed"] == f"{SEED:0>64}"
        assert fire == peace
        assert "replayed" in service.manage("verify_tournament", "2")
        check_tampering(service)
    assert not service.bots_alive()


def under_fire(service: Service, rng: random.Random, victims: list[str]) -> None:
    losses = 0
    for victim in victims:
        if victim in PLAYERS:
            if losses == 2:
                recover(service)
                losses = 0
            losses += 1
        strike(service, rng, victim)


def check_terminal(told: str, bots: int) -> None:
    """The table is printed with everybody in it."""
    assert "(finished)" in told
    assert {int(number) for number in re.findall(r"bot (\d+) v1", told)} == set(range(bots))


def check_counted_once(service: Service, *, tables: int) -> None:
    drawn = "select number from tournaments_table where tournament_id = 2 order by number"
    assert [row[0] for row in service.sql(drawn)] == list(range(tables))
    of_cup = "from matches_match m join tournaments_table t on t.match_set_id = m.set_id where t.tournament_id = 2"
    assert service.sql(f"select status, count(*) {of_cup} group by status") == [("finished", 2 * tables)]
    counted = "select sum(matches), sum(voids), sum(faults) from tournaments_sheetrow where tournament_id = 2"
    assert service.sql(counted) == [(4 * tables, 0, 0)]


def check_tampering(service: Service) -> None:
    """Whatever is changed afterwards, the proof says so."""
    assert service.ask(TAMPER) == {"nothing": False, "ranks": True, "a record": True, "the standings": True}
    service.ask("from ladder.tournaments.models import Tournament; Tournament.objects.update(seed_commitment='')")
    with pytest.raises(AssertionError, match="does not verify: 1 problem"):
        service.manage("verify_tournament", "2")


def seed(fixed: int | None = None) -> int:
    """This one, or else a new one each time; RUMRUNNER_KILL_SEED repeats a printed one."""
    if given := os.environ.get("RUMRUNNER_KILL_SEED"):
        return int(given)
    return random.SystemRandom().randrange(1_000_000) if fixed is None else fixed


def test_a_tournament_under_fire_ends_with_the_same_bytes_and_its_proof_sees_any_change(tmp_path: Path) -> None:
    chosen = seed(7)  # the beat alone survives
    victims = random.Random(chosen).sample(["child", "service", "broker", "matches", "beat"], 4)
    contest(tmp_path / "data", bots=4, cycles=2, victims=victims, seed=chosen)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_big_tournament_under_heavy_fire_ends_with_the_same_bytes(tmp_path: Path) -> None:
    chosen = seed()
    victims = random.Random(chosen).choices(["child", "service", "broker", "matches", "beat"], k=16)
    contest(tmp_path / "data", bots=20, cycles=2, victims=victims, seed=chosen)
