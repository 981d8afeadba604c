"""What a link to a page says of itself where it is shared: a title and a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from arena.intervals import Z95
from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches.models import Match
from ladder.ratings.models import Standing
from ladder.submissions.models import Bot
from ladder.tournaments.models import Tournament
from ladder.tournaments.queries import TournamentProgress, entrants_of, winners_of
from ladder.tournaments.schedule import format_of


@dataclass(frozen=True, slots=True)
class LinkCard:
    """A page in short."""

    title: str
    description: str
    is_embeddable: bool = False  # other sites may show it in a frame


def card_of_match(match: Match, sentence: str) -> LinkCard:
    """Who played, and how it ended or stands."""
    names = " – ".join(seat.version.bot.name for seat in match.seats.all())
    return LinkCard(names, f"{GAMES[match.ladder.game].title}: {sentence}", is_embeddable=True)


def card_of_bot(bot: Bot, standing: Standing | None) -> LinkCard:
    """Whose it is, and how it is rated."""
    whose = f"A {GAMES[bot.game].title} bot" + (f" by {bot.owner.username}" if bot.owner else "")
    if standing is None or not standing.matches:
        return LinkCard(bot.name, f"{whose}, not rated yet.")
    rated = (
        f"rated {standing.rating:.1f} ± {Z95 * standing.sd:.1f} after {_counted(standing.matches, 'match', 'matches')}"
    )
    return LinkCard(bot.name, f"{whose}, {rated}.")


def card_of_author(name: str, *, bots: int, matches: int, titles: int) -> LinkCard:
    """How many bots they have, and how those have done."""
    if not bots:
        return LinkCard(name, "No bots yet.")
    told = [_counted(bots, "bot", "bots"), _counted(matches, "rated match", "rated matches")]
    if titles:
        told.append(_counted(titles, "tournament won", "tournaments won"))
    return LinkCard(name, f"{', '.join(told)}.")


def card_of_ladder(ladder: Ladder, bots: int) -> LinkCard:
    """How many play on it, and how much they have played."""
    title = f"{GAMES[ladder.game].title} ladder, {ladder.seats} seats"
    played = _counted(ladder.rated_through, "rated match", "rated matches")
    return LinkCard(title, f"{_counted(bots, 'bot', 'bots')} and {played} so far.", is_embeddable=True)


def card_of_tournament(tournament: Tournament, progress: TournamentProgress | None) -> LinkCard:
    """What is played, how far it is, and who has won."""
    name = format_of(tournament).words
    bots = _counted(tournament.entrant_count or entrants_of(tournament).count(), "bot", "bots")
    how = f"A {GAMES[tournament.ladder.game].title} {name} of {bots}"
    return LinkCard(tournament.name, f"{how}{_how_far(tournament, progress)}.")


def _how_far(tournament: Tournament, progress: TournamentProgress | None) -> str:
    if first := [row.entrant.bot.name for row in winners_of(tournament)]:
        return f", won by {' and '.join(first)}" if len(first) < 4 else ": finished"
    played = f", {progress.done} of {progress.total} matches played" if progress and progress.total else ""
    return f": {tournament.status}{played}"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
