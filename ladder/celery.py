"""The Celery application; what wakes what stands in ``ladder.pipeline``."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from django.conf import settings
from django_structlog.celery.steps import DjangoStructLogInitStep
from kombu.transport import redis as redis_transport

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")

# Messages only wake stages, so none is worth restoring; and trying to, while the broker is away, ends the worker.
redis_transport.Channel.do_restore = False
_restore_visible = redis_transport.QoS.restore_visible


def restore_visible(self: Any, *args: Any, **options: Any) -> None:
    """A worker with narrow rights does not look for lost messages either: kombu's lock for that needs scripts."""
    if not settings.NARROW:
        _restore_visible(self, *args, **options)


redis_transport.QoS.restore_visible = restore_visible  # type: ignore[method-assign]

app = Celery("rumrunner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)  # log lines of a task carry its id and the request's
