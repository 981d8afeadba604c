"""Every path of the API."""

from __future__ import annotations

from django.urls import path, re_path, register_converter
from django.urls.converters import IntConverter

from ladder.api import (
    auth,
    bots,
    duels,
    following,
    games,
    ladders,
    matches,
    me,
    replays,
    seasons,
    sittings,
    truth,
    versions,
)
from ladder.api.docs import SchemaView, SwaggerView
from ladder.api.not_found import Nowhere
from ladder.api.tournaments import entries, results, steps
from ladder.api.tournaments import views as tournaments


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
    path("v1/me/following/", following.FollowingView.as_view(), name="following"),
    path("v1/games/", games.GamesView.as_view(), name="games"),
    path("v1/games/<str:name>/", games.GameView.as_view(), name="game"),
    path("v1/ladders/", ladders.LaddersView.as_view(), name="ladders"),
    path("v1/ladders/<slug:slug>/", ladders.LadderView.as_view(), name="ladder"),
    path("v1/ladders/<slug:slug>/leaderboard/", ladders.LeaderboardView.as_view(), name="leaderboard"),
    path("v1/ladders/<slug:slug>/export/", ladders.ExportView.as_view(), name="leaderboard-export"),
    path("v1/ladders/<slug:slug>/seasons/", seasons.SeasonsView.as_view(), name="seasons"),
    path("v1/ladders/<slug:slug>/seasons/<id:number>/", seasons.SeasonView.as_view(), name="season"),
    path("v1/ladders/<slug:slug>/seasons/<id:number>/export/", seasons.ExportView.as_view(), name="season-export"),
    path("v1/ladders/<slug:slug>/truth/", truth.TruthView.as_view(), name="truth"),
    path("v1/ladders/<slug:slug>/compare/", truth.CompareView.as_view(), name="compare"),
    path("v1/bots/", bots.BotsView.as_view(), name="bots"),
    path("v1/bots/<id:bot_id>/", bots.BotView.as_view(), name="bot"),
    path("v1/bots/<id:bot_id>/follow/", following.FollowView.as_view(), name="follow-bot"),
    path("v1/authors/<str:username>/follow/", following.FollowView.as_view(), name="follow-author"),
    path("v1/bots/<id:bot_id>/history/", bots.HistoryView.as_view(), name="history"),
    path("v1/bots/<id:bot_id>/opponents/", bots.OpponentsView.as_view(), name="opponents"),
    path("v1/bots/<id:bot_id>/versions/", versions.VersionsView.as_view(), name="versions"),
    path("v1/bots/<id:bot_id>/versions/<id:number>/", versions.VersionView.as_view(), name="version"),
    path("v1/bots/<id:bot_id>/versions/<id:number>/activate/", versions.ActivateView.as_view(), name="activate"),
    path("v1/bots/<id:bot_id>/versions/<id:number>/withdraw/", versions.WithdrawView.as_view(), name="withdraw"),
    path(
        "v1/bots/<id:bot_id>/versions/<id:number>/check-again/", versions.CheckAgainView.as_view(), name="check-again"
    ),
    path("v1/bots/<id:bot_id>/versions/<id:number>/source/", versions.SourceView.as_view(), name="source"),
    path("v1/bots/<id:bot_id>/duels/", duels.DuelsView.as_view(), name="duels"),
    path("v1/duels/<id:duel_id>/", duels.DuelView.as_view(), name="duel"),
    path("v1/duels/<id:duel_id>/cancel/", duels.CancelDuelView.as_view(), name="cancel-duel"),
    path("v1/matches/", matches.MatchesView.as_view(), name="matches"),
    path("v1/matches/<id:match_id>/", matches.MatchView.as_view(), name="match"),
    path("v1/matches/<id:match_id>/record/", replays.RecordView.as_view(), name="record"),
    path("v1/matches/<id:match_id>/frames/", replays.FramesView.as_view(), name="frames"),
    path("v1/matches/<id:match_id>/verify/", replays.VerifyView.as_view(), name="verify"),
    path("v1/matches/<id:match_id>/log/<id:seat>/", replays.LogView.as_view(), name="log"),
    path("v1/sittings/", sittings.SittingsView.as_view(), name="sittings"),
    path("v1/sittings/<slug:key>/", sittings.SittingView.as_view(), name="sitting"),
    path("v1/sittings/<slug:key>/join/", sittings.JoinView.as_view(), name="join-sitting"),
    path("v1/sittings/<slug:key>/act/", sittings.ActView.as_view(), name="act"),
    path("v1/sittings/<slug:key>/resign/", sittings.ResignView.as_view(), name="resign"),
    path("v1/tournaments/", tournaments.TournamentsView.as_view(), name="tournaments"),
    path("v1/tournaments/<id:tournament_id>/", tournaments.TournamentView.as_view(), name="tournament"),
    path("v1/tournaments/<id:tournament_id>/entries/", entries.EntriesView.as_view(), name="entries"),
    path("v1/tournaments/<id:tournament_id>/entries/<id:bot_id>/", entries.EntryView.as_view(), name="entry"),
    path("v1/tournaments/<id:tournament_id>/open/", steps.OpenView.as_view(), name="open-entries"),
    path("v1/tournaments/<id:tournament_id>/start/", steps.StartView.as_view(), name="start"),
    path("v1/tournaments/<id:tournament_id>/pause/", steps.PauseView.as_view(), name="pause"),
    path("v1/tournaments/<id:tournament_id>/resume/", steps.ResumeView.as_view(), name="resume"),
    path("v1/tournaments/<id:tournament_id>/cancel/", steps.CancelView.as_view(), name="cancel"),
    path(
        "v1/tournaments/<id:tournament_id>/matches/",
        results.TournamentMatchesView.as_view(),
        name="tournament-matches",
    ),
    path("v1/tournaments/<id:tournament_id>/standings/", results.StandingsView.as_view(), name="standings"),
    path("v1/tournaments/<id:tournament_id>/crosstable/", results.CrosstableView.as_view(), name="crosstable"),
    path("v1/tournaments/<id:tournament_id>/export/", results.ExportView.as_view(), name="tournament-export"),
    re_path(r"", Nowhere.as_view(), name="nowhere"),
]
