"""`manage.py worker_health`: exit 0 while the worker of this machine can play, else say why not."""

from __future__ import annotations

import socket
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.matches.queries import able_workers, live_workers
from ladder.matches.registration import sandbox_message


class Command(BaseCommand):
    help = "Whether the worker of this machine can play; for health checks of containers and supervisors"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", default=f"matches@{socket.gethostname()}", help="as under Workers")
        parser.add_argument("--canary", action="store_true", help="also send the canary into the sandbox here")

    def handle(self, *args: Any, name: str, canary: bool, **options: Any) -> None:
        worker = live_workers().filter(name=name).first()
        if worker is None:
            raise CommandError(f"{name} has not reported in recently.")
        if worker.drained_at:
            self.stdout.write(f"{name} is drained: it takes nothing, as an operator wants it.")
            return
        if not able_workers().filter(name=name).exists():
            raise CommandError(f"{name} can play nothing: {worker.message or 'it does not serve the match queue'}")
        if canary and (message := sandbox_message()):
            raise CommandError(f"The canary did not come back from the sandbox: {message}")
        self.stdout.write(f"{name} plays: {', '.join(worker.abilities.get('runtimes', {})) or 'runtimes unknown'}")
