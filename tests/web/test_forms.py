"""What people do by form: submitting, changing versions, running tournaments; and what they are told when refused."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from arena import PlayedAction
from engines import GAMES
from ladder.environment import ROOT
from ladder.matches import leases, results
from ladder.matches.models import FailedAttempt, Lane, Match
from ladder.matches.services import create_set
from ladder.qualifying.activation import set_active
from ladder.qualifying.models import Trial
from ladder.qualifying.trials import advance_all
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments.formats import FORMATS
from ladder.tournaments.models import Tournament
from ladder.tournaments.services import Wishes, create_tournament, open_entries
from tests.ladder.cast import crash, enrol, make_ladder, make_record, make_user, make_version, play
from tests.service.bots import RANDOM, marked
from tests.web.test_pages import signed_in
from tests.web.world import enrolled, named_version


@pytest.fixture
def lena(db: None):
    return make_user("lena")


@pytest.fixture
def client(lena) -> Client:
    return signed_in({"lena": lena})


def upload(client: Client, *, content: bytes | None = None, filename: str = "main.py", script: bool = False, **fields):
    file = SimpleUploadedFile(filename, marked(RANDOM) if content is None else content)
    given = {"bot": "new", "game": "gatsby", "name": "bathtub-gin", "file": file, **fields}
    return client.post(reverse("web:submit"), given, HTTP_ACCEPT="application/json" if script else "text/html")


def test_an_upload_becomes_a_version_whose_report_is_shown(client):
    answer = upload(client)
    version = BotVersion.objects.get()
    assert answer["Location"] == reverse("web:version", args=[version.pk])
    report = client.get(answer["Location"]).content.decode()
    assert "was received as a Python bot" in report
    assert "hx-trigger" in report


@pytest.mark.parametrize("name", list(GAMES))
def test_a_starter_of_each_game_is_downloaded_and_can_be_uploaded_as_it_is(name, client):
    link = reverse("web:starter", args=[name])
    assert link in client.get(reverse("web:submit")).content.decode()
    given = Client().get(link)
    assert given["Content-Disposition"] == f'attachment; filename="{name}_starter.py"'
    content = given.getvalue()
    assert content == (ROOT / "bots" / "starter" / name / "main.py").read_bytes()
    answer = upload(client, content=content, filename=f"{name}_starter.py", game=name)
    assert "was received as a" in client.get(answer["Location"]).content.decode()


def test_there_is_no_starter_of_a_game_that_is_not_there(db):
    assert Client().get(reverse("web:starter", args=["chess"])).status_code == 404


def test_a_first_version_that_is_rejected_leaves_nothing_that_keeps_playing(client, lena):
    upload(client)
    version = BotVersion.objects.get()
    BotVersion.objects.update(status="rejected", reason="crash at ply 3")
    page = reverse("web:version", args=[version.pk])
    assert "keeps playing" not in client.get(page).content.decode()
    Bot.objects.update(active_version=named_version("other", game="gatsby", owner=lena))
    assert "The active version keeps playing." in client.get(page).content.decode()


def test_a_finished_report_stops_asking(client, lena):
    version = named_version("done", game="gatsby", owner=lena)
    answer = client.get(reverse("web:version", args=[version.pk]), headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert "Qualified" in html
    assert "hx-trigger" not in html


def test_a_failed_trial_shows_the_command_that_plays_its_deal(client, lena):
    version = named_version("failing", game="gatsby", owner=lena)
    partner = named_version("random", game="gatsby")
    match = play(make_ladder("gatsby", 2), partner, version, ranks=(1, 2), faults=(crash(1),))
    Trial.objects.create(version=version, ladder=match.ladder, kind="house", order=0, match=match, status="failed")
    html = client.get(reverse("web:version", args=[version.pk])).content.decode()
    assert f"<code>rumrunner play gatsby house:random {version.filename} --seed {match.set.seed}</code>" in html


LAST_LETTER = """log => {
    const range = document.createRange(), text = log.firstChild;
    range.setStart(text, text.length - 1);
    range.setEnd(text, text.length);
    const [box, letter] = [log.getBoundingClientRect(), range.getBoundingClientRect()];
    return log.scrollHeight > log.clientHeight && box.top <= letter.top && letter.bottom <= box.bottom;
}"""


@pytest.mark.browser
def test_a_long_log_opens_at_its_end(chromium):
    """By its style sheet alone, without a script: the traceback is there."""
    style = (ROOT / "ladder/web/static/web/match.css").read_text()
    page = chromium.new_page()
    log = "a line\n" * 200 + "the end"
    page.set_content(f'<style>{style}</style><pre class="log">{log}</pre>')
    shown = page.locator(".log").evaluate(LAST_LETTER)
    page.close()
    assert shown


def test_a_script_s_upload_is_answered_in_json(client):
    assert "/versions/" in upload(client, script=True).json()["url"]


def test_a_refused_upload_says_why_and_leaves_no_bot_behind(client):
    answer = upload(client, content=b"PK\x03\x04 not really a zip", filename="bot.zip", script=True)
    assert answer.status_code == 422
    assert answer.json()["errors"]["file"]
    assert not Bot.objects.exists()


def test_a_new_bot_needs_a_name(client):
    answer = upload(client, name="")
    assert answer.status_code == 422
    assert "needs a name" in answer.content.decode()


def test_a_name_that_is_taken_is_told_at_the_name(client):
    named_version("bathtub-gin", game="gatsby")
    assert "already a bot named" in upload(client, script=True).json()["errors"]["name"][0]


def test_a_rival_sees_no_report_and_changes_no_version(lena):
    version = named_version("mine", game="gatsby", owner=lena)
    rival = signed_in({"lena": make_user("rival")})
    assert rival.get(reverse("web:version", args=[version.pk])).status_code == 404
    assert rival.post(reverse("web:change_version", args=[version.pk, "withdraw"])).status_code == 404
    version.refresh_from_db()
    assert version.status == "qualified"


def test_withdrawing_asks_first_and_says_who_plays_on(client, lena):
    version = named_version("mine", game="gatsby", owner=lena)
    set_active(version.bot, version)
    path = reverse("web:change_version", args=[version.pk, "withdraw"])
    assert path in client.get(reverse("web:bot", args=[version.bot_id])).content.decode()
    asked = client.get(path).content.decode()
    assert "Withdraw version 1 of mine?" in asked
    assert "The bot stops playing" in asked
    version.refresh_from_db()
    assert version.status == "qualified"
    rival = Client()
    rival.force_login(make_user("rival"), backend="django.contrib.auth.backends.ModelBackend")
    assert rival.get(path).status_code == 404
    heir = make_version(owner=lena, bot=version.bot)
    set_active(version.bot, version)
    assert f"Version {heir.number} plays instead" in client.get(path).content.decode()


def test_cancelling_a_tournament_asks_its_organiser_first(client, lena):
    cup = create_tournament(by=lena, wishes=Wishes(name="Cup", ladder=make_ladder("gatsby"), entry="anyone"))
    open_entries(cup, by=lena)
    path = reverse("web:tournament_step", args=[cup.pk, "cancel"])
    assert path in client.get(reverse("web:tournament", args=[cup.pk])).content.decode()
    assert "Cancel Cup?" in client.get(path).content.decode()
    cup.refresh_from_db()
    assert cup.status == "open"
    stranger = Client()
    stranger.force_login(make_user("rival"), backend="django.contrib.auth.backends.ModelBackend")
    assert stranger.get(path).status_code == 302
    assert "Cancelled" in client.post(path, follow=True).content.decode()


def test_an_owner_withdraws_and_is_told_when_that_is_not_possible(client, lena):
    version = named_version("mine", game="gatsby", owner=lena)
    path = reverse("web:change_version", args=[version.pk, "withdraw"])
    assert "has been withdrawn" in client.post(path, follow=True).content.decode()
    assert "can’t be withdrawn" in client.post(path, follow=True).content.decode().replace("&#x27;", "’")


def draft(client: Client, ladder, **fields):
    given = {
        "name": "Harbour Cup", "ladder": ladder.pk, "format": "round_robin", "cycles": 1, "rounds": 0, "best_of": 1,
        "entry": "anyone", "all_rotations": "on", "entrants": 8, **fields,
    }  # fmt: skip
    return client.post(reverse("web:create_tournament"), given)


def test_an_organiser_makes_a_draft_enters_bots_and_starts(client, lena):
    ladder = make_ladder("gatsby", 2)
    enrolled(["a", "b", "c"], ladder)
    page = draft(client, ladder)["Location"]
    cup = Tournament.objects.get()
    entry = reverse("web:entry", args=[cup.pk])
    assert "3 bots of the ladder have been entered" in client.post(entry, {"top": "8"}, follow=True).content.decode()
    assert "c has been removed" in client.post(entry, {"bot": "c", "leave": "1"}, follow=True).content.decode()
    assert "no bot named" in client.post(entry, {"bot": "nobody"}, follow=True).content.decode()
    client.post(reverse("web:tournament_step", args=[cup.pk, "start"]))
    assert "0 of 2" in client.get(page).content.decode()


@pytest.mark.parametrize(
    ("entry", "opened", "others"),
    [
        ("anyone", "Share the link, or enter bots yourself.", "to enter a bot"),
        ("closed", "<h2>Not started yet</h2>", "Only the organiser can enter bots."),
    ],
)
def test_a_tournament_that_has_not_started_says_what_comes_next(client, lena, entry, opened, others):
    page = draft(client, make_ladder("gatsby", 2), entry=entry)["Location"]
    assert "Nobody else sees it yet" in client.get(page).content.decode()
    client.post(reverse("web:tournament_step", args=[Tournament.objects.get().pk, "open"]))
    assert opened in client.get(page).content.decode()
    seen = Client().get(page).content.decode()
    assert "The organiser starts the tournament" in seen
    assert others in seen


def test_a_stranger_can_not_start_somebody_s_tournament(client):
    ladder = make_ladder("gatsby", 2)
    enrolled(["a", "b"], ladder)
    draft(client, ladder)
    cup = Tournament.objects.get()
    client.post(reverse("web:tournament_step", args=[cup.pk, "open"]))
    rival = signed_in({"lena": make_user("rival")})
    answer = rival.post(reverse("web:tournament_step", args=[cup.pk, "start"]), follow=True)
    assert "Only the organiser" in answer.content.decode()
    cup.refresh_from_db()
    assert cup.status == "open"


def test_a_draft_of_somebody_else_is_not_there(client):
    draft(client, make_ladder("gatsby", 2))
    assert Client().get(reverse("web:tournament", args=[Tournament.objects.get().pk])).status_code == 404


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"entrants": 8}, "That makes 56 match"),
        ({"format": "gauntlet", "champion": "nobody"}, "no bot named"),
        ({"format": "gauntlet", "champion": ""}, "That makes 14 match"),
        ({"cycles": "x"}, "whole number"),
        ({"format": "knockout", "best_of": 0}, "greater than or equal"),
    ],
)
def test_the_preview_counts_or_says_what_is_wrong(fields, told, client):
    ladder = make_ladder("gatsby", 2)
    given = {"ladder": ladder.pk, "format": "round_robin", "cycles": 1, "rounds": 0, "best_of": 1, "entry": "anyone"}
    asked = {**given, "all_rotations": "on", **fields}
    assert told in client.get(reverse("web:preview"), asked).content.decode()


@pytest.mark.parametrize("name", FORMATS)
def test_the_form_asks_only_for_what_the_format_needs_and_keeps_what_was_typed(name, client):
    make_ladder("gatsby", 2)
    typed = {"format": name, "name": "Autumn cup", "entry": "anyone"}
    html = client.get(reverse("web:create_tournament"), typed).content.decode()
    settings = {"cycles", "rounds", "best_of", "champion"}
    assert {field for field in settings if f'name="{field}"' in html} == set(FORMATS[name].settings)
    assert FORMATS[name].gist in html
    assert len(re.findall(r'name="champion"[^>]*required', html)) == FORMATS[name].has_champion
    assert 'value="Autumn cup"' in html
    assert 'name="is_rated"' not in html
    assert not re.search(r'name="all_rotations"[^>]*checked', html)
    assert 'formmethod="get"' in html


def test_an_organiser_copies_the_link_that_brings_the_code(client, lena):
    ladder = make_ladder("gatsby", 2)
    draft(client, ladder, entry="invite")
    cup = Tournament.objects.get()
    page = reverse("web:tournament", args=[cup.pk])
    link = f"http://testserver{page}?code={cup.invite_code}"
    assert f'value="{link}"' in client.get(page).content.decode()
    client.post(reverse("web:tournament_step", args=[cup.pk, "open"]))
    vera = make_user("vera")
    enrolled(["hers"], ladder, vera)
    html = signed_in({"lena": vera}).get(link).content.decode()
    assert f'name="code" maxlength="40" value="{cup.invite_code}"' in html
    assert "join-link" not in html


def waiting_version(lena) -> BotVersion:
    """A version whose first trial the service could not play three times."""
    version = make_version(owner=lena, game="gatsby", status="received")
    make_ladder("gatsby", 2)
    advance_all()
    advance_all()
    for number in range(3):
        claim = leases.claim_match(worker=f"host{number}/1")
        assert claim is not None
        leases.report_host_fault(claim.match_id, claim.lease, detail="starved")
    return version


def test_whoever_comes_by_the_link_and_has_to_sign_in_keeps_the_code(client, lena):
    wishes = Wishes(name="Class cup", ladder=make_ladder("gatsby", 2), entry="invite")
    cup = create_tournament(by=lena, wishes=wishes)
    open_entries(cup, by=lena)
    page = Client().get(reverse("web:tournament", args=[cup.pk]), {"code": cup.invite_code}).content.decode()
    assert f"?next=/tournaments/{cup.pk}/%3Fcode%3D{cup.invite_code}" in page


def test_a_lobby_that_refuses_keeps_what_was_chosen(client):
    chosen = {"game": "capone", "seats": 3, "seat0": "friend", "seat1": "friend", "seat2": "friend", "begin": 1}
    answer = client.post(reverse("web:play"), chosen)
    assert answer.status_code == 400
    assert answer.content.decode().count('value="friend" selected') == 3


def test_a_waiting_version_says_what_it_waits_for_and_is_checked_again_when_its_author_asks(client, lena):
    version = waiting_version(lena)
    page, path = reverse("web:version", args=[version.pk]), reverse("web:change_version", args=[version.pk, "check"])
    html = client.get(page).content.decode()
    assert "It is waiting for a quieter machine and will be tried again at" in html
    assert path in html
    assert "Try again after" in client.post(path, follow=True).content.decode()
    FailedAttempt.objects.update(at=now() - timedelta(minutes=2))
    assert client.post(path)["Location"] == page
    html = client.get(page).content.decode()
    assert "quieter machine" not in html
    assert "It is waiting for a free worker" in html
    match = Match.objects.get()
    assert "It is waiting for a free worker" in client.get(reverse("web:match", args=[match.pk])).content.decode()


def test_a_rejected_version_can_be_checked_again_by_its_author_and_by_nobody_else(client, lena):
    version = named_version("mine", game="gatsby", owner=lena)
    BotVersion.objects.update(status="rejected", reason="crash at ply 3")
    path = reverse("web:change_version", args=[version.pk, "check"])
    assert path in client.get(reverse("web:version", args=[version.pk])).content.decode()
    rival = signed_in({"lena": make_user("rival")})
    assert rival.post(path).status_code == 404
    client.post(path)
    version.refresh_from_db()
    assert version.status == "received"


def test_a_match_whose_replay_waits_for_one_that_was_set_aside_says_so(client):
    ladder = make_ladder("gatsby", 2)
    pair = [version.pk for version in enrol(ladder, 2)]
    create_set(ladder=ladder, seatings=[pair, pair[::-1]], lane=Lane.LADDER, is_rated=True)
    played, aside = Match.objects.order_by("rotation")
    claim = leases.claim_match(worker="host/1")
    record = replace(make_record(claim.order, ranks=(1, 2)), actions=(PlayedAction(0, "M1", 1.0, 1.0),))
    assert results.record_result(match_id=played.pk, lease=claim.lease, record=record)
    path = reverse("web:match", args=[played.pk])
    assert "is set aside" not in client.get(path).content.decode()
    Match.objects.filter(pk=aside.pk).update(times_aside=1, aside_until=now() + timedelta(hours=1))
    assert f"Match {aside.pk} of the same set is set aside" in client.get(path).content.decode()
