"""What Celery calls on the match queue."""

from __future__ import annotations

from celery import shared_task

from ladder import pipeline
from ladder.matches import playing, registration


@shared_task(name="ladder.matches.tasks.play_matches")
def play_matches() -> None:
    """Play a chunk of queued matches, then ask for the next chunk if more wait."""
    if registration.may_play():
        playing.play_chunk()
        pipeline.wake_players()
