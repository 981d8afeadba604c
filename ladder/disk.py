"""The room that bundles and records are given, and how much of it is taken."""

from __future__ import annotations

from django.conf import settings
from django.core.cache import cache
from django.db import connection

GIBIBYTE = 1024**3


def disk_used_bytes() -> int:
    """Room that the database takes; bundles and records are in it."""
    sql = {
        "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        "postgresql": "SELECT pg_database_size(current_database())",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return int(cursor.fetchone()[0])


def is_disk_full() -> bool:
    """Whether bundles and records have filled the room they are given; looked up once a minute."""
    used = cache.get_or_set("operations:disk", disk_used_bytes, 60)
    return bool(used is not None and used >= settings.DISK_GIB * GIBIBYTE)
