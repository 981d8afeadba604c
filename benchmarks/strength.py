"""Measure the house bots against each other through the real arena, and write docs/12-strength.md.

    python benchmarks/strength.py                      every ladder, as many matches as docs/ is meant to show
    python benchmarks/strength.py --only capone-4 --games 40

Each match is a line in .bench/strength.jsonl, so that a run that was stopped goes on where it was.
A line counts only as long as the two bots, the kit and the engine are what they were.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from math import comb
from pathlib import Path

import orjson

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from arena import Limits, SandboxUnavailable, require_sandbox  # noqa: E402
from arena.desk.series import PlayedMatch, enter, play_series, schedule  # noqa: E402
from arena.desk.tally import interval, scores  # noqa: E402

LEDGER = ROOT / ".bench" / "strength.jsonl"
PAGE = ROOT / "docs" / "12-strength.md"
LADDERS = {
    "speak_easy-2": ("speak_easy", 2),
    "gatsby-2": ("gatsby", 2),
    "capone-4": ("capone", 4),
    "cotton_club-2": ("cotton_club", 2),
    "cotton_club-3": ("cotton_club", 3),
}
PAIRS = (("greedy", "random"), ("searcher", "greedy"))
WANTED = 0.60  # share of opponents the stronger bot must beat with 2 seats
DEALS = 2  # raise it to measure on deals that no bot has been tuned on
CLEAR = 0.01  # with more seats, how improbable its lead must be by chance


@dataclass(frozen=True, slots=True)
class Duel:
    """One bot alone against tables of another."""

    ladder: str
    stronger: str
    weaker: str

    @property
    def game(self) -> str:
        return LADDERS[self.ladder][0]

    @property
    def seats(self) -> int:
        return LADDERS[self.ladder][1]

    @property
    def seed(self) -> int:
        """The first seed: the same duel is always played from the same deals."""
        name = f"{self.ladder} {self.stronger} {self.weaker} {DEALS}"
        return int.from_bytes(blake2b(name.encode(), digest_size=12).digest())

    def paths(self) -> tuple[Path, Path]:
        folder = ROOT / "bots" / "house" / self.game
        return folder / f"{self.stronger}.py", folder / f"{self.weaker}.py"

    def fingerprint(self) -> str:
        """Changes when anything that could change a result does."""
        whole = blake2b(str(DEALS).encode(), digest_size=8)
        tables = sorted(path for path in (ROOT / "engines" / self.game).rglob("*") if path.suffix in (".py", ".csv"))
        for path in [*self.paths(), *kit_files(self.paths()), *tables]:
            whole.update(path.read_bytes())
        return whole.hexdigest()


def kit_files(bots: Iterable[Path]) -> list[Path]:
    """The modules of the kit that bots import, and those that these import."""
    found: set[Path] = set()
    waiting = list(bots)
    while waiting:
        for module in _imports(waiting.pop()):
            path = ROOT.joinpath(*module.split("."))
            fresh = {p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()} - found
            found |= fresh
            waiting += fresh
    return sorted(found)


def _imports(path: Path) -> Iterator[str]:
    """Names of the kit's modules that a file imports; `from a.b import c` may mean the module c."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("bots.kit"):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One match as the ledger keeps it."""

    ladder: str
    stronger: str
    weaker: str
    fingerprint: str
    number: int  # of the match; number // seats is its set
    score: float  # share of opponents that the stronger bot beat
    rank: float  # with ties shared
    faults: int
    cpu_ms: float  # of the stronger bot, for each act
    most_ms: float


def read_ledger() -> list[LedgerEntry]:
    """All matches so far; a last line cut short by a kill is left out."""
    if not LEDGER.exists():
        return []
    lines = []
    for text in LEDGER.read_bytes().splitlines():
        try:
            lines.append(LedgerEntry(**orjson.loads(text)))
        except (orjson.JSONDecodeError, TypeError):
            continue
    return lines


def lines_of(duel: Duel, ledger: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """The matches of a duel that still count, each number once."""
    mark = duel.fingerprint()
    wanted = (duel.ladder, duel.stronger, duel.weaker, mark)
    counted = {e.number: e for e in ledger if (e.ladder, e.stronger, e.weaker, e.fingerprint) == wanted}
    return [counted[number] for number in sorted(counted)]


def play_duel(duel: Duel, games: int, jobs: int) -> None:
    """Play what is missing of a duel, whole sets only."""
    stronger, weaker = (enter(path, duel.game) for path in duel.paths())
    table = [stronger, *[weaker] * (duel.seats - 1)]
    done = {line.number for line in lines_of(duel, read_ledger())}
    whole = -(-games // duel.seats) * duel.seats
    series = schedule(duel.game, table, games=whole, seed=duel.seed, limits=Limits())
    missing = [game for game in series if game.number not in done]
    LEDGER.parent.mkdir(exist_ok=True)
    mark = duel.fingerprint()
    for played in play_series(missing, table, jobs=jobs, trust=False):
        line = measured(duel, mark, played)
        if line is None:
            print(f"{duel.ladder} match {played.game.number}: not counted, the host failed", file=sys.stderr)
            continue
        with LEDGER.open("ab") as file:
            file.write(orjson.dumps(asdict(line)) + b"\n")


def measured(duel: Duel, mark: str, played: PlayedMatch) -> LedgerEntry | None:
    """What a match says about the stronger bot; None if it says nothing."""
    record = played.record
    if record.ranks is None or record.is_host_fault or record.is_void:
        return None
    seat = played.game.sitting.index(0)
    score = scores(record.ranks)[seat]
    times = [action.cpu_ms for action in record.actions if action.seat == seat] or [0.0]
    return LedgerEntry(
        ladder=duel.ladder,
        stronger=duel.stronger,
        weaker=duel.weaker,
        fingerprint=mark,
        number=played.game.number,
        score=score,
        rank=1 + (1 - score) * (duel.seats - 1),
        faults=len(record.faults),
        cpu_ms=sum(times) / len(times),
        most_ms=max(times),
    )


@dataclass(frozen=True, slots=True)
class DuelResult:
    """A duel added up: sets are won, level or lost by the mean score of their matches."""

    matches: int
    score: float
    low: float
    high: float
    mean_rank: float
    won: int
    level: int
    lost: int
    p: float
    faults: int
    cpu_ms: float
    most_ms: float


def judge(duel: Duel, lines: Sequence[LedgerEntry]) -> DuelResult | None:
    """Add up the complete sets of a duel; None while there is none."""
    sets: dict[int, list[LedgerEntry]] = {}
    for line in lines:
        sets.setdefault(line.number // duel.seats, []).append(line)
    complete = [matches for matches in sets.values() if len(matches) == duel.seats]
    counted = [line for matches in complete for line in matches]
    if not counted:
        return None
    means = [sum(line.score for line in matches) / len(matches) for matches in complete]
    won, lost = sum(mean > 0.5 for mean in means), sum(mean < 0.5 for mean in means)
    low, high = interval([line.score for line in counted])
    return DuelResult(
        matches=len(counted),
        score=sum(line.score for line in counted) / len(counted),
        low=low,
        high=high,
        mean_rank=sum(line.rank for line in counted) / len(counted),
        won=won,
        level=len(means) - won - lost,
        lost=lost,
        p=sign_test(won, lost),
        faults=sum(line.faults for line in counted),
        cpu_ms=sum(line.cpu_ms for line in counted) / len(counted),
        most_ms=max(line.most_ms for line in counted),
    )


def sign_test(won: int, lost: int) -> float:
    """How probable a split at least this uneven is when both are equally strong (two-sided)."""
    count = won + lost
    if count == 0:
        return 1.0
    tail: float = sum(comb(count, k) for k in range(max(won, lost), count + 1)) / 2**count
    return min(1.0, 2 * tail)


def holds(duel: Duel, verdict: DuelResult) -> bool:
    """Whether the duel shows what is promised: 60 % with 2 seats, a clear lead with more."""
    if duel.seats == 2:
        return verdict.score >= WANTED
    return verdict.score > 0.5 and verdict.p < CLEAR


def all_duels(only: str | None) -> list[Duel]:
    return [Duel(ladder, *pair) for ladder in LADDERS if only in (None, ladder) for pair in PAIRS]


REMARKS = "## How these figures came about\n"
INTRODUCTION = """# 12. How strong the house bots are

Measured by `python benchmarks/strength.py` through the real arena: sandbox, clock and referee as on the ladder.
A match has one seat of the stronger bot and the weaker one in all others. Matches come in sets: one deal, the stronger
bot once in every seat, so that seat luck cancels. *Beaten* is the share of opponents that rank below it, a tie counting
half, with Wilson's interval at 95 %. A set is won (+), level (=) or lost (-) by its mean against one half; *p* is the
two-sided sign test over sets. With 2 seats at least 60 % are wanted, with more seats a lead with p below 0.01.
Cpu is that of the stronger bot, for each act.

| ladder | duel | matches | beaten | 95 % interval | mean rank | sets + = - | p | cpu ms (most) | faults | holds |
|---|---|---|---|---|---|---|---|---|---|---|
"""


def write_page(duels: Sequence[Duel], ledger: Sequence[LedgerEntry]) -> bool:
    """Write the table; whether every duel that was measured holds."""
    rows, fine = [], True
    for duel in duels:
        verdict = judge(duel, lines_of(duel, ledger))
        if verdict is None:
            rows.append(f"| {duel.ladder} | {duel.stronger} – {duel.weaker} | 0 | | | | | | | | |")
            continue
        fine &= holds(duel, verdict)
        rows.append(_row(duel, verdict))
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    PAGE.write_text(INTRODUCTION + "\n".join(rows) + "\n" + remarks(before), encoding="utf-8")
    return fine


def remarks(page: str) -> str:
    """What people wrote below the table; it stays."""
    _, mark, text = page.partition(REMARKS)
    return f"\n{mark}{text}" if mark else ""


def _row(duel: Duel, v: DuelResult) -> str:
    return (
        f"| {duel.ladder} | {duel.stronger} – {duel.weaker} | {v.matches} "
        f"| {v.score:.1%} | {v.low:.1%} to {v.high:.1%} "
        f"| {v.mean_rank:.2f} of {duel.seats} | {v.won} / {v.level} / {v.lost} | {v.p:.1g} "
        f"| {v.cpu_ms:.1f} ({v.most_ms:.0f}) | {v.faults} | {'yes' if holds(duel, v) else 'no'} |"
    )


def games_wanted(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too few; at least 1")
    return number


def main() -> int:
    """Play what is missing and write the page; 1 if a duel does not hold, 2 if nothing can be played."""
    parser = argparse.ArgumentParser(description="Measure the house bots against each other through the real arena.")
    parser.add_argument("--page", action="store_true", help="write the page from what was played, play nothing")
    parser.add_argument("--games", type=games_wanted, default=200, help="matches a duel, rounded up to whole sets")
    parser.add_argument("--only", choices=list(LADDERS), help="one ladder alone")
    parser.add_argument("--stronger", choices=[pair[0] for pair in PAIRS], help="the duels of one bot alone")
    parser.add_argument("--jobs", type=games_wanted, default=1, help="matches at the same time")
    wanted = parser.parse_args()
    if not wanted.page and not play_duels(wanted):
        return 2
    ready = [duel for duel in all_duels(None) if all(path.is_file() for path in duel.paths())]
    return 0 if write_page(ready, read_ledger()) else 1


def play_duels(wanted: argparse.Namespace) -> bool:
    """Play what is missing, telling each duel as it ends; False where nothing can be played."""
    try:
        require_sandbox()
    except SandboxUnavailable as error:
        print(error, file=sys.stderr)
        return False
    for duel in all_duels(wanted.only):
        if wanted.stronger not in (None, duel.stronger):
            continue
        if not all(path.is_file() for path in duel.paths()):
            print(f"{duel.ladder}: {duel.stronger} or {duel.weaker} is missing, left out", file=sys.stderr)
            continue
        play_duel(duel, wanted.games, wanted.jobs)
        verdict = judge(duel, lines_of(duel, read_ledger()))
        if verdict is not None:
            print(_row(duel, verdict), flush=True)
    return True


if __name__ == "__main__":
    raise SystemExit(main())
