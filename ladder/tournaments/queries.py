"""What pages, the API and exports read of tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django.contrib.auth.models import AnonymousUser
from django.db.models import Avg, Count, Exists, Max, Min, OuterRef, Q, QuerySet

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.matches.models import Match
from ladder.matches.queries import matches_in_full, playing_slots
from ladder.refusals import Missing
from ladder.spreadsheets import csv_line
from ladder.tournaments.formats import FORMATS, Plan
from ladder.tournaments.models import Entrant, SheetRow, Table, Tournament
from ladder.tournaments.permissions import shown_to
from ladder.tournaments.schedule import byes_of, format_of, points_of

RECENT = 200  # matches whose length tells how long others will take
USUAL_MATCH_MS = 2000
ENDED = (Match.Status.FINISHED, Match.Status.VOID)


def visible_to(user: User | AnonymousUser | None) -> QuerySet[Tournament]:
    """Every tournament but the drafts of others."""
    return Tournament.objects.filter(shown_to(user)).select_related("ladder", "organiser", "champion")


def get_tournament(pk: int, user: User | AnonymousUser | None) -> Tournament:
    """The tournament of that number; raises Missing, also for a draft of somebody else."""
    tournament = visible_to(user).filter(pk=pk).first()
    if tournament is None:
        raise Missing(f"There is no tournament {pk}.")
    return tournament


@dataclass(frozen=True, slots=True)
class TournamentProgress:
    """How far a tournament is, in matches."""

    total: int
    done: int
    counted: int  # by the standings: a table counts once all its matches are over
    running: int
    left_s: int | None  # None when nothing can be said yet

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0


def progress(tournament: Tournament) -> TournamentProgress:
    """Matches done, running and to come, and about how long that takes."""
    own = Match.objects.filter(set__table__tournament=tournament)
    states = own.filter(set__table__is_settled=False).aggregate(
        running=Count("pk", filter=Q(status=Match.Status.RUNNING)),
        ended=Count("pk", filter=Q(status__in=ENDED)),
    )
    total = tournament.tables_total * tournament.matches_a_table
    settled = _settled_matches(tournament)
    done = settled + states["ended"]
    counted = settled if tournament.is_over else tournament.sheet_settled * tournament.matches_a_table
    left = (total - done) * usual_match_ms(tournament.ladder) // (1000 * max(1, playing_slots()))
    return TournamentProgress(total, done, counted, states["running"], left if tournament.status == "running" else None)


def _settled_matches(tournament: Tournament) -> int:
    """Matches of settled tables; where a tournament was called off, some were never played."""
    if tournament.status != Tournament.Status.CANCELLED:
        return tournament.tables_settled * tournament.matches_a_table
    return Match.objects.filter(
        set__table__tournament=tournament, set__table__is_settled=True, status__in=ENDED
    ).count()


def usual_match_ms(ladder: Ladder) -> int:
    """How long a match on this ladder took lately."""
    recent = Match.objects.filter(ladder=ladder, status=Match.Status.FINISHED).order_by("-id")[:RECENT]
    return round(recent.aggregate(mean=Avg("wall_ms"))["mean"] or USUAL_MATCH_MS)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a tournament would be before it exists."""

    rounds: int
    tables: int
    matches: int
    about_s: int


def preview(*, ladder: Ladder, format_name: str, plan: Plan, all_rotations: bool) -> Preview:
    """How many matches, and about how long with the workers there are; raises PlanRefused."""
    shape = FORMATS[format_name]
    shape.check(plan)
    tables = shape.table_count(plan)
    matches = tables * (ladder.seats if all_rotations else 1)
    about_s = matches * usual_match_ms(ladder) // (1000 * max(1, playing_slots()))
    return Preview(shape.round_count(plan), tables, matches, about_s)


def entrants_of(tournament: Tournament) -> QuerySet[Entrant]:
    """Who entered, by number once they are numbered."""
    return (
        Entrant.objects.filter(tournament=tournament).select_related("bot__owner", "version").order_by("number", "id")
    )


def sheet_of(tournament: Tournament) -> QuerySet[SheetRow]:
    """The standings as last written, best first."""
    return (
        SheetRow.objects.filter(tournament=tournament)
        .select_related("entrant__bot__owner", "entrant__version")
        .order_by("position")
    )


def winners_of(tournament: Tournament) -> list[SheetRow]:
    """Who came first in a finished tournament; nobody before its end."""
    if tournament.status != Tournament.Status.FINISHED:
        return []
    return list(sheet_of(tournament).defer("cells").filter(place=1))


@dataclass(frozen=True, slots=True)
class CrossCell:
    """What one entrant won against another: its share, of how many matches, of how many there will be at least."""

    share: float
    matches: int


@dataclass(frozen=True, slots=True)
class CrossRow:
    """One line of the crosstable."""

    row: SheetRow
    cells: tuple[CrossCell | None, ...]  # None against itself, and against whoever was not met yet


@dataclass(frozen=True, slots=True)
class Crosstable:
    """A window of the crosstable in the order of the standings."""

    columns: tuple[SheetRow, ...]
    rows: tuple[CrossRow, ...]
    total: int


def crosstable(tournament: Tournament, *, start: int = 0, count: int = 50, column: int = 0) -> Crosstable:
    """So many rows and columns of the crosstable, from these positions on."""
    sheet = sheet_of(tournament)
    columns = tuple(sheet.defer("cells")[column : column + count])
    numbers = [row.entrant.number for row in columns]
    rows = tuple(CrossRow(row, _cells(row, numbers)) for row in sheet[start : start + count])
    return Crosstable(columns, rows, tournament.entrant_count)


def _cells(row: SheetRow, numbers: Sequence[int | None]) -> tuple[CrossCell | None, ...]:
    found = (row.cells.get(str(number)) for number in numbers)
    return tuple(CrossCell(*cell) if cell else None for cell in found)


def matches_of(tournament: Tournament, *, entrants: Sequence[int] = ()) -> QuerySet[Match]:
    """The tournament's matches, or those in which all of these entrants sat."""
    matches = Match.objects.filter(set__table__tournament=tournament)
    numbered = Entrant.objects.filter(tournament=tournament, number__in=entrants)
    versions = list(numbered.values_list("version_id", flat=True))
    if len(versions) < len(set(entrants)):
        return matches.none()  # nobody sat with an entrant that there is not
    for version in versions:
        matches = matches.filter(seats__version=version)
    return matches.order_by("set__table__number", "rotation")


def match_list(tournament: Tournament, *, entrants: Sequence[int] = ()) -> QuerySet[Match]:
    """The same matches with all that a list of them shows, newest first; a page costs little however many there are."""
    if entrants:
        return matches_in_full().filter(pk__in=matches_of(tournament, entrants=entrants).order_by().values("pk"))
    tables = Table.objects.filter(tournament=tournament).order_by("number")
    ends = [Match.objects.filter(set=set_id) for set_id in (_first_set(tables), _first_set(tables.reverse()))]
    bounds = (ends[0].aggregate(pk=Min("pk"))["pk"] or 0, ends[1].aggregate(pk=Max("pk"))["pk"] or 0)
    own = Table.objects.filter(tournament=tournament, match_set=OuterRef("set"))
    return matches_in_full().filter(Exists(own), pk__range=bounds)  # queued in the order of the tables


def _first_set(tables: QuerySet[Table]) -> int | None:
    return tables.values_list("match_set_id", flat=True).first()


@dataclass(frozen=True, slots=True)
class RoundView:
    """A drawn round: its tables in order and who sat out."""

    number: int
    tables: tuple[Table, ...]
    byes: tuple[int, ...]


def rounds_of(tournament: Tournament) -> list[RoundView]:
    """The rounds drawn so far of a format that has rounds."""
    if not format_of(tournament).has_rounds:
        return []
    tables: dict[int, list[Table]] = {}
    for table in Table.objects.filter(tournament=tournament).order_by("number"):
        tables.setdefault(table.round, []).append(table)
    byes: dict[int, list[int]] = {}
    for round_number, entrant in byes_of(tournament):
        byes.setdefault(round_number, []).append(entrant)
    return [RoundView(n, tuple(tables[n]), tuple(byes.get(n, ()))) for n in sorted(tables)]


def rules_played(tournament: Tournament) -> dict[int, int]:
    """How many finished matches it has under which rules; all of them count."""
    finished = Match.objects.filter(set__table__tournament=tournament, status=Match.Status.FINISHED).order_by()
    return dict(sorted(finished.values_list("rules_version").annotate(count=Count("pk"))))


def older_rules_played(tournament: Tournament) -> dict[int, int]:
    """The same if some were played under older rules than today's, and nothing for all other tournaments."""
    since, started = tournament.ladder.rules_since, tournament.started_at
    return rules_played(tournament) if since and started and started < since else {}


def told_seed(tournament: Tournament) -> str | None:
    """The seed once nothing is left to be played with it, for whoever shows it: matches may outlast a cancellation."""
    is_played = tournament.tables_settled == tournament.tables_drawn
    return tournament.seed if tournament.is_over and is_played else None


def export_json(tournament: Tournament) -> Iterator[bytes]:
    """The whole result in one fixed spelling, piece by piece, since a big tournament has a million results.

    It depends on entrants, settings, seed and play alone: no ids, no times. Standings and tables have a line each.
    """
    entrants = list(entrants_of(tournament))
    head = orjson.dumps(_export_head(tournament, entrants), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    yield head.removesuffix(b"\n}")
    names = {entrant.number: _label(entrant) for entrant in entrants}
    yield from _export_list("standings", (_export_row(row, names) for row in sheet_of(tournament).iterator(20)))
    yield from _export_list("tables", _export_tables(tournament))
    yield b"\n}\n"


def _export_list(name: str, rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    yield f',\n  "{name}": ['.encode()
    for i, row in enumerate(rows):
        yield (b",\n    " if i else b"\n    ") + orjson.dumps(row, option=orjson.OPT_SORT_KEYS)
    yield b"\n  ]"


def _export_head(tournament: Tournament, entrants: Sequence[Entrant]) -> dict[str, Any]:
    return {
        "tournament": tournament.name,
        "ladder": tournament.ladder.slug,
        "format": tournament.format,
        "settings": {
            "cycles": tournament.cycles,
            "rounds": tournament.rounds,
            "best_of": tournament.best_of,
            "champion": next((_label(e) for e in entrants if e.bot_id == tournament.champion_id), None),
            "all_rotations": tournament.all_rotations,
            "draw_version": tournament.draw_version,
            "points": list(points_of(tournament)),
        },
        "status": tournament.status,
        "seed_commitment": tournament.seed_commitment,
        "seed": told_seed(tournament),
        "rules": {str(rules): matches for rules, matches in rules_played(tournament).items()},
        "entrants": [
            {"number": e.number, "bot": e.bot.name, "version": e.version.number, "digest": e.version.digest}
            for e in entrants
        ],
    }


def _label(entrant: Entrant) -> str:
    return f"{entrant.bot.name} v{entrant.version.number}"


def _export_row(row: SheetRow, names: dict[int | None, str]) -> dict[str, Any]:
    fields = (
        "place", "tie_rule", "low", "high", "points", "wins", "draws", "losses", "matches", "voids", "faults", "byes",
        "sonneborn_berger", "mean_score", "p_first", "share_low", "share_high",
    )  # fmt: skip
    against = {names[int(other)]: cell for other, cell in row.cells.items()}
    return {"entrant": names[row.entrant.number], **{f: getattr(row, f) for f in fields}, "against": against}


def _export_tables(tournament: Tournament) -> Iterator[dict[str, Any]]:
    settled = Table.objects.filter(tournament=tournament, is_settled=True).order_by("number")
    for table in settled.values("number", "round", "entrants", "results").iterator(chunk_size=2000):
        yield {**table}


CSV_HEAD = (
    "place", "entrant", "version", "owner", "points", "wins", "draws", "losses", "matches", "faults", "tie rule",
)  # fmt: skip


def export_csv(tournament: Tournament) -> Iterator[str]:
    """Standings and crosstable as one table, line by line; names a spreadsheet would take for a formula are quoted."""
    columns = [(row.entrant.number, row.entrant.bot.name) for row in sheet_of(tournament).defer("cells")]
    yield csv_line([*CSV_HEAD, *(name for _, name in columns)])
    for row in sheet_of(tournament).iterator(20):
        bot = row.entrant.bot
        owner = bot.owner.username if bot.owner else ""
        cells = [row.cells.get(str(number), [""])[0] for number, _ in columns]
        results = [row.points, row.wins, row.draws, row.losses, row.matches, row.faults, row.tie_rule]
        yield csv_line([row.place, bot.name, row.entrant.version.number, owner, *results, *cells])
