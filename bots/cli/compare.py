"""Is the new version better? Sets are played until a sequential test can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from rich.markup import escape

from arena import BundleRejected, Limits, SandboxUnavailable, require_sandbox
from arena.desk.sequential import SequentialTest, Verdict
from arena.desk.series import Entrant, PlayedMatch, SeriesMatch, play_series, schedule
from arena.desk.sheets import plural
from arena.desk.tally import interval, scores
from arena.qualifying import first_tables
from bots.cli.desk import entrants, game_of, known_game
from bots.cli.options import MOST_GAMES, JobsOption, JsonFlag, SeedOption, TrustFlag
from bots.cli.output import Code, Stop, out, progress, show_json
from bots.cli.table import OR_TRUST, check_seats, draw_seed, fault_list, show_faults, warn_of_trust
from engines import GAMES

NEW = 0  # the new version's place in the field; all others are the old one


def compare(
    old: Annotated[str, typer.Argument(help="The version to beat: a file, zip, folder or house:NAME.")],
    new: Annotated[str, typer.Argument(help="The version that should be better.")],
    game: Annotated[str | None, typer.Option(help="The game, if the new version names none.")] = None,
    seats: Annotated[
        int | None, typer.Option(help="Seats at the table (default: those of the game's first ladder).")
    ] = None,
    margin: Annotated[
        float, typer.Option(min=1, max=40, help="The smallest improvement worth detecting, in percentage points.")
    ] = 5,
    most: Annotated[
        int, typer.Option("--max", min=1, max=MOST_GAMES, help="Most sets to play before giving up.")
    ] = 400,
    seed: SeedOption = None,
    jobs: JobsOption = 1,
    trust: TrustFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Play NEW against OLD until it is clear whether NEW is better."""
    wanted = game_of(new) or game_of(old) if game is None else game
    if wanted is None:
        raise Stop(f"neither names its game; add --game with one of {', '.join(GAMES)}.", Code.USAGE)
    count = first_tables(known_game(wanted))[0] if seats is None else seats
    check_seats(wanted, count)
    rival, candidate = entrants(wanted, [old, new])
    contest = Contest([candidate, *[rival] * (count - 1)], SequentialTest(margin / 100))
    first = draw_seed(seed)
    warn_of_trust(trust)
    series = schedule(wanted, contest.table, games=most * count, seed=first, limits=Limits())
    _decide(contest, series, most, jobs=jobs, trust=trust)
    if as_json:
        show_json({"game": wanted, "seats": count, "seed": str(first), **contest.as_json()})
    else:
        show_faults(contest.table, contest.played)
        _show(contest, f"{candidate.name} against {rival.name}: {wanted} with {count} seats, seed {first}")
    if contest.verdict is not Verdict.BETTER:
        kind = contest.verdict.value.replace(" ", "_")
        raise Stop(_told(contest, most), Code.NO, kind=kind, is_in_answer=True)


def _told(contest: Contest, most: int) -> str:
    """Why the new version is not called better."""
    if contest.is_idle:
        return "no match can be played: neither version gets ready. Fix what is shown above."
    return (
        f"still open after {plural(most, 'set')}; raise --max."
        if contest.verdict is Verdict.OPEN
        else "it is not better."
    )


@dataclass(slots=True)
class Contest:
    """The sets played so far, and what they say."""

    table: list[Entrant]
    test: SequentialTest
    scores: list[float] = field(default_factory=list)  # of the new version, a set each
    played: list[PlayedMatch] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        return self.test.ratio(self.scores)

    @property
    def verdict(self) -> Verdict:
        return self.test.verdict(self.ratio)

    @property
    def is_idle(self) -> bool:
        """Whether not one seat of the last set got ready, so that more sets would teach nothing."""
        last = self.played[-len(self.table) :]
        return bool(last) and all(match.record.is_void for match in last)

    @property
    def score(self) -> float:
        return sum(self.scores) / len(self.scores) if self.scores else 0.5

    def add(self, matches: Sequence[PlayedMatch]) -> None:
        """Count a set; one that the host failed says nothing."""
        if any(match.record.is_host_fault for match in matches):
            return
        self.played += matches
        self.scores.append(sum(_score(match) for match in matches) / len(matches))

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict.value,
            "sets": len(self.scores),
            "matches": len(self.played),
            "score": self.score,
            "interval": interval(self.scores),
            "ratio": self.ratio,
            "bound": self.test.bound,
            "margin": self.test.margin,
            "faults": fault_list(self.table, self.played),
        }


def _score(match: PlayedMatch) -> float:
    """What the new version scored; a match in which nobody got ready is even."""
    ranks = match.record.ranks
    if ranks is None or match.record.is_void:
        return 0.5
    return scores(ranks)[match.game.sitting.index(NEW)]


def _decide(contest: Contest, series: Sequence[SeriesMatch], most: int, *, jobs: int, trust: bool) -> None:
    """Play set by set until the test has a verdict, or all of them are played; raises Stop."""
    try:
        if not trust:
            require_sandbox()
        with progress() as bar:
            task = bar.add_task("", total=most)
            for matches in _sets(contest, series, jobs=jobs, trust=trust):
                contest.add(matches)
                told = f"{100 * contest.score:.1f} %, {contest.ratio:+.2f} of ±{contest.test.bound:.2f}"
                bar.update(task, advance=1, description=told)
                if contest.is_idle or contest.verdict is not Verdict.OPEN:
                    return
    except SandboxUnavailable as unavailable:
        raise Stop(f"{unavailable} {OR_TRUST}", Code.SANDBOX) from None
    except BundleRejected as rejected:
        raise Stop(str(rejected), Code.NO, kind=rejected.code) from None
    if not contest.scores:
        raise Stop("the host failed in every set, not through a bot's fault.", Code.SANDBOX)


def _sets(contest: Contest, series: Sequence[SeriesMatch], *, jobs: int, trust: bool) -> Iterator[list[PlayedMatch]]:
    """Whole sets in their order, whatever the order in which their matches end: a verdict must not hang on that."""
    count = len(contest.table)
    ended: dict[int, PlayedMatch] = {}
    following = 0
    with closing(play_series(series, contest.table, jobs=jobs, trust=trust)) as matches:
        for match in matches:
            ended[match.game.number] = match
            while all(number in ended for number in range(following, following + count)):
                yield [ended.pop(number) for number in range(following, following + count)]
                following += count


def _show(contest: Contest, title: str) -> None:
    low, high = interval(contest.scores)
    won, lost = sum(score > 0.5 for score in contest.scores), sum(score < 0.5 for score in contest.scores)
    count = f"{plural(len(contest.scores), 'set')}, {plural(len(contest.played), 'match')}"
    bound = contest.test.bound
    told = [
        f"  {count}: sets won {won}, level {len(contest.scores) - won - lost}, lost {lost}",
        f"  score {100 * contest.score:.1f} %, 95 % interval {100 * low:.0f}–{100 * high:.0f}",
        f"  evidence {contest.ratio:+.2f}: better at {bound:.2f}, no better at {-bound:.2f}",
    ]
    out.print(f"[bold]{escape(title)}[/]", highlight=False, soft_wrap=True)
    out.print(*told, sep="\n", highlight=False)
    if contest.verdict is Verdict.BETTER:
        likely = 50 + 100 * contest.test.margin
        out.print(f"[green]Better[/]: {likely:g} % explains this far more easily than 50 %.", highlight=False)
