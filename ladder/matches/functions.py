"""What workers do, as functions of PostgreSQL: one round trip each, and the lease is checked where the rows are.

They are all that a worker needs, so a role that may call them and nothing else can play matches (``worker_role``).
``leases`` and ``results`` call them on PostgreSQL and do the same in steps on SQLite; one set of tests holds both.
Written anew after every migration; a change of arguments makes another function, so that older workers go on.
"""

# ruff: noqa: S608 - what is put into the statements are names of our own
from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection

from arena.packing import MAX_RECORD_BYTES
from ladder.matches.models import MAX_ATTEMPTS, Seat

SCHEMA = "rumrunner_worker"
# One plan for all arguments, made once a connection: planning a claim takes longer than claiming.
HEAD = "LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan"
# Told so that PostgreSQL looks at the match and in its set: by the index of states it reads all running matches.
RUNS = "({m}.status = 'running') IS TRUE"
HELD = (
    f"m.id = of_match AND m.lease = with_lease AND (m.lease_until > clock_timestamp()) IS TRUE AND {RUNS.format(m='m')}"
)
A_SIBLING_RUNS = f"EXISTS (SELECT 1 FROM matches_match r WHERE r.set_id = m.set_id AND {RUNS.format(m='r')} OFFSET 0)"
# Nobody waits for the disk before a result: a claim or heartbeat that a crash undoes is one that the lease refuses.
SOON_ON_DISK = "PERFORM set_config('synchronous_commit', 'off', TRUE);"
TRIES = 50  # in a lane in which others are quicker each time
# What a worker says is taken within bounds, whoever it is: no lease or pause for years, no rows without end.
LEASE = "least(greatest(lease_s, 0), 3600) * interval '1 second'"
LONGEST_MATCH = "interval '1 day'"
LONGEST_PAUSE_S = 86_400
MOST_WORKERS, MOST_PROCESSES = 200, 1024  # of one role; of one worker
LOG_LENGTH, REASON_LENGTH, ABOUT_LENGTH = 131_072, 10_000, 65_536
# A role has no more matches in hand than its workers said they play at once; who has shown none has one. The table of
# workers is read once for all three: its name, how many, and whose matches count.
MY_WORKERS = """
    SELECT array_agg(o.host::text), sum(o.processes) FILTER (
        WHERE o.plays AND o.seen_at > clock_timestamp() - interval '1 minute')
    INTO hosts, hands FROM matches_worker o WHERE o.role = session_user"""
IN_HAND = """
    SELECT count(*) FROM matches_match r
    WHERE r.status = 'running' AND split_part(r.worker, '/', 1) = ANY (hosts || session_user::text)"""
# A role shows itself with the name of its machine, unless that is another role's machine.
MY_HOST = """
    CASE WHEN EXISTS (SELECT 1 FROM matches_worker o WHERE o.host = {host} AND o.role <> session_user)
    THEN session_user ELSE {host} END"""
SEATS_TOLD = "jsonb_to_recordset(told -> 'seats') AS r"
IS_A_REPORT = f"""
    octet_length(content) <= {MAX_RECORD_BYTES} AND (told ->> 'plies')::int >= 0 AND (told ->> 'wall_ms')::int >= 0
    AND (SELECT array_agg(r.seat ORDER BY r.seat)
            = array(SELECT p.seat::int FROM matches_seat p WHERE p.match_id = of_match ORDER BY p.seat)
        AND bool_and(CASE WHEN (told ->> 'is_rateable')::boolean THEN r.rank >= 1 ELSE r.rank IS NULL END)
        AND coalesce(max(r.rank), 1) <= count(*)
        AND coalesce(bool_and(abs(r.score) < 'Infinity'), TRUE)
        AND bool_and(r.fault IN ('', {", ".join(f"'{kind}'" for kind in Seat.Fault.values)}))
        FROM {SEATS_TOLD}(seat int, rank int, score float8, fault text))"""


CLAIM = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.claim(me text, lanes text[], runtimes text[], rules jsonb, lease_s float8)
RETURNS TABLE (match_id bigint, lease uuid, attempt int, game text, options text, seed text, seats text[]) {HEAD} AS $$
#variable_conflict use_column
DECLARE
    turn text; wanted record; fresh uuid := gen_random_uuid(); hosts text[]; hands bigint;
BEGIN
    {SOON_ON_DISK}
    IF session_user <> current_user THEN
        -- One claim of a role after the other, so that those in hand are counted right.
        PERFORM pg_advisory_xact_lock(hashtextextended('claims of ' || session_user, 0));
        {MY_WORKERS};
        me := CASE WHEN split_part(me, '/', 1) = ANY (hosts) THEN split_part(me, '/', 1) ELSE session_user END
            || '/' || split_part(me, '/', 2);
        IF ({IN_HAND}) >= greatest(hands, 1) THEN RETURN; END IF;
    END IF;
    FOREACH turn IN ARRAY lanes LOOP
        -- Only the set is locked: heartbeats and results of a match that another has just claimed don't wait for this.
        FOR try IN 1..{TRIES} LOOP
            SELECT m.id, l.game, l.options, s.seed INTO wanted
            FROM matches_match m JOIN matches_matchset s ON s.id = m.set_id JOIN ladders_ladder l ON l.id = m.ladder_id
            WHERE m.status = 'queued' AND NOT m.is_held AND m.lane = turn
                AND (m.aside_until IS NULL OR m.aside_until <= clock_timestamp())
                AND (m.elsewhere_until IS NULL OR m.elsewhere_until <= clock_timestamp()
                    OR NOT starts_with(m.worker, split_part(me, '/', 1) || '/'))
                AND (rules ->> l.game)::int = l.rules_version
                AND NOT {A_SIBLING_RUNS}
                AND (runtimes IS NULL OR NOT EXISTS (
                    SELECT 1 FROM matches_seat p JOIN submissions_botversion v ON v.id = p.version_id
                    WHERE p.match_id = m.id AND v.runtime <> ALL (runtimes)))
            ORDER BY m.priority, m.id LIMIT 1 FOR NO KEY UPDATE OF s SKIP LOCKED;
            EXIT WHEN NOT FOUND;
            -- A statement of its own sees what the last holder of the set's row did; so does the next look.
            UPDATE matches_match m SET status = 'running', lease = fresh, attempts = m.attempts + 1,
                worker = left(me, 100), lease_until = clock_timestamp() + {LEASE},
                started_at = clock_timestamp(), aside_until = NULL, rules_version = (rules ->> wanted.game)::int
            WHERE m.id = wanted.id AND m.status = 'queued' AND NOT m.is_held AND NOT {A_SIBLING_RUNS}
            RETURNING m.attempts INTO attempt;
            CONTINUE WHEN NOT FOUND;
            RETURN QUERY SELECT wanted.id, fresh, attempt, wanted.game::text, wanted.options::text, wanted.seed::text,
                array(SELECT v.bundle_id::text FROM matches_seat p JOIN submissions_botversion v ON v.id = p.version_id
                      WHERE p.match_id = wanted.id ORDER BY p.seat);
            RETURN;
        END LOOP;
    END LOOP;
END $$
"""

RENEW = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.renew(of_match bigint, with_lease uuid, lease_s float8) RETURNS boolean {HEAD} AS $$
BEGIN
    {SOON_ON_DISK}
    UPDATE matches_match m SET lease_until = clock_timestamp() + {LEASE}
    WHERE {HELD} AND m.started_at > clock_timestamp() - {LONGEST_MATCH};
    RETURN FOUND;
END $$
"""

HAND_BACK = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.hand_back(of_match bigint, with_lease uuid, told text) RETURNS boolean {HEAD} AS $$
DECLARE
    whose text;
BEGIN
    UPDATE matches_match m SET status = 'queued', lease = NULL, lease_until = NULL, attempts = m.attempts - 1
    WHERE {HELD} RETURNING m.worker INTO whose;
    IF FOUND THEN
        INSERT INTO matches_failedattempt (match_id, worker, cause, detail)
        VALUES (of_match, whose, 'handed_back', left(told, 2000));
        RETURN TRUE;
    END IF;
    RETURN FALSE;
END $$
"""

# Answers how many seconds the match was set aside for: 0 when it is queued again at once, NULL when the lease was lost.
HOST_FAULT = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.host_fault(
    of_match bigint, with_lease uuid, told text, elsewhere_s float8, pauses float8[], trial_pauses float8[])
RETURNS float8 {HEAD} AS $$
DECLARE
    had record; pause float8 := 0; mine float8[];
BEGIN
    SELECT attempts, times_aside, lane, worker INTO had FROM matches_match m WHERE {HELD} FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF had.attempts >= {MAX_ATTEMPTS} THEN
        mine := CASE had.lane WHEN 'trial' THEN trial_pauses ELSE pauses END;
        pause := least(greatest(mine[1] * 2 ^ least(had.times_aside, 10), 1), greatest(mine[2], 1), {LONGEST_PAUSE_S});
    END IF;
    UPDATE matches_match m SET status = 'queued', lease = NULL, lease_until = NULL,
        elsewhere_until = clock_timestamp() + least(elsewhere_s, {LONGEST_PAUSE_S}) * interval '1 second',
        attempts = CASE WHEN pause > 0 THEN 0 ELSE attempts END,
        times_aside = times_aside + (pause > 0)::int,
        aside_until = CASE WHEN pause > 0 THEN clock_timestamp() + pause * interval '1 second' END
    WHERE id = of_match;
    INSERT INTO matches_failedattempt (match_id, worker, cause, detail)
    VALUES (of_match, had.worker, 'host_fault', left(told, 2000));
    RETURN pause;
END $$
"""

SETTLE = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.settle(of_match bigint, with_lease uuid, told jsonb, content bytea)
RETURNS boolean {HEAD} AS $$
BEGIN
    UPDATE matches_match m SET lease = NULL, lease_until = NULL, finished_at = clock_timestamp(),
        status = CASE WHEN (told ->> 'is_rateable')::boolean THEN 'finished' ELSE 'void' END,
        ending = told ->> 'ending', game_ending = told ->> 'game_ending', plies = (told ->> 'plies')::int,
        wall_ms = (told ->> 'wall_ms')::int, digest = told ->> 'digest',
        reason = left(told ->> 'reason', {REASON_LENGTH})
    WHERE {HELD};
    IF NOT FOUND THEN RETURN FALSE; END IF;
    IF ({IS_A_REPORT}) IS NOT TRUE THEN
        RAISE EXCEPTION 'this is no report of match %', of_match USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE matches_seat p SET turn = r.turn, rank = r.rank, score = r.score, fault = r.fault,
        fault_stage = r.fault_stage, fault_ply = r.fault_ply, fault_reason = left(r.fault_reason, {REASON_LENGTH}),
        cpu_ms = r.cpu_ms, peak_kib = r.peak_kib
    FROM {SEATS_TOLD}(seat int, turn int, rank int, score float8, fault text,
        fault_stage text, fault_ply int, fault_reason text, cpu_ms int, peak_kib bigint)
    WHERE p.match_id = of_match AND p.seat = r.seat;
    INSERT INTO matches_seatlog (match_id, seat, text)
    SELECT of_match, r.seat, left(r.log, {LOG_LENGTH}) FROM {SEATS_TOLD}(seat int, log text) WHERE r.log <> '';
    INSERT INTO matches_storedrecord (match_id, content) VALUES (of_match, content);
    RETURN TRUE;
END $$
"""

# What a worker has to know before it takes a match: the service's engines, the rules of ladders, whether it is drained.
FACTS = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.facts(me text)
RETURNS TABLE (engines text, ladders text, drained boolean) {HEAD} AS $$
BEGIN
    RETURN QUERY SELECT
        (SELECT p.engines_digest::text FROM matches_pulse p WHERE p.stage = 'tick'),
        (SELECT coalesce(json_agg(json_build_array(l.slug, l.game, l.rules_version)), '[]')::text
            FROM ladders_ladder l),
        EXISTS (SELECT 1 FROM matches_worker w WHERE w.name = me AND w.drained_at IS NOT NULL);
END $$
"""

# The same, with a digest for each game; workers of before ask the other.
SERVICE_FACTS = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.service_facts(me text)
RETURNS TABLE (games text, ladders text, drained boolean) {HEAD} AS $$
BEGIN
    RETURN QUERY SELECT (SELECT p.games::text FROM matches_pulse p WHERE p.stage = 'tick'), f.ladders, f.drained
        FROM {SCHEMA}.facts(me) f;
END $$
"""

# A worker shows itself under the role it logged in with; nobody shows himself under another's name.
SHOW = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.show(me text, told jsonb, health jsonb) RETURNS boolean {HEAD} AS $$
BEGIN
    IF length(told::text) > {ABOUT_LENGTH} OR jsonb_typeof(told -> 'abilities') <> 'object' OR {MOST_WORKERS} <= (
        SELECT count(*) FROM matches_worker o WHERE o.role = session_user AND o.name <> me) THEN
        RETURN FALSE;
    END IF;
    INSERT INTO matches_worker AS w (name, role, host, pid, plays, processes, version, engines_digest, abilities,
        sandbox_ok, message)
    VALUES (me, session_user, {MY_HOST.format(host="(told ->> 'host')")}, (told ->> 'pid')::int,
        (told ->> 'plays')::boolean, least((told ->> 'processes')::int, {MOST_PROCESSES}), told ->> 'version',
        told ->> 'engines_digest', told -> 'abilities', coalesce((health ->> 'sandbox_ok')::boolean, TRUE),
        coalesce(left(health ->> 'message', {REASON_LENGTH}), ''))
    ON CONFLICT (name) DO UPDATE SET role = excluded.role, host = excluded.host, pid = excluded.pid,
        plays = excluded.plays, processes = excluded.processes, version = excluded.version,
        engines_digest = excluded.engines_digest, abilities = excluded.abilities, seen_at = clock_timestamp(),
        sandbox_ok = coalesce((health ->> 'sandbox_ok')::boolean, w.sandbox_ok),
        message = coalesce(left(health ->> 'message', {REASON_LENGTH}), w.message)
    WHERE w.role = session_user OR w.seen_at < clock_timestamp() - interval '1 day';
    RETURN FOUND;
END $$
"""

TROUBLE = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.trouble(me text, health jsonb) RETURNS boolean {HEAD} AS $$
BEGIN
    UPDATE matches_worker SET message = left(health ->> 'message', {REASON_LENGTH}),
        sandbox_ok = (health ->> 'sandbox_ok')::boolean
    WHERE name = me AND role = session_user;
    RETURN FOUND;
END $$
"""

BUNDLE = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.bundle(of_match bigint, with_lease uuid, wanted text)
RETURNS TABLE (content bytea, filename text) {HEAD} AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT b.content, v.filename::text
    FROM matches_match m JOIN matches_seat p ON p.match_id = m.id JOIN submissions_botversion v ON v.id = p.version_id
        JOIN submissions_bundle b ON b.digest = v.bundle_id
    WHERE b.digest = wanted AND {HELD} LIMIT 1;
END $$
"""

# Where a bundle that is in the store can be fetched; a function of its own, because older workers call the other.
BUNDLE_LINK = f"""
CREATE OR REPLACE FUNCTION {SCHEMA}.bundle_link(of_match bigint, with_lease uuid, wanted text) RETURNS text {HEAD} AS $$
BEGIN
    RETURN (SELECT b.link
    FROM matches_match m JOIN matches_seat p ON p.match_id = m.id JOIN submissions_botversion v ON v.id = p.version_id
        JOIN submissions_bundle b ON b.digest = v.bundle_id
    WHERE b.digest = wanted AND {HELD} LIMIT 1);
END $$
"""
FUNCTIONS = (CLAIM, RENEW, HAND_BACK, HOST_FAULT, SETTLE, FACTS, SERVICE_FACTS, SHOW, TROUBLE, BUNDLE, BUNDLE_LINK)


def install() -> None:
    """Write the functions into the database, for nobody but its owner to call."""
    if not are_here():
        return
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        for function in FUNCTIONS:
            cursor.execute(function)
        cursor.execute(f"REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {SCHEMA} FROM PUBLIC")


def are_here() -> bool:
    """Whether the database has them."""
    return connection.vendor == "postgresql"


def call(function: str, *arguments: Any) -> Any:
    """What a function answers that answers with one value."""
    row = call_for_row(function, *arguments)
    return row[0] if row else None


def call_for_row(function: str, *arguments: Any) -> Sequence[Any] | None:
    """The row that a function answers with; None when there is none. One round trip: the statement is a transaction."""
    places = ", ".join(["%s"] * len(arguments))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {SCHEMA}.{function}({places})", arguments)
        row: Sequence[Any] | None = cursor.fetchone()
        return row


def as_json(value: Any) -> str:
    """A value for an argument of type jsonb."""
    return json.dumps(value)
