"""The Celery application; what wakes what stands in ``ladder.pipeline``."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")

app = Celery("rumrunner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
