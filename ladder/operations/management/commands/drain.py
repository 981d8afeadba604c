"""`manage.py drain HOST`: take a machine out of play before it is upgraded or switched off."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.matches.draining import drain, drained_workers, still_playing, undo_drain
from ladder.refusals import Refused

LOOK_EVERY_S = 1.0


class Command(BaseCommand):
    help = "Let a machine end what it plays and take nothing more; without a host: say which are drained"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("host", nargs="?", help="as under Workers: the machine, or one worker's name")
        parser.add_argument("--undo", action="store_true", help="let it play again")
        parser.add_argument("--wait", type=int, default=660, metavar="SECONDS", help="for its matches to end; 0: not")

    def handle(self, *args: Any, host: str | None, undo: bool, wait: int, **options: Any) -> None:
        if host is None and undo:
            raise CommandError("Which machine is to play again? manage.py drain lists them; name one before --undo.")
        if host is None:
            self._list()
            return
        try:
            (self._undo if undo else self._drain)(host, wait)
        except Refused as refused:
            raise CommandError(refused.message) from None

    def _list(self) -> None:
        for worker in drained_workers():
            self.stdout.write(f"{worker.name} since {worker.drained_at:%Y-%m-%d %H:%M} UTC")
        if not drained_workers().exists():
            self.stdout.write("No machine is drained.")

    def _undo(self, host: str, wait: int) -> None:
        count = undo_drain(host)
        self.stdout.write(f"{host} plays again." if count else f"{host} was not drained.")

    def _drain(self, host: str, wait: int) -> None:
        drain(host)
        self.stdout.write(f"{host} takes no more matches.")
        deadline = time.monotonic() + wait
        while left := still_playing(host):
            if time.monotonic() >= deadline:
                raise CommandError(
                    f"{host} is still playing {left} after {wait} s. Ask again, or stop it: it will hand them back."
                )
            self.stdout.write(f"{left} still played")
            time.sleep(LOOK_EVERY_S)
        self.stdout.write(f"{host} is empty: stop it, upgrade it, start it, then `manage.py drain {host} --undo`.")
