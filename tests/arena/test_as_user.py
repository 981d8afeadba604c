"""Run as root, the sandbox part of the suite is played once more by an ordinary user, in a copy of the tree."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from arena.sandbox.places import is_root
from tests.arena import blame_page
from tests.arena.as_user import Guest, Unreachable, guest

SUITE = ("test_warm", "test_hostile", "test_layers", "test_survival", "test_runtimes", "test_whispers", "test_blame")
pytestmark = pytest.mark.skipif(not is_root(), reason="run as a user: the half that root plays is left out")


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_the_sandbox_suite_holds_for_an_ordinary_user() -> None:
    run_suite(SUITE, marker="not soak", test_s=300, timeout_s=1_100)


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
) -> None:
    tests = [f"tests/arena/{name}.py" for name in suite]
    words = ("pytest", "-q", "-p", "no:cacheprovider", f"--timeout={test_s}", "-m", marker, *tests)
    try:
        with guest() as user:
            done = user.run(*words, timeout_s=timeout_s, RUMRUNNER_BLAME=os.environ.get("RUMRUNNER_BLAME", "20 3"))
            afterwards(user)
    except Unreachable as error:
        pytest.skip(str(error))
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
