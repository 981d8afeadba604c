"""The benchmark of strength: what it adds up and what it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import strength

DUEL = strength.Duel("cotton_club-2", "searcher", "greedy")
MARK = DUEL.fingerprint()


def line(number: int, score: float, *, fingerprint: str = "") -> object:
    return strength.LedgerEntry(
        DUEL.ladder, "searcher", "greedy", fingerprint or MARK, number, score, 2 - score, 0, 20.0, 25.0
    )


@pytest.mark.parametrize(("won", "lost", "p"), [(0, 0, 1.0), (5, 5, 1.0), (8, 0, 2 / 256), (1, 0, 1.0)])
def test_the_sign_test_is_exact_and_two_sided(won: int, lost: int, p: float) -> None:
    assert strength.sign_test(won, lost) == pytest.approx(p)


def test_sets_are_counted_whole_and_draws_half() -> None:
    verdict = strength.judge(DUEL, [line(0, 1.0), line(1, 0.5), line(2, 1.0), line(3, 0.0), line(4, 1.0)])
    assert (verdict.matches, verdict.score) == (4, 0.625)
    assert (verdict.won, verdict.level, verdict.lost) == (1, 1, 0)


def test_matches_of_an_older_bot_do_not_count() -> None:
    kept = strength.lines_of(DUEL, [line(0, 1.0), line(1, 1.0, fingerprint="older")])
    assert [each.number for each in kept] == [0]


def test_a_ledger_cut_short_by_a_kill_is_read_as_far_as_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "strength.jsonl"
    ledger.write_bytes(strength.orjson.dumps(strength.asdict(line(3, 1.0))) + b'\n{"ladder": "cott')
    monkeypatch.setattr(strength, "LEDGER", ledger)
    assert [each.number for each in strength.read_ledger()] == [3]


def test_the_fingerprint_covers_the_kit_modules_a_bot_imports() -> None:
    names = {path.name for path in strength.kit_files(DUEL.paths())}
    assert {"protocol.py", "search.py", "cotton_club.py", "lead.py"} <= names


def test_two_seats_need_60_percent_and_more_seats_a_clear_lead() -> None:
    even = [line(number, float(number % 2)) for number in range(20)]
    assert not strength.holds(DUEL, strength.judge(DUEL, even))
    assert strength.holds(DUEL, strength.judge(DUEL, [line(number, 1.0) for number in range(4)]))
    three = strength.Duel("cotton_club-3", "searcher", "greedy")
    assert not strength.holds(three, strength.judge(three, [line(number, 1.0) for number in range(6)]))
    assert strength.holds(three, strength.judge(three, [line(number, 1.0) for number in range(30)]))


def test_new_deals_bring_new_seeds_and_leave_older_matches_out(monkeypatch: pytest.MonkeyPatch) -> None:
    before = DUEL.seed
    monkeypatch.setattr(strength, "DEALS", strength.DEALS + 1)
    assert DUEL.seed != before
    assert strength.lines_of(DUEL, [line(0, 1.0, fingerprint=MARK)]) == []


def test_what_people_wrote_below_the_table_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "strength.md"
    page.write_text(f"# Older\n| a | b |\n\n{strength.REMARKS}\n- On a quiet machine.\n")
    monkeypatch.setattr(strength, "PAGE", page)
    for _ in range(2):
        strength.write_page([DUEL], [line(0, 1.0), line(1, 1.0)])
    text = page.read_text()
    assert "Older" not in text
    assert "| cotton_club-2 | searcher – greedy | 2 | 100.0% |" in text
    assert text.endswith(f"yes |\n\n{strength.REMARKS}\n- On a quiet machine.\n")
