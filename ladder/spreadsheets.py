"""Lines of CSV that any spreadsheet reads as they are meant."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable


def csv_line(values: Iterable[object]) -> str:
    """One line, with its end; text that a spreadsheet would take for a formula is quoted."""
    out = io.StringIO()
    csv.writer(out).writerow([_plain(value) if isinstance(value, str) else value for value in values])
    return out.getvalue()


def _plain(text: str) -> str:
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text
