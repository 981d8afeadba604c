"""What Celery calls about ratings."""

from __future__ import annotations

from celery import shared_task
from django.core.cache import cache

from ladder.locks import alone
from ladder.ratings.fits import ASKED, fit_ladder, next_due


@shared_task(name="ladder.ratings.tasks.fit_large_ladder")
def fit_large_ladder() -> None:
    """Fit the ladder that has waited longest, unless another process is at a fit."""
    try:
        with alone("stage fit") as is_mine:
            if is_mine and (ladder := next_due()):
                fit_ladder(ladder)
    finally:
        cache.delete(ASKED)
