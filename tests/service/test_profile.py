"""The worker image's seccomp profile, put before this machine's kernel as a container's runtime would."""

from __future__ import annotations

import errno
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sandbox import syscalls
from tests.service.confined import ALLOW, ERRNO, NUMBERS, assemble, numbers
from tests.service.harness import PATIENCE_S, ROOT, running
from tests.service.postgres import remove_postgres, start_postgres
from tests.service.test_images import TOURNAMENT, bots

PROFILE = ROOT / "docker" / "worker-seccomp.json"
BEHIND = [sys.executable, "-m", "tests.service.confined", str(PROFILE)]
OUT_OF_THE_QUESTION = {
    "acct", "add_key", "bpf", "chroot", "clock_settime", "delete_module", "finit_module", "init_module",
    "io_uring_setup", "ioperm", "iopl", "kexec_load", "keyctl", "mknod", "name_to_handle_at",
    "open_by_handle_at", "perf_event_open", "pidfd_getfd", "process_vm_readv", "ptrace", "quotactl", "reboot",
    "request_key", "settimeofday", "shmget", "swapon", "syslog", "userfaultfd",
}  # fmt: skip
OPEN = "from tests.ladder.cast import make_ladder; make_ladder('gatsby', 2)"
needs_headers = pytest.mark.skipif(not NUMBERS.exists(), reason="the kernel's headers (linux-libc-dev) are missing")


def allowed() -> set[str]:
    return {name for rule in json.loads(PROFILE.read_text())["syscalls"] for name in rule["names"]}


def test_whatever_is_not_listed_is_missing():
    profile = json.loads(PROFILE.read_text())
    assert (profile["defaultAction"], profile["defaultErrnoRet"]) == ("SCMP_ACT_ERRNO", errno.ENOSYS)
    assert {rule["action"] for rule in profile["syscalls"]} == {"SCMP_ACT_ALLOW"}
    names = [name for rule in profile["syscalls"] for name in rule["names"] if name != "socket"]
    assert len(names) == len(set(names)), "each once"
    assert not allowed() & OUT_OF_THE_QUESTION


def test_it_allows_what_the_sandbox_allows_bots():
    """The filter inside comes after this one; what the outer refuses, bots on other machines could do."""
    looked_at = {"mmap", "ioctl", "madvise", "socketpair", "clone", "fcntl", "prctl", "membarrier", "clone3"}
    assert set(syscalls.ALLOWED) | set(syscalls.CHANGING_USER) | looked_at <= allowed()


@needs_headers
def test_every_name_is_a_system_call():
    assert allowed() <= numbers().keys()


@needs_headers
def test_no_strange_family_of_sockets_can_be_had():
    ask = "import socket; socket.socket(int(__import__('sys').argv[1]), socket.SOCK_DGRAM)"
    for family, is_free in ((1, True), (2, True), (10, True), (38, False), (40, False)):  # the last: AF_ALG, AF_VSOCK
        done = subprocess.run(
            [*BEHIND, sys.executable, "-c", ask, str(family)], capture_output=True, timeout=PATIENCE_S, cwd=ROOT
        )
        assert (done.returncode == 0) is is_free, (family, done.stderr)


@needs_headers
def test_the_helper_says_what_the_profile_says():
    steps = assemble(json.loads(PROFILE.read_text()), known=numbers())
    verdicts = [step.k for step in steps if step.code == 0x06]
    assert verdicts[-1] == ERRNO | errno.ENOSYS
    assert set(verdicts[2:-1]) == {ALLOW}


@needs_headers
@pytest.mark.service
def test_bots_of_every_runtime_play_behind_the_profile():
    """The canary too: without the calls of the warm parent's set-up, or bubblewrap's, there would be no sandbox."""
    doctor = subprocess.run(
        [*BEHIND, sys.executable, "-m", "arena", "doctor"], capture_output=True, text=True, timeout=300, cwd=ROOT
    )
    assert "no │ warm starts" not in doctor.stdout, doctor.stdout
    assert "no │ layer" not in doctor.stdout, doctor.stdout
    play = [
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "tests/arena/test_runtimes.py",
        "-k",
        "bot_plays",
    ]
    done = subprocess.run([*BEHIND, sys.executable, *play], capture_output=True, text=True, timeout=600, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    assert "failed" not in done.stdout


@needs_headers
@pytest.mark.soak
@pytest.mark.service
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_worker_behind_the_profile_plays_a_tournament_and_is_healthy(tmp_path: Path):
    with running(tmp_path / "service", RUMRUNNER_DEMO="false") as service:
        try:
            start_postgres(service)
            service.start_broker(tcp=True)
            service.prepare()
            service.ask(OPEN)
            service.start_worker("service")
            service.start_beat()
            service.prefix = BEHIND
            service.start_worker("matches")
            number = service.ask(TOURNAMENT.format(bots=bots(tmp_path)))
            ended = f"SELECT count(*) FROM tournaments_tournament WHERE id = {number} AND status = 'finished'"
            service.wait_for("the end of the tournament", lambda: service.one(ended), patience_s=1500)
            assert service.one("SELECT count(*) FROM matches_seat WHERE fault <> ''") == 0
            name = service.one("SELECT name FROM matches_worker WHERE plays")
            health = [*BEHIND, sys.executable, "manage.py", "worker_health", name, "--canary"]
            assert subprocess.run(health, env=service.env, cwd=ROOT, timeout=300).returncode == 0
        finally:
            service.stop()
            remove_postgres(service)
