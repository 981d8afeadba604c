"""How a duel goes on: settled sets are counted in their order, the test is asked, and the next sets are queued.

Everything is derived from settled matches, in one transaction: whoever is killed whenever, each set counts once.
"""

from __future__ import annotations

from collections import Counter

from django.db import transaction

from arena.desk.sequential import Verdict
from arena.desk.tally import scores
from ladder.accounts.models import Notification
from ladder.accounts.services import notify
from ladder.duels.models import Duel, DuelSet
from ladder.duels.queries import chance_by_fit, sentence_of
from ladder.duels.services import end, start_wanted
from ladder.matches.models import Lane, Match, Seat
from ladder.matches.queries import UNSETTLED, playing_slots
from ladder.matches.services import create_set, hold_sets, release_sets, rotations
from ladder.qualifying.activation import present
from ladder.submissions.models import Bot, BotVersion

AHEAD_A_SLOT, MOST_AHEAD = 4, 16  # sets that wait or are played, for each match that workers can play at once
SILENT = 3  # sets without a result, one after the other, after which more would teach nothing
BEHIND_OTHERS = 1  # whoever asks for a single match does not wait for a duel
SURE = 0.95  # by the fit, before a version that beat its predecessor plays
VERDICTS = {Verdict.BETTER: Duel.Status.BETTER, Verdict.NO_BETTER: Duel.Status.NO_BETTER}


def advance_all() -> int:
    """Move every duel as far as it can go now; returns how many moved."""
    playing = Duel.objects.filter(status=Duel.Status.PLAYING).order_by("pk").values_list("pk", flat=True)
    return start_wanted() + sum(advance(duel) for duel in list(playing))


@transaction.atomic
def advance(duel_id: int) -> bool:
    """Count what is settled, then end the duel or queue its next sets; False when there is nothing to do yet."""
    duel = Duel.objects.select_for_update(of=("self",)).select_related("bot", "ladder", "old", "new").get(pk=duel_id)
    if not duel.is_playing:
        return False
    if reason := why_not(duel):
        return _end(duel, Duel.Status.CANCELLED, reason)
    counted = count_new_sets(duel)
    verdict = duel.test.verdict(duel.ratio) if duel.sets else Verdict.OPEN
    if verdict is not Verdict.OPEN:
        return _end(duel, VERDICTS[verdict])
    if _is_silent(duel):
        return _end(duel, Duel.Status.UNDECIDED, f"none of the last {SILENT} sets had a result: see their matches")
    if duel.played.filter(is_over=True).count() >= duel.most_sets:
        return _end(duel, Duel.Status.UNDECIDED)
    return _go_on(duel) or bool(counted)


def why_not(duel: Duel) -> str:
    """Why a duel can't go on; empty when it can."""
    for version in (duel.old, duel.new):
        if version.status != BotVersion.Status.QUALIFIED:
            return f"version {version.number} was {version.status}"
    if not duel.ladder.is_open:
        return f"the ladder {duel.ladder.slug} was closed"
    if duel.ladder.rules_version != duel.rules_version:
        return f"rules version {duel.ladder.rules_version} took effect; start it again"
    return "its owner has left" if duel.bot.owner_id is None else ""


def count_new_sets(duel: Duel) -> int:
    """Take in the sets that are settled, in their order and no further than to the verdict; returns how many."""
    open_sets = list(duel.played.filter(is_over=False).order_by("number"))
    results = _results([each.set_id for each in open_sets], duel)
    known = duel.played.filter(score__isnull=False).values_list("score", flat=True)
    seen: Counter[float] = Counter(score for score in known if score is not None)
    over: list[DuelSet] = []
    for each in open_sets:
        if each.set_id not in results:
            break
        each.is_over, each.score = True, results[each.set_id]
        if each.score is not None:
            seen[each.score] += 1
        each.ratio = duel.test.ratio_of(seen)
        over.append(each)
        if duel.test.verdict(each.ratio) is not Verdict.OPEN:
            break
    if over:
        DuelSet.objects.bulk_update(over, ["is_over", "score", "ratio"])
        duel.sets, duel.ratio = seen.total(), over[-1].ratio or 0.0
        duel.score = sum(score * count for score, count in seen.items()) / seen.total() if seen else 0.5
        duel.save(update_fields=["sets", "ratio", "score"])
    return len(over)


def _results(sets: list[int], duel: Duel) -> dict[int, float | None]:
    """The new version's score in each of these sets that is settled; None where a match of it has no result."""
    unsettled = set(Match.objects.filter(set__in=sets, status__in=UNSETTLED).values_list("set", flat=True))
    points: dict[int, list[float | None]] = {each: [] for each in sets if each not in unsettled}
    matches = Match.objects.filter(set__in=points).prefetch_related("seats").order_by("rotation")
    for match in matches:
        counts = match.status == Match.Status.FINISHED and match.rules_version == duel.rules_version
        points[match.set_id].append(_points(list(match.seats.all()), duel.new_id) if counts else None)
    return {each: _mean(found) for each, found in points.items()}


def _points(seats: list[Seat], version: int) -> float | None:
    ranks = [seat.rank for seat in seats if seat.rank is not None]
    mine = next(at for at, seat in enumerate(seats) if seat.version_id == version)
    return scores(ranks)[mine] if len(ranks) == len(seats) else None


def _mean(points: list[float | None]) -> float | None:
    known = [point for point in points if point is not None]
    return round(sum(known) / len(known), 9) if known and len(known) == len(points) else None


def _is_silent(duel: Duel) -> bool:
    latest = list(duel.played.filter(is_over=True).order_by("-number").values_list("score", flat=True)[:SILENT])
    return len(latest) == SILENT and set(latest) == {None}


def _go_on(duel: Duel) -> bool:
    """Keep some sets ahead of the workers; while the ladder is paused they are held, and no more are added."""
    waiting = list(duel.played.filter(is_over=False).values_list("set", flat=True))
    held = Match.objects.filter(set__in=waiting, status=Match.Status.QUEUED, is_held=True).exists()
    if duel.ladder.is_paused:
        return bool(hold_sets(waiting)) if not held else False
    if held:
        release_sets(waiting)
    last = duel.played.order_by("-number").values_list("number", flat=True).first() or 0
    wanted = min(AHEAD_A_SLOT * playing_slots(), MOST_AHEAD) - len(waiting)
    numbers = range(last + 1, min(last + wanted, duel.most_sets) + 1)
    for number in numbers:
        _queue(duel, number)
    return bool(numbers)


def _queue(duel: Duel, number: int) -> None:
    """A set on a fresh deal: the new version in each seat once, the old one in all others."""
    table = [duel.new_id, *[duel.old_id] * (duel.ladder.seats - 1)]
    match_set = create_set(
        ladder=duel.ladder, seatings=rotations(table), lane=Lane.REQUEST, is_rated=False, priority=BEHIND_OTHERS
    )
    DuelSet.objects.create(duel=duel, number=number, set=match_set)


def _end(duel: Duel, status: Duel.Status, told: str = "") -> bool:
    switched = False
    if status == Duel.Status.BETTER and duel.switch_when_better:
        told = why_not_switched(duel)
        switched = not told
        if switched:
            present(duel.bot, duel.new)
    done = end(duel, status, told=told, switched=switched)
    if done and duel.bot.owner is not None:
        notify(
            duel.bot.owner,
            Notification.Kind.DUEL,
            f"{duel.bot.name}: {sentence_of(duel)}"[:300],
            url=f"/duels/{duel.pk}/",
        )
    return done


def why_not_switched(duel: Duel) -> str:
    """What speaks against playing the better version; empty when nothing does."""
    active = Bot.objects.values_list("active_version", flat=True).get(pk=duel.bot_id)
    if active == duel.new_id:
        return f"version {duel.new.number} was active already"
    if active != duel.old_id:
        return "another version was made active in the meantime and stays active"
    chance = chance_by_fit(duel)
    if chance is not None and chance < SURE:
        return (
            f"version {duel.old.number} stays active: by the ladder's own matches, version {duel.new.number} is better "
            f"with a probability of only {100 * chance:.0f} %, and {100 * SURE:.0f} % is required"
        )
    return ""
