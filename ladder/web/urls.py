from __future__ import annotations

from django.urls import path

from ladder.web.views import pages

app_name = "web"
urlpatterns = [
    path("", pages.home, name="home"),
    path("theme/", pages.set_theme, name="theme"),
    path("docs/", pages.docs, name="docs"),
    path("docs/<slug:page>/", pages.docs, name="docs_page"),
    path("games/<slug:name>/", pages.game, name="game"),
    path("games/<slug:name>/rules/", pages.rules, name="rules"),
    path("tournaments/", pages.home, name="tournaments"),
    path("matches/", pages.home, name="matches"),
    path("submit/", pages.home, name="submit"),
    path("account/", pages.home, name="account"),
]
