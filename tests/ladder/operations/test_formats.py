"""Logs for programs, and failures sent elsewhere, each by one setting."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.service.loaded import run

RAISE = (
    "import django; django.setup(); import logging, structlog\n"
    "structlog.get_logger('ladder.matches').info('played', match=7, name='Jos\\u00e9')\n"
    "try: 1/0\nexcept ZeroDivisionError: logging.getLogger('celery').exception('a \"quoted\" failure')\n"
)
GUNICORN = (
    "import gunicorn.config; from ladder.operations.logs import OneFormat\n"
    "OneFormat(gunicorn.config.Config()).info('Listening at: %s', 'here')\n"
)


def run_in(tmp_path, code: str, **settings: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "RUMRUNNER_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "ladder.settings"}
    return run([sys.executable, "-c", code], env=env | settings)


def test_every_line_of_a_log_for_programs_is_one_object(tmp_path):
    told = [json.loads(line) for line in run_in(tmp_path, RAISE, RUMRUNNER_LOG_FORMAT="json").stderr.splitlines()]
    assert [line["event"] for line in told] == ["played", 'a "quoted" failure']
    assert (told[0]["match"], told[0]["name"], told[0]["level"]) == (7, "José", "info")
    assert "ZeroDivisionError" in told[1]["exception"]


def test_the_web_server_s_own_words_are_in_the_same_format(tmp_path):
    assert json.loads(run_in(tmp_path, GUNICORN, RUMRUNNER_LOG_FORMAT="json").stderr)["event"] == "Listening at: here"
    assert "Listening at: here" in run_in(tmp_path, GUNICORN).stderr


def test_an_unknown_format_is_refused_with_those_that_are_known(tmp_path):
    told = run_in(tmp_path, "import ladder.settings", RUMRUNNER_LOG_FORMAT="xml").stderr
    assert "RUMRUNNER_LOG_FORMAT='xml' must be one of line, json." in told


@pytest.mark.parametrize(
    ("before", "dsn", "cause"),
    [("import sys; sys.modules['sentry_sdk'] = None;", "https://key@sentry.example.org/1", "Run `make options`"),
     ("", "https://sentry.example.org", "not an address that Sentry gives to a project")],
)  # fmt: skip
def test_a_sentry_that_can_t_be_told_is_refused_without_its_address(tmp_path, before, dsn, cause):
    told = run_in(tmp_path, f"{before}import ladder.settings", RUMRUNNER_SENTRY_DSN=dsn).stderr
    assert cause in told
    assert dsn not in told


def test_what_is_sent_to_sentry_names_nobody(tmp_path):
    code = (
        "import ladder.settings, sentry_sdk; options = sentry_sdk.get_client().options\n"
        "print(options['send_default_pii'], options['include_local_variables'], options['max_request_body_size'])"
    )
    told = run_in(tmp_path, code, RUMRUNNER_SENTRY_DSN="https://key@sentry.example.org/1")
    assert told.stdout.split() == ["False", "False", "never"]
