"""All matches of a ladder at once: TrueSkill's model fitted to them, with joint draws whose intervals hold.

Pure: no database, no clock, no settings. docs/14-ratings.md tells the model and how often its intervals were right.
"""

from ladder.ratings.fit.evidence import Evidence, InvalidMatches, Seatings, evidence_of
from ladder.ratings.fit.fitting import Fit, fit_evidence, places_of_draws
from ladder.ratings.fit.model import FitFailed

__all__ = [
    "Evidence",
    "Fit",
    "FitFailed",
    "InvalidMatches",
    "Seatings",
    "evidence_of",
    "fit_evidence",
    "places_of_draws",
]
