"""Which games there are, and what becomes of games that packages offer."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import GAMES, games
from engines.games import BrokenGame, Games, Offer, UnknownGame

GOOD = """
from engines.cotton_club.game import CottonClub

class Tiny(CottonClub):
    name = "NAME"

GAME = Tiny()
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path where packages can be put."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in set(sys.modules) - before:
        if (tmp_path / name.partition(".")[0]).exists():
            del sys.modules[name]


def install(shelf: Path, name: str, code: str = GOOD, *, package: str = "", distribution: str = "") -> None:
    """Put a package there that offers a game, as an installer would."""
    package = package or f"{name}_package"
    (shelf / package).mkdir(exist_ok=True)
    (shelf / package / "__init__.py").write_text(code.replace("NAME", name))
    distribution = distribution or f"{name}-dist"
    info = shelf / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[rumrunner.games]\n{name} = {package}:GAME\n")


def ours() -> Games:
    return Games([GAMES["gatsby"], GAMES["capone"]])


def test_the_four_are_built_in_and_listed_in_one_order() -> None:
    assert list(GAMES)[:4] == ["speak_easy", "gatsby", "capone", "cotton_club"]


def test_a_game_of_an_installed_package_is_found_after_ours(shelf: Path) -> None:
    install(shelf, "tiny")
    found = ours()
    assert list(found) == ["gatsby", "capone", "tiny"]
    assert len(found) == 3
    assert found["tiny"].new(seats=2, seed=1).to_act is not None
    assert found.offers() == [Offer("tiny", "tiny_package:GAME", "tiny-dist")]
    assert (found.is_outside("tiny"), found.is_outside("gatsby"), found.is_outside("chess")) == (True, False, False)


def test_no_package_is_imported_before_a_game_is_asked_for_that_is_not_ours(shelf: Path) -> None:
    install(shelf, "tiny", "raise RuntimeError('imported')")
    assert ours()["gatsby"].name == "gatsby"
    assert "tiny_package" not in sys.modules


BROKEN = {
    "an error at import": ("raise RuntimeError('out of gin')", "RuntimeError: out of gin"),
    "an exit at import": ("raise SystemExit(3)", "SystemExit: 3"),
    "a module that is missing": ("import no_such_module", "No module named 'no_such_module'"),
    "no such object": ("", "has no attribute 'GAME'"),
    "something else than a game": ("GAME = 7", "is a int; expected an instance of engines.Game"),
    "a game of another name": (GOOD.replace("NAME", "other"), "calls itself 'other'"),
    "a game that leaves methods out": ("from engines import Game\nclass Half(Game): pass\nGAME = Half()", "abstract"),
}


@pytest.mark.parametrize("case", sorted(BROKEN))
def test_a_broken_game_is_told_with_its_distribution_and_left_out(shelf: Path, case: str) -> None:
    code, reason = BROKEN[case]
    install(shelf, "broken", code)
    install(shelf, "tiny")
    found = ours()
    with pytest.warns(BrokenGame, match=f"broken-dist offers the game 'broken', which is left out: .*{reason}"):
        assert list(found) == ["gatsby", "capone", "tiny"]
    (told,) = found.refused()
    assert reason in told
    with pytest.raises(KeyError):
        found["broken"]


def test_a_broken_game_is_told_once(shelf: Path) -> None:
    install(shelf, "broken", "GAME = 7")
    found = ours()
    with pytest.warns(BrokenGame):
        len(found)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "broken" not in found


def test_no_package_replaces_a_game_of_ours(shelf: Path) -> None:
    install(shelf, "gatsby")
    found = ours()
    with pytest.warns(BrokenGame, match="gatsby-dist offers the game 'gatsby'.*a game of that name is built in"):
        assert list(found) == ["gatsby", "capone"]
    assert found["gatsby"] is GAMES["gatsby"]


def test_of_two_packages_with_one_name_the_first_by_name_has_it(shelf: Path) -> None:
    install(shelf, "tiny", distribution="b-dist")
    install(shelf, "tiny", package="another", distribution="a-dist")
    found = ours()
    with pytest.warns(BrokenGame, match="b-dist offers the game 'tiny'.*a-dist has a game of that name"):
        assert found["tiny"].folder.name == "another"


@pytest.mark.parametrize("package", ["engines", "json", "bots"])
def test_a_package_that_takes_a_name_of_ours_is_left_out(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "offered", lambda: [Offer("tiny", f"{package}:GAME", "tiny-dist")])
    with pytest.warns(BrokenGame, match=f"can't be called '{package}'"):
        assert "tiny" not in ours()


def test_a_package_without_a_file_of_its_own_is_left_out(shelf: Path) -> None:
    install(shelf, "tiny")
    (shelf / "tiny_package" / "__init__.py").rename(shelf / "tiny_package" / "inside.py")
    (shelf / "tiny_dist-1.0.dist-info" / "entry_points.txt").write_text(
        "[rumrunner.games]\ntiny = tiny_package.inside:GAME\n"
    )
    with pytest.warns(BrokenGame, match="has no __init__.py"):
        assert "tiny" not in ours()


def test_where_nothing_is_installed_the_resolved_list_stands_for_it(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(shelf, "tiny")
    resolved = shelf / "outside.json"
    resolved.write_text(games.resolved(ours().offers()))
    assert json.loads(resolved.read_text()) == [
        {"name": "tiny", "value": "tiny_package:GAME", "distribution": "tiny-dist"}
    ]
    (shelf / "tiny_dist-1.0.dist-info" / "entry_points.txt").unlink()
    assert "tiny" not in ours()
    monkeypatch.setattr(games, "RESOLVED", resolved)
    assert "tiny" in ours()


def test_a_program_can_set_a_game_for_itself() -> None:
    found = ours()
    found["mine"] = GAMES["cotton_club"]
    assert list(found) == ["gatsby", "capone", "mine"]
    assert not found.is_outside("mine")
    del found["mine"]
    assert "mine" not in found


def test_a_game_that_is_not_here_is_named() -> None:
    with pytest.raises(UnknownGame, match="the game 'chess' is not installed here"):
        GAMES["chess"]
    assert GAMES.get("chess") is None
