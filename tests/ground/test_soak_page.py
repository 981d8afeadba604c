"""The page of the long forms keeps what was not run again."""

from tests.soak_page import merged, table

RUNS = [
    ("engines/test_fuzz.py::test_many", "capone", "passed", 2.4, ""),
    ("engines/test_fuzz.py::test_many", "gatsby", "failed", 1.0, ""),
    ("service/test_kills.py::test_kills", "", "passed", 160.0, "seed 7"),
]


def test_cases_of_a_test_share_a_line():
    lines = table(RUNS, "2030-01-02")
    assert (
        lines["engines/test_fuzz.py::test_many"] == "| `engines/test_fuzz.py::test_many` | 2030-01-02 | 1 | 1 | 3 |  |"
    )
    assert lines["service/test_kills.py::test_kills"].endswith("| 1 | 0 | 160 | seed 7 |")


def test_a_part_leaves_the_other_lines_as_they_were():
    page = merged("", table(RUNS, "2030-01-02"))
    again = merged(page, table(RUNS[2:], "2030-02-03"))
    old, new = page.splitlines()[-2:], again.splitlines()[-2:]
    assert new[0] == old[0]
    assert new[1] == old[1].replace("2030-01-02", "2030-02-03")
    assert len(again.splitlines()) == len(page.splitlines())
