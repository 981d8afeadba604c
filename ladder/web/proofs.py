"""The proof of a tournament in parts: what was found so far travels with the reader, signed, and nothing is kept."""

from __future__ import annotations

from dataclasses import asdict, replace
from math import ceil

from django.core import signing
from django.http import HttpRequest

from ladder.api.throttles import PerMinute
from ladder.refusals import Refused
from ladder.tournaments.models import Tournament
from ladder.tournaments.verification import Proof

A_PART = 20  # matches
A_PART_S = 2.0
MOST_LISTED = 20  # problems carried along; the rest are counted
LONGEST_PROBLEM = 300
LASTS_S = 86_400
SALT = "tournament-proof"


class ProofParts(PerMinute):
    """How many parts of proofs one visitor may have worked out in a minute."""

    scope = "proof"
    share = 0.2


def seconds_to_wait(request: HttpRequest) -> int:
    """0 if a part may be worked out now; it is counted then."""
    return ceil(ProofParts().seconds_to_wait(request))


def shortened(proof: Proof) -> Proof:
    """The proof with as many problems as fit an address; the others are counted."""
    listed = [problem[:LONGEST_PROBLEM] for problem in proof.problems[:MOST_LISTED]]
    return replace(proof, problems=listed, unlisted=proof.unlisted + len(proof.problems) - len(listed))


def carry(tournament: Tournament, proof: Proof) -> str:
    """The proof so far, signed for this tournament."""
    return signing.dumps([tournament.pk, asdict(proof)], salt=SALT, compress=True)


def carried(tournament: Tournament, text: str) -> Proof:
    """The proof that was carried; raises Refused when it was not signed here, for this tournament, today."""
    try:
        of_tournament, state = signing.loads(text, salt=SALT, max_age=LASTS_S)
    except signing.BadSignature:
        raise _anew() from None
    if of_tournament != tournament.pk:
        raise _anew()
    return Proof(**state)


def _anew() -> Refused:
    return Refused("This check can’t be continued: it is too old, or it was started elsewhere. Start again.")
