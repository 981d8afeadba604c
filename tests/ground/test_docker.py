"""What of docker/ can be run without Docker: install and start steps in a clean folder; the rest is read."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from tests.service.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker" / "compose.yml").read_text())
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()


def test_every_part_of_the_service_is_composed_and_looked_after():
    services = COMPOSE["services"]
    assert set(services) == {"database", "broker", "migrate", "web", "live", "worker", "service", "beat"}
    for name in ("database", "broker", "live", "service", "beat"):
        assert "healthcheck" in services[name], name
    for target in ("web", "worker"):
        assert re.search(rf"AS {target}\n(?:.*\n)*?HEALTHCHECK", DOCKERFILE), target
    assert services["worker"].get("ports") is None, "scaling workers is one flag"
    assert set(COMPOSE["volumes"]) == {"data", "database", "broker"}


def test_no_log_of_a_container_grows_for_ever():
    for name, service in COMPOSE["services"].items():
        assert set(service["logging"]["options"]) == {"max-size", "max-file"}, name


def test_the_worker_gets_what_bubblewrap_needs_and_no_more():
    worker = COMPOSE["services"]["worker"]
    assert worker["cap_drop"] == ["ALL"]
    assert "privileged" not in worker
    assert "cap_add" not in worker
    assert "seccomp=worker-seccomp.json" in worker["security_opt"], "tests/service/test_profile.py tries it"
    assert "bubblewrap" in DOCKERFILE.split("AS worker\n")[1]
    assert "bubblewrap" not in DOCKERFILE.split("AS worker\n")[0]


def test_everything_the_recipe_copies_and_calls_is_there():
    for words in re.findall(r"^COPY (.+)$", DOCKERFILE, re.MULTILINE):
        for source in words.split()[:-1] if "--from=" not in words else []:
            assert (ROOT / source).exists(), source
    for script in ("build", "install", "start", "healthy"):
        assert os.access(ROOT / "docker" / script, os.X_OK)


def test_an_unknown_role_is_refused_with_the_roles():
    for script in ("start", "healthy", "install"):
        told = subprocess.run([str(ROOT / "docker" / script), "rum"], capture_output=True, text=True, timeout=300)
        assert told.returncode == 2
        assert "usage" in told.stderr


def steps_of(target):
    """What the recipe runs for an image, from its first stage on."""
    stages = re.split(r"^FROM ", re.sub(r"\\\n", " ", DOCKERFILE), flags=re.MULTILINE)[1:]
    heads = {head.split()[2]: (head.split()[0], body) for head, _, body in (stage.partition("\n") for stage in stages)}
    parent, body = heads[target]
    own = re.findall(r"^RUN (.+)$", body, re.MULTILINE)
    return [*(steps_of(parent) if parent in heads else []), *own]


@pytest.fixture
def tree(tmp_path):
    """A copy of what an image gets, with this checkout's packages."""
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if files.returncode != 0:
        pytest.skip("not a checkout: the list of files to copy is git's")
    tree = tmp_path / "app"
    tree.mkdir()
    there = [name for name in files.stdout.splitlines() if (ROOT / name).exists()]
    subprocess.run(["cp", "--parents", "-t", str(tree), *there], cwd=ROOT, check=True)
    (tree / ".venv").symlink_to(ROOT / ".venv")
    return tree


@pytest.mark.slow
@pytest.mark.service
def test_node_bots_can_play_in_the_workers_image(tree):
    """Runs the recipe's own order of steps; what apt has not installed yet is hidden from them."""
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    if node is None:
        pytest.skip("no node on this machine to be installed or hidden")
    installed = set()
    for step in steps_of("worker-app"):
        installed |= set(step.split()) if "apt-get install" in step else set()
        if step == "docker/install worker":
            hidden = [] if "nodejs" in installed else ["--ro-bind", "/dev/null", str(Path(node).resolve())]
            words = ["bwrap", "--dev-bind", "/", "/", *hidden, "--", "docker/install", "worker"]
            env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tree), "RUMRUNNER_RUNTIME": str(tree / ".runtime")}
            told = subprocess.run(words, cwd=tree, env=env, capture_output=True, text=True, timeout=240)
            assert told.returncode == 0, told.stderr
    assert "node yes" in told.stdout


@pytest.mark.slow
@pytest.mark.service
def test_the_images_steps_install_migrate_and_serve_in_a_clean_folder(tree, tmp_path):
    port = free_port()
    env = {"PATH": "/usr/bin:/bin", "RUMRUNNER_DATA": str(tmp_path / "data"), "PORT": str(port), "HOST": "127.0.0.1"}
    env |= {"WEB_PROCESSES": "1", "PYTHONPATH": str(tree), "RUMRUNNER_RUNTIME": str(tree / ".runtime")}

    def step(*words):
        return subprocess.run(words, cwd=tree, env=env, capture_output=True, text=True, timeout=240)

    installed = step("docker/install", "web")
    assert installed.returncode == 0, installed.stderr
    migrated = step("docker/start", "migrate")
    assert migrated.returncode == 0, migrated.stderr
    assert "opened ladder gatsby-2" in migrated.stdout
    web = subprocess.Popen(
        ["docker/start", "web"], cwd=tree, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 600  # a busy machine takes its time to compile all of it
        while step("docker/healthy", "web").returncode != 0:
            assert time.monotonic() < deadline
            time.sleep(1)
    finally:
        web.send_signal(signal.SIGTERM)
        web.wait(300)
