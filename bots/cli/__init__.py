"""`rumrunner`: from nothing to a bot on the ladder, at the author's desk."""

VERSION = "0.1.0"  # as pyproject.toml has it
