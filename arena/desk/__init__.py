"""The arena at an author's desk: series of matches, and the commands of `python -m arena`."""
