"""The images, built and run without Docker: a tournament among Python, Node and native bots, played inside them."""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.bots import RANDOM, marked
from tests.service.harness import ROOT, Service, running
from tests.service.ports import free_port
from tests.service.postgres import remove_postgres, start_postgres

PROGRAMS = ("debootstrap", "buildah", "unshare", "cc")
MOST_MB = {"web": 350, "worker": 450}
BOTS = ROOT / "tests" / "arena" / "bots"
# A container of our own: its mounts, the image's user, an environment from nothing. The old root goes by
# pivot_root, because nobody in a mere chroot may make the user namespaces that the sandbox needs.
ENTER = """
mount --bind "$0" "$0" && cd "$0" && mkdir -p memory before && mount -t proc proc proc && mount --rbind /dev dev
mount -t tmpfs -o exec,nosuid,nodev,size=512m,mode=1777 memory memory
pivot_root . before && umount -l before
exec setpriv --reuid=10001 --regid=10001 --clear-groups "$@"
"""
TOURNAMENT = """
import base64, json
from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.submissions.models import BotVersion
from ladder.submissions.services import create_bot, upload_version
from ladder.qualifying.activation import set_active
from ladder.tournaments.services import Wishes, create_tournament, enter, start
owner = User.objects.create_user("ann", role="administrator")
cup = create_tournament(by=owner, wishes=Wishes(name="Cup", ladder=Ladder.objects.get(slug="gatsby-2")))
for name, (filename, content) in json.load(open({bots!r})).items():
    bot = create_bot(owner=owner, game="gatsby", name=name)
    version = upload_version(bot=bot, by=owner, content=base64.b64decode(content), filename=filename)
    BotVersion.objects.filter(pk=version.pk).update(status="qualified")
    version.refresh_from_db()
    set_active(bot, version)
    enter(cup, bot, by=owner)
start(cup, by=owner)
answer(cup.pk)
"""


def zipped(name: str, runtime: str, entry: str, content: bytes) -> bytes:
    """An archive as an author makes it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("bot.toml", f'name = "{name}"\ngame = "gatsby"\nruntime = "{runtime}"\nentry = "{entry}"\n')
        file = zipfile.ZipInfo(entry)
        file.external_attr = 0o755 << 16
        archive.writestr(file, content)
    return packed.getvalue()


def bots(folder: Path) -> str:
    """A file with an upload of each runtime: too long for a command line."""
    native = folder / "native"
    subprocess.run(["cc", "-O2", "-static", "-o", native, BOTS / "good.c"], check=True, timeout=300)
    made = {
        "python": ("main.py", marked(RANDOM)),
        "node": ("bot.zip", zipped("node", "node", "main.mjs", (BOTS / "good.mjs").read_bytes())),
        "native": ("bot.zip", zipped("native", "native", "bot", native.read_bytes())),
    }
    plain = {name: (filename, base64.b64encode(content).decode()) for name, (filename, content) in made.items()}
    (folder / "bots.json").write_text(json.dumps(plain))
    return str(folder / "bots.json")


@pytest.fixture(scope="module")
def roots(tmp_path_factory) -> Iterator[dict[str, Path]]:
    """The file systems of both images, built now or named by IMAGES_BUILT=1 when they were just built."""
    if missing := [name for name in PROGRAMS if shutil.which(name) is None]:
        pytest.skip(f"{', '.join(missing)} is not installed")
    if os.geteuid() != 0:
        pytest.skip("images are built by root")
    env = {**os.environ, "STORAGE_DRIVER": os.environ.get("STORAGE_DRIVER", "vfs"), "BUILDAH_ISOLATION": "chroot"}
    if "IMAGES_BUILT" not in os.environ:
        folder = tmp_path_factory.mktemp("images")
        subprocess.run(["docker/build", folder], cwd=ROOT, env=env, check=True, timeout=3600)

    def buildah(*words: str) -> str:
        done = subprocess.run(["buildah", *words], env=env, capture_output=True, text=True, check=True, timeout=600)
        return done.stdout.strip()

    made = {image: buildah("from", f"localhost/rumrunner-{image}") for image in ("web", "worker")}
    yield {image: Path(buildah("mount", container)) for image, container in made.items()}
    for container in made.values():
        buildah("rm", container)


def part(service: Service, roots: dict[str, Path], role: str) -> list[str]:
    """How one process of the service is started inside its image."""
    root = roots["worker" if role == "worker" else "web"]
    settings = {name: value for name, value in service.env.items() if name.startswith("RUMRUNNER_")}
    settings.pop("RUMRUNNER_RUNTIME", None)  # the image has its own
    settings |= {"RUMRUNNER_DATA": "/data", "HOST": "127.0.0.1", "PORT": str(service.port), "RUMRUNNER_WORKERS": "1"}
    settings |= {"RUMRUNNER_TMPFS": "/memory", "PATH": "/usr/bin:/bin", "HOME": "/home/rumrunner", "WEB_PROCESSES": "1"}
    env = ["env", "-i", *(f"{name}={value}" for name, value in settings.items())]
    enter = ["unshare", "--mount", "sh", "-c", ENTER, str(root)]
    return [*enter, *env, "sh", "-c", f"cd /app && exec docker/start {role}"]


@pytest.mark.soak
@pytest.mark.service
def test_a_tournament_of_three_runtimes_is_played_inside_the_images(roots, tmp_path):
    with running(tmp_path / "service", RUMRUNNER_DEMO="false", RUMRUNNER_SECRET_KEY="k" * 40) as service:
        try:
            start_postgres(service)
            service.start_broker(tcp=True)
            service.port = free_port()
            migrated = subprocess.run(part(service, roots, "migrate"), capture_output=True, text=True, timeout=600)
            assert migrated.returncode == 0, migrated.stderr
            for role in ("web", "service", "beat", "worker"):
                service.start(role, part(service, roots, role))
            number = service.ask(TOURNAMENT.format(bots=bots(tmp_path)))
            count = f"SELECT count(*) FROM tournaments_tournament WHERE id = {number} AND status = 'finished'"
            service.wait_for("the end of the tournament", lambda: service.one(count), patience_s=1500)
            assert (
                service.one("SELECT count(*) FROM matches_match WHERE status = 'finished' AND lane = 'tournament'") == 6
            )
            assert service.one("SELECT count(*) FROM matches_seat WHERE fault <> ''") == 0, "all three can play"
            service.wait_for("the web server", service.web_answers)
            status, games = service.call("GET", "/api/v1/games/")
            assert status == 200, json.dumps(games)
            log = service.log_ends(1 << 20)
            assert "k" * 40 not in log
        finally:
            service.stop()
            remove_postgres(service)


@pytest.mark.soak
def test_the_images_stay_small(roots):
    for image, root in roots.items():
        measure = ["du", "-sm", "--apparent-size", "--exclude=data", root]
        taken = subprocess.run(measure, capture_output=True, text=True, check=True, timeout=300).stdout
        assert int(taken.split()[0]) <= MOST_MB[image], f"{image}: {taken}"
