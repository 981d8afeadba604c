"""The broker's address as Celery and the cache spell it, and the embedded one's own folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from ladder.broker import LONGEST_SOCKET_PATH, broker_url, cache_url, chosen_broker, server_command, socket_path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def choose(url: str) -> str:
        monkeypatch.setenv("RUMRUNNER_BROKER_URL", url)
        return chosen_broker(tmp_path)

    return choose


def test_a_short_folder_has_its_socket_inside(tmp_path: Path) -> None:
    data = Path("/srv/rum")
    assert socket_path(data) == data / "broker" / "valkey.sock"


@pytest.mark.parametrize("folder", ["/" + "x" * 200, "/" + "é" * 60])
def test_a_long_folder_has_a_short_socket_elsewhere_and_always_the_same(folder: str) -> None:
    path = socket_path(Path(folder))
    assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH
    assert path == socket_path(Path(folder)) != socket_path(Path(folder + "y"))


def test_without_a_word_the_embedded_broker_is_used(asked, tmp_path: Path) -> None:
    assert asked("") == broker_url(tmp_path)


@pytest.mark.parametrize(
    "url",
    ["redis://host:6379/0", "redis://:secret@host/3", "redis://host", "rediss://host/0?ssl_cert_reqs=none",
     "redis+socket:///run/valkey.sock?virtual_host=2"],
)  # fmt: skip
def test_an_address_that_fits_is_taken_as_it_is(asked, url: str) -> None:
    assert asked(url) == url


@pytest.mark.parametrize(
    ("url", "made"),
    [
        ("rediss://host/0", "rediss://host/0?ssl_cert_reqs=required"),
        ("rediss://host/0?socket_timeout=5", "rediss://host/0?socket_timeout=5&ssl_cert_reqs=required"),
    ],
)
def test_certificates_are_checked_unless_said_otherwise(asked, url: str, made: str) -> None:
    assert asked(url) == made


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("redis://me:hush@host/first", "names the database 'first'; it must be a number"),
        (
            "rediss://me:hush@host/0?ssl_cert_reqs=maybe",
            "ssl_cert_reqs='maybe'; it must be one of required, optional, none",
        ),
        ("amqp://me:hush@host", "has the scheme 'amqp'"),
    ],
)
def test_an_address_that_can_t_be_used_is_told_without_its_password(asked, url: str, told: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        asked(url)
    assert told in str(refused.value)
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    ("broker", "cache"),
    [
        ("redis://host:6379/2", "redis://host:6379/2"),
        ("redis://host:6379", "redis://host:6379/0"),
        ("redis://host:6379/", "redis://host:6379/0"),
        ("redis+socket:///run/v.sock?virtual_host=3", "unix:///run/v.sock?db=3"),
        ("redis+socket:///run/v.sock", "unix:///run/v.sock?db=0"),
        ("rediss://host/1?ssl_cert_reqs=CERT_NONE", "rediss://host/1?ssl_cert_reqs=none"),
    ],
)
def test_the_cache_is_at_the_same_server_and_database(broker: str, cache: str) -> None:
    assert cache_url(broker) == cache


def test_the_embedded_broker_listens_to_nobody_but_its_owner(tmp_path: Path) -> None:
    command = server_command(tmp_path)
    options = dict(zip(command[1::2], command[2::2], strict=True))
    assert (options["--port"], options["--unixsocketperm"]) == ("0", "600")
    assert options["--unixsocket"] == str(socket_path(tmp_path))
    assert (options["--appendonly"], options["--maxmemory-policy"]) == ("yes", "noeviction")
    for folder in (socket_path(tmp_path).parent, tmp_path / "broker"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server_command(tmp_path)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(PermissionError, match="belongs to somebody else"):
        server_command(tmp_path)
