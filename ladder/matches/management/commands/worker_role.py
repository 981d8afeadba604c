"""``manage.py worker_role``: what a machine that only plays needs, and no more."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.environment import read
from ladder.matches.roles import can_take_locks, make_role
from ladder.refusals import Refused

LOCKS = """PostgreSQL lets every role take the locks of the service: this worker could keep ratings from being computed.
Its operator can forbid that: psql --dbname NAME --file deploy/narrow.sql"""


class Command(BaseCommand):
    help = "Make a role with which a worker can play matches and nothing else; prints its settings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="of the role in database and broker; one that is there gets a new password")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            role = make_role(options["name"], read("RUMRUNNER_DATABASE_URL"))
        except Refused as error:
            raise CommandError(str(error)) from error
        self.stdout.write("RUMRUNNER_NARROW=true")
        self.stdout.write(f"RUMRUNNER_DATABASE_URL={role.database_url}")
        if role.broker_url:
            self.stdout.write(f"RUMRUNNER_BROKER_URL={role.broker_url}")
        self.stderr.write("These lines are the worker's whole environment; no other secret belongs on its machine.")
        if can_take_locks(options["name"]):
            self.stderr.write(LOCKS)
        self.stderr.write(f"To keep the broker's user over its restarts, add to its ACL file:\n{role.acl}")
