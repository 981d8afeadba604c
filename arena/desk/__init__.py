"""The arena at an author's desk: series of matches, uploads, faults, and `python -m arena doctor`."""
