"""An author's page: all bots by game, best places, tournaments won, recent matches."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from engines import GAMES, Game
from ladder.accounts.models import User
from ladder.accounts.permissions import HOUSE
from ladder.ratings.models import Standing
from ladder.submissions.models import Bot
from ladder.submissions.permissions import shown_to
from ladder.web.cards import LinkCard, card_of_author
from ladder.web.context import games_in_order
from ladder.web.news import latest_matches, titles_of
from ladder.web.pictures import Scene, scene_of
from ladder.web.plots import Bar, Scale, Tick, bar_of, scale_for
from ladder.web.views.following import follow_button

MOST_STANDINGS = 200


@dataclass(frozen=True, slots=True)
class GameShelf:
    """An author's bots of one game, the best first."""

    game: Game
    scene: Scene | None
    standings: list[Standing]

    @property
    def scale(self) -> Scale:
        """One for all bots of the game, so that their bars can be compared."""
        known = [one for one in self.standings if not one.is_provisional] or self.standings
        return scale_for(known, points=[one.rating for one in self.standings])

    @property
    def ticks(self) -> list[Tick]:
        return self.scale.ticks()

    @property
    def rows(self) -> list[tuple[Standing, Bar]]:
        """Every bot with its bar."""
        scale = self.scale
        return [(one, bar_of(one, scale, is_provisional=one.is_provisional)) for one in self.standings]

    @property
    def best(self) -> str:
        """The best place in words."""
        ranked = [one for one in self.standings if one.place]
        if not ranked:
            return "not ranked yet"
        best = min(ranked, key=lambda one: (one.place_low or 0, one.place_high or 0))
        return f"best place: {best.place} ({best.bot.name})"


@require_safe
def author_page(request: HttpRequest, username: str) -> HttpResponse:
    """Everything public about somebody who writes bots."""
    author = get_author(username)
    listed = Standing.objects.filter(bot__owner=author, is_listed=True)
    theirs = Bot.objects.filter(shown_to(request.user), owner=author)
    bots, matches, titles = theirs.count(), _matches(listed), titles_of(theirs)
    context = {
        "card": card_of_author(author.username, bots=bots, matches=matches, titles=len(titles)),
        "author": author,
        "is_house": author.username == HOUSE,
        "following": follow_button(request, author),
        "bots": bots,
        "matches_played": matches,
        "shelves": _shelves(
            list(listed.select_related("bot", "version", "ladder").order_by("-rating")[:MOST_STANDINGS])
        ),
        "titles": titles,
        "matches": latest_matches(Bot.objects.filter(owner=author, is_hidden=False)),
    }
    return render(request, "web/author.html", context)


def get_author(username: str) -> User:
    return get_object_or_404(User, username=username, is_active=True)


def card_of(author: User) -> LinkCard:
    """An author's page in short, the same for everybody."""
    bots = Bot.objects.filter(owner=author, is_hidden=False)
    listed = Standing.objects.filter(bot__owner=author, is_listed=True)
    titles = titles_of(bots)
    return card_of_author(author.username, bots=bots.count(), matches=_matches(listed), titles=len(titles))


def _matches(listed: QuerySet[Standing]) -> int:
    """Rated matches of these bots, each bot's own."""
    return listed.aggregate(all=Sum("matches"))["all"] or 0


def best_game(author: User) -> str:
    """The game of the bot that is rated highest, for a picture."""
    best = Standing.objects.filter(bot__owner=author, is_listed=True).order_by("-rating").first()
    return best.ladder.game if best else next(iter(GAMES))


def _shelves(standings: list[Standing]) -> list[GameShelf]:
    by_game = {game: [one for one in standings if one.ladder.game == game.name] for game in games_in_order()}
    return [GameShelf(game, scene_of(game), found) for game, found in by_game.items() if found]
