"""Lines of CSV: what a spreadsheet would run is text, and numbers stay numbers."""

from __future__ import annotations

import csv

import pytest

from ladder.spreadsheets import csv_line


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\tx", "\rx"])
def test_text_that_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    (read,) = next(csv.reader([csv_line([text])]))
    assert read == f"'{text}"


def test_a_negative_number_stays_a_number() -> None:
    assert csv_line([-1.5, 0, None]) == "-1.5,0,\r\n"


def test_commas_quotes_and_line_breaks_come_back_as_they_were() -> None:
    given = ["a, b", 'say "gin"', "two\nlines", ""]
    assert next(csv.reader(csv_line(given).splitlines(keepends=True))) == given
