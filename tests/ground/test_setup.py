"""Set-up where something is missing: one clear message with the cure, never a traceback."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "dirname", "id", "tail", "rm", "cat", "touch", "pwd", "chmod", "env")


@pytest.fixture
def checkout(tmp_path):
    """A checkout with nothing but the script, and a PATH with nothing but the tools it may expect."""
    tree, tools = tmp_path / "tree", tmp_path / "tools"
    (tree / "scripts").mkdir(parents=True)
    tools.mkdir()
    shutil.copy(ROOT / "scripts" / "setup", tree / "scripts" / "setup")
    shutil.copytree(ROOT / "requirements", tree / "requirements")
    shutil.copy(ROOT / "requirements.txt", tree)
    for tool in TOOLS:
        (tools / tool).symlink_to(shutil.which(tool))
    return tree


def add_python(checkout, body):
    python = checkout.parent / "tools" / "python3"
    python.write_text(f"#!/bin/sh\n{body}\n")
    python.chmod(0o755)


def set_up(checkout, layer="service"):
    env = {"PATH": str(checkout.parent / "tools"), "HOME": "/nonexistent", "PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    env |= {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    return subprocess.run(
        ["sh", "scripts/setup", layer], cwd=checkout, env=env, capture_output=True, text=True, timeout=300
    )


def test_no_python_is_told_with_the_cure(checkout):
    told = set_up(checkout)
    assert told.returncode == 1
    assert "Python 3.11 or newer was not found" in told.stderr
    assert "Fix:" in told.stderr


def test_an_old_python_is_told_with_its_version(checkout):
    add_python(checkout, 'case "$1" in --version) echo Python 3.9.2;; *) exit 1;; esac')
    told = set_up(checkout)
    assert told.returncode == 1
    assert "python3 is Python 3.9.2" in told.stderr


def test_a_python_without_venv_is_told_with_the_package(checkout):
    add_python(checkout, 'case "$*" in *venv*) echo "ensurepip is not available" >&2; exit 1;; esac')
    (checkout.parent / "tools" / "id").unlink()
    (checkout.parent / "tools" / "id").write_text("#!/bin/sh\necho 1000\n")
    (checkout.parent / "tools" / "id").chmod(0o755)
    told = set_up(checkout)
    assert told.returncode == 1
    assert "ensurepip is not available" in told.stderr
    assert "apt-get install python3-venv" in told.stderr


def test_no_network_is_told_without_a_traceback(checkout):
    (checkout.parent / "tools" / "python3").symlink_to(shutil.which("python3", path="/usr/bin:/usr/local/bin"))
    told = set_up(checkout)
    assert told.returncode == 1
    assert "pip could not install requirements/build.txt" in told.stderr
    assert "check the network" in told.stderr
    assert "Traceback" not in told.stderr


def test_a_wrong_layer_is_told(checkout):
    told = set_up(checkout, "cellar")
    assert told.returncode == 2
    assert "usage" in told.stderr


def test_manage_without_its_packages_says_what_to_run():
    told = subprocess.run(
        ["/usr/bin/python3", "-I", "-S", "manage.py", "up"], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert told.returncode == 1
    assert "make setup" in told.stderr
    assert "Traceback" not in told.stderr


def test_a_data_folder_that_cannot_be_used_is_told(tmp_path):
    (tmp_path / "file").write_text("in the way")
    env = {"PATH": "/usr/bin:/bin", "RUMRUNNER_DATA": str(tmp_path / "file" / "data")}
    python = ROOT / ".venv" / "bin" / "python"
    told = subprocess.run([str(python), "manage.py", "check"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert told.returncode == 1
    assert "RUMRUNNER_DATA" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize("script", ["setup", "compile_engines.py"])
def test_a_newer_release_of_something_pinned_does_not_stop_set_up(script):
    """Asked to resolve what a list with hashes names, pip prefers a newer release of an extra, and then refuses it."""
    words = (ROOT / "scripts" / script).read_text().split("--require-hashes")
    assert len(words) == 2
    assert "--no-deps" in words[1][:20]
