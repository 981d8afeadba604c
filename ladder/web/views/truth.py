"""A ladder's own page of truth."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engines import GAMES
from ladder.ladders.queries import get_ladder
from ladder.ratings.queries import shown_fit
from ladder.ratings.truth import told_truth
from ladder.web.charts import calibration_chart, drift_chart, share_bars, tallest


@require_safe
def truth_page(request: HttpRequest, slug: str) -> HttpResponse:
    """What seats are worth, whether the field is transitive, drift, and how predictions came true."""
    ladder = get_ladder(slug)
    truth = told_truth(ladder)
    shares = truth.shares
    tall = tallest([window for anchor in truth.anchors for window in anchor.windows])
    outside, windows = truth.windows_outside
    context = {
        "nav": ladder.game,
        "ladder": ladder,
        "game": GAMES[ladder.game],
        "fit": shown_fit(ladder),
        "truth": truth,
        "by_turn": list(zip(shares.by_turn, share_bars(shares.by_turn), strict=True)),
        "by_seat": list(zip(shares.by_seat, share_bars(shares.by_seat), strict=True)),
        "calibrations": [
            (name, found, calibration_chart(found.bins))
            for name, found in (("Ratings", truth.by_fit), ("TrueSkill", truth.by_trueskill))
            if found
        ],
        "drifts": [(anchor, drift_chart(anchor.windows, tall=tall)) for anchor in truth.anchors],
        "outside": outside,
        "windows": windows,
    }
    return render(request, "web/truth.html", context)
