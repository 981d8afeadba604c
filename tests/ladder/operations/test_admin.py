"""The operator's desk: every page opens, and every act goes through its service and into the audit log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from ladder.accounts.models import AuditEntry, Invite, User
from ladder.ladders.models import Ladder
from ladder.matches.leases import claim_match
from ladder.matches.models import Match
from ladder.operations import admin_site
from ladder.operations.admin_site import GROUPS
from ladder.submissions.models import BotVersion
from ladder.tournaments.models import Tournament
from tests.ladder.cast import enrol, make_user, play, queue, standing

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> User:
    return make_user("boss", "administrator")


@pytest.fixture
def desk(client: Client, boss: User) -> Client:
    client.force_login(boss)
    return client


def act(desk: Client, model: str, action: str, *rows, why: str = "") -> str:
    """Choose rows and an action; returns what the desk says."""
    data = {"action": action, "_selected_action": [row.pk for row in rows], "reason": why}
    page = desk.post(reverse(f"admin:{model}_changelist"), data, follow=True)
    return " ".join(str(message) for message in page.context["messages"])


def noted() -> list[tuple[str, str]]:
    return list(AuditEntry.objects.values_list("actor_name", "action"))


TABLES = sorted(filter(admin.site.is_registered, apps.get_models()), key=lambda model: model._meta.label)


@pytest.mark.parametrize("model", TABLES, ids=str)
def test_every_table_opens_and_can_be_searched(desk, ladder, model):
    play(ladder, *enrol(ladder, 2), ranks=(1, 2))
    path = reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_changelist")
    assert desk.get(path).status_code == 200
    assert desk.get(f"{path}?q=7").status_code == 200


@pytest.mark.parametrize("model", [Ladder, Match, BotVersion])
def test_a_row_opens_without_telling_a_seed(desk, ladder, model):
    match = queue(ladder, *enrol(ladder, 2))
    row = model.objects.first()
    page = desk.get(reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_change", args=[row.pk]))
    assert page.status_code == 200
    assert match.set.seed.encode() not in page.content


@pytest.mark.parametrize("role", ["author", "organiser"])
def test_the_desk_is_for_administrators(client, role):
    client.force_login(make_user("somebody", role))
    page = client.get(reverse("admin:index"), follow=True)
    assert page.status_code == 403
    assert "desk is for administrators" in page.content.decode()


def test_whoever_comes_to_the_desk_signs_in_on_the_site_and_comes_back(desk):
    path = reverse("admin:matches_match_changelist")
    answer = Client().get(path, follow=True)
    assert answer.redirect_chain[-1] == (f"{reverse('account_login')}?next={path}", 302)
    assert desk.get(reverse("admin:login")).url == reverse("admin:index")


def test_a_table_of_the_desk_is_called_as_in_the_list_of_tables(desk):
    page = desk.get(reverse("admin:knox_authtoken_changelist")).content.decode()
    assert "<h1>API tokens</h1>" in page


def test_a_ladder_is_paused_and_resumed(desk, ladder):
    match = queue(ladder, *enrol(ladder, 2))
    act(desk, "ladders_ladder", "pause", ladder)
    match.refresh_from_db()
    assert (Ladder.objects.get().is_paused, match.is_held) == (True, True)
    act(desk, "ladders_ladder", "resume", ladder)
    assert not Ladder.objects.get().is_paused
    assert noted() == [("boss", "resume ladder"), ("boss", "pause ladder")]


def test_a_match_is_struck_and_played_again(desk, ladder):
    match = play(ladder, *enrol(ladder, 2), ranks=(1, 2))
    act(desk, "matches_match", "void_and_rerun", match, why="the worker was broken")
    match.refresh_from_db()
    assert (match.status, match.reason) == ("void", "voided by boss: the worker was broken")
    again = Match.objects.get(status="queued")
    assert list(again.seats.values_list("version")) == list(match.seats.values_list("version"))


def test_a_match_that_was_not_played_is_struck_only_with_a_reason(desk, ladder):
    match = queue(ladder, *enrol(ladder, 2))
    assert "say why in the field next to the action" in act(desk, "matches_match", "void", match)
    act(desk, "matches_match", "void", match, why="its bundle kills workers")
    match.refresh_from_db()
    assert (match.status, match.reason) == ("void", "voided by boss: its bundle kills workers")


def test_what_was_set_aside_is_found_and_tried_again(desk, ladder):
    aside, other = (queue(ladder, *enrol(ladder, 2)) for _ in range(2))
    Match.objects.filter(pk=aside.pk).update(times_aside=1, aside_until=now() + timedelta(hours=1))
    listed = desk.get(reverse("admin:matches_match_changelist") + "?aside=yes").context["cl"].result_list
    assert [match.pk for match in listed] == [aside.pk]
    assert f"Match {other.pk} is not set aside" in act(desk, "matches_match", "try_again", aside, other)
    assert {claim_match(worker=f"host/{number}").match_id for number in range(2)} == {aside.pk, other.pk}
    assert noted() == [("boss", "try match again")]


def test_a_version_is_checked_again(desk, ladder):
    version = enrol(ladder, 1)[0]
    assert "is qualified" in act(desk, "submissions_botversion", "check_again", version)
    BotVersion.objects.update(status="rejected")
    act(desk, "submissions_botversion", "check_again", version)
    version.refresh_from_db()
    assert version.status == "received"


def test_what_can_not_be_struck_is_told_and_not_noted(desk, ladder):
    match = play(ladder, *enrol(ladder, 2), ranks=(1, 2))
    act(desk, "matches_match", "void", match)
    told = act(desk, "matches_match", "void", match)
    assert "is void" in told
    assert len(noted()) == 1


def test_a_version_is_quarantined_and_released(desk, ladder):
    version = enrol(ladder, 1)[0]
    act(desk, "submissions_botversion", "quarantine", version)
    version.refresh_from_db()
    assert (version.status, version.reason) == ("quarantined", "by boss")
    act(desk, "submissions_botversion", "release", version)
    version.refresh_from_db()
    assert version.status == "qualified"


def test_a_link_for_a_new_password_is_shown_and_noted_without_the_link(desk):
    told = act(desk, "accounts_user", "make_reset_link", make_user("remus"))
    assert "/accounts/password/reset/key/" in told
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.detail) == ("reset link", {})


def test_a_role_is_changed_on_the_form_and_the_last_administrator_keeps_it(desk, boss):
    remus = make_user("remus")
    form = {"username": "remus", "email": "", "role": "organiser", "is_active": "on"}
    desk.post(reverse("admin:accounts_user_change", args=[remus.pk]), form)
    remus.refresh_from_db()
    assert remus.role == "organiser"
    form = {"username": "boss", "email": "", "role": "author", "is_active": "on"}
    desk.post(reverse("admin:accounts_user_change", args=[boss.pk]), form)
    boss.refresh_from_db()
    assert (boss.role, boss.is_staff) == ("administrator", True)


def test_a_locked_out_person_is_let_in_again(desk):
    remus = make_user("remus")
    login = {"login": "remus", "password": "wrong"}
    stranger = Client()
    for _ in range(6):
        stranger.post(reverse("account_login"), login)
    assert stranger.post(reverse("account_login"), login).status_code == 429
    act(desk, "accounts_user", "unlock", remus)
    assert stranger.post(reverse("account_login"), login).status_code == 200


def test_an_invitation_is_made_at_the_desk(desk):
    form = {"note": "the class", "uses_left": "30", "expires_at_0": "2030-01-01", "expires_at_1": "00:00"}
    desk.post(reverse("admin:accounts_invite_add"), form)
    made = Invite.objects.get()
    assert (made.uses_left, made.expires_at.year, bool(made.code)) == (30, 2030, True)


def test_a_deleted_account_leaves_its_bots(desk, ladder):
    version = enrol(ladder, 1)[0]
    remus = make_user("remus")
    version.bot.owner = remus
    version.bot.save()
    desk.post(reverse("admin:accounts_user_delete", args=[remus.pk]), {"post": "yes"})
    version.bot.refresh_from_db()
    assert (version.bot.owner, version.bot.name) == (None, f"anonymous-{version.bot.pk}")
    assert standing(version, ladder).name == version.bot.name
    assert not User.objects.filter(username="remus").exists()


def test_a_sound_change_to_a_ladder_is_saved_and_a_false_one_refused(desk, ladder):
    path = reverse("admin:ladders_ladder_change", args=[ladder.pk])
    good = {"is_open": "on", "draw_probability": "0.1", "tau": "0.01", "sigma_goal": "1", "most_matches": "300"}
    desk.post(path, good)
    ladder.refresh_from_db()
    assert ladder.most_matches == 300
    assert desk.post(path, good | {"draw_probability": "7"}).status_code == 200
    ladder.refresh_from_db()
    assert ladder.draw_probability == 0.1


@pytest.mark.parametrize(("changes", "is_pending"), [({"most_matches": "7"}, False), ({"tau": "0.5"}, True)])
def test_a_ladder_that_rates_in_another_way_says_that_its_ratings_are_pending(desk, ladder, changes, is_pending):
    path = reverse("admin:ladders_ladder_change", args=[ladder.pk])
    told = {name: getattr(ladder, name) for name in ("draw_probability", "tau", "sigma_goal", "most_matches")}
    desk.post(path, {"is_open": "on", **told, **changes})
    for page in (desk.get(path), desk.get(reverse("admin:ladders_ladder_changelist"))):
        assert ("pending: ratings are being recomputed" in page.content.decode()) == is_pending
    assert Ladder.objects.get().needs_rebuild == is_pending


def test_a_tournament_is_paused_for_its_organiser_without_telling_its_seed(desk, ladder):
    cup = Tournament.objects.create(name="cup", ladder=ladder, status="running", seed="ab" * 32, seed_commitment="cd")
    act(desk, "tournaments_tournament", "pause", cup)
    cup.refresh_from_db()
    assert (cup.status, noted()) == ("paused", [("boss", "pause tournament")])
    page = desk.get(reverse("admin:tournaments_tournament_change", args=[cup.pk]))
    assert cup.seed.encode() not in page.content


def test_the_desk_groups_its_tables_by_what_is_looked_for(desk):
    groups = desk.get(reverse("admin:index")).context["app_list"]
    assert [group["name"] for group in groups] == [name for name, _ in GROUPS]
    shown = {model["model"] for group in groups for model in group["models"]}
    assert shown == set(TABLES)
    assert all(model["does"] for group in groups for model in group["models"])


def test_a_table_that_no_group_names_is_shown_all_the_same(desk, monkeypatch):
    monkeypatch.setattr(admin_site, "GROUPS", ())
    (others,) = desk.get(reverse("admin:index")).context["app_list"]
    assert {model["model"] for model in others["models"]} == set(TABLES)


def test_the_desk_tells_first_what_waits_for_a_person(desk, ladder):
    (version, other) = enrol(ladder, 2)
    BotVersion.objects.filter(pk=version.pk).update(status="quarantined")
    queue(ladder, version, other)
    page = desk.get(reverse("admin:index"))
    figures = {figure.name: figure for figure in page.context["overview"].figures}
    assert (figures["In quarantine"].count, figures["In quarantine"].is_pressing) == (1, True)
    assert (figures["Waiting to be played"].count, figures["Set aside"].is_pressing) == (1, False)
    assert all(desk.get(figure.path).status_code == 200 for figure in figures.values())
    assert "No worker can play" in page.content.decode()


def test_a_row_of_the_desk_leads_to_its_page_on_the_site(desk, ladder):
    match = queue(ladder, *enrol(ladder, 2))
    page = desk.get(reverse("admin:matches_match_change", args=[match.pk])).content.decode()
    assert f'href="{reverse("web:match", args=[match.pk])}"' in page


def test_matches_are_found_by_how_they_ended_and_no_choice_is_blank(desk, ladder):
    played, waiting = play(ladder, *enrol(ladder, 2), ranks=(1, 2)), queue(ladder, *enrol(ladder, 2))
    page = desk.get(reverse("admin:matches_match_changelist"), {"ending": "finished"})
    assert list(page.context["cl"].queryset) == [played]
    assert waiting.ending == ""
    assert 'href="?ending="' not in page.content.decode()


def test_the_desk_writes_moments_as_the_site_does_and_its_search_says_what_it_finds(desk, ladder):
    match = play(ladder, *enrol(ladder, 2), ranks=(1, 2))
    Match.objects.filter(pk=match.pk).update(created_at=datetime(2026, 3, 9, 17, 5, tzinfo=UTC))
    page = desk.get(reverse("admin:matches_match_changelist")).content.decode()
    assert "9 Mar 2026 17:05" in page
    assert '<label for="searchbar">Search by match number or worker name</label>' in page
