"""Every path of the API."""

from __future__ import annotations

from django.urls import path, re_path, register_converter
from django.urls.converters import IntConverter

from ladder.api import auth, games, me
from ladder.api.docs import SchemaView, SwaggerView
from ladder.api.nowhere import Nowhere


class IdConverter(IntConverter):
    """A number that fits every database; a longer one is nobody's id."""

    regex = "[0-9]{1,18}"


register_converter(IdConverter, "id")

app_name = "api"
urlpatterns = [
    path("v1/schema/", SchemaView.as_view(), name="schema"),
    path("docs/", SwaggerView.as_view(), name="docs"),
    path("v1/auth/login/", auth.LogInView.as_view(), name="login"),
    path("v1/auth/logout/", auth.LogOutView.as_view(), name="logout"),
    path("v1/auth/tokens/", auth.TokensView.as_view(), name="tokens"),
    path("v1/auth/tokens/<id:token_id>/", auth.TokenView.as_view(), name="token"),
    path("v1/me/", me.MeView.as_view(), name="me"),
    path("v1/me/export/", me.ExportView.as_view(), name="export"),
    path("v1/me/notifications/", me.NotificationsView.as_view(), name="notifications"),
    path("v1/games/", games.GamesView.as_view(), name="games"),
    path("v1/games/<str:name>/", games.GameView.as_view(), name="game"),
    re_path(r"", Nowhere.as_view(), name="nowhere"),
]
