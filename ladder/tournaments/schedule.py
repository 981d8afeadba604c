"""The schedule of a tournament: its plan, its rounds and who sits out, from settings and settled tables."""

from __future__ import annotations

from collections.abc import Iterator

from ladder.tournaments.formats import FORMATS, Format, Plan, TableResult
from ladder.tournaments.formats import Table as Drawn
from ladder.tournaments.formats.knockout import played_rounds
from ladder.tournaments.models import Table, Tournament
from ladder.tournaments.standings import COIN, SEED, Climb, default_points, shared_points


def format_of(tournament: Tournament) -> Format:
    """How the tournament is drawn."""
    return FORMATS[tournament.format]


def points_of(tournament: Tournament) -> tuple[float, ...]:
    """Points by rank."""
    return tuple(tournament.points) or default_points(tournament.ladder.seats)


def plan_of(tournament: Tournament, *, entrants: int | None = None, champion: int | None = None) -> Plan:
    """The tournament on paper."""
    return Plan(
        entrants=tournament.entrant_count if entrants is None else entrants,
        seats=tournament.ladder.seats,
        seed=int(tournament.seed, 16),
        cycles=tournament.cycles,
        rounds=tournament.rounds,
        best_of=tournament.best_of,
        champion=_champion(tournament) if champion is None else champion,
        version=tournament.draw_version,
    )


def _champion(tournament: Tournament) -> int:
    if tournament.champion_id is None or tournament.pk is None:
        return 0
    number = tournament.entrants.filter(bot=tournament.champion_id).values_list("number", flat=True).first()
    return number or 0


def draw_round(tournament: Tournament, round_number: int, *, first: int = 0) -> Iterator[Drawn]:
    """The tables of a round from this number on, from the results so far."""
    shape = format_of(tournament)
    drawn = shape.draw(plan_of(tournament), round_number, results_through(tournament, round_number), first=first)
    return iter(drawn.tables)


def tables_through(tournament: Tournament, round_number: int) -> int:
    """How many tables there are up to the end of this round, as far as results tell."""
    results = results_through(tournament, round_number)
    return format_of(tournament).tables_through(plan_of(tournament), round_number, results)


def tables_in_all(tournament: Tournament) -> int:
    """Those planned, and those known by now to be played again."""
    shape, plan = format_of(tournament), plan_of(tournament)
    if not shape.has_rounds:
        return tournament.tables_total
    again = tables_through(tournament, tournament.round) - shape.tables_through(plan, tournament.round, [])
    return shape.table_count(plan) + again


def byes_of(tournament: Tournament) -> list[tuple[int, int]]:
    """(round, entrant) for everyone who sat out a round that has been drawn."""
    shape, plan = format_of(tournament), plan_of(tournament)
    if tournament.started_at is None:
        return []
    results = results_through(tournament, tournament.round - 1)
    return [
        (number, entrant)
        for number in range(tournament.round + 1)
        for entrant in shape.draw(plan, number, [r for r in results if r.table.round < number]).byes
    ]


def climb_of(tournament: Tournament) -> Climb:
    """How far everyone has come in a knockout: the last round played, and how well; a bye counts as gone through."""
    plan, results = plan_of(tournament), results_through(tournament, tournament.round)
    shares: dict[tuple[int, int], list[float]] = {}
    for result in results:
        for entrant, share in zip(result.table.entrants, result.points, strict=True):
            shares.setdefault((entrant, result.table.round), []).append(share)
    half = {key: sum(games) / len(games) / 2 for key, games in shares.items()}
    is_complete = len(results) == format_of(tournament).tables_through(plan, tournament.round, results)
    complete = tournament.round + is_complete
    climb = Climb(
        {entrant: half.get((entrant, 0), 0.0) for entrant in range(plan.entrants)}, COIN if plan.version > 2 else SEED
    )
    for number, played in enumerate(played_rounds(plan, complete, results)):
        climb.out_by_coin |= played.out_by_coin
        climb.progress |= {entrant: number + half.get((entrant, number), 0.0) for entrant in played.out}
        climb.progress |= {entrant: number + 1 + half.get((entrant, number + 1), 0.0) for entrant in played.through}
    return climb


def results_through(tournament: Tournament, round_number: int) -> list[TableResult]:
    """What the settled tables up to this round gave; nothing for a format that draws without looking."""
    if round_number < 0 or not format_of(tournament).has_rounds:
        return []
    points = points_of(tournament)
    tables = Table.objects.filter(tournament=tournament, round__lte=round_number, is_settled=True).order_by("number")
    return [_table_result(table, points) for table in tables]


def _table_result(table: Table, points: tuple[float, ...]) -> TableResult:
    """Points of a table scaled to its matches and to 1 for a clean win; a table without any result gives none."""
    gained = dict.fromkeys(table.entrants, 0.0)
    played = [match for match in table.results if match and match[0][1] is not None]
    for match in played:
        for (entrant, *_), share in zip(match, shared_points([seat[1] for seat in match], points), strict=True):
            gained[entrant] += share / (len(played) * (points[0] or 1.0))
    drawn = Drawn(table.number, table.round, tuple(table.entrants))
    return TableResult(drawn, tuple(gained[entrant] for entrant in table.entrants))
