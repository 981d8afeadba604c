from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.accounts.models import User
from ladder.accounts.services import reset_path
from ladder.environment import read, read_int, read_list


class Command(BaseCommand):
    help = "Print a one-time link for setting a new password; it is valid for 24 hours."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *, username: str, **options: Any) -> None:
        user = User.objects.filter(username__iexact=username, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active user named {username!r}.")
        self.stdout.write(site_url() + reset_path(user))


def site_url() -> str:
    """Where people reach the site: the first trusted origin, otherwise the address it listens on."""
    origins = read_list("RUMRUNNER_ORIGINS")
    return origins[0].rstrip("/") if origins else f"http://{read('HOST')}:{read_int('PORT')}"
