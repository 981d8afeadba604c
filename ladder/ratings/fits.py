"""When ladders are fitted, and how a fit becomes what leaderboards show: computed apart, swapped in at once."""

from __future__ import annotations

import time
from datetime import timedelta

import numpy as np
import structlog
from django.db import connection, transaction
from django.utils.timezone import now

from ladder.accounts.permissions import HOUSE
from ladder.ladders.models import Ladder
from ladder.ratings.fit import Evidence, FitFailed, InvalidMatches, Seatings, evidence_of, fit_evidence
from ladder.ratings.fit import Fit as Fitted
from ladder.ratings.fit.evidence import Floats, Ints
from ladder.ratings.lines import FittedLine, lines_of
from ladder.ratings.models import START_MU, Fit, FitDraws, FitLine, Standing
from ladder.ratings.played import Played, fill_turns, played_on
from ladder.ratings.players import ListedVersion, Players, players_of
from ladder.ratings.queries import fits_of, shown_fit
from ladder.snapshot import snapshot

log = structlog.get_logger("ladder.ratings")

MANY, SHARE = 50, 100  # a fit is due after so many new matches, or one for so many that it knows
EAGER_SHARE = 10  # while a ladder is young, one for ten
LATE = 5  # fits that are due and did not come make the last one too old to pair by
QUIET_S = 600  # new matches wait no longer than this
IDLE_FACTOR = 19  # cpu time that others get for each second of a fit: it takes 5 % of a core
DRAWS, DRAWS_IN_LARGE_FIELDS, LARGE_FIELD = 400, 100, 20_000
MOST_DRAWS_BYTES = 16 << 20
KEPT_FITS, KEPT_LINES = 60, 200_000  # for the history plot
ASKED = "fit:asked"  # stands in the cache while a task that fits a large ladder waits or runs
SMALL = 5000  # matches that are fitted in well under a second
PIECE = 5000  # lines written in one transaction


def is_large(ladder: Ladder) -> bool:
    """Whether a fit takes longer than other stages should wait."""
    return ladder.rated_through > SMALL


def next_due() -> Ladder | None:
    """The ladder with the most news, if there is one and fits have not used up their share of a core."""
    last = Fit.objects.order_by("-id").values_list("at", "cpu_ms").first()
    if last and now() < last[0] + IDLE_FACTOR * timedelta(milliseconds=last[1]):
        return None
    found = [(news, ladder.pk) for ladder in Ladder.objects.filter(rated_through__gt=0) if (news := _news(ladder)) >= 1]
    return Ladder.objects.get(pk=max(found)[1]) if found else None


def _news(ladder: Ladder) -> float:
    """New matches as a share of those that make a fit due."""
    last = fits_of(ladder).order_by("-id").first()
    if last is None:
        return float(ladder.rated_through - ladder.closed_through)
    if last.is_stale:
        return float(MANY)
    new = ladder.rated_through - last.rated_through
    waited = (now() - last.at).total_seconds() >= QUIET_S
    return max(new / matches_until_due(last.matches), float(new > 0 and waited))


def matches_until_due(known: int) -> int:
    """After how many new matches a ladder is fitted again: the larger of 50 and 1 %, a young one much sooner."""
    return max(1, min(MANY, known // EAGER_SHARE), known // SHARE)


def is_fresh(fit: Fit, ladder: Ladder) -> bool:
    """Whether a fit still tells who should meet: nothing it counted was struck, and the next one is not long due."""
    return not fit.is_stale and ladder.rated_through - fit.rated_through <= LATE * matches_until_due(fit.matches)


def fit_ladder(ladder: Ladder) -> bool:
    """Fit all matches of a ladder and show what comes of it; a fit that fails leaves the last good one in place."""
    started = time.process_time()
    fit = Fit(
        ladder=ladder,
        rules_version=ladder.rules_version,
        season=ladder.season,
        rated_through=ladder.rated_through,
    )
    try:
        lines, drawn = _computed(ladder, fit)
    except (FitFailed, InvalidMatches, np.linalg.LinAlgError, FloatingPointError) as error:
        fit.problem = f"{type(error).__name__}: {error}"
        log.warning("fit failed", ladder=ladder.slug, problem=fit.problem)
        lines, drawn = [], None
    fit.cpu_ms, fit.at = round(1000 * (time.process_time() - started)), now()
    fit.save()
    if drawn is None:
        return False
    _keep(fit, lines, drawn)
    _show(fit)
    _forget(fit)
    return True


def _computed(ladder: Ladder, fit: Fit) -> tuple[list[FittedLine], Floats | None]:
    """The lines of a fit and its draws, with what it found about the ladder; none while nothing counts in its table."""
    played, entries = _read(ladder)
    if fill_turns(ladder, played):
        played, entries = _read(ladder)
    players = players_of(entries)
    if not len(players):
        return [], None
    result = fit_evidence(
        _evidence(played, players),
        links=players.links,
        anchors=players.anchors,
        seed=ladder.rated_through,
        draws=DRAWS if len(players) <= LARGE_FIELD else DRAWS_IN_LARGE_FIELDS,
        start=_start(ladder, players),
        priors=players.priors,
    )
    if not np.isfinite(result.rating).all() or not np.isfinite(result.sd).all():
        raise FitFailed(f"a rating of {len(players)} players is not finite")
    _describe(fit, result, played, len(players))
    listed = {entry.version for entry in entries if entry.is_listed}
    return lines_of(result, players.of_version, listed), result.draws - result.rating


def _read(ladder: Ladder) -> tuple[Played, list[ListedVersion]]:
    with snapshot():
        played = played_on(ladder)
        rows = Standing.objects.filter(ladder=ladder).values_list(
            "version_id",
            "bot_id",
            "version__number",
            "bot__owner_id",
            "version__bundle_id",
            "is_listed",
            "bot__owner__username",
            "prior_rating",
            "prior_sd",
        )
        seen = set(np.unique(played.versions).tolist())
        return played, [
            ListedVersion(
                version, bot, number, owner, digest, version in seen, is_listed, username == HOUSE, rating, sd
            )
            for version, bot, number, owner, digest, is_listed, username, rating, sd in rows.iterator(chunk_size=20_000)
        ]


def _evidence(played: Played, players: Players) -> Evidence:
    versions = np.array(sorted(players.of_version), dtype=np.int64)
    numbers = np.array([players.of_version[version] for version in versions.tolist()], dtype=np.int64)
    seated: Ints = numbers[np.searchsorted(versions, played.versions)] if len(versions) else played.versions
    sets, set_of = np.unique(played.sets, return_inverse=True)
    return evidence_of(len(players), Seatings(seated, played.turns, played.ranks, set_of), sets=len(sets))


def _start(ladder: Ladder, players: Players) -> Floats:
    """Where the last fit, or the last season, ended: from there it is not far."""
    start = np.full(len(players), START_MU)
    for player, (rating, _) in players.priors.items():
        start[player] = rating
    if last := shown_fit(ladder):
        for version, rating in last.lines.values_list("version_id", "rating"):
            if version in players.of_version:
                start[players.of_version[version]] = rating
    return start


def _describe(fit: Fit, result: Fitted, played: Played, players: int) -> None:
    fit.matches, fit.players = len(played.matches), players
    fit.phi_set, fit.phi_between, fit.p_intransitive = result.phi_set, result.phi_between, result.p_intransitive
    fit.field_sd, fit.link_sd, fit.moved_sd = result.field_sd, result.link_sd, result.moved_sd
    effects = zip(result.place_effects.tolist(), result.place_effects_sd.tolist(), strict=True)
    fit.place_effects = [{"effect": effect, "sd": sd} for effect, sd in effects]
    seats = np.broadcast_to(np.arange(played.turns.shape[1]), played.turns.shape)
    fit.shares = {"seat": _shares(played, seats), "turn": _shares(played, played.turns)}


def _shares(played: Played, places: Ints) -> list[dict[str, float]]:
    """For each place the share of points it got, how sure that is, and how often it was first."""
    points = played.points
    found = []
    for place in range(points.shape[1]):
        at = places == place
        mine, ranks = points[at], played.ranks[at]
        deviation = float(mine.std() / max(len(mine), 1) ** 0.5) if len(mine) else 0.0
        found.append(
            {
                "place": place,
                "matches": len(mine),
                "points": float(mine.mean()) if len(mine) else 0.0,
                "sd": deviation,
                "firsts": int((ranks == 1).sum()),
                "mean_rank": float(ranks.mean()) if len(ranks) else 0.0,
            }
        )
    return found


def _keep(fit: Fit, lines: list[FittedLine], drawn: Floats) -> None:
    """Write everything that nobody looks at yet, in pieces that hold up nobody."""
    for start in range(0, len(lines), PIECE):
        FitLine.objects.bulk_create(_row(fit, line) for line in lines[start : start + PIECE])
    count = max(1, min(len(drawn), MOST_DRAWS_BYTES // (2 * max(drawn.shape[1], 1))))
    content = np.ascontiguousarray(drawn[:count].T, dtype="<f2").tobytes()
    FitDraws.objects.create(fit=fit, count=count, content=content)


def _row(fit: Fit, line: FittedLine) -> FitLine:
    return FitLine(
        fit=fit,
        version_id=line.version,
        player=line.player,
        matches=line.matches,
        is_provisional=line.is_provisional,
        board_key=line.board_key,
        **{name: getattr(line, name) for name in ("rating", "sd", "missing", "storey", *PLACE)},
    )


PLACE = ("place_low", "place_high", "p_first")
SHOWN = ("rating", "sd", "is_provisional", "missing", "board_key", "storey", *PLACE)


@transaction.atomic
def _show(fit: Fit) -> None:
    """Let leaderboards have the lines of a fit, all at once, unless a later one or another season came first."""
    ladder = Ladder.objects.select_for_update(no_key=True).get(pk=fit.ladder_id)
    table = (ladder.rules_version, ladder.season)
    if table != (fit.rules_version, fit.season) or ladder.fits.filter(pk__gt=fit.pk, is_shown=True).exists():
        return
    columns = ", ".join(f"{name} = line.{name}" for name in SHOWN)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE ratings_standing SET {columns} FROM ratings_fitline AS line "  # noqa: S608  our own names
            "WHERE line.fit_id = %s AND line.version_id = ratings_standing.version_id AND ladder_id = %s",
            [fit.pk, ladder.pk],
        )
    Fit.objects.filter(pk=fit.pk).update(is_shown=True)


def _forget(fit: Fit) -> None:
    """Keep the last fits for the history plot, and the draws of the one that is shown."""
    FitDraws.objects.filter(fit__ladder=fit.ladder_id, fit__lt=fit.pk).delete()
    keep = max(3, min(KEPT_FITS, KEPT_LINES // max(fit.players, 1)))
    earlier = Fit.objects.filter(ladder=fit.ladder_id, pk__lt=fit.pk)
    earlier.filter(is_shown=False).delete()
    old = list(earlier.order_by("-id").values_list("pk", flat=True)[keep - 1 :])
    Fit.objects.filter(pk__in=old).delete()
