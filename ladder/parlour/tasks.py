"""What Celery calls on the match queue for sittings."""

from __future__ import annotations

from celery import shared_task

from arena import SandboxUnavailable
from ladder.matches import registration
from ladder.parlour import hosting


@shared_task(name="ladder.parlour.tasks.host_sittings")
def host_sittings() -> None:
    """Keep the bots of sittings in the place of a match, for as long as people play."""
    if not registration.may_play():
        return
    try:
        hosting.host_sittings(games=registration.games_now)
    except SandboxUnavailable as error:
        registration.lose_sandbox(error)
