"""A browser's test and the service it looks at share one connection to SQLite, from two threads."""

from threading import Barrier, Thread

import pysqlite3
import pytest
from django.conf import settings

STATEMENTS = 200  # more than are kept without being told to keep more
COLUMNS = ", ".join(f"a{number}" for number in range(300))  # so many that to prepare a statement takes a while


@pytest.mark.skipif("sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="the tests run on PostgreSQL")
def test_statements_made_by_two_threads_at_once_can_still_be_made_anew() -> None:
    kept = settings.DATABASES["default"]["OPTIONS"]["cached_statements"]
    connection = pysqlite3.connect(":memory:", check_same_thread=False, cached_statements=kept)
    connection.execute(f"CREATE TABLE wide ({COLUMNS})")
    both, failed = Barrier(2), []

    def ask() -> None:
        for number in range(3 * STATEMENTS):
            both.wait(timeout=300)
            try:
                connection.execute(f"SELECT {COLUMNS}, {number % STATEMENTS} FROM wide").fetchall()
            except KeyError as error:
                failed.append(error)

    threads = [Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=300)
    assert not failed
