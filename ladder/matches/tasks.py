"""What Celery calls on the match queue."""

from __future__ import annotations

from celery import shared_task

from arena import SandboxUnavailable
from ladder.events import Event, announce
from ladder.matches import playing, registration


@shared_task(name="ladder.matches.tasks.play_matches")
def play_matches() -> None:
    """Play a chunk of queued matches, then ask for the next chunk if more wait; who got none leaves it to the beat."""
    try:
        played = playing.play_chunk(may_go_on=registration.may_play, games=registration.playable_games)
    except SandboxUnavailable as error:
        registration.lose_sandbox(error)
    else:
        if played:
            announce(Event.MATCHES_QUEUED)
