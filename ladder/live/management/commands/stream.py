"""``manage.py stream``: the process that streams running matches to browsers."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ladder.environment import read
from ladder.live.stream import Stream


class Command(BaseCommand):
    help = "Stream running matches to those who watch, until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = read("HOST"), settings.LIVE_PORT
        try:
            asyncio.run(serve(Stream(host, port)))
        except OSError as error:
            raise CommandError(
                f"Can't listen on {host}:{port} ({error}). Set RUMRUNNER_LIVE_PORT to another port, or to 0 for any."
            ) from None


async def serve(stream: Stream) -> None:
    """Run until a signal says stop."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stream.run(stop)
