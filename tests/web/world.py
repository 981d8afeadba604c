"""A small world with real games in it: people, bots, finished matches with records that replay and verify."""

from __future__ import annotations

from random import Random

from arena import HostFacts, MatchOrder, MatchRecord, Note, PlayedAction, SandboxFacts, SeatReport
from engines import GAMES
from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.matches import leases, results
from ladder.matches.models import Lane, Match
from ladder.matches.services import create_set
from ladder.qualifying.activation import set_active
from ladder.ratings.fits import fit_ladder
from ladder.ratings.services import enter_ladder, rate_all
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments import services as tournaments
from ladder.tournaments.drawing import advance_all
from ladder.tournaments.models import Tournament
from ladder.tournaments.services import Wishes
from tests.ladder.cast import make_ladder, make_user, make_version

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m\u202eevil"


def random_record(order: MatchOrder, rng: Random, *, note: str = "", stderr: str = "") -> MatchRecord:
    """A whole game of random moves, as the arena would have recorded it."""
    state = GAMES[order.game].new(seats=len(order.seats), seed=order.seed, **order.options)
    actions = []
    while state.to_act is not None:
        choice = rng.choice(state.legal_actions())
        actions.append(PlayedAction(seat=state.to_act, text=state.format(choice), cpu_ms=rng.random() * 40, wall_ms=1))
        state.apply(choice)
    outcome = state.outcome()
    assert outcome is not None
    notes = (Note(ply=3, text=note),) if note else ()
    return MatchRecord(
        order=order,
        actions=tuple(actions),
        faults=(),
        outcome=outcome,
        ending="finished",
        ranks=outcome.ranks,
        seats=tuple(SeatReport(cpu_ms=200, peak_memory_kib=9000, stderr=stderr, notes=notes) for _ in order.seats),
        sandbox=SandboxFacts(kind="bwrap"),
        host=HostFacts(wall_ms=1234.0),
    ).sealed()


def record_won_by(seat: int, order: MatchOrder, rng: Random, *, tries: int = 12) -> MatchRecord:
    """A whole game of random moves in which this seat came first, if one is found in so many tries."""
    for _ in range(tries):
        record = random_record(order, rng)
        if record.ranks[seat] == min(record.ranks):
            break
    return record


def named_version(name: str, *, game: str, owner: User | None = None) -> BotVersion:
    """A qualified, active version of a bot with this name."""
    return make_version(owner=owner, bot=Bot.objects.create(owner=owner, game=game, name=name))


def play_random(ladder: Ladder, *versions: BotVersion, rng: Random, **words: str) -> Match:
    """Queue, claim and finish one match of random moves, and rate it."""
    match_set = create_set(
        ladder=ladder, seatings=[[v.pk for v in versions]], lane=Lane.LADDER, is_rated=True, seed=rng.getrandbits(100)
    )
    match = match_set.matches.get()
    claim = leases.claim_match(worker="host/1")
    assert claim is not None
    assert claim.match_id == match.pk
    match.refresh_from_db()
    record = random_record(leases.order_of(match), rng, **words)
    assert results.record_result(match_id=match.pk, lease=match.lease, record=record)
    match.refresh_from_db()
    return match


def enrolled(names: list[str], ladder: Ladder, owner: User | None = None) -> list[BotVersion]:
    versions = [named_version(name, game=ladder.game, owner=owner) for name in names]
    for version in versions:
        enter_ladder(version, ladder)
        set_active(version.bot, version)
    return versions


def small_world(rng: Random, *, game: str = "gatsby", seats: int = 2, matches: int = 6) -> tuple[Ladder, list[Match]]:
    """A ladder with as many bots as seats plus two, and some rated matches between them."""
    ladder = make_ladder(game, seats)
    versions = enrolled([f"{game} bot {n}" for n in range(seats + 2)], ladder, make_user())
    played = [play_random(ladder, *rng.sample(versions, seats), rng=rng) for _ in range(matches)]
    rate_all()
    return ladder, played


def play_queue(rng: Random, *, most: int = 10_000) -> int:
    """Play what waits with random moves, as workers would; returns how many matches."""
    for count in range(most):
        claim = leases.claim_match(worker="host/1")
        if claim is None:
            return count
        match = Match.objects.get(pk=claim.match_id)
        record = random_record(leases.order_of(match), rng)
        assert results.record_result(match_id=match.pk, lease=match.lease, record=record)
    return most


def run_tournament(organiser: User, ladder: Ladder, rng: Random, *, most: int = 10_000, **wishes: object) -> Tournament:
    """A tournament of everybody on a ladder, played until it is over or so many matches are."""
    wanted = Wishes(**{"name": "Harbour Cup", "ladder": ladder, **wishes})
    tournament = tournaments.create_tournament(by=organiser, wishes=wanted)
    tournaments.enter_top(tournament, 20, by=organiser)
    tournaments.start(tournament, by=organiser)
    left = most
    while left > 0:
        advance_all()
        played = play_queue(rng, most=left)
        left -= played
        if not played:
            break
    advance_all()
    tournament.refresh_from_db()
    return tournament


def play_by_strength(ladder: Ladder, rng: Random, *, matches: int) -> None:
    """Rated matches that the bots entered first win more often, so that a fit tells most of them apart."""
    versions = list(BotVersion.objects.filter(standings__ladder=ladder, standings__is_listed=True).order_by("pk"))
    strength = {version.pk: 1.6**-place for place, version in enumerate(versions)}
    for _ in range(matches):
        seated = [version.pk for version in rng.sample(versions, ladder.seats)]
        winner = rng.choices(range(ladder.seats), [strength[pk] for pk in seated])[0]
        create_set(ladder=ladder, seatings=[seated], lane=Lane.LADDER, is_rated=True, seed=rng.getrandbits(100))
        claim = leases.claim_match(worker="host/1")
        assert claim is not None
        match = Match.objects.get(pk=claim.match_id)
        record = record_won_by(winner, leases.order_of(match), rng)
        assert results.record_result(match_id=match.pk, lease=match.lease, record=record)


def pass_a_day(rng: Random) -> None:
    """Twenty matches on every ladder, after which all are rated and fitted."""
    for ladder in Ladder.objects.order_by("pk"):
        play_by_strength(ladder, rng, matches=20)
    rate_all()
    for ladder in Ladder.objects.order_by("pk"):
        assert fit_ladder(ladder)


SHOWN = (("speak_easy", 2), ("gatsby", 2), ("capone", 4), ("cotton_club", 3))
NAMES = ("midnight-ferry", "volstead", "bathtub-gin", "lamplighter", "side-door", "white-mule", "tin-lizzie")


def furnish(rng: Random, *, days: int = 0) -> dict[str, int]:
    """Ladders of all games with rated matches, and tournaments in every stage; returns a match of each game.

    Without days that have gone by since then no ladder was fitted, and only two formats are seen.
    """
    lena, tstone = make_user("lena"), make_user("tstone")
    shown = {}
    for game, seats in SHOWN:
        ladder = make_ladder(game, seats)
        versions = enrolled(list(NAMES[:4]), ladder, lena) + enrolled(list(NAMES[4:]), ladder, tstone)
        words = {"note": "I expect <b>c3</b>", "stderr": "hello\n<script>alert(1)</script>\n"}
        played = [play_random(ladder, *rng.sample(versions, seats), rng=rng, **words) for _ in range(8)]
        shown[game] = min(played, key=lambda match: match.plies or 0).pk
    rate_all()
    for _ in range(days):
        pass_a_day(rng)
    gatsby, capone = (Ladder.objects.get(game=game) for game in ("gatsby", "capone"))
    if days:
        champion = Bot.objects.get(game="gatsby", name=NAMES[0])
        run_tournament(lena, gatsby, rng, name="Run the gauntlet", format="gauntlet", champion=champion)
        run_tournament(tstone, capone, rng, name="Swiss by lamplight", format="swiss")
    run_tournament(lena, gatsby, rng, name="Harbour Cup, autumn 2026", all_rotations=False)
    run_tournament(lena, gatsby, rng, name="Knock-out night", format="knockout")
    run_tournament(lena, gatsby, rng, name="Cup under way", cycles=3, most=9)
    draft = tournaments.create_tournament(by=lena, wishes=Wishes(name="Spring draft", ladder=gatsby))
    tournaments.enter_top(draft, 3, by=lena)
    return shown
