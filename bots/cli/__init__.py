"""`rumrunner`: from nothing to a bot on the ladder, at the author's desk."""
