"""The joint draws of a fit, read back from where they are kept."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from django.db import connection

from ladder.ratings.fit.evidence import Floats
from ladder.ratings.models import Fit, FitDraws, FitLine


def deviations(fit: Fit, versions: Collection[int]) -> dict[int, Floats]:
    """How far each draw of some versions lies from their ratings, of those that the fit knows.

    Reads their parts of the blob alone.
    """
    lines = FitLine.objects.filter(fit=fit, version__in=versions).values_list("version_id", "player")
    count = FitDraws.objects.filter(fit=fit).values_list("count", flat=True).first()
    players = dict(lines) if count is not None else {}
    if not players or count is None:
        return {}
    parts = sorted(set(players.values()))
    bounds = [bound for player in parts for bound in (1 + 2 * count * player, 2 * count)]
    columns = ", ".join(["SUBSTR(content, %s, %s)"] * len(parts))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM ratings_fitdraws WHERE fit_id = %s", [*bounds, fit.pk])  # noqa: S608
        found = dict(zip(parts, cursor.fetchone(), strict=True))
    return {
        version: np.frombuffer(bytes(found[player]), dtype="<f2").astype(np.float64)
        for version, player in players.items()
    }
