"""Every page of a tournament, whatever its format and however far it has come."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from ladder.accounts.models import User
from ladder.matches import leases
from ladder.matches.models import Match
from ladder.qualifying.activation import withdraw
from ladder.submissions.models import Bot
from ladder.tournaments import drawing, services, sheets
from ladder.tournaments.formats import FORMATS
from ladder.tournaments.models import Tournament
from ladder.tournaments.queries import progress, sheet_of, told_seed
from ladder.tournaments.services import Wishes
from tests.ladder.cast import enrol, finish, make_ladder, make_user, make_version

pytestmark = pytest.mark.django_db
SEED = 0xC0FFEE5EEDC0FFEE5EEDC0FFEE5EEDC0FFEE5EEDC0FFEE5EEDC0FFEE5EEDC0DE
TABLES = {"gatsby": (2, 5), "capone": (3, 5)}  # seats and entrants: neither fills its tables, so somebody sits out


def draft(organiser: User, name: str, game: str) -> Tournament:
    """Everybody has entered; in a gauntlet the third is the champion."""
    seats, count = TABLES[game]
    ladder = make_ladder(game, seats)
    bots = [version.bot for version in enrol(ladder, count)]
    champion = bots[2] if name == "gauntlet" else None
    wanted = Wishes(name="Harbour Cup", ladder=ladder, format=name, champion=champion, seed=SEED)
    cup = services.create_tournament(by=organiser, wishes=wanted)
    for bot in bots:
        services.enter(cup, bot, by=organiser)
    return cup


def play(most: int = 10_000) -> None:
    """Play what waits and what follows from it: the older version wins."""
    drawing.advance_all()
    for _ in range(most):
        claim = leases.claim_match(worker="host/1")
        if claim is None and not drawing.advance_all():
            return
        if claim is not None:
            match = Match.objects.get(pk=claim.match_id)
            versions = list(match.seats.order_by("seat").values_list("version_id", flat=True))
            finish(match, *(1 + sorted(versions).index(version) for version in versions))
    drawing.advance_all()


def just_started(cup: Tournament, organiser: User) -> None:
    services.start(cup, by=organiser)


def running(cup: Tournament, organiser: User) -> None:
    """A table is settled, another half played, and a match is being played."""
    services.start(cup, by=organiser)
    play(most=1 + cup.matches_a_table)
    assert leases.claim_match(worker="host/1")


def paused(cup: Tournament, organiser: User) -> None:
    running(cup, organiser)
    services.pause(cup, by=organiser)
    drawing.advance_all()


def called_off_in_play(cup: Tournament, organiser: User) -> None:
    running(cup, organiser)
    services.cancel(cup, by=organiser)
    drawing.advance_all()


def called_off(cup: Tournament, organiser: User) -> None:
    services.start(cup, by=organiser)
    play(most=1 + cup.matches_a_table)
    services.cancel(cup, by=organiser)
    drawing.advance_all()


def called_off_before_a_match(cup: Tournament, organiser: User) -> None:
    services.start(cup, by=organiser)
    services.cancel(cup, by=organiser)
    drawing.advance_all()


def finished(cup: Tournament, organiser: User) -> None:
    services.start(cup, by=organiser)
    play()
    cup.refresh_from_db()
    assert cup.status == "finished"


def finished_without_an_entrant(cup: Tournament, organiser: User) -> None:
    """One bot was withdrawn and its owner has left while it was played."""
    services.start(cup, by=organiser)
    play(most=3)
    gone = cup.entrants.get(number=1).bot
    withdraw(gone.active_version, by=organiser)
    Bot.objects.filter(pk=gone.pk).update(owner=None)
    play()


STATES: dict[str, Callable[[Tournament, User], None]] = {
    "draft": lambda cup, organiser: None,
    "draft without its champion": lambda cup, organiser: cup.entrants.filter(bot=cup.champion).delete(),
    "open": lambda cup, organiser: services.open_entries(cup, by=organiser),
    "called off before the start": lambda cup, organiser: services.cancel(cup, by=organiser),
    "just started": just_started,
    "running": running,
    "paused": paused,
    "called off while a match is played": called_off_in_play,
    "called off": called_off,
    "called off before a match": called_off_before_a_match,
    "finished": finished,
    "finished without an entrant": finished_without_an_entrant,
}


@pytest.fixture
def organiser() -> User:
    return make_user("olga", "administrator")


@pytest.fixture
def visitor(organiser: User) -> Client:
    """The organiser, who also sees drafts."""
    client = Client()
    client.force_login(organiser, backend="django.contrib.auth.backends.ModelBackend")
    return client


def pages_of(cup: Tournament) -> dict[str, str]:
    """What can be asked of every tournament, by what it is."""
    page, api = reverse("web:tournament", args=[cup.pk]), reverse("api:tournament", args=[cup.pk])
    matches = reverse("web:tournament_matches", args=[cup.pk])
    return {
        "page": page,
        "projector": f"{page}?wall",
        "results": reverse("web:results", args=[cup.pk]),
        "matches": matches,
        "a pair's matches": f"{matches}?entrant=0&entrant=1",
        "export": reverse("web:export", args=[cup.pk, "json"]),
        "export as csv": reverse("web:export", args=[cup.pk, "csv"]),
        "list": reverse("web:tournaments"),
        "api": api,
        **{f"api {part}": f"{api}{part}/" for part in ("entries", "matches", "standings", "crosstable", "export")},
    }


def told(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.content[:500])
    return b"".join(answer).decode()


CASES = [(game, state) for game in TABLES for state in STATES if game == "gatsby" or state in ("running", "finished")]


@pytest.mark.parametrize(("game", "state"), CASES)
@pytest.mark.parametrize("name", FORMATS)
def test_every_page_of_a_tournament_is_shown_in_every_state(visitor, organiser, name, game, state):
    cup = draft(organiser, name, game)
    STATES[state](cup, organiser)
    for path in pages_of(cup).values():
        told(visitor, path)
    cup.refresh_from_db()
    proof = visitor.get(reverse("web:proof", args=[cup.pk]))
    assert proof.status_code == (200 if told_seed(cup) and cup.started_at else 409)


SECRET = f"{SEED:064x}"
WHILE_SECRET = ("draft", "open", "just started", "running", "paused", "called off while a match is played")


@pytest.mark.parametrize("state", WHILE_SECRET)
def test_nothing_shows_the_seed_of_a_tournament_whose_matches_are_still_to_be_played(visitor, organiser, state):
    cup = draft(organiser, "round_robin", "gatsby")
    STATES[state](cup, organiser)
    paths = {**pages_of(cup), "proof": reverse("web:proof", args=[cup.pk])}
    for path in paths.values():
        shown = b"".join(visitor.get(path)).decode()
        assert SECRET[:8] not in shown, path
        assert ">Verify</a>" not in shown, path


@pytest.mark.parametrize("state", ["called off", "finished"])
def test_the_seed_is_shown_once_the_last_match_has_been_played(visitor, organiser, state):
    cup = draft(organiser, "round_robin", "gatsby")
    STATES[state](cup, organiser)
    paths = pages_of(cup)
    for path in (reverse("web:proof", args=[cup.pk]), paths["api"], paths["export"], paths["api export"]):
        assert SECRET in told(visitor, path), path
    assert SECRET[:24] in told(visitor, paths["page"])
    assert ">Verify</a>" in told(visitor, paths["page"])


def cell_texts(page: str) -> list[list[str]]:
    """The standings as a reader sees them: place, bot, points, played, score."""
    body = page.split('class="ladder standings"')[1].split("</table>")[0].split("<tbody>")[1]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in body.split("</tr>") if "<td" in row]
    return [[re.sub(r"<svg.*?</svg>|<[^>]*>", "", cell).strip() for cell in row if "svg" not in cell] for row in rows]


def test_an_entrant_who_has_not_played_yet_has_no_score(visitor, organiser):
    cup = draft(organiser, "round_robin", "gatsby")
    services.start(cup, by=organiser)
    play(most=cup.matches_a_table)
    sheets.write(Tournament.objects.get())
    page = told(visitor, pages_of(cup)["page"])
    rows = cell_texts(page)
    assert sorted(row[-1] for row in rows) == ["0 %", "100 %", "–", "–", "–"]
    assert page.count("no match played") == 3


def test_a_round_that_was_sat_out_is_not_counted_into_the_score(visitor, organiser):
    cup = draft(organiser, "swiss", "gatsby")
    finished(cup, organiser)
    scores = [row[-1] for row in cell_texts(told(visitor, pages_of(cup)["page"]))]
    assert scores == [f"{100 * row.wins / row.matches:.0f} %" for row in sheet_of(cup)]
    page = told(visitor, pages_of(cup)["page"])
    assert page.count(">1 bye<") == sum(row.byes for row in sheet_of(cup)) > 0


def test_the_page_says_why_fewer_matches_count_than_were_played(visitor, organiser):
    cup = draft(organiser, "round_robin", "gatsby")
    services.start(cup, by=organiser)
    play(most=3)
    sheets.write(Tournament.objects.get())
    page = told(visitor, pages_of(cup)["page"])
    assert "3 of 20" in page
    assert "The standings count 2" in page
    assert sum(int(row[3]) for row in cell_texts(page)) == 2 * 2
    play()
    assert "The standings count" not in told(visitor, pages_of(cup)["page"])


def test_matches_that_were_called_off_are_not_told_as_played(visitor, organiser):
    cup = draft(organiser, "round_robin", "gatsby")
    called_off(cup, organiser)
    cup.refresh_from_db()
    assert cup.tables_settled == 10
    for path in (pages_of(cup)["page"], pages_of(cup)["results"]):
        assert "3 of 20" in told(visitor, path)
    assert visitor.get(pages_of(cup)["api"]).json()["progress"]["done"] == 3
    assert "10 of 10" not in told(visitor, pages_of(cup)["list"])
    assert "0 of 3</strong> matches verified" in told(visitor, reverse("web:proof", args=[cup.pk]))


@pytest.mark.parametrize(
    ("state", "looks_again"),
    [
        ("called off before the start", False),
        ("called off before a match", False),
        ("called off while a match is played", True),
        ("called off", False),
        ("just started", True),
        ("paused", True),
        ("finished", False),
    ],
)
def test_a_page_looks_again_by_itself_as_long_as_something_can_change(visitor, organiser, state, looks_again):
    cup = draft(organiser, "knockout", "gatsby")
    STATES[state](cup, organiser)
    page = told(visitor, pages_of(cup)["page"])
    assert ('hx-trigger="every' in page) == looks_again
    assert looks_again or "updates by itself" not in page
    assert (">Show live tables on a projector<" in page) == (state in {"just started", "paused"})


def test_a_tournament_called_off_before_a_match_was_played_has_no_places(visitor, organiser):
    cup = draft(organiser, "round_robin", "gatsby")
    called_off_before_a_match(cup, organiser)
    page = told(visitor, pages_of(cup)["page"])
    assert "cancelled before any table was complete" in page
    assert 'class="ladder standings"' not in page


@pytest.mark.parametrize(
    ("name", "wishes", "told_of"),
    [
        ("round_robin", {"cycles": 3, "best_of": 5}, "round robin, 3 cycles, every table"),
        ("knockout", {"cycles": 3, "best_of": 5}, "knockout, best of 5, every table"),
        ("swiss", {"rounds": 4, "cycles": 3}, "Swiss, 4 rounds, every table"),
        ("gauntlet", {"cycles": 1}, "gauntlet of "),
    ],
)
def test_only_the_settings_of_its_own_format_are_told(visitor, organiser, name, wishes, told_of):
    cup = draft(organiser, name, "gatsby")
    Tournament.objects.filter(pk=cup.pk).update(**wishes)
    assert told_of in told(visitor, pages_of(cup)["page"])


def test_nobody_is_said_not_to_have_met_where_no_match_was_drawn(visitor, organiser):
    cup = draft(organiser, "round_robin", "gatsby")
    services.start(cup, by=organiser)
    assert "These bots have not met" not in told(visitor, pages_of(cup)["matches"])
    assert "These bots have not met" in told(visitor, pages_of(cup)["a pair's matches"])


def test_a_match_that_was_set_aside_is_told_with_what_waits_for_it(client: Client) -> None:
    cup = draft(make_user("organiser", "organiser"), "swiss", "gatsby")
    services.start(cup, by=cup.organiser)
    drawing.advance_all()
    match = Match.objects.earliest("id")
    for number in range(3):
        claim = leases.claim_match(worker=f"host{number}/1")
        while claim is not None and claim.match_id != match.pk:
            claim = leases.claim_match(worker=f"host{number}/1")
        assert claim is not None
        leases.report_host_fault(claim.match_id, claim.lease, detail="starved")
    html = client.get(reverse("web:tournament", args=[cup.pk])).content.decode()
    assert f"Match {match.pk}</a> is set aside" in html
    assert "the round after it, wait until then" in html


def test_the_list_names_who_won_what_is_over_and_nobody_before(visitor, organiser, django_assert_max_num_queries):
    over, under_way = draft(organiser, "round_robin", "gatsby"), draft(organiser, "round_robin", "capone")
    STATES["finished"](over, organiser)
    just_started(under_way, organiser)
    (first,) = sheet_of(over).filter(place=1)
    with django_assert_max_num_queries(8):
        page = told(visitor, reverse("web:tournaments"))
    assert re.findall(r'class="ended">(.*?)</span>', page) == [f"{first.entrant.bot.name} won"]
    assert page.count("not yet") == 1


@pytest.mark.parametrize(("name", "is_told"), [("round_robin", True), ("gauntlet", False)])
def test_how_sure_a_winner_is_is_told_only_of_one_who_sat_at_several_tables(visitor, organiser, name, is_told):
    cup = draft(organiser, name, "gatsby")
    finished(cup, organiser)
    first = sheet_of(cup).filter(place=1).first()
    assert first.matches == cup.matches_a_table * (4 if is_told else 1)
    assert ("would come first in" in told(visitor, pages_of(cup)["page"])) == is_told


def test_the_next_places_tell_points_with_the_matches_they_come_from(visitor, organiser):
    cup = draft(organiser, "gauntlet", "gatsby")
    finished(cup, organiser)
    shown = re.search(r'<ol class="runners">.*?</ol>', told(visitor, pages_of(cup)["page"]), re.S)[0]
    second, *_ = sheet_of(cup).exclude(place=1)
    assert re.search(rf"{second.entrant.bot.name}</a> <span[^>]*>{second.points:g} from {second.matches}<", shown)


@pytest.mark.parametrize(
    ("running", "left_s", "words"),
    [
        (2, 1, '2 running</span><span class="muted">less than a minute left'),
        (2, 72, "about 1 minute left"),
        (2, 7300, "about 2 hours left"),
        (0, 72, 'Waiting for a free worker</span><span class="muted">about 1 minute of play left'),
    ],
)
def test_what_is_left_is_told_as_people_say_it_and_not_promised_while_nothing_runs(
    visitor, organiser, monkeypatch, running, left_s, words
):
    cup = draft(organiser, "round_robin", "gatsby")
    just_started(cup, organiser)
    told_now = replace(progress(cup), running=running, left_s=left_s)
    monkeypatch.setattr("ladder.web.views.tournaments.progress", lambda cup: told_now)
    assert words in told(visitor, pages_of(cup)["page"])


def test_before_the_first_result_a_page_names_the_entrants(visitor, organiser):
    cup = draft(organiser, "round_robin", "gatsby")
    just_started(cup, organiser)
    page = told(visitor, pages_of(cup)["page"])
    assert "No result yet" in page
    assert all(f">{one.bot.name}</a>" in page for one in cup.entrants.select_related("bot"))


@pytest.mark.parametrize(("name", "has_crosstable"), [("knockout", False), ("swiss", True)])
def test_a_knockout_has_its_rounds_before_its_standings_and_no_crosstable(visitor, organiser, name, has_crosstable):
    cup = draft(organiser, name, "gatsby")
    finished(cup, organiser)
    page = told(visitor, pages_of(cup)["page"])
    assert ("<h2>Crosstable</h2>" in page) == has_crosstable
    assert (page.index("<h2>Rounds</h2>") < page.index("<h2>Standings</h2>")) != has_crosstable


@pytest.mark.parametrize(
    ("status", "told"),
    [("received", "is being checked"), ("checking", "is being checked"), ("rejected", "You have no qualified bot")],
)
def test_whose_bot_is_still_being_checked_is_not_told_to_submit_one(organiser, status, told):
    ladder, pupil, client = make_ladder("gatsby"), make_user("pupil"), Client()
    make_version(owner=pupil, game="gatsby", status=status)
    cup = services.create_tournament(by=organiser, wishes=Wishes(name="Class Cup", ladder=ladder))
    services.open_entries(cup, by=organiser)
    client.force_login(pupil)
    page = client.get(f"/tournaments/{cup.pk}/").content.decode()
    offers = ("is being checked", "You have no qualified bot")
    assert [offer for offer in offers if offer in page] == [told]
