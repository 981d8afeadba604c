"""What https changes: the way there, the header that keeps browsers on it, and what is still asked without it."""

import json
import sys

from tests.service.loaded import run

PROGRAM = """
import json, django
django.setup()
from django.test import Client
answers = []
for path, given in json.loads({asked!r}):
    answer = Client(raise_request_exception=False).get(path, HTTP_HOST="localhost", **given)
    answers.append([answer.status_code, answer.get("Location"), answer.get("Strict-Transport-Security")])
print(json.dumps(answers))
"""
SECURE = {"HTTP_X_FORWARDED_PROTO": "https"}


def answers(tmp_path, *asked, **settings):
    env = {"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    program = PROGRAM.format(asked=json.dumps(asked))
    done = run([sys.executable, "-c", program], env=env | settings)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_with_https_on_plain_requests_are_sent_there_and_browsers_stay(tmp_path):
    asked = [
        ("/robots.txt", {}),
        ("/api/v1/games/", {}),
        ("/api/v1/games/", SECURE),
        ("/healthz", {}),
        ("/metrics", {}),
    ]
    page, api, secure, health, metrics = answers(tmp_path, *asked, RUMRUNNER_HTTPS="true", RUMRUNNER_PROXIES="1")
    assert page == [301, "https://localhost/robots.txt", None]
    assert api == [301, "https://localhost/api/v1/games/", None]
    assert secure == [200, None, "max-age=31536000"]
    assert health[1] is None, "programs on this machine ask it without https"
    assert metrics[1] is None


def test_how_long_browsers_stay_is_a_setting(tmp_path):
    settings = {"RUMRUNNER_HTTPS": "true", "RUMRUNNER_PROXIES": "1", "RUMRUNNER_HSTS_DAYS": "0"}
    assert answers(tmp_path, ("/api/v1/games/", SECURE), **settings) == [[200, None, None]]


def test_without_https_nobody_is_sent_anywhere(tmp_path):
    assert answers(tmp_path, ("/api/v1/games/", {}), ("/api/v1/games/", SECURE)) == [[200, None, None]] * 2


def test_https_without_a_proxy_that_tells_of_it_makes_no_endless_circle_and_is_warned_of(tmp_path):
    settings = {"RUMRUNNER_HTTPS": "true"}
    assert answers(tmp_path, ("/api/v1/games/", SECURE), **settings) == [[200, None, None]]
    env = {"PATH": "/usr/bin:/bin", "RUMRUNNER_DATA": str(tmp_path)} | settings
    told = run([sys.executable, "manage.py", "check"], env=env)
    assert "RUMRUNNER_PROXIES" in told.stderr
