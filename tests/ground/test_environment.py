import re
import ssl
import stat
import sys
from pathlib import Path

import kombu
import pytest
import redis
from django.core.exceptions import ImproperlyConfigured

from ladder import environment
from ladder.broker import LONGEST_SOCKET_PATH, broker_url, cache_url, chosen_broker, socket_path
from ladder.cache import ForgivingRedisCache
from tests.service.harness import running
from tests.service.loaded import run


@pytest.mark.parametrize("text", ["eight", "-1", "1.5", ""])
def test_a_number_that_cannot_be_read_is_shown_with_its_name(monkeypatch, text):
    monkeypatch.setenv("PORT", text)
    with pytest.raises(ImproperlyConfigured, match=r"PORT=.*whole number"):
        environment.read_int("PORT")


def test_a_flag_that_is_neither_true_nor_false_is_shown(monkeypatch):
    monkeypatch.setenv("RUMRUNNER_HTTPS", "maybe")
    with pytest.raises(ImproperlyConfigured, match="maybe"):
        environment.read_bool("RUMRUNNER_HTTPS")


def test_a_choice_outside_its_list_names_the_list(monkeypatch):
    monkeypatch.setenv("RUMRUNNER_SIGNUP", "everyone")
    with pytest.raises(ImproperlyConfigured, match="open, invite, closed"):
        environment.read_choice("RUMRUNNER_SIGNUP", ("open", "invite", "closed"))


@pytest.mark.parametrize("secret", ["short", "long enough but with spaces"])
def test_a_secret_that_anybody_could_guess_is_refused_and_not_shown(monkeypatch, secret):
    monkeypatch.setenv("RUMRUNNER_METRICS_TOKEN", secret)
    with pytest.raises(ImproperlyConfigured, match=r"RUMRUNNER_METRICS_TOKEN.*16") as told:
        environment.read_secret("RUMRUNNER_METRICS_TOKEN", least=16)
    assert secret not in str(told.value)


def test_a_wrong_value_stops_the_start_with_one_line(tmp_path):
    command = [sys.executable, "manage.py", "check"]
    env = {"RUMRUNNER_DATA": str(tmp_path), "RUMRUNNER_WORKERS": "many", "PATH": "/usr/bin:/bin"}
    result = run(command, env=env)
    assert result.returncode == 1
    assert "RUMRUNNER_WORKERS='many'" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_secret_key_is_made_once_and_is_its_owners_alone(tmp_path):
    program = "import ladder.settings as s; print(s.SECRET_KEY)"
    env = {"RUMRUNNER_DATA": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"}
    keys = {run([sys.executable, "-c", program], env=env).stdout for _ in range(2)}
    assert [len(key) > 40 for key in keys] == [True]
    assert stat.S_IMODE((tmp_path / "data" / "secret_key").stat().st_mode) == 0o600


def test_the_socket_of_a_deep_folder_is_short_enough_for_the_kernel():
    deep = Path("/" + "/".join(["a-rather-long-folder-name"] * 8))
    assert len(str(socket_path(deep))) <= LONGEST_SOCKET_PATH
    assert socket_path(deep) != socket_path(deep / "other")


@pytest.mark.parametrize(
    ("broker", "cache"),
    [
        (broker_url(Path("/data")), "unix:///data/broker/valkey.sock?db=0"),
        (
            "redis+socket:///run/valkey.sock?virtual_host=3&password=p%26q",
            "unix:///run/valkey.sock?password=p%26q&db=3",
        ),
        ("redis://host:6379/0", "redis://host:6379/0"),
        ("redis://:secret@host:6379/5", "redis://:secret@host:6379/5"),
        ("redis://host:6379", "redis://host:6379/0"),
        ("rediss://host/2?ssl_cert_reqs=CERT_NONE", "rediss://host/2?ssl_cert_reqs=none"),
        (
            "rediss://host?ssl_cert_reqs=required&ssl_ca_certs=/ca.pem",
            "rediss://host/0?ssl_cert_reqs=required&ssl_ca_certs=%2Fca.pem",
        ),
    ],
)
def test_two_installations_on_one_server_do_not_share_a_cache(broker, cache):
    assert cache_url(broker) == cache
    redis.ConnectionPool.from_url(cache_url(broker)).make_connection()  # it takes every word of it


def test_a_secure_broker_is_checked_by_both_that_use_it(monkeypatch):
    monkeypatch.setenv("RUMRUNNER_BROKER_URL", "rediss://host:6380/2")
    url = chosen_broker(Path("/data"))
    assert kombu.Connection(url).ssl == {"ssl_cert_reqs": ssl.CERT_REQUIRED}
    assert redis.ConnectionPool.from_url(cache_url(url)).connection_kwargs["ssl_cert_reqs"] == "required"


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("amqp://ann:secret@host//", "'amqp'.*redis://, rediss://"),
        ("host:6379", "redis://, rediss://"),
        ("redis://ann:secret@host:many/0", "port"),
        ("redis://ann:secret@host:6379/zero", "'zero'.*number"),
        ("rediss://ann:secret@host/0?ssl_cert_reqs=perhaps", "'perhaps'.*required, optional, none"),
    ],
)
def test_a_broker_that_cannot_be_read_is_told_without_its_password(monkeypatch, url, complaint):
    monkeypatch.setenv("RUMRUNNER_BROKER_URL", url)
    with pytest.raises(ImproperlyConfigured, match=f"RUMRUNNER_BROKER_URL.*{complaint}") as told:
        chosen_broker(Path("/data"))
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    ("name", "url", "complaint"),
    [
        ("RUMRUNNER_DATABASE_URL", "host/name", "postgres://"),
        ("RUMRUNNER_DATABASE_URL", "mysql://ann:secret@host/name", "'mysql'.*postgres://"),
        ("RUMRUNNER_DATABASE_URL", "postgres://ann:secret@host:many/name", "port"),
        ("RUMRUNNER_MAIL_URL", "mail.example.org", "smtp://"),
    ],
)
def test_an_address_that_cannot_be_read_stops_the_start_with_one_line(tmp_path, name, url, complaint):
    command = [sys.executable, "manage.py", "check"]
    env = {"RUMRUNNER_DATA": str(tmp_path), name: url, "PATH": "/usr/bin:/bin"}
    result = run(command, env=env)
    assert result.returncode == 1
    assert re.fullmatch(f"Can't start: {name} .*{complaint}.*\n", result.stderr)
    assert "secret" not in result.stderr


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("RUMRUNNER_HOSTS", "http://ladder.example.org", "has 'http://ladder.example.org'"),
        ("RUMRUNNER_ORIGINS", "ladder.example.org", "has 'ladder.example.org'"),
        ("RUMRUNNER_PREFIX", "rumrunner", "has 'rumrunner'"),
        ("RUMRUNNER_STARTS", "hot", "='hot' must be one of warm, cold"),
        ("RUMRUNNER_ENGINES", "fast", "is 'fast'; set it to pure or compiled"),
        ("RUMRUNNER_WEB_THREADS", "0", "='0' is not a whole number from 1 "),
        ("RUMRUNNER_HSTS_DAYS", "never", "='never' is not a whole number"),
        ("RUMRUNNER_DATABASE_URL", "postgres://ann@host", "names no database"),
        ("RUMRUNNER_DATABASE_URL", "postgres://ann:secret@[host/name", "is not an address"),
    ],
)
def test_what_can_not_be_meant_stops_the_start_with_one_line(tmp_path, name, value, complaint):
    command = [sys.executable, "manage.py", "drain"]
    env = {"RUMRUNNER_DATA": str(tmp_path), name: value, "PATH": "/usr/bin:/bin"}
    result = run(command, env=env)
    assert result.returncode == 1
    assert re.fullmatch(f"Can't (start|go on): {name} ?{complaint}.*", result.stderr.strip())
    assert "secret" not in result.stderr


def test_a_data_folder_with_signs_that_a_url_reserves_has_a_broker(tmp_path):
    with running(tmp_path / "50%25 off #1?") as service:
        service.start_broker()
        with kombu.Connection(broker_url(service.data)) as connection:
            connection.ensure_connection(max_retries=1)
            assert connection.connected


def test_clearing_the_cache_leaves_the_broker_s_messages(tmp_path):
    with running(tmp_path) as service:
        service.start_broker()
        service.broker().set("rumrunner:service", "a message")
        cache = ForgivingRedisCache(cache_url(broker_url(tmp_path)), {"KEY_PREFIX": "rumrunner:cache"})
        cache.set("throttle", 1)
        cache.clear()
        assert cache.get("throttle") is None
        assert service.broker().get("rumrunner:service") == b"a message"
