"""A small world to ask the API about: people, bots, and matches in every state."""

from __future__ import annotations

import random
from dataclasses import dataclass

from django.test import Client

from arena import HostFacts, MatchOrder, MatchRecord, Note, PlayedAction, SandboxFacts, SeatReport
from ladder.accounts.models import User
from ladder.accounts.services import make_token, notify
from ladder.duels.models import Duel
from ladder.duels.services import start
from ladder.ladders.models import Ladder
from ladder.ladders.services import set_open
from ladder.matches import leases, results
from ladder.matches.models import Lane, Match
from ladder.matches.services import create_set
from ladder.parlour.models import Sitting
from ladder.parlour.permissions import HumanPlayer
from ladder.parlour.services import Sitter, begin
from ladder.qualifying.activation import set_active
from ladder.ratings.seasons import close_season
from ladder.ratings.services import enter_ladder, rate_all
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments.models import Tournament
from tests.ladder.api.cups import make_cups
from tests.ladder.cast import enrol, make_ladder, make_user, make_version, play

GAME = "gatsby"
CLOSED = "speak_easy-2"  # a ladder with a closed season
VISITORS = ("none", "stranger", "owner", "organiser", "administrator")


@dataclass(frozen=True, slots=True)
class World:
    """Who is there and what happened."""

    people: dict[str, User]
    ladder: Ladder
    bot: Bot
    rival_bot: Bot
    active: BotVersion
    spare: BotVersion
    finished: Match
    unrevealed: Match
    queued: Match
    running: Match
    token_id: int
    cups: dict[str, Tournament]
    duel: Duel
    sitting: Sitting

    def client(self, visitor: str) -> Client:
        """A browser or program of this visitor."""
        client = Client()
        if visitor in self.people:
            client.force_login(self.people[visitor])
        return client

    def places(self) -> dict[str, object]:
        """What stands for the words in a path of the table."""
        return {
            "slug": self.ladder.slug,
            "closed": CLOSED,
            "game": GAME,
            "bot": self.bot.pk,
            "active": self.active.number,
            "spare": self.spare.number,
            "finished": self.finished.pk,
            "unrevealed": self.unrevealed.pk,
            "queued": self.queued.pk,
            "running": self.running.pk,
            "token": self.token_id,
            "rival_bot": self.rival_bot.pk,
            "duel": self.duel.pk,
            "bot_name": self.bot.name,
            "sitting": self.sitting.key,
            "invite": self.sitting.invite,
            "rival_name": self.rival_bot.name,
            **{f"{stage}_cup": cup.pk for stage, cup in self.cups.items()},
        }


def make_world() -> World:
    """The owner and the stranger have a bot each; they met, meet now and will meet."""
    people = {name: make_user(name, role) for name, role in ROLES.items()}
    close_a_season()
    ladder = make_ladder(GAME)
    bots = [enlist(ladder, people[name]) for name in ("owner", "stranger")]
    spare = make_version(bot=bots[0].bot, owner=people["owner"])
    set_active(bots[0].bot, bots[0])
    finished = played(ladder, bots)[0]
    unrevealed = played(ladder, bots, rotations=2)[0]
    rate_all()
    running, queued = (queued_match(ladder, bots) for _ in range(2))
    leases.claim_match(worker="host/1", rng=random.Random(1))
    notify(people["owner"], "qualified", "It plays.")
    token_id = make_token(people["owner"], name="laptop").id
    cups = make_cups(ladder, people["owner"], bots)
    return World(
        people, ladder, bots[0].bot, bots[1].bot, bots[0], spare, finished, unrevealed,
        *sorted_by_status(queued, running), token_id, cups, make_duel(ladder, people["owner"]),
        begin(HumanPlayer(people["owner"]), game=GAME, chairs=[Sitter.ME, Sitter.FRIEND]),
    )  # fmt: skip


def close_a_season() -> None:
    """A ladder that nobody plays on any more."""
    closed = make_ladder("speak_easy", 2)
    play(closed, *enrol(closed, 2), ranks=(1, 2))
    close_season(closed, by=None)
    set_open(closed, False)


ROLES = {"stranger": "author", "owner": "author", "organiser": "organiser", "administrator": "administrator"}


def make_duel(ladder: Ladder, owner: User) -> Duel:
    """Two versions of another bot of the owner, whose first sets are to come."""
    first = make_version(owner=owner, game=ladder.game)
    second = make_version(owner=owner, bot=first.bot)
    return start(bot=first.bot, by=owner, new=second, old=first)


def sorted_by_status(*matches: Match) -> list[Match]:
    for match in matches:
        match.refresh_from_db()
    return sorted(matches, key=lambda match: ["queued", "running"].index(match.status))


def enlist(ladder: Ladder, owner: User) -> BotVersion:
    version = make_version(owner=owner, game=ladder.game)
    enter_ladder(version, ladder)
    set_active(version.bot, version)
    return version


def queued_match(ladder: Ladder, versions: list[BotVersion]) -> Match:
    seating = [version.pk for version in versions]
    return create_set(ladder=ladder, seatings=[seating], lane=Lane.LADDER, is_rated=True).matches.get()


def played(ladder: Ladder, versions: list[BotVersion], rotations: int = 1) -> list[Match]:
    """Matches of one seed of which the first was really played, by throwing dice; the rest is held."""
    seating = [version.pk for version in versions]
    made = create_set(ladder=ladder, seatings=[seating] * rotations, lane=Lane.LADDER, is_rated=True)
    matches = list(made.matches.order_by("id"))
    Match.objects.filter(pk__in=[match.pk for match in matches[1:]]).update(is_held=True)
    others = Match.objects.filter(status="queued", is_held=False).exclude(pk=matches[0].pk)
    waiting = list(others.values_list("pk", flat=True))
    others.update(is_held=True)
    claim = leases.claim_match(worker="host/1")
    assert claim is not None
    assert claim.match_id == matches[0].pk
    Match.objects.filter(pk__in=waiting).update(is_held=False)
    assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=truly_played(claim.order))
    for match in matches:
        match.refresh_from_db()
    return matches


def truly_played(order: MatchOrder) -> MatchRecord:
    """The record of a game between dice; it verifies."""
    state = order.check().new(seats=len(order.seats), seed=order.seed, **order.options)
    dice, actions = random.Random(1), []
    while state.to_act is not None:
        action = dice.choice(state.legal_actions())
        actions.append(PlayedAction(state.to_act, state.format(action), 1.0, 2.0))
        state.apply(action)
    outcome = state.outcome()
    assert outcome is not None
    report = SeatReport(cpu_ms=10.0, stderr="thinking about nothing", notes=(Note(0, "hello"),), bot_seed=99)
    return MatchRecord(
        order=order, actions=tuple(actions), faults=(), outcome=outcome, ending="finished", ranks=outcome.ranks,
        seats=(report,) * len(order.seats), sandbox=SandboxFacts(kind="bwrap"), host=HostFacts(wall_ms=12.0),
    ).sealed()  # fmt: skip
