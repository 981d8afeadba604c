"""Run as root, the sandbox part of the suite is played once more by an ordinary user, in a copy of the tree.

Each of its bots is started one way then, about half of them warm, and by root the other way; the long form has both
ways for both.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from arena.sandbox.places import is_root
from tests.arena import blame_page
from tests.arena.as_user import Guest, Unreachable, guest
from tests.arena.conftest import BOTH, SHARED, STARTS, THE_USERS, TRIED, is_its_turn
from tests.arena.test_hostile import PUNISHED

pytestmark = pytest.mark.skipif(not is_root(), reason="run as a user: the half that root plays is left out")


@pytest.mark.slow
@pytest.mark.timeout(2_400)
def test_the_sandbox_suite_holds_for_an_ordinary_user() -> None:
    run_suite(SHARED, marker="not soak", test_s=600, timeout_s=2_300, **{TRIED: THE_USERS})


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_the_sandbox_suite_holds_for_an_ordinary_user_however_bots_are_started() -> None:
    run_suite(SHARED, marker="not soak", test_s=600, timeout_s=3_500, **{TRIED: BOTH})


def test_every_bot_is_tried_one_way_by_root_and_the_other_way_by_the_user() -> None:
    ways = [(whose, bot, start) for whose in ("root's", THE_USERS) for bot in PUNISHED for start in STARTS]
    tried = [(whose, bot, start) for whose, bot, start in ways if is_its_turn(played(bot, starts=start), whose)]
    assert {(bot, start) for _, bot, start in tried} == {(bot, start) for bot in PUNISHED for start in STARTS}
    assert len({(whose, bot) for whose, bot, _ in tried}) == len(tried) == 2 * len(PUNISHED)
    assert {(whose, start) for whose, _, start in tried} == {(w, s) for w in ("root's", THE_USERS) for s in STARTS}
    assert all(is_its_turn(played("a test with no start of its own"), whose) for whose in ("root's", THE_USERS))


def played(bot: str, **params: str) -> Any:
    return SimpleNamespace(name=f"test_it[{bot}]", callspec=SimpleNamespace(params={"name": bot, **params}))


@pytest.mark.soak
@pytest.mark.timeout(7_200)
def test_the_blame_matrix_holds_for_an_ordinary_user() -> None:
    def keep_counts(user: Guest) -> None:
        blame_page.merge(blame_page.known_runs(user.counts))
        blame_page.show()

    run_suite(("test_blame",), marker="soak", test_s=7_000, timeout_s=7_000, afterwards=keep_counts)


def run_suite(
    suite: tuple[str, ...],
    *,
    marker: str,
    test_s: int,
    timeout_s: float,
    afterwards: Callable[[Guest], None] = lambda user: None,
    **environment: str,
) -> None:
    tests = [f"tests/arena/{name}.py" for name in suite]
    words = ("pytest", "-q", "-p", "no:cacheprovider", f"--timeout={test_s}", "-m", marker, *tests)
    try:
        with guest() as user:
            blame = os.environ.get("RUMRUNNER_BLAME", "20 3")
            done = user.run(*words, timeout_s=timeout_s, RUMRUNNER_BLAME=blame, **environment)
            afterwards(user)
    except Unreachable as error:
        pytest.skip(str(error))
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
