"""No luck for sale: what an author gains who uploads the same bot again and again and keeps the luckiest version."""

from __future__ import annotations

import os

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
django.setup()

from benchmarks.ratings.seasons import Season, new_season  # noqa: E402
from benchmarks.ratings.worlds import WORLDS  # noqa: E402

VERSIONS, MATCHES = 20, 18
SEASONS = 20
FIRST_SEED = 100


def gains(season: Season, *, bot: int, versions: int = VERSIONS) -> tuple[float, float]:
    """How far the best of equal versions stands above their true rating: TrueSkill's own mu, the fit's rating."""
    family = [bot]
    for _ in range(versions - 1):
        news = season.release(family[-1:], step=0.0)  # a byte changed: another digest, the same strength
        season.play_newcomers(news, matches=MATCHES)
        family += news
    truth = season.field.true_ratings()
    mu, _ = season.trueskill()
    field = [each for each in range(len(mu)) if each not in family]
    ratings = (mu, season.fit().rating)
    own, ours = ((each - each[field].mean() - truth + truth[field].mean())[family].max() for each in ratings)
    return float(own), float(ours)


def play(seed: int, *, bots: int = 50, versions: int = VERSIONS) -> tuple[float, float]:
    """One season; the bot in the middle of the field is uploaded again and again."""
    season = new_season(WORLDS["plain"], seed=seed, bots=bots)
    season.play(matches_a_bot=40)
    middle = int(np.argsort(season.field.skill)[bots // 2])
    return gains(season, bot=middle, versions=versions)


def main() -> None:
    """The mean over seasons, with its standard error."""
    found = np.array([play(FIRST_SEED + seed) for seed in range(SEASONS)])
    (own, ours), (own_se, ours_se) = found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(SEASONS)
    print(
        f"Best of {VERSIONS} equal versions, {SEASONS} seasons: by the fit {ours:+.2f} ± {ours_se:.2f} (goal 0.3), "
        f"by TrueSkill's mu {own:+.2f} ± {own_se:.2f}"
    )


if __name__ == "__main__":
    main()
