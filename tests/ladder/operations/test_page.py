"""The page for operators names only what there is."""

from __future__ import annotations

import re
from pathlib import Path

from django.core.management import get_commands

from ladder.operations.backups import note_backup
from ladder.parlour.models import Act
from tests.ladder.parlour.table import against, house_bot, person

PAGE = (Path(__file__).parents[3] / "docs" / "9-operations.md").read_text()


def test_every_command_on_the_page_exists():
    named = set(re.findall(r"manage\.py ([a-z_]+)", PAGE))
    assert {"backup", "restore", "tidy", "invite", "reset_link"} <= named <= set(get_commands())


def test_every_metric_is_on_the_page(admin_client):
    note_backup()
    Act.objects.create(sitting=against(person("ann"), house_bot("gatsby")), ply=0, seat=1, text="M1", waited_ms=5)
    told = re.findall(r"^# TYPE (rumrunner_\w+)", admin_client.get("/metrics").content.decode(), re.MULTILINE)
    assert {name.removesuffix("_total") for name in told} == set(re.findall(r"`(rumrunner_\w+)", PAGE))
