"""The wheel that the site serves: small, complete, and without Django."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    from django.test import override_settings

    with override_settings(STATIC_ROOT=folder):
        call_command("build_wheel", verbosity=0)
    (wheel,) = (folder / "download").glob("*.whl")
    assert wheel.stat().st_size < 3_000_000  # two thirds of it compiled engines, where they were built
    assert f"/static/download/{wheel.name}\n" in (ROOT / "docs" / "3-tutorial.md").read_text()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(unpacked, cwd, *words):
    """The command line from the wheel alone: the checkout is not on the path."""
    program = (
        "import sys; sys.path = [p for p in sys.path if p and not __import__('os').path.exists(p + '/manage.py')];"
        f"sys.path.insert(0, {str(unpacked)!r}); from bots.cli.main import main; sys.argv = ['rumrunner', *{words!r}];"
        "import atexit; atexit.register(lambda: print('django' in sys.modules, file=sys.stderr)); main()"
    )
    return subprocess.run([sys.executable, "-c", program], cwd=cwd, capture_output=True, text=True, timeout=300)


def test_it_makes_and_plays_a_bot_without_django(unpacked, tmp_path):
    made = run(unpacked, tmp_path, "new", "gatsby", "mine")
    assert made.returncode == 0, made.stderr
    played = run(unpacked, tmp_path, "play", "gatsby", "mine", "house:random", "--trust", "--seed", "3", "--json")
    assert played.returncode == 0, played.stderr
    assert played.stderr.strip().endswith("False")
    assert '"faults": []' in played.stdout


def test_it_brings_rules_tables_starters_and_the_viewer(unpacked):
    for name in (
        "engines/gatsby/BOTS.md",
        "engines/gatsby/RULES.md",
        "engines/capone/data/members.csv",
        "arena/viewer/viewer.js",
        "bots/starter/speak_easy/main.py",
        "bots/house/cotton_club/random.py",
    ):
        assert (unpacked / name).is_file(), name
