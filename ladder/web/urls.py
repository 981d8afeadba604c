from __future__ import annotations

from django.urls import path, re_path

import ladder.api.urls  # noqa: F401  registers the id converter
from ladder.web.views import account, bots, ladders, matches, pages, submit, tournaments

app_name = "web"
urlpatterns = [
    path("", pages.home, name="home"),
    path("robots.txt", pages.robots, name="robots"),
    path("counters/", pages.home_counters, name="counters"),
    path("theme/", pages.set_theme, name="theme"),
    path("docs/", pages.docs, name="docs"),
    path("docs/<slug:page>/", pages.docs, name="docs_page"),
    path("games/<slug:name>/", ladders.game, name="game"),
    path("games/<slug:name>/rules/", pages.rules, name="rules"),
    path("games/<slug:name>/bots/", pages.for_bots, name="for_bots"),
    path("ladders/<slug:slug>/", ladders.ladder_page, name="ladder"),
    path("ladders/<slug:slug>/live/", ladders.live, name="live"),
    path("ladders/<slug:slug>/compare/", ladders.compare_page, name="compare"),
    path("bots/<id:bot_id>/", bots.bot_page, name="bot"),
    path("matches/", matches.match_list, name="matches"),
    path("matches/<id:match_id>/", matches.match_page, name="match"),
    path("matches/<id:match_id>/frames/", matches.frames, name="frames"),
    path("matches/<id:match_id>/record/", matches.record, name="record"),
    path("matches/<id:match_id>/verify/", matches.verify, name="verify"),
    path("submit/", submit.submit, name="submit"),
    path("versions/<id:version_id>/", submit.version_page, name="version"),
    re_path(
        r"^versions/(?P<version_id>[0-9]{1,18})/(?P<change>activate|withdraw|check)/$",
        bots.change_version,
        name="change_version",
    ),
    path("account/", account.account, name="account"),
    path("tournaments/", tournaments.tournament_list, name="tournaments"),
    path("tournaments/new/", tournaments.create, name="create_tournament"),
    path("tournaments/preview/", tournaments.create_preview, name="preview"),
    path("tournaments/<id:tournament_id>/", tournaments.tournament_page, name="tournament"),
    path("tournaments/<id:tournament_id>/results/", tournaments.results, name="results"),
    path("tournaments/<id:tournament_id>/matches/", tournaments.pair_matches, name="tournament_matches"),
    path("tournaments/<id:tournament_id>/proof/", tournaments.proof, name="proof"),
    path("tournaments/<id:tournament_id>/entry/", tournaments.entry, name="entry"),
    path("tournaments/<id:tournament_id>/export/<str:kind>/", tournaments.export, name="export"),
    re_path(
        r"^tournaments/(?P<tournament_id>[0-9]{1,18})/(?P<name>open|start|pause|resume|cancel)/$",
        tournaments.step,
        name="tournament_step",
    ),
]
