"""Variables of the environment: what they may be, and that no complaint shows a secret."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from ladder.environment import (
    LIMITS,
    ROOT,
    VARIABLES,
    data_folder,
    read,
    read_bool,
    read_choice,
    read_int,
    read_list,
    read_secret,
    read_shaped,
    read_url,
)
from ladder.settings import HOST_NAME


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable.name, raising=False)


def test_no_variable_is_listed_twice() -> None:
    names = [variable.name for variable in VARIABLES]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("variable", VARIABLES, ids=lambda variable: variable.name)
def test_every_default_can_be_read_as_what_it_is(variable) -> None:
    reader = {bool: read_bool, int: read_int, str: read}[type(variable.default)]
    assert reader(variable.name) == variable.default
    assert variable.meaning
    assert not variable.meaning.endswith(".")


@pytest.mark.parametrize(("text", "value"), [("0", 0), (" 12 ", 12), ("007", 7), ("10000000", 10_000_000)])
def test_a_number_is_read(monkeypatch: pytest.MonkeyPatch, text: str, value: int) -> None:
    monkeypatch.setenv("RUMRUNNER_BOTS_A_USER", text)
    assert read_int("RUMRUNNER_BOTS_A_USER") == value


@pytest.mark.parametrize(
    "text", ["", "-1", "1.5", "eight", "1e3", "0x10", "1 2", "²", "0", "65536", "9" * 19, "9" * 5000]
)
def test_what_is_no_number_is_refused_with_value_and_meaning(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PORT", text)
    with pytest.raises(ImproperlyConfigured) as refused:
        read_int("PORT")
    assert f"PORT={text[:60]!r} is not a whole number from 1 to 65535." in str(refused.value)
    assert "Port the web server listens on" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("1", True), ("YES", True), (" on ", True), ("y", True),
        ("false", False), ("0", False), ("No", False), ("off", False), ("n", False), ("", False),
    ],
)  # fmt: skip
def test_yes_and_no_are_read_in_many_words(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("RUMRUNNER_HTTPS", text)
    assert read_bool("RUMRUNNER_HTTPS") is value


@pytest.mark.parametrize("text", ["maybe", "2", "tru", "-"])
def test_what_is_neither_yes_nor_no_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("RUMRUNNER_DEBUG", text)
    with pytest.raises(ImproperlyConfigured, match="is neither true nor false"):
        read_bool("RUMRUNNER_DEBUG")


@pytest.mark.parametrize(
    ("text", "parts"),
    [("a,b", ["a", "b"]), (" a , ,b,", ["a", "b"]), ("", []), (",", []), ("[::1]", ["[::1]"])],
)
def test_a_list_has_no_empty_parts(monkeypatch: pytest.MonkeyPatch, text: str, parts: list[str]) -> None:
    monkeypatch.setenv("RUMRUNNER_ORIGINS", text)
    assert read_list("RUMRUNNER_ORIGINS") == parts


@pytest.mark.parametrize("name", sorted(LIMITS))
def test_every_default_lies_within_the_limits_of_its_number(name: str) -> None:
    least, most = LIMITS[name]
    assert least <= read_int(name) <= most


@pytest.mark.parametrize("text", ["a b", "ladder.example.org:8000", "http://ladder.example.org"])
def test_a_part_of_a_list_that_can_not_be_meant_is_shown(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("RUMRUNNER_HOSTS", f"localhost, {text}")
    with pytest.raises(ImproperlyConfigured, match=f"RUMRUNNER_HOSTS has {text!r}.*write it like ladder.example.org"):
        read_shaped("RUMRUNNER_HOSTS", HOST_NAME, "ladder.example.org")


def test_a_choice_is_one_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMRUNNER_SIGNUP", "invite")
    assert read_choice("RUMRUNNER_SIGNUP", ("open", "invite", "closed")) == "invite"
    monkeypatch.setenv("RUMRUNNER_SIGNUP", "Open")
    with pytest.raises(ImproperlyConfigured, match="RUMRUNNER_SIGNUP='Open' must be one of open, invite, closed"):
        read_choice("RUMRUNNER_SIGNUP", ("open", "invite", "closed"))


@pytest.mark.parametrize("text", ["short", "with a space in the middle of it", "tab\tbed-secret-of-some-length"])
def test_a_secret_that_is_too_weak_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("RUMRUNNER_METRICS_TOKEN", text)
    with pytest.raises(ImproperlyConfigured) as refused:
        read_secret("RUMRUNNER_METRICS_TOKEN", least=16)
    assert text not in str(refused.value)
    assert "at least 16 characters" in str(refused.value)


@pytest.mark.parametrize("text", ["", "0123456789abcdef"])
def test_no_secret_and_one_of_the_least_length_are_fine(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("RUMRUNNER_METRICS_TOKEN", text)
    assert read_secret("RUMRUNNER_METRICS_TOKEN", least=16) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mysql://me:hush@host/db", "has the scheme 'mysql'; it must begin with one of postgres://"),
        ("me:hush@host", "it must begin with one of postgres://"),
        ("postgres://me:hush@host:99999/db", "has a port that is not a number from 0 to 65535"),
        ("postgres://me:hush@host:hush/db", "has a port that is not a number"),
        ("postgres://me:hush@[host/db", "is not an address"),
        ("postgres://me:hush@h\u2100st/db", "is not an address"),
    ],
)
def test_an_address_that_is_none_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    monkeypatch.setenv("RUMRUNNER_DATABASE_URL", text)
    with pytest.raises(ImproperlyConfigured) as refused:
        read_url("RUMRUNNER_DATABASE_URL", ("postgres",))
    assert told in str(refused.value)
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "postgres://me:hush@host/db", "postgres://host:5432/db?sslmode=require"])
def test_an_address_comes_back_as_it_is(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("RUMRUNNER_DATABASE_URL", text)
    assert read_url("RUMRUNNER_DATABASE_URL", ("postgres",)) == text


@pytest.mark.parametrize(
    ("text", "folder"),
    [("/srv/rum", Path("/srv/rum")), ("var", ROOT / "var"), ("a/b", ROOT / "a/b"), ("", ROOT / "var")],
)
def test_the_data_folder_is_beside_the_code_unless_said_otherwise(
    monkeypatch: pytest.MonkeyPatch, text: str, folder: Path
) -> None:
    monkeypatch.setenv("RUMRUNNER_DATA", text)
    assert data_folder() == folder
