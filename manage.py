#!/usr/bin/env python
"""Runs the service's commands; ``manage.py help`` lists them."""

from __future__ import annotations

import os
import sys


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever starts it with an old Python is told so
        sys.exit(f"Rumrunner needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed here. Run `make setup`, then use .venv/bin/python manage.py.")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:
        sys.exit(f"Can't start: {wrong}")
    except Exception as error:
        told = None if "--traceback" in sys.argv else explanation(error)
        if told is None:
            raise
        sys.exit(f"\nCan't go on: {told}")


def explanation(error: Exception) -> str | None:
    """What the machine refused, in one line; None for a failure of our own, which keeps its traceback."""
    from ladder.environment import data_folder
    from ladder.outages import explain

    return explain(error, data_folder())


if __name__ == "__main__":
    main()
