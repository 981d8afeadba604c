"""The Celery application; what wakes what stands in ``ladder.pipeline``."""

from __future__ import annotations

import os

from celery import Celery
from django_structlog.celery.steps import DjangoStructLogInitStep
from kombu.transport import redis as redis_transport

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")

# Messages only wake stages, so none is worth restoring; and trying to, while the broker is away, ends the worker.
redis_transport.Channel.do_restore = False

app = Celery("rumrunner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)  # log lines of a task carry its id and the request's
