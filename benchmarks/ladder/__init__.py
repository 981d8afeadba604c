"""How fast the service is beside its own floor: ``python -m benchmarks.ladder [matches|leaderboard|recompute]``."""
