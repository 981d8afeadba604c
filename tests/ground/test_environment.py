import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from ladder import environment
from ladder.broker import LONGEST_SOCKET_PATH, broker_url, cache_url, socket_path

ROOT = Path(__file__).resolve().parents[2]


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


def test_a_wrong_value_stops_the_start_with_one_line(tmp_path):
    command = [sys.executable, "manage.py", "check"]
    env = {"RUMRUNNER_DATA": str(tmp_path), "RUMRUNNER_WORKERS": "many", "PATH": "/usr/bin:/bin"}
    result = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 1
    assert "RUMRUNNER_WORKERS='many'" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_secret_key_is_made_once_and_is_its_owners_alone(tmp_path):
    program = "import ladder.settings as s; print(s.SECRET_KEY)"
    env = {"RUMRUNNER_DATA": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"}
    keys = {
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, check=True).stdout
        for _ in range(2)
    }
    assert len(keys) == 1
    assert stat.S_IMODE((tmp_path / "data" / "secret_key").stat().st_mode) == 0o600


def test_the_socket_of_a_deep_folder_is_short_enough_for_the_kernel():
    deep = Path("/" + "/".join(["a-rather-long-folder-name"] * 8))
    assert len(str(socket_path(deep))) <= LONGEST_SOCKET_PATH
    assert socket_path(deep) != socket_path(deep / "other")


@pytest.mark.parametrize(
    ("broker", "cache"),
    [
        (broker_url(Path("/data")), "unix:///data/broker/valkey.sock?db=1"),
        ("redis://host:6379/0", "redis://host:6379/1"),
        ("redis://host:6379", "redis://host:6379/1"),
    ],
)
def test_the_cache_shares_the_broker_in_a_database_of_its_own(broker, cache):
    assert cache_url(broker) == cache
