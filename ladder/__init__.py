"""The service: Django keeps bots, matches, ratings and tournaments; Celery workers play."""

from __future__ import annotations

import sys

import pysqlite3
import pysqlite3.dbapi2

# Debian's SQLite 3.40 can corrupt a WAL file with several writers; the bundled one can't.
sys.modules["sqlite3"] = pysqlite3
sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2

from ladder.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
