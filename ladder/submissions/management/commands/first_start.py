from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ladder.locks import one_at_a_time
from ladder.submissions.house import first_start


class Command(BaseCommand):
    help = "Make the administrator, open the first ladders and register the house bots; a second time changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        with one_at_a_time(self.stdout.write):
            done = first_start()
        for slug in done.ladders:
            self.stdout.write(f"opened ladder {slug}")
        for version in done.versions:
            self.stdout.write(f"registered {version}")
        if done.password:
            self.stdout.write(f"Administrator: {done.administrator}   password: {done.password}")
            self.stdout.write("The password is shown this once. Change it after signing in.")
