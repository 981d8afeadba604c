"""The beat that leaves no heap behind: while nobody takes its messages, it sends no more of them."""

from __future__ import annotations

from typing import Any

from celery.beat import PersistentScheduler

from ladder.pipeline import is_crowded


class Beat(PersistentScheduler):
    """Celery's own, but for a queue that is crowded already."""

    def apply_async(self, entry: Any, *args: Any, **options: Any) -> Any:
        return None if is_crowded() else super().apply_async(entry, *args, **options)
