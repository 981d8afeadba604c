"""Errors stand in the site's own look and say what to do next; the API gets its own shape."""

from __future__ import annotations

import pytest
from django.core.exceptions import RequestDataTooBig
from django.test import Client, RequestFactory
from django.urls import reverse

from ladder.web import errors
from tests.ladder.cast import make_ladder, make_user


def test_a_missing_page_shows_its_address_and_a_way_home(db):
    answer = Client().get("/no-such-page/")
    html = answer.content.decode()
    assert answer.status_code == 404
    assert "/no-such-page/" in html
    assert 'role="alert"' in html
    assert f'href="{reverse("web:home")}"' in html


def test_a_missing_api_path_answers_in_the_api_s_shape(db):
    answer = Client().get("/api/v1/no-such-thing/")
    assert answer.status_code == 404
    assert set(answer.json()["error"]) >= {"code", "message"}


def test_a_body_that_is_too_large_is_413(db, settings):
    request = RequestFactory().post("/submit/")
    request.user = None
    answer = errors.bad_request(request, RequestDataTooBig())
    assert answer.status_code == 413
    assert f"{settings.UPLOAD_MIB} MiB" in answer.content.decode()


def test_a_form_without_its_security_mark_is_403_and_says_what_to_do(db):
    client = Client(enforce_csrf_checks=True)
    answer = client.post(reverse("web:theme"), {"theme": "dark"})
    assert answer.status_code == 403
    assert "reload the page" in answer.content.decode()
    assert ">Sign in</a>" not in answer.content.decode().partition("<main")[2]  # that would not help


def test_our_own_failure_needs_no_database(django_db_blocker):
    answer = errors.server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "failed on our side" in answer.content.decode()


def test_our_own_failure_keeps_the_theme_the_games_and_the_way_back(django_db_blocker):
    request = RequestFactory().get("/matches/?status=any", headers={"cookie": "theme=dark"})
    html = errors.server_error(request).content.decode()
    assert 'data-theme="dark"' in html
    assert '/games/gatsby/"' in html
    assert 'href="/matches/?status=any">Try again' in html
    assert "Try again</a>" not in errors.server_error(RequestFactory().post("/submit/")).content.decode()


def test_too_many_failed_sign_ins_lock_out_with_a_page(db, settings):
    make_user("lena")
    client = Client()
    for _ in range(settings.AXES_FAILURE_LIMIT + 1):
        answer = client.post(reverse("account_login"), {"login": "lena", "password": "wrong"})
    assert answer.status_code == 429
    assert "Too many attempts" in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/ladders/none-2/", 404),
        ("/bots/999/", 404),
        ("/matches/999/", 404),
        ("/matches/999999999999999999999/", 404),
        ("/tournaments/999/", 404),
        ("/docs/../../etc/passwd/", 404),
        ("/games/chess/", 404),
        ("/games/chess/rules/", 404),
        ("/matches/?before=abc&status=zzz", 200),
    ],
)
def test_what_does_not_exist_is_told_without_a_traceback(path, status, db):
    assert Client().get(path).status_code == status


def test_a_cursor_that_nobody_gave_out_is_refused_with_a_page(db):
    ladder = make_ladder("gatsby", 2)
    answer = Client().get(reverse("web:ladder", args=[ladder.slug]) + "?cursor=rubbish")
    assert answer.status_code == 400
    assert "rubbish" in answer.content.decode() or "cursor" in answer.content.decode()
