"""Somebody who writes to the database all the time, and remembers how long he had to wait."""

from __future__ import annotations

import json
import select
import sys
import time

import django

django.setup()

from django.db import DatabaseError  # noqa: E402
from django.db.models.functions import Now  # noqa: E402

from ladder.matches.models import Pulse  # noqa: E402

PAUSE_S = 0.005


def main() -> dict[str, float]:
    """Write until told to stop; returns how often that was, the longest wait, and how often it failed."""
    Pulse.objects.get_or_create(stage="bench")
    print("ready", flush=True)
    waits, failed = [0.0], 0
    while not select.select([sys.stdin], [], [], PAUSE_S)[0]:
        began = time.perf_counter()
        try:
            Pulse.objects.filter(stage="bench").update(at=Now())
        except DatabaseError:
            failed += 1
        waits.append(time.perf_counter() - began)
    return {"writes": len(waits) - 1, "longest_s": max(waits), "failed": failed}


if __name__ == "__main__":
    print(json.dumps(main()))
