"""Whatever is killed whenever, every scheduled match is counted exactly once."""

from __future__ import annotations

import json
import os
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.service.bots import SLOW_RANDOM, marked
from tests.service.harness import Service, running
from tests.service.processes import family, survivors

pytestmark = [pytest.mark.service, pytest.mark.slow]
VICTIMS = ("child", "child", "matches", "matches", "service", "broker", "broker and its data", "beat", "web")

REGISTER = """
from ladder.accounts.models import User
from ladder.ratings.services import enter_ladder
from ladder.ladders.services import find_ladder
from ladder.submissions.models import BotVersion
from ladder.submissions.services import create_bot, upload_version
from ladder.qualifying.activation import set_active
owner = User.objects.create_user("ann", role="administrator")
ladder = find_ladder(game="gatsby", seats=2)
for number, source in enumerate(json.loads(sys.stdin.read())):
    bot = create_bot(owner=owner, game="gatsby", name=f"bot {number}")
    version = upload_version(bot=bot, by=owner, content=source.encode(), filename="main.py")
    BotVersion.objects.filter(pk=version.pk).update(status="qualified")
    version.refresh_from_db()
    enter_ladder(version, ladder)
    set_active(bot, version)
answer(list(BotVersion.objects.values_list("pk", flat=True)))
"""

SCHEDULE = """
import itertools
from ladder.matches.models import Lane
from ladder.matches.services import create_set, rotations
from ladder.ladders.models import Ladder
from ladder.submissions.models import BotVersion
ladder = Ladder.objects.get(slug="gatsby-2")
versions = BotVersion.objects.filter(bot__game="gatsby").order_by("pk").values_list("pk", flat=True)
pairs = itertools.cycle(itertools.combinations(versions, 2))
made = []
for number, pair in zip(range({sets}), pairs):
    lane = Lane.TOURNAMENT if number % 2 else Lane.LADDER
    match_set = create_set(ladder=ladder, seatings=rotations(pair), lane=lane, is_rated=True)
    made += match_set.matches.order_by("pk").values_list("pk", flat=True)
answer(made)
"""


@dataclass
class Massacre:
    """A service under fire: what was scheduled, who was killed, and which processes were ever seen."""

    service: Service
    rng: random.Random
    scheduled: list[int] = field(default_factory=list)
    killed: list[str] = field(default_factory=list)
    seen: dict[int, float] = field(default_factory=dict)

    def schedule(self, sets: int) -> None:
        self.scheduled += self.service.ask(SCHEDULE.format(sets=sets))

    def look_round(self) -> None:
        """Remember every process of the service, to ask in the end whether it has gone."""
        for process in self.service.processes.values():
            self.seen |= family(process.pid)

    def strike(self) -> None:
        """Wait a moment, kill somebody, and start again what does not start itself."""
        time.sleep(self.rng.uniform(0.1, 1.5))
        self.look_round()
        victim = self.rng.choice(VICTIMS)
        self.killed.append(victim)
        if victim == "child":
            self.service.kill_child("matches")
            return
        part = victim.partition(" ")[0]
        self.service.kill(part)
        if victim.endswith("data"):
            self.service.lose_broker_data()
        time.sleep(self.rng.uniform(0, 0.5))
        self.service.restart(part)

    def unsettled(self) -> int:
        return int(self.service.one("select count(*) from matches_match where status in ('queued', 'running')"))


def fight(folder: Path, *, kills: int, sets: int, seed: int) -> None:
    """Run a service, kill parts of it, let it finish, and count."""
    print(f"seed {seed}")
    with running(folder, RUMRUNNER_LEASE_S="4", RUMRUNNER_DEMO="false") as service:
        service.start_all(processes=2)
        service.start_web()
        massacre = Massacre(service, random.Random(seed))
        sources = json.dumps([marked(SLOW_RANDOM).decode() for _ in range(4)])
        service.ask(f"import io; sys.stdin = io.StringIO({sources!r})\n{REGISTER}")
        batches = [sets // 4] * 3 + [sets - 3 * (sets // 4)]
        for strike in range(kills):
            if batches and strike % max(1, kills // 4) == 0:
                massacre.schedule(batches.pop())
            massacre.strike()
        for batch in batches:
            massacre.schedule(batch)
        service.wait_for("the end of all matches", lambda: massacre.unsettled() == 0)
        service.wait_for("the last rating", lambda: service.one(LAG) == 0)
        massacre.look_round()
        check_counts(service, massacre.scheduled)
        assert "no differences" in service.manage("recompute_ratings", "--check")
    assert not service.bots_alive()
    service.wait_for("the end of every process", lambda: not survivors(massacre.seen))
    print(f"{len(massacre.killed)} kills over {len(massacre.scheduled)} matches: {massacre.killed}")


LAG = "select count(*) from matches_match where is_rated and plies is not null and rating_number is null"
SETTLED = "select id from matches_match where status in ('finished', 'void') order by id"
RATED = "select m.id from matches_match m join ratings_ratingstep s on s.match_id = m.id order by m.id"
NUMBERS = "select rating_number from matches_match order by rating_number"
STEPS = "select number from ratings_ratingstep order by number"
WRONG_STEPS = """
select s.id from ratings_ratingstep s join matches_match m on m.id = s.match_id
where s.number <> m.rating_number or s.ladder_id <> m.ladder_id or (s.verdict = 'rated') <> (m.status = 'finished')
"""
WRONG_RATINGS = """
select s.id, count(r.id) from ratings_ratingstep s left join ratings_rating r on r.step_id = s.id
group by s.id, s.verdict having count(r.id) <> case s.verdict when 'rated' then 2 else 0 end
"""
WITHOUT_RECORD = """
select m.id from matches_match m left join matches_storedrecord r on r.match_id = m.id
where (m.status = 'finished') <> (r.match_id is not null)
"""
RUNNING = "select id from matches_match where lease is not null or status in ('queued', 'running')"
LEAST_FINISHED = 0.9


def check_counts(service: Service, scheduled: list[int]) -> None:
    """Schedule, matches and ratings agree, row by row."""
    numbers = list(range(1, len(scheduled) + 1))
    assert [row[0] for row in service.sql(SETTLED)] == scheduled
    assert [row[0] for row in service.sql(RATED)] == scheduled
    assert [row[0] for row in service.sql(NUMBERS)] == numbers
    assert [row[0] for row in service.sql(STEPS)] == numbers
    for query in (WRONG_STEPS, WRONG_RATINGS, WITHOUT_RECORD, RUNNING):
        assert service.sql(query) == []
    finished = service.one("select count(*) from matches_match where status = 'finished'")
    assert finished >= LEAST_FINISHED * len(scheduled)


def test_a_few_kills_at_random_moments_lose_and_double_nothing(tmp_path: Path) -> None:
    fight(tmp_path / "data", kills=5, sets=16, seed=_seed(185))  # five sorts of victims


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_many_kills_at_random_moments_lose_and_double_nothing(tmp_path: Path, record_property) -> None:
    seed = _seed()
    for name, value in {"kills": 32, "matches": 320, "seed": seed}.items():
        record_property(name, value)
    fight(tmp_path / "data", kills=32, sets=160, seed=seed)


def _seed(fixed: int | None = None) -> int:
    """This one, or else a new one each time; RUMRUNNER_KILL_SEED repeats a printed one."""
    if given := os.environ.get("RUMRUNNER_KILL_SEED"):
        return int(given)
    return random.SystemRandom().randrange(1_000_000) if fixed is None else fixed
