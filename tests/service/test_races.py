"""Several processes at the same rows of a real database, with nothing between them but the database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.service.harness import Service

pytestmark = [pytest.mark.service, pytest.mark.slow]
MATCHES, PROCESSES = 32, 4

QUEUE = f"""
from tests.ladder.cast import enrol, make_ladder, queue
ladder = make_ladder("gatsby", 2)
versions = enrol(ladder, 4)
for number in range({MATCHES}):
    queue(ladder, versions[number % 4], versions[(number + 1) % 4])
"""

# Every process claims what it can get, finishes it at once, and rates whatever is ready, all at the same time.
RACE = """
from ladder.matches import leases, results
from ladder.ratings.services import rate_all
from tests.ladder.cast import make_record
mine = []
while claim := leases.claim_match(worker="host/{number}"):
    record = make_record(claim.order, ranks=(1, 2) if claim.match_id % 3 else (2, 1))
    assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=record)
    assert not results.record_result(match_id=claim.match_id, lease=claim.lease, record=record)
    mine.append(claim.match_id)
    if len(mine) % 4 == 0:
        rate_all()
answer(mine)
"""


SETS, IN_A_SET = 4, 8

QUEUE_SETS = f"""
from ladder.matches.models import Lane
from ladder.matches.services import create_set
from tests.ladder.cast import enrol, make_ladder
ladder = make_ladder("gatsby", 2)
pair = [version.pk for version in enrol(ladder, 2)]
for _ in range({SETS}):
    create_set(ladder=ladder, seatings=[pair] * {IN_A_SET}, lane=Lane.LADDER, is_rated=True)
"""

# Every process looks, right after each claim, whether another match of its set is being played.
RACE_FOR_SETS = """
import time
from ladder.matches import leases, results
from ladder.matches.models import Match
from tests.ladder.cast import make_record
mine, together = [], []
while Match.objects.filter(status="queued").exists():
    claim = leases.claim_match(worker="host/{number}")
    if claim is None:
        time.sleep(0.01)
        continue
    siblings = Match.objects.filter(set__matches=claim.match_id, status="running").exclude(pk=claim.match_id)
    together += siblings.values_list("pk", flat=True)
    mine.append(claim.match_id)
    assert results.record_result(
        match_id=claim.match_id, lease=claim.lease, record=make_record(claim.order, ranks=(1, 2))
    )
answer([mine, together])
"""


def test_processes_that_race_never_play_two_matches_of_one_set_at_once(service: Service) -> None:
    service.ask(QUEUE_SETS)
    with ThreadPoolExecutor(PROCESSES) as pool:
        answers = list(pool.map(lambda number: service.ask(RACE_FOR_SETS.format(number=number)), range(PROCESSES)))
    assert [together for _, together in answers] == [[]] * PROCESSES
    claimed = sorted(match for mine, _ in answers for match in mine)
    assert claimed == sorted(row[0] for row in service.sql("select id from matches_match"))
    assert len(claimed) == SETS * IN_A_SET


MANY_BOTS = """
from ladder.accounts.models import User
from ladder.submissions.services import QuotaReached, create_bot
ann, refused = User.objects.get(username="ann"), 0
for each in range(15):
    try:
        create_bot(owner=ann, game="gatsby", name="bot {number}." + str(each))
    except QuotaReached:
        refused += 1
answer(refused)
"""


def test_processes_that_race_make_no_more_bots_than_a_user_may_have(service: Service) -> None:
    service.ask("from ladder.accounts.models import User; User.objects.create_user('ann')")
    with ThreadPoolExecutor(PROCESSES) as pool:
        refused = list(pool.map(lambda number: service.ask(MANY_BOTS.format(number=number)), range(PROCESSES)))
    assert service.one("select count(*) from submissions_bot") == 20
    assert sum(refused) == 15 * PROCESSES - 20


def test_processes_that_race_claim_every_match_once_and_rate_it_once(service: Service) -> None:
    service.ask(QUEUE)
    with ThreadPoolExecutor(PROCESSES) as pool:
        claimed = list(pool.map(lambda number: service.ask(RACE.format(number=number)), range(PROCESSES)))
    everything = sorted(match for mine in claimed for match in mine)
    assert everything == sorted(row[0] for row in service.sql("select id from matches_match"))
    service.ask("from ladder.ratings.services import rate_all; rate_all()")
    numbers = [row[0] for row in service.sql("select number from ratings_ratingstep order by number")]
    assert numbers == list(range(1, MATCHES + 1))
    assert "no differences" in service.manage("recompute_ratings", "--check")


# A rater that hangs in mid-rating, on one ladder of two, while matches of both are queued, claimed, kept and reported.
HUNG_RATER = """
import threading
from django.db import connection, transaction
from ladder.ladders.models import Ladder
from ladder.matches import leases, results
from ladder.ratings.services import hold_ladder, rate_all
from tests.ladder.cast import enrol, make_ladder, make_record, queue

held, over, done = threading.Event(), threading.Event(), []

def hang():
    with transaction.atomic():
        hold_ladder(Ladder.objects.get(slug="gatsby-2").pk)
        held.set()
        over.wait(500)
    connection.close()

rater = threading.Thread(target=hang)
rater.start()
assert held.wait(300)
for name in ("gatsby", "speak_easy"):
    ladder = make_ladder(name, 2) if name == "speak_easy" else Ladder.objects.get(slug="gatsby-2")
    queue(ladder, *enrol(ladder, 2))
while claim := leases.claim_match(worker="host/1"):
    assert leases.renew_lease(claim.match_id, claim.lease)
    record = make_record(claim.order, ranks=(1, 2))
    done.append(results.record_result(match_id=claim.match_id, lease=claim.lease, record=record))
over.set()
rater.join()
answer([done, rate_all()])
"""


@pytest.mark.parametrize("service", ["postgresql"], indirect=True)
def test_a_rater_that_hangs_stops_no_claim_and_no_result_on_any_ladder(service: Service) -> None:
    service.env["RUMRUNNER_LOCK_S"] = "5"
    service.ask("from tests.ladder.cast import make_ladder; make_ladder('gatsby', 2)")
    assert service.ask(HUNG_RATER) == [[True, True], 2]


HEARTBEAT = """
from django.db import connection, transaction
from ladder.matches import leases
from tests.ladder.cast import enrol, make_ladder, queue
ladder = make_ladder("gatsby", 2)
queue(ladder, *enrol(ladder, 2))
claim = leases.claim_match(worker="host/1")

def counted(cursor):
    cursor.execute("select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = 'matches_match'")
    return cursor.fetchone()

with transaction.atomic(), connection.cursor() as cursor:
    before = counted(cursor)  # the claim may be among them
    assert leases.renew_lease(claim.match_id, claim.lease)
    answer([now - then for now, then in zip(counted(cursor), before)])
"""


@pytest.mark.parametrize("service", ["postgresql"], indirect=True)
def test_a_heartbeat_writes_to_no_index(service: Service) -> None:
    assert service.ask(HEARTBEAT) == [1, 1]


# One process is long at a ladder and a tournament of three, two others run whole beats meanwhile.
BEATS_SIDE_BY_SIDE = """
import threading
from django.db import connection
from ladder import pipeline
from ladder.ladders.models import Ladder
from ladder.locks import alone
from ladder.matches import leases, results
from ladder.matches.models import Match
from tests.ladder.cast import enrol, make_ladder, make_record

ladders = [make_ladder(game, 2) for game in ("gatsby", "speak_easy", "cotton_club")]
for ladder in ladders:
    enrol(ladder, 3)
pipeline.send = lambda *args, **options: None
pipeline.run_stage("pair")
queued = Match.objects.count()
while claim := leases.claim_match(worker="host/1"):
    record = make_record(claim.order, ranks=(1, 2))
    assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=record)
taken, over = threading.Event(), threading.Event()

def be_long():
    with alone(f"rate {ladders[0].pk}") as is_mine:
        assert is_mine
        taken.set()
        over.wait(500)
    connection.close()

def beat():
    pipeline.tick()
    connection.close()

busy, beats = threading.Thread(target=be_long), [threading.Thread(target=beat) for _ in range(3)]
busy.start()
assert taken.wait(300)
for each in beats:
    each.start()
for each in beats:
    each.join()
rated = dict(Ladder.objects.values_list("slug", "rated_through"))
over.set()
busy.join()
pipeline.run_stage("rate")
numbered = Match.objects.filter(rating_number__isnull=False).count()
answer([rated, queued, numbered, Match.objects.filter(status="queued").count()])
"""


@pytest.mark.parametrize("service", ["postgresql"], indirect=True)
def test_beats_side_by_side_do_everything_once_but_what_another_is_at(service: Service) -> None:
    rated, queued, numbered, paired = service.ask(BEATS_SIDE_BY_SIDE)
    assert rated["gatsby-2"] == 0
    assert rated["speak_easy-2"] > 0 < rated["cotton_club-2"]
    assert queued == numbered
    assert 0 < paired <= queued
    assert "no differences" in service.manage("recompute_ratings", "--check")


# Two writers that want the same row: the second gives up after the time it is given, and says so.
IMPATIENT = """
import threading
from django.db import OperationalError, connection, transaction
from ladder.ladders.models import Ladder
from ladder.ratings.services import hold_ladder

ladder, over = Ladder.objects.get().pk, threading.Event()
held = threading.Event()

def hang():
    with transaction.atomic():
        hold_ladder(ladder)
        held.set()
        over.wait(500)
    connection.close()

rater = threading.Thread(target=hang)
rater.start()
assert held.wait(300)
try:
    Ladder.objects.update(tau=0.5)
    answer("written")
except OperationalError as error:
    answer(str(error))
over.set()
rater.join()
"""


def test_who_waits_too_long_for_a_lock_is_told_so(service: Service) -> None:
    service.env["RUMRUNNER_LOCK_S"] = "1"
    service.ask("from tests.ladder.cast import make_ladder; make_ladder('gatsby', 2)")
    told = service.ask(IMPATIENT)
    assert "lock" in told


# A tournament is being started when somebody hides a bot that has entered it.
HIDE_AMID_START = """
import time
from threading import Thread
from django.db import connection, transaction
from ladder.tournaments import services
from tests.ladder.cast import enrol, make_ladder, make_user

ladder, boss, left = make_ladder("gatsby", 2), make_user("boss", role="administrator"), []
bots = [version.bot for version in enrol(ladder, 3)]
cup = services.create_tournament(by=boss, wishes=services.Wishes(name="cup", ladder=ladder))
for bot in bots:
    services.enter(cup, bot, by=boss)

def hide():
    left.append(services.leave_unstarted(bots[0]))
    connection.close()

def is_waited_for():
    if connection.vendor == "sqlite":
        return True
    with connection.cursor() as cursor:
        cursor.execute("select count(*) from pg_locks where not granted")
        return cursor.fetchone()[0] > 0

hiding = Thread(target=hide)
with transaction.atomic():
    services._start(cup, boss)
    hiding.start()
    while hiding.is_alive() and not is_waited_for():
        time.sleep(0.01)
hiding.join()
cup.refresh_from_db()
answer([left, cup.entrants.count(), cup.entrant_count])
"""


def test_a_bot_that_is_hidden_while_its_tournament_starts_stays_in_it(service: Service) -> None:
    assert service.ask(HIDE_AMID_START) == [[0], 3, 3]


# While the table is compared, another match ends and is rated: the comparison must not see half of that.
CHECK_AMID_RATING = """
from threading import Thread
from django.db import connection
from ladder.matches import leases, results
from ladder.ratings import recompute
from ladder.ladders.models import Ladder
from ladder.ratings.services import rate_all
from tests.ladder.cast import make_record

def play_one():
    claim = leases.claim_match(worker="host/1")
    record = make_record(claim.order, ranks=(1, 2))
    assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=record)
    rate_all()
    connection.close()

def in_a_thread():
    thread = Thread(target=play_one)
    thread.start()
    thread.join()

def compare_after_another_match(*given):
    in_a_thread()
    compare(*given)

ladder = Ladder.objects.get()
in_a_thread()
compare, recompute.compare_standings = recompute.compare_standings, compare_after_another_match
answer([recompute.check(ladder).problems, recompute.check(ladder).matches, Ladder.objects.get().rated_through])
"""


def test_ratings_are_compared_as_they_stood_at_one_moment(service: Service) -> None:
    service.ask(QUEUE)
    problems, matches, rated = service.ask(CHECK_AMID_RATING)
    assert problems == []
    assert (matches, rated) == (2, 3)
