"""The page about the API: its examples run, its table is complete."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ladder.accounts.models import User
from ladder.accounts.services import make_token
from tests.ladder.api.world import World

PAGE = Path(__file__).parents[3] / "docs" / "7-api.md"
SITE = "http://testserver"
OPTIONS = {"-H": "headers", "-d": "data", "-F": "form", "-X": "method"}


def examples() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.startswith("curl ")]


def run(command: str, client: Client):
    """Do what curl would do."""
    words = iter(shlex.split(command)[1:])
    asked: dict[str, list[str]] = {"headers": [], "data": [], "form": [], "method": [], "url": []}
    for word in words:
        if word in OPTIONS:
            asked[OPTIONS[word]].append(next(words))
        elif word != "-s":
            asked["url"].append(word)
    headers = dict(line.split(": ", 1) for line in asked["headers"])
    path = asked["url"][0].removeprefix(SITE)
    if asked["form"]:
        return client.post(path, {"file": SimpleUploadedFile("main.py", b"print(1)\n")}, headers=headers)
    body = asked["data"][0] if asked["data"] else ""
    method = asked["method"][0] if asked["method"] else "POST" if body else "GET"
    return client.generic(method, path, body, headers.pop("Content-Type", ""), headers=headers)


@pytest.mark.parametrize("command", examples())
def test_every_example_works(world: World, command):
    User.objects.create_user("remus", password="bootlegger-1923")
    words = {
        "SITE": SITE, "TOKEN": make_token(world.people["owner"]).token, "BOT": world.bot.pk,
        "RIVAL": world.rival_bot.pk, "MATCH": world.finished.pk, "DUEL": world.duel.pk, "NAME": quote(world.bot.name),
        "SITTING": world.sitting.key, "INVITE": world.sitting.invite,
        "TITLE": world.bot.name, "AUTHOR": "stranger", "OTHER": quote(f"{world.rival_bot.name} v1"),
    }  # fmt: skip
    filled = re.sub(r"\$([A-Z]+)", lambda found: str(words[found[1]]), command)
    answer = run(filled, Client())
    assert 200 <= answer.status_code < 300, answer.content


def test_the_table_names_every_path_and_method(client):
    told = client.get("/api/v1/schema/?format=json").json()["paths"]
    wanted = {path.removeprefix("/api/v1/"): {method.upper() for method in told[path]} for path in told}
    rows = re.findall(r"^\| `([^`]*/)` \| ([A-Z, ]+) \|", PAGE.read_text(), re.MULTILINE)
    assert {path: set(methods.split(", ")) for path, methods in rows} == wanted
