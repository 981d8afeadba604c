"""What Celery calls on the match queue about ratings."""

from __future__ import annotations

from celery import shared_task
from django.core.cache import cache

from ladder.ratings.fits import fit_ladder, next_due


@shared_task(name="ladder.ratings.tasks.fit_large_ladder")
def fit_large_ladder() -> None:
    """Fit the ladder that has waited longest: it takes the core of one match for a moment."""
    try:
        if ladder := next_due():
            fit_ladder(ladder)
    finally:
        cache.delete("pipeline:fit")
