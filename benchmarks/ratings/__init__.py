"""Whether ratings hold what they promise: seasons with known skills, paired and rated by the ladder's own functions.

`python -m benchmarks.ratings` prints the table of docs/14-ratings.md.
"""
