"""What is known about sittings, for whoever may know it."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from math import ceil

from django.conf import settings
from django.db.models import Prefetch, Q, QuerySet
from django.db.models.functions import Now

from arena import Fault, Frame, HostFacts, Limits, MatchOrder, MatchRecord, SandboxFacts, SeatReport, frames
from arena.record import PlayedAction
from arena.replay import states
from arena.sitting import PERSON
from engines import GAMES, Outcome, State
from engines.api import Json
from ladder.accounts.permissions import HOUSE
from ladder.parlour.models import Act, Chair, Host, Sitting
from ladder.parlour.permissions import HumanPlayer, seat_of
from ladder.refusals import Conflict, Missing
from ladder.submissions.models import Bot, BotVersion

IDLE = timedelta(minutes=2)  # after this long without an action the bots of a sitting are put away
RESUMABLE = timedelta(days=1)
WAIT_SAMPLE = 5000  # latest acts of bots
LONG_WAIT = timedelta(seconds=3)  # for a core; from then on people are told
LONGEST_SITTING_MS = 86_400_000
GUEST, RESIGNED = "Guest", "resigned"


def sittings_in_full() -> QuerySet[Sitting]:
    """Sittings with their chairs and who has them."""
    chairs = Chair.objects.select_related("version__bot__owner", "person").order_by("seat")
    return Sitting.objects.prefetch_related(Prefetch("chairs", queryset=chairs))


def get_sitting(key: str) -> Sitting:
    """The sitting of an address; raises Missing."""
    sitting = sittings_in_full().filter(key=key).first()
    if sitting is None:
        raise Missing("There is no game at this address.")
    return sitting


def sittings_of(player: HumanPlayer) -> QuerySet[Sitting]:
    """The sittings in which somebody has a chair, newest first."""
    theirs = Chair.objects.filter(player.chairs).values("sitting")
    return sittings_in_full().filter(pk__in=theirs).order_by("-pk")


def unfinished_of(player: HumanPlayer) -> QuerySet[Sitting]:
    """What a player can take up again; not what they resigned and others play on."""
    theirs = Chair.objects.filter(player.chairs, fault="").values("sitting")
    return sittings_of(player).filter(pk__in=theirs, status__in=[Sitting.Status.OPEN, Sitting.Status.PLAYING])


def opponents(player: HumanPlayer, game: str) -> list[BotVersion]:
    """The versions that this player may play against: the house's, and those whose owners let people in."""
    bots = Bot.objects.filter(game=game, is_hidden=False, active_version__status=BotVersion.Status.QUALIFIED)
    allowed = Q(owner__username=HOUSE)
    if player.user is not None:
        allowed |= Q(plays_people=True) | Q(owner=player.user)
    found = bots.filter(allowed).select_related("owner", "active_version").order_by("name")
    versions = [(bot, bot.active_version) for bot in found]
    return [version for bot, version in sorted(versions, key=_house_first) if version is not None]


def _house_first(pair: tuple[Bot, BotVersion | None]) -> tuple[bool, str]:
    bot = pair[0]
    return (bot.owner is None or bot.owner.username != HOUSE, bot.name)


def active_guests() -> int:
    """How many guests' sittings are being played now; one that rests takes nobody's place."""
    now = Sitting.objects.filter(status=Sitting.Status.PLAYING, started_by=None, moved_at__gt=Now() - IDLE)
    return now.count()


def wait_p95_ms() -> float | None:
    """How long a bot waited for a core at most, 95 times in 100, over the last day; None when none was asked."""
    asked = Act.objects.filter(waited_ms__isnull=False, at__gt=Now() - RESUMABLE).order_by("-pk")
    waits = sorted(waited or 0 for waited in asked.values_list("waited_ms", flat=True)[:WAIT_SAMPLE])
    return float(waits[ceil(0.95 * len(waits)) - 1]) if waits else None


def live_hosts() -> QuerySet[Host]:
    """The workers that keep bots of sittings now."""
    return Host.objects.filter(until__gt=Now())


def due_sittings() -> QuerySet[Sitting]:
    """Sittings in which a bot is to act and that no host has, the longest waiting first."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=Now())
    return Sitting.objects.filter(free, due_at__isnull=False, due_at__lte=Now()).order_by("due_at")


def is_queued(sitting: Sitting) -> bool:
    """Whether its bots have waited long for a core, so that people should know why nothing happens."""
    return due_sittings().filter(pk=sitting.pk, due_at__lte=Now() - LONG_WAIT).exists()


# ---- the game itself, from its actions ----


def order_of(sitting: Sitting) -> MatchOrder:
    """What is played, with a mark in the seats of people; it holds the seed and stays inside."""
    limits = {**settings.BOT_LIMITS_MS, "bank_ms": sitting.bank_ms}
    return MatchOrder(
        game=sitting.game,
        rules_version=sitting.rules_version,
        seed=int(sitting.seed),
        seats=tuple(chair.version.bundle_id if chair.version else PERSON for chair in sitting.chairs.all()),
        options=sitting.options,
        limits=Limits(**limits, memory_mib=settings.BOT_MEMORY_MIB, wall_ms=LONGEST_SITTING_MS),
    )


def record_of(sitting: Sitting) -> MatchRecord:
    """The sitting as a record: while it is played for the service's own use only."""
    acts = Act.objects.filter(sitting=sitting, ply__lt=sitting.ply).order_by("ply")
    outcome = sitting.outcome
    return MatchRecord(
        order=order_of(sitting),
        actions=tuple(PlayedAction(act.seat, act.text, act.cpu_ms, act.wall_ms) for act in acts),
        faults=tuple(fault for fault in faults_of(sitting) if fault.kind != RESIGNED),
        outcome=Outcome(tuple(outcome["ranks"]), tuple(outcome["scores"]), outcome["ending"]) if outcome else None,
        ending=sitting.ending,
        ranks=None if sitting.ranks is None else tuple(sitting.ranks),
        seats=tuple(SeatReport() for _ in range(sitting.seats)),
        sandbox=SandboxFacts(kind="sitting"),
        host=HostFacts(),
        names=tuple(names_of(sitting)),
    ).sealed()


def faults_of(sitting: Sitting) -> list[Fault]:
    """Who is out, bots by their faults and people who resigned, in the order in which it happened."""
    out = [chair for chair in sitting.chairs.all() if chair.fault]
    faults = [
        Fault(chair.seat, chair.fault, chair.fault_stage, chair.fault_ply or 0, chair.fault_reason)  # type: ignore[arg-type]
        for chair in out
    ]
    return sorted(faults, key=lambda fault: fault.when)


def state_of(sitting: Sitting) -> State:
    """The position now."""
    *_, state = states(record_of(sitting))
    return state


def names_of(sitting: Sitting) -> list[str]:
    """What everybody at the table is called, with a number where two share a name."""
    plain = [_name(chair) for chair in sitting.chairs.all()]
    twice, seen, names = Counter(plain), Counter[str](), []
    for name in plain:
        seen[name] += 1
        names.append(f"{name} {seen[name]}" if twice[name] > 1 else name)
    return names


def _name(chair: Chair) -> str:
    if chair.version is not None:
        return chair.version.bot.name
    if chair.person is not None:
        return chair.person.username
    return GUEST if chair.is_taken else "an empty seat"


# ---- what one player sees ----


def glance(sitting: Sitting) -> dict[str, Json]:
    """What tells whether anything has changed; it costs no replay."""
    return {"ply": sitting.ply, "status": sitting.status, "note": sitting.note, "to_act": sitting.to_act}


def replay_of(sitting: Sitting, *, seat: int | None, start: int, stop: int) -> list[Frame]:
    """Frames of a game that is over, through a seat's eyes or with everything shown. Raises Conflict before that."""
    if not sitting.is_over:
        raise Conflict("The replay of this game opens when it is over.")
    return frames(record_of(sitting), seat, start, stop)


def view_of(sitting: Sitting, player: HumanPlayer, *, since: int = -1) -> dict[str, Json]:
    """A sitting through one player's eyes: frames after `since`, and what may be chosen, each with its hint.

    Nothing here comes from anywhere but `observe` of the player's own seat until the game is over.
    """
    seat = seat_of(player, sitting)
    told = glance(sitting) | {"seat": seat, "chairs": _chairs(sitting, player)}
    if sitting.status == Sitting.Status.OPEN:
        return told | {"frames": [], "legal": []}
    eyes = None if sitting.is_over else seat
    record = record_of(sitting)
    start = max(0, min(since, sitting.ply))
    shown = [frame.as_json() for frame in frames(record, eyes, start, sitting.ply + 1)]
    return told | {
        "frames": shown,
        "legal": _legal(sitting, seat) if seat is not None else [],
        "ending": ending_of(sitting),
        "ranks": sitting.ranks,
    }


def _legal(sitting: Sitting, seat: int) -> list[dict[str, str]]:
    if sitting.is_over or sitting.to_act != seat:
        return []
    state = state_of(sitting)
    seen, names = state.observe(seat), [f"{{{other}}}" for other in range(sitting.seats)]
    texts = [state.format(action) for action in state.legal_actions()]
    return [{"text": text, "offer": state.game.words.offer(text, seen, names)} for text in texts]


def _chairs(sitting: Sitting, player: HumanPlayer) -> list[dict[str, Json]]:
    mine = seat_of(player, sitting)
    words = GAMES[sitting.game].words
    return [
        {
            "seat": chair.seat,
            "name": name,
            "place": words.seat_name(chair.seat, sitting.seats),
            "is_bot": chair.is_bot,
            "is_you": chair.seat == mine,
            "is_taken": chair.is_taken,
            "fault": chair.fault,
        }
        for chair, name in zip(sitting.chairs.all(), names_of(sitting), strict=True)
    ]


def ending_of(sitting: Sitting) -> str:
    """How it ended, in a sentence; empty while it goes on."""
    if sitting.status == Sitting.Status.ABANDONED and any(not chair.is_taken for chair in sitting.chairs.all()):
        return "The game never began, because a seat stayed empty."
    if sitting.status == Sitting.Status.ABANDONED:
        return "Nobody came back within a day, so the game was left unfinished."
    if sitting.status != Sitting.Status.FINISHED:
        return ""
    names, ranks = names_of(sitting), sitting.ranks or []
    first = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    won = f"{first[0]} won" if len(first) == 1 else f"{', '.join(first[:-1])} and {first[-1]} share first place"
    return f"{won} {_why(sitting, names)}."


def _why(sitting: Sitting, names: list[str]) -> str:
    if sitting.outcome:
        return GAMES[sitting.game].words.endings.get(sitting.outcome["ending"], "")
    out = faults_of(sitting)[-1]
    if out.kind == RESIGNED:
        return f"because {names[out.seat]} resigned"
    return f"because {names[out.seat]} failed ({out.kind.replace('_', ' ')})"
