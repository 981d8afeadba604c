"""While the database is away pages say so, with the status that monitors and browsers know, and without a traceback."""

from __future__ import annotations

import sqlite3

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError
from django.test import Client

from ladder.outages import is_away
from tests.ladder.cast import make_user
from tests.ladder.outage import SECRET, database_away

PAGES = (
    "/", "/counters/", "/docs/", "/games/gatsby/", "/games/gatsby/rules/", "/ladders/gatsby-2/", "/bots/1/",
    "/matches/", "/matches/1/", "/matches/1/frames/", "/submit/", "/versions/1/", "/account/", "/tournaments/",
    "/tournaments/new/", "/tournaments/1/", "/tournaments/1/proof/", "/accounts/tokens/", "/accounts/logout/",
    "/admin/", "/metrics", "/no-such-page/",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_503_while_the_database_is_away(path, db, caplog):
    client = Client(raise_request_exception=False)
    client.force_login(make_user("lena"))
    with database_away():
        answer = client.get(path)
    html = answer.content.decode()
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "database" in html
    assert 'role="alert"' in html
    assert SECRET not in html
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/matches/", "/tournaments/", "/ladders/gatsby-2/"])
def test_nobody_in_particular_is_told_the_same(path, db):
    with database_away():
        answer = Client().post(path, {"login": "lena", "password": "pass"}) if "login" in path else Client().get(path)
    assert answer.status_code == 503


def test_the_page_is_back_with_the_database(db):
    client = Client()
    client.force_login(make_user("lena"))
    with database_away():
        assert client.get("/matches/").status_code == 503
    assert client.get("/matches/").status_code == 200


def caused(error: Exception, code: int) -> Exception:
    cause = sqlite3.OperationalError()
    cause.sqlite_errorcode = code
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (OperationalError("server closed the connection"), True),
        (InterfaceError("connection already closed"), True),
        (caused(OperationalError("database is locked"), 5), True),
        (caused(OperationalError("database or disk is full"), 13), True),
        (caused(DatabaseError("file is not a database"), 26), True),
        (caused(DatabaseError("database disk image is malformed"), 11), True),
        (caused(OperationalError("no such column: x"), 1), False),
        (DatabaseError("Save with update_fields did not affect any rows."), False),
        (ValueError("something else"), False),
    ],
    ids=str,
)
def test_our_own_mistake_in_a_query_is_no_outage(error, away):
    assert is_away(error) is away
