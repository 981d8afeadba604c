"""A service that is upgraded in the middle of everything: Gatsby has new rules, and all goes on.

The backup (README.md says what is in it) was written by a service on which every game was at rules version 1.
"""

from __future__ import annotations

import json
from collections import Counter
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from arena import verify
from ladder import pipeline
from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.ladders.queries import get_ladder
from ladder.matches.models import Lane, Match
from ladder.matches.records import frames_of, stored_record
from ladder.ratings.leaderboard import leaderboard
from ladder.ratings.models import START_SIGMA, Rating
from ladder.ratings.recompute import check, rebuild
from ladder.ratings.season_tables import season_rows, seasons_of
from ladder.tournaments.models import Tournament
from ladder.tournaments.queries import export_json, rules_played
from tests.web.world import play_queue

pytestmark = pytest.mark.django_db
BACKUP = Path(__file__).parent / "rules-1.backup"
FIRST_LADDERS = {"speak_easy-2", "gatsby-2", "capone-4", "cotton_club-2", "cotton_club-3"}


@pytest.fixture(autouse=True)
def restored() -> None:
    """The old service's data under today's code, before its first beat."""
    cache.clear()
    call_command("restore", str(BACKUP), stdout=StringIO())


def finished(slug: str) -> list[Match]:
    return list(Match.objects.filter(ladder__slug=slug, status="finished").order_by("pk"))


def page(name: str, *args: Any) -> str:
    answer = Client().get(reverse(f"web:{name}", args=args))
    assert answer.status_code == 200, (name, args)
    return answer.content.decode()


def table_of(ratings: QuerySet[Rating]) -> list[tuple[Any, ...]]:
    """What ratings say, whatever rows they stand in."""
    told = ("step__number", "step__at", "step__verdict", "seat", "version", "nth", "rank", "mu_before", "mu", "sigma")
    return list(ratings.order_by("step__number", "seat").values_list(*told))


def play_on() -> None:
    """Beats and matches until the tournaments have ended."""
    rng = Random(7)
    while Tournament.objects.filter(status="running").exists():
        pipeline.tick()
        assert play_queue(rng, most=20)
    pipeline.tick()


def test_everybody_and_everything_is_still_there(settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]  # tests have a quicker one
    daisy = User.objects.get(username="daisy")
    assert [daisy.bots.count(), daisy.api_tokens.count()] == [2, 1]
    assert daisy.check_password("buchanan-1922")
    assert set(Ladder.objects.filter(is_open=True).values_list("slug", flat=True)) == FIRST_LADDERS
    assert (Match.objects.count(), Rating.objects.count()) == (294, 288)


def test_old_matches_are_shown_as_far_as_today_s_rules_go_and_told_to_their_end() -> None:
    drawn = Counter()
    for match in finished("gatsby-2"):
        shown = frames_of(match, start=0, end=100) + frames_of(match, start=100, end=200)
        assert [frame.ply for frame in shown] == list(range((match.plies or 0) + 1))
        assert not shown[0].is_told
        drawn["to the end" if not shown[-1].is_told else "in part"] += 1
    assert min(drawn["to the end"], drawn["in part"]) > 0


def test_pages_of_old_matches_say_under_which_rules_they_were_played() -> None:
    for match in finished("gatsby-2")[::5]:
        assert "Played under rules 1." in page("match", match.pk)
        assert "Played under rules 1" in page("verify", match.pk)
        assert page("frames", match.pk)
    for slug in FIRST_LADDERS - {"gatsby-2"}:
        assert "Played under rules" not in page("match", finished(slug)[-1].pk)


def test_pages_about_everything_else_stand() -> None:
    for beat in range(2):
        for tournament in Tournament.objects.all():
            assert page("tournament", tournament.pk)
        for slug in FIRST_LADDERS:
            assert page("ladder", slug)
        for bot in User.objects.get(username="daisy").bots.all():
            assert page("bot", bot.pk)
        assert page("home")
        if beat == 0:
            pipeline.tick()


def test_old_records_verify_by_digest_and_shape_and_all_others_are_played_again() -> None:
    for match in finished("gatsby-2"):
        verdict = verify(stored_record(match))
        assert (verdict.problems, verdict.note) == ((), "played under rules 1")
    for slug in FIRST_LADDERS - {"gatsby-2"}:
        for match in finished(slug)[::4]:
            verdict = verify(stored_record(match))
            assert (verdict.problems, verdict.note) == ((), ""), match


def test_the_half_played_set_is_called_off_and_its_bots_are_paired_anew() -> None:
    half = Match.objects.get(ladder__slug="gatsby-2", lane=Lane.LADDER, status="queued")
    others = set(Match.objects.exclude(ladder__slug="gatsby-2").filter(status="queued").values_list("pk", flat=True))
    pipeline.tick()
    half.refresh_from_db()
    assert (half.status, "rules 2" in half.reason) == ("cancelled", True)
    assert others <= set(Match.objects.filter(status="queued").values_list("pk", flat=True))
    anew = Match.objects.filter(ladder__slug="gatsby-2", lane=Lane.LADDER, status="queued")
    assert anew.exists()
    assert all(match.set_id > half.set_id for match in anew)


def test_running_tournaments_go_on_and_end_with_matches_under_both_rules() -> None:
    play_on()
    assert set(Tournament.objects.values_list("status", flat=True)) == {"finished"}
    both = Tournament.objects.select_related("ladder").get(name="Rated Gatsby, both ways")
    played = rules_played(both)
    assert (set(played), sum(played.values())) == ({1, 2}, 36)
    assert f"{played[1]} matches were played under rules 1" in page("tournament", both.pk)
    assert json.loads(b"".join(export_json(both)))["rules"] == {"1": played[1], "2": played[2]}
    swiss = Tournament.objects.select_related("ladder").get(name="Gatsby Swiss")
    assert set(rules_played(swiss)) == {2}


def test_every_tournament_can_be_proven() -> None:
    play_on()
    for tournament in Tournament.objects.all():
        out = StringIO()
        call_command("verify_tournament", str(tournament.pk), stdout=out)
        assert ("under older rules" in out.getvalue()) == (
            "Gatsby" in tournament.name and "Swiss" not in tournament.name
        )


def test_ratings_begin_anew_where_rules_are_new_and_nowhere_else() -> None:
    before = {slug: leaderboard(get_ladder(slug)).rows for slug in FIRST_LADDERS}
    pipeline.run_stage("rules")
    for slug in FIRST_LADDERS - {"gatsby-2"}:
        assert leaderboard(get_ladder(slug)).rows == before[slug]
    (season,) = seasons_of(get_ladder("gatsby-2"))
    ended = {row.version_id: row for row in season_rows(season)}
    assert (season.rules_version, season.cause, set(ended)) == (
        1,
        "rules",
        {row.version_id for row in before["gatsby-2"]},
    )
    for row in leaderboard(get_ladder("gatsby-2")).rows:
        assert (row.mu, row.sigma, row.matches) == (ended[row.version_id].mu, START_SIGMA, 0)
        assert ended[row.version_id].matches > 0


def test_the_table_follows_from_the_matches_under_new_rules_and_history_stays() -> None:
    gatsby = get_ladder("gatsby-2")
    history = table_of(Rating.objects.filter(ladder=gatsby))
    play_on()
    counted = Match.objects.filter(ladder=gatsby, is_rated=True, status="finished", rules_version=2).count()
    gatsby.refresh_from_db()
    assert gatsby.rated_through == gatsby.last_number
    assert sum(gatsby.standings.values_list("matches", flat=True)) == 2 * counted > 0
    table = list(gatsby.standings.order_by("pk").values_list("version", "mu", "sigma", "matches"))
    rebuild(gatsby)
    assert list(gatsby.standings.order_by("pk").values_list("version", "mu", "sigma", "matches")) == table
    old = Rating.objects.filter(ladder=gatsby, step__match__rules_version=1)
    assert table_of(old) == history
    for ladder in Ladder.objects.all():
        assert check(ladder).problems == []
