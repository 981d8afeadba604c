"""What a person may take along: everything that is kept about them, and nothing of anybody else."""

from __future__ import annotations

import json

import pytest
from django.core.serializers.json import DjangoJSONEncoder

from ladder.accounts.audit import audit
from ladder.accounts.models import User
from ladder.accounts.services import invite, make_token, notify
from ladder.matches.services import request_matches
from ladder.parlour.permissions import HumanPlayer
from ladder.privacy.export import account_export
from ladder.tournaments.models import Tournament
from tests.ladder.cast import enrol, make_ladder, make_user, make_version
from tests.ladder.parlour.table import against, house_bot, person

pytestmark = pytest.mark.django_db

# Every column that points at a person, and the part of the export that tells it.
TOLD_IN = {
    "submissions.Bot.owner": "bots",
    "submissions.BotVersion.uploaded_by": "bots",
    "matches.MatchSet.requested_by": "requested_sets",
    "tournaments.Tournament.organiser": "tournaments",
    "duels.Duel.asked_by": "duels",
    "parlour.Sitting.started_by": "sittings",
    "parlour.Chair.person": "sittings",
    "submissions.Follow.follower": "following",
    "accounts.Invite.created_by": "invites",
    "tokens.ApiToken.user": "tokens",
    "accounts.Notification.user": "notifications",
    "accounts.AuditEntry.actor": "acts",
    "ratings.Season.closed_by": "acts",
    "socialaccount.SocialAccount.user": "sign_ins",
}
# What others keep for us, or what tells no more than the above.
NOT_TOLD = {
    "knox.AuthToken.user",  # the secret half of a token
    "account.EmailAddress.user",  # the address of the account itself
    "admin.LogEntry.user",  # the desk's own list; the audit log has the same
    "submissions.Follow.author",  # who follows us is told to the followers
    "tournaments.Entrant.entered_by",  # which bot is entered by whom follows from the bot
}


@pytest.fixture
def remus() -> User:
    return make_user("remus")


def columns_about_people() -> set[str]:
    """Every foreign key to an account, in our rooms and in those of others."""
    found = User._meta.get_fields(include_hidden=True)
    keys = [one.remote_field for one in found if one.auto_created and not one.concrete and one.one_to_many]
    return {f"{key.model._meta.app_label}.{key.model._meta.object_name}.{key.name}" for key in keys if key is not None}


def test_every_column_about_a_person_is_told_or_has_a_reason_not_to_be(remus: User) -> None:
    known = TOLD_IN.keys() | NOT_TOLD
    through = {name for name in columns_about_people() if "_" in name.split(".")[1]}  # tables of Django's groups
    assert columns_about_people() - through <= known
    assert set(TOLD_IN.values()) <= account_export(remus).keys()


def test_games_at_the_parlour_are_told_with_the_seat(remus: User) -> None:
    bot = house_bot("gatsby")
    sitting = against(HumanPlayer(remus), bot)
    against(person("rival"), bot)
    (told,) = account_export(remus)["sittings"]
    assert (told["sitting__key"], told["sitting__game"], told["seat"]) == (sitting.key, "gatsby", 0)
    assert "sitting__seed" not in told


def test_what_somebody_did_as_an_operator_is_told(remus: User) -> None:
    audit(remus, "drain", "worker 1")
    audit(make_user("rival"), "drain", "worker 2")
    code = invite(by=remus, uses=3, note="for the speakeasy").code
    told = account_export(remus)
    assert [act["target"] for act in told["acts"] if act["action"] == "drain"] == ["worker 1"]
    assert [(one["note"], one["uses_left"]) for one in told["invites"]] == [("for the speakeasy", 3)]
    assert code not in json.dumps(told, cls=DjangoJSONEncoder)


def test_versions_are_told_under_their_bot_with_the_digest_of_the_upload(remus: User) -> None:
    first = make_version(owner=remus)
    second = make_version(bot=first.bot)
    make_version(owner=make_user("rival"))
    (bot,) = account_export(remus)["bots"]
    assert [version["number"] for version in bot["versions"]] == [1, 2]
    assert [version["sha256"] for version in bot["versions"]] == [first.bundle_id, second.bundle_id]
    assert "bundle_id" not in bot["versions"][0]


def test_a_bot_without_a_version_is_told_too(remus: User) -> None:
    remus.bots.create(game="capone", name="unborn")
    (bot,) = account_export(remus)["bots"]
    assert (bot["name"], bot["versions"]) == ("unborn", [])


def test_matches_asked_for_are_told_by_their_ladder(remus: User) -> None:
    ladder = make_ladder()
    made = request_matches(user=remus, ladder=ladder, versions=enrol(ladder, 2), all_rotations=False)
    assert [(one["id"], one["ladder__slug"]) for one in account_export(remus)["requested_sets"]] == [
        (made.pk, "speak_easy-2")
    ]


def test_tournaments_are_told_without_their_seed(remus: User) -> None:
    ladder = make_ladder()
    Tournament.objects.create(name="Harbour Cup", ladder=ladder, format="swiss", organiser=remus, seed="12345678901")
    told = account_export(remus)
    assert [one["name"] for one in told["tournaments"]] == ["Harbour Cup"]
    assert "12345678901" not in json.dumps(told, cls=DjangoJSONEncoder)


def test_the_whole_export_is_json(remus: User) -> None:
    make_token(remus, name="laptop")
    notify(remus, "qualified", "hello")
    make_version(owner=remus)
    told = json.loads(json.dumps(account_export(remus), cls=DjangoJSONEncoder))
    assert told["export"] == 1
    assert told["account"]["username"] == "remus"
    assert [one["text"] for one in told["notifications"]] == ["hello"]
