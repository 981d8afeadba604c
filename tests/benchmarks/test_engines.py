"""``python -m benchmarks.engines``: every figure beside its peers, and a message for a slip."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.engines import before
from benchmarks.engines.__main__ import main
from benchmarks.engines.speed import Figures, SpeedReport, measure, table


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rounds", "0"], "0 is not between 1"),
        (["--seconds", "never"], "'never' is not a number of seconds"),
        (["--seconds", "nan"], "'nan' is not a number of seconds"),
        (["--game", "chess"], "invalid choice: 'chess' (choose from"),
    ],
    ids=" ".join,
)
def test_a_slip_gets_a_message_and_no_traceback(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(words)
    assert leaving.value.code == 2
    assert message in capsys.readouterr().err


def test_bench_measures_every_figure_beside_its_peers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "speak_easy", "--rounds", "1", "--seconds", "0.02", "--json"]
    assert main(words) == 0
    report = json.loads(capsys.readouterr().out)
    (figures,) = report["figures"]
    assert (figures["game"], figures["seats"]) == ("speak_easy", 2)
    speeds = (
        "moves_per_second",
        "games_per_second",
        "moves_per_game",
        "legal_us",
        "copy_us",
        "observe_us",
        "imagine_us",
    )
    assert all(figures[speed] > 0 for speed in speeds)
    assert set(report["peers"]) == set(figures["ratios"])
    assert {"python-chess", "open_spiel dark_chess", "open_spiel connect_four"} == {
        *report["peers"],
        *report["missing"],
    }


def test_every_number_of_seats_is_measured_when_asked_for() -> None:
    few, every = (
        measure(names=["cotton_club"], rounds=1, seconds=0.01, all_seats=all_seats) for all_seats in (False, True)
    )
    assert [one.seats for one in few.figures] == [2, 4]
    assert [one.seats for one in every.figures] == [2, 3, 4]


def test_a_missing_peer_is_told_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    report = measure(names=["speak_easy"], rounds=1, seconds=0.01)
    assert report.peers == {}
    assert "python-chess is left out" in table(report)


def test_the_table_has_a_row_for_each_game_and_peer() -> None:
    figures = Figures("gatsby", 2, 1000.0, 10.0, 100.0, 0.1, 1.5, 20.0, 30.0, {"python-chess": 5.0})
    lines = table(SpeedReport("pure", [figures], {"python-chess": 200.0}, {})).splitlines()
    assert lines[0].split("  ")[-1].strip() == "x python-chess"
    assert lines[1].split() == ["gatsby-2", "1,000", "10", "100.0", "0.10", "1.50", "20.0", "30.0", "5.00"]
    assert lines[2].split() == ["python-chess", "200"]
    assert lines[3] == "measured: the pure engines"


def test_a_tree_is_asked_for_every_game_with_its_fewest_and_its_most_seats() -> None:
    found = before.turn(Path(before.__file__).parents[2], ["speak_easy", "cotton_club"], passes=1)
    assert set(found) == {"speak_easy-2", "cotton_club-2", "cotton_club-4"}
    assert all(found["speak_easy-2"][act] > 0 for act in ("move", "restore", "first world", "ten worlds"))


def test_the_fastest_turn_of_each_tree_counts() -> None:
    now = before.fastest([{"capone-3": {"restore": 30.0}}, {"capone-3": {"restore": 20.0}}])
    lines = before.compared(now, {"capone-3": {"restore": 25.0}}).splitlines()
    assert lines[1].split() == ["capone-3", "restore", "25.00", "20.00", "0.800"]
