"""The compiled engines pass a sample of the tests of the pure ones, and only a build of the very source is used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engines import compiled

ROOT = Path(__file__).parents[2]
HERE = "tests/engines"
SAMPLE = (
    "test_contract.py", "test_refusals.py", "test_pickling.py", "test_reading.py", "test_log.py", "test_choices.py",
    "capone/test_golden.py", "capone/test_bad_input.py", "capone/test_hidden.py",
    "cotton_club/test_playthroughs.py", "cotton_club/test_bad_input.py", "cotton_club/test_hidden.py",
    "gatsby/test_golden.py", "gatsby/test_views.py", "gatsby/test_knowledge.py",
    "speak_easy/test_golden.py", "speak_easy/test_imagine.py", "speak_easy/test_snapshots.py",
    "speak_easy/test_streets.py",
)  # fmt: skip


def run(*words: str, engines: str, cwd: Path = ROOT, path: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A Python of its own that asks for these engines."""
    environment = {**os.environ, compiled.SETTING: engines, "PYTHONPATH": str(path)}
    return subprocess.run([sys.executable, *words], env=environment, cwd=cwd, capture_output=True, text=True)


@pytest.fixture(scope="module")
def build() -> Path:
    """The build of the source as it is; made if `make compiled` has not been run."""
    done = run("scripts/compile_engines.py", "--require", engines="pure")
    if done.returncode:
        pytest.skip(done.stderr.strip()[-300:])
    found = compiled.current_build()
    assert found is not None
    return Path(found)


@pytest.fixture
def copied(tmp_path: Path, build: Path) -> Path:
    """Engines with their build in a folder of their own, to be spoilt; links, for most of it stays as it is."""
    target = tmp_path / "engines"
    shutil.copytree(compiled.SOURCE, target, ignore=shutil.ignore_patterns("_compiled", "__pycache__"))
    shutil.copytree(build, target / build.relative_to(compiled.SOURCE))
    return tmp_path


def which(folder: Path, engines: str) -> subprocess.CompletedProcess[str]:
    """What a process that imports the engines of a folder runs."""
    told = "import engines, engines.gatsby.state as state; print(engines.BUILD, state.__file__.rpartition('.')[2])"
    return run("-c", told, engines=engines, cwd=folder, path=folder)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_compiled_engines_pass_the_tests_of_the_pure_ones(build: Path) -> None:
    files = [f"{HERE}/{name}" for name in SAMPLE]
    done = run("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not soak", *files, engines="compiled")
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_compiled_and_pure_engines_play_the_same_games(build: Path) -> None:
    pure, fast = (run("-m", "tests.engines.playing", engines=engines) for engines in ("pure", "compiled"))
    assert pure.returncode == fast.returncode == 0, fast.stderr
    assert pure.stdout == fast.stdout
    assert len(pure.stdout.splitlines()) > 10


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_setting_chooses_and_the_build_is_taken_where_nothing_is_said(copied: Path) -> None:
    assert which(copied, "pure").stdout == "pure py\n"
    assert which(copied, "").stdout == which(copied, "compiled").stdout == "compiled so\n"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_build_of_another_source_is_never_used(copied: Path) -> None:
    with (copied / "engines" / "gatsby" / "turns.py").open("a") as source:
        source.write("\n")
    assert which(copied, "").stdout == "pure py\n"
    assert "there is no build of this source" in which(copied, "compiled").stderr


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_build_that_cannot_be_loaded_is_left_alone(copied: Path, build: Path) -> None:
    """As one made on a machine with another C library."""
    library = copied / "engines" / build.relative_to(compiled.SOURCE) / f"{compiled.LIBRARY}.so"
    library.write_bytes(b"no library")
    assert which(copied, "").stdout == "pure py\n"
    assert "can't be loaded" in which(copied, "compiled").stderr


def test_a_setting_that_means_nothing_is_refused() -> None:
    told = which(ROOT, "fast").stderr
    assert "RUMRUNNER_ENGINES is 'fast'; set it to pure or compiled, or leave it out" in told


def test_without_a_build_the_engines_are_pure(tmp_path: Path) -> None:
    shutil.copytree(compiled.SOURCE, tmp_path / "engines", ignore=shutil.ignore_patterns("_compiled", "__pycache__"))
    assert which(tmp_path, "").stdout == "pure py\n"


def test_without_a_compiler_the_engines_stay_pure_and_it_is_said(tmp_path: Path) -> None:
    """Of a source that has no build yet."""
    for part in ("engines", "scripts"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("_compiled", "__pycache__"))
    command = [sys.executable, "scripts/compile_engines.py"]
    environment = {**os.environ, "CC": "no-such-compiler"}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0
    assert "The engines run as plain Python: there is no C compiler (no-such-compiler)" in done.stderr
    required = subprocess.run([*command, "--require"], env=environment, cwd=tmp_path, capture_output=True)
    assert required.returncode == 1
