"""A season is closed: its table is kept as it ended, and the next begins with what is known from it."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from ladder.accounts.models import AuditEntry, User
from ladder.ladders.models import Ladder
from ladder.matches.services import void_match
from ladder.operations.backups import read_backup, write_backup
from ladder.privacy.deletion import delete_account
from ladder.privacy.owning import delete_bot
from ladder.ratings.fits import fit_ladder, next_due
from ladder.ratings.models import START_SIGMA, Fit, FitLine, Season, SeasonLine, Standing
from ladder.ratings.played import played_on
from ladder.ratings.queries import opponents, rated_matches, seat_advantage, shown_fit
from ladder.ratings.recompute import check, rebuild
from ladder.ratings.seasons import SeasonKept, close_season, reopen_season
from ladder.ratings.services import enter_ladder, rate_all
from ladder.submissions.models import Bot, BotVersion
from tests.ladder.cast import enrol, make_user, make_version, play, standing

pytestmark = pytest.mark.django_db
NOT_TOLD = ("id", "updated_at")


@pytest.fixture
def versions(ladder: Ladder) -> list[BotVersion]:
    """Three bots after twelve matches each; the first wins always, the last never."""
    versions = enrol(ladder, 3)
    for _ in range(6):
        for one, other in ((0, 1), (1, 2), (0, 2)):
            play(ladder, versions[one], versions[other], ranks=(1, 2))
    rate_all()
    ladder.refresh_from_db()
    return versions


def table(ladder: Ladder) -> list[dict[str, object]]:
    rows = ladder.standings.order_by("version").values()
    return [{name: value for name, value in row.items() if name not in NOT_TOLD} for row in rows]


def lines(season: Season) -> list[dict[str, object]]:
    return list(season.lines.order_by("pk").values())


def test_a_closed_season_keeps_the_table_as_it_ended(ladder: Ladder, versions: list[BotVersion]) -> None:
    operator = make_user("hymie", role=User.Role.ADMINISTRATOR)
    season = close_season(ladder, by=operator, note="the first winter")
    shown = FitLine.objects.get(version=versions[0])
    first = season.lines.get(position=1)
    assert (season.number, season.cause, season.closed_by, season.note) == (1, "operator", operator, "the first winter")
    assert (season.matches, season.bots, season.fitted_matches) == (18, 3, 18)
    assert (first.version, first.is_provisional, first.matches, first.wins) == (versions[0], False, 12, 12)
    assert (first.rating, first.sd, first.p_first) == (shown.rating, shown.sd, shown.p_first)
    assert (first.place_low, first.place_high, first.storey) == (shown.place_low, shown.place_high, shown.storey)
    assert AuditEntry.objects.filter(actor=operator, action="close season").exists()


def test_the_next_season_begins_with_what_is_known(ladder: Ladder, versions: list[BotVersion]) -> None:
    season = close_season(ladder, by=None)
    ladder.refresh_from_db()
    line, ended = standing(versions[0], ladder), season.lines.get(version=versions[0])
    assert (ladder.season, ladder.season_since, ladder.closed_through) == (2, season.closed_at, 18)
    assert (line.prior_rating, line.prior_sd, line.rating) == (ended.rating, ended.sd, ended.rating)
    assert (line.start_mu, line.mu, line.sigma, line.matches) == (ended.mu, ended.mu, START_SIGMA, 0)
    assert (line.is_provisional, line.place, line.missing) == (True, "", 10)
    assert seat_advantage(ladder) == []
    assert shown_fit(ladder) is None
    assert next_due() is None


def test_only_matches_of_the_season_count_and_the_last_one_s_ratings_are_priors(
    ladder: Ladder, versions: list[BotVersion]
) -> None:
    season = close_season(ladder, by=None)
    for _ in range(2):
        play(ladder, versions[1], versions[0], ranks=(1, 2))
    rate_all()
    ladder.refresh_from_db()
    Fit.objects.update(cpu_ms=0)  # fits rest after each other
    assert next_due() == ladder
    assert fit_ladder(ladder)
    fit = shown_fit(ladder)
    assert (fit.season, fit.matches, len(played_on(ladder).matches)) == (2, 2, 2)
    assert standing(versions[0], ladder).rating > standing(versions[1], ladder).rating  # twelve wins aren't forgotten
    assert standing(versions[0], ladder).rating < season.lines.get(version=versions[0]).rating
    assert fit.lines.get(version=versions[2]).matches == 0  # listed, and known
    assert [row.matches for row in opponents(bot_id=versions[0].bot_id, ladder=ladder)] == [2]
    assert rated_matches(bot_id=versions[0].bot_id, ladder=ladder) == 14


def test_a_recomputed_table_agrees_and_earlier_seasons_stay(ladder: Ladder, versions: list[BotVersion]) -> None:
    season = close_season(ladder, by=None)
    for ranks in ((1, 2), (2, 1), (2, 1)):
        play(ladder, versions[0], versions[2], ranks=ranks)
    rate_all()
    ladder.refresh_from_db()
    before, kept = table(ladder), lines(season)
    assert check(ladder).problems == []
    assert rebuild(ladder) == 21
    ladder.refresh_from_db()
    assert check(ladder).problems == []
    assert (table(ladder), lines(season)) == (before, kept)


def test_striking_a_match_of_a_closed_season_changes_no_table(ladder: Ladder, versions: list[BotVersion]) -> None:
    struck = play(ladder, versions[0], versions[1], ranks=(2, 1))
    season = close_season(ladder, by=None)
    assert season.matches == 19
    before, kept = table(ladder), lines(season)
    void_match(struck, reason="the host was on fire")
    ladder.refresh_from_db()
    rebuild(ladder)
    ladder.refresh_from_db()
    assert (table(ladder), lines(season), check(ladder).problems) == (before, kept, [])


def test_a_match_struck_just_before_does_not_count_in_the_closed_table(
    ladder: Ladder, versions: list[BotVersion]
) -> None:
    struck = play(ladder, versions[0], versions[1], ranks=(2, 1))
    rate_all()
    void_match(struck, reason="the host was on fire")
    assert close_season(ladder, by=None).matches == 18


def test_a_new_version_follows_the_one_that_the_last_season_knew(ladder: Ladder, versions: list[BotVersion]) -> None:
    season = close_season(ladder, by=None)
    ended = season.lines.get(version=versions[0])
    new = make_version(bot=versions[0].bot)
    play(ladder, new, versions[1], ranks=(1, 2))
    rate_all()
    ladder.refresh_from_db()
    assert standing(new, ladder).start_mu == ended.mu
    assert fit_ladder(ladder)
    line = shown_fit(ladder).lines.get(version=new)
    assert line.rating > 27


def test_a_reopened_season_goes_on_as_if_it_had_never_been_closed(ladder: Ladder, versions: list[BotVersion]) -> None:
    fit_ladder(ladder)
    before, tallies, fit = table(ladder), seat_advantage(ladder), shown_fit(ladder)
    reopen_season(close_season(ladder, by=None), by=None)
    ladder.refresh_from_db()
    assert (table(ladder), seat_advantage(ladder), shown_fit(ladder)) == (before, tallies, fit)
    assert (ladder.season, ladder.season_since, ladder.closed_through) == (1, None, 0)
    assert (Season.objects.count(), SeasonLine.objects.count()) == (0, 0)
    play(ladder, versions[0], versions[1], ranks=(1, 2))
    rate_all()
    ladder.refresh_from_db()
    assert check(ladder).problems == []
    assert standing(versions[0], ladder).matches == 13


def test_a_season_stays_closed_once_a_match_was_rated(ladder: Ladder, versions: list[BotVersion]) -> None:
    season = close_season(ladder, by=None)
    play(ladder, versions[0], versions[1], ranks=(1, 2))
    rate_all()
    with pytest.raises(SeasonKept, match="1 match has been rated since"):
        reopen_season(season, by=None)
    second = close_season(ladder, by=None)
    with pytest.raises(SeasonKept, match="not the last"):
        reopen_season(season, by=None)
    assert (second.number, second.matches) == (2, 1)
    Season.objects.filter(pk=second.pk).update(cause="rules")
    second.refresh_from_db()
    with pytest.raises(SeasonKept, match="no longer played"):
        reopen_season(second, by=None)


def test_a_season_without_a_match_is_not_closed(ladder: Ladder) -> None:
    enrol(ladder, 2)
    with pytest.raises(SeasonKept, match="no rated match yet"):
        close_season(ladder, by=None)
    assert not Season.objects.exists()
    assert not Fit.objects.exists()


def test_a_season_is_not_closed_while_ratings_are_being_recomputed(
    ladder: Ladder, versions: list[BotVersion], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ladder.ratings.seasons.rebuild", lambda _: 0)  # overtaken by another process
    Ladder.objects.update(needs_rebuild=True)
    with pytest.raises(SeasonKept, match="are being recomputed"):
        close_season(ladder, by=None)


def test_the_next_fit_of_a_closed_season_is_not_shown(ladder: Ladder, versions: list[BotVersion]) -> None:
    """A fit that was begun before the season was closed ends too late."""
    late = Ladder.objects.get(pk=ladder.pk)
    close_season(ladder, by=None)
    before = table(ladder)
    fit_ladder(late)
    assert table(ladder) == before


def test_a_deleted_account_leaves_no_name_in_kept_tables(ladder: Ladder, versions: list[BotVersion]) -> None:
    operator = make_user("hymie", role=User.Role.ADMINISTRATOR)
    make_user("meyer", role=User.Role.ADMINISTRATOR)
    versions[0].bot.owner = operator
    versions[0].bot.save()
    season = close_season(ladder, by=operator)
    delete_account(operator)
    season.refresh_from_db()
    line = season.lines.select_related("bot__owner").get(position=1)
    assert (season.closed_by, line.bot.owner, line.bot.name) == (None, None, f"anonymous-{versions[0].bot_id}")


def test_a_bot_that_never_played_has_no_line_and_can_be_deleted(ladder: Ladder, versions: list[BotVersion]) -> None:
    owner = make_user()
    idle = make_version(owner=owner)
    enter_ladder(idle, ladder)
    season = close_season(ladder, by=None)
    assert not season.lines.filter(version=idle).exists()
    delete_bot(idle.bot, by=owner)
    assert not Bot.objects.filter(pk=idle.bot_id).exists()


def test_a_backup_brings_seasons_back(ladder: Ladder, versions: list[BotVersion], tmp_path) -> None:
    season = close_season(ladder, by=None, note="kept")
    kept, before = lines(season), table(ladder)
    write_backup(tmp_path / "all.zip")
    SeasonLine.objects.all().delete()
    Season.objects.all().delete()
    Standing.objects.update(prior_rating=None)
    read_backup(tmp_path / "all.zip")
    assert lines(Season.objects.get(note="kept")) == kept
    assert table(ladder) == before


def test_the_charts_of_a_bot_go_on_through_seasons_and_mark_each(
    ladder: Ladder, versions: list[BotVersion], client: Client
) -> None:
    close_season(ladder, by=None)
    for _ in range(2):
        play(ladder, versions[1], versions[0], ranks=(1, 2))
    rate_all()
    ladder.refresh_from_db()
    fit_ladder(ladder)
    shown = client.get(f"/bots/{versions[0].bot_id}/").context
    assert shown["ratings"]["number"] == [18, 20]  # upwards, though the season has two matches
    assert shown["ratings"]["marks"] == [{"at": 0, "label": "v1"}, {"at": 1, "label": "season 2"}]
    assert shown["history"]["marks"] == [{"at": 0, "label": "v1"}, {"at": 12, "label": "season 2"}]


def told(*words: str) -> str:
    out = StringIO()
    call_command("season", *words, stdout=out)
    return out.getvalue()


def test_the_command_closes_lists_and_reopens(ladder: Ladder, versions: list[BotVersion]) -> None:
    assert "none closed yet" in told("list", ladder.slug)
    with pytest.raises(CommandError, match="--yes"):
        told("close", ladder.slug)
    assert "Season 1 of speak_easy-2 is closed: 3 bots, 18 matches" in told("close", ladder.slug, "--yes")
    assert "1  rules 1" in told("list", ladder.slug)
    assert "reopened" in told("reopen", ladder.slug, "--yes")
    with pytest.raises(CommandError, match="has no closed season"):
        told("reopen", ladder.slug, "--yes")
    with pytest.raises(CommandError, match="There is no ladder 'poker-2'"):
        told("close", "poker-2", "--yes")
