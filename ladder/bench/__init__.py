"""How fast the service is beside its own floor: ``python -m ladder.bench [matches|leaderboard|recompute]``."""
