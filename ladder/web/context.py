"""What every page needs: the games in the masthead, the theme, and how much news the reader has."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from engines import GAMES, Game
from ladder.accounts.queries import unread_count
from ladder.web.posters import has_pictures

THEMES = ("system", "light", "dark")


def games_in_order() -> tuple[Game, ...]:
    """Games as the masthead lists them: in the order of the engines."""
    return tuple(GAMES.values())


def theme_of(request: HttpRequest) -> str:
    """The theme that the reader chose."""
    theme = request.COOKIES.get("theme", "system")
    return theme if theme in THEMES else "system"


def site(request: HttpRequest) -> dict[str, Any]:
    """Context of the masthead and the foot."""
    return {
        "nav_games": games_in_order(),
        "themes": THEMES,
        "has_pictures": has_pictures(),
        "theme": theme_of(request),
        "unread": SimpleLazyObject(lambda: _unread(request)),
    }


def _unread(request: HttpRequest) -> int:
    return unread_count(request.user) if request.user.is_authenticated else 0
