"""The API at its edges: times of other zones, names of other alphabets, pages that change while they are read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from ladder.accounts.models import Notification, User
from ladder.accounts.services import make_token, notify
from ladder.ladders.models import Ladder
from ladder.submissions.models import Bot
from ladder.tournaments.models import Tournament
from tests.ladder.cast import make_ladder, make_user, make_version

pytestmark = pytest.mark.django_db


class Caller:
    """Somebody with a token."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.client = Client(headers={"Authorization": f"Token {make_token(user).token}"})

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        send = getattr(self.client, method)
        answer = send(f"/api/v1/{path}", body, "application/json") if body is not None else send(f"/api/v1/{path}")
        return answer.status_code, answer.json() if answer.content else None


@pytest.fixture
def ann() -> Caller:
    return Caller(make_user("ann"))


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder("gatsby")


def a_year_on(text: str) -> str:
    return f"{now().year + 1}-{text}"


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ("03-05T12:00:00Z", "03-05T12:00:00Z"),
        ("03-05T12:00:00+02:00", "03-05T10:00:00Z"),
        ("03-05T01:00:00+05:30", "03-04T19:30:00Z"),
        ("03-05T12:00:00", "03-05T12:00:00Z"),
    ],
)
def test_a_moment_of_any_zone_is_told_in_utc(ann: Caller, ladder: Ladder, sent: str, told: str) -> None:
    wish = {"name": "Cup", "ladder": ladder.slug, "entries_until": a_year_on(sent)}
    status, cup = ann.ask("post", "tournaments/", wish)
    assert (status, cup["entries_until"]) == (201, a_year_on(told))
    assert Tournament.objects.get().entries_until.astimezone(UTC).isoformat().startswith(a_year_on(told)[:-1])


@pytest.mark.parametrize("sent", ["tomorrow", "2026-13-01T00:00:00Z", "12:00", 17, "2020-01-01T00:00:00Z"])
def test_a_moment_that_is_none_or_past_names_its_field(ann: Caller, ladder: Ladder, sent: object) -> None:
    status, told = ann.ask("post", "tournaments/", {"name": "Cup", "ladder": ladder.slug, "entries_until": sent})
    assert status == 400
    assert list(told["error"]["fields"]) == ["entries_until"]


@pytest.mark.parametrize("name", ["Coupe d’été", "Кубок", "東京杯", "🥃 cup", "a\u0301"])
def test_a_name_of_any_alphabet_comes_back_as_it_was(ann: Caller, ladder: Ladder, name: str) -> None:
    status, cup = ann.ask("post", "tournaments/", {"name": name, "ladder": ladder.slug, "description": name * 3})
    assert (status, cup["name"], cup["description"]) == (201, name, name * 3)


@pytest.mark.parametrize(("length", "status"), [(80, 201), (81, 400), (0, 400)])
def test_a_name_has_its_length_in_letters_and_not_in_bytes(
    ann: Caller, ladder: Ladder, length: int, status: int
) -> None:
    assert ann.ask("post", "tournaments/", {"name": "é" * length, "ladder": ladder.slug})[0] == status


def pages(ann: Caller, path: str) -> list[list[Any]]:
    """Every page from this one on."""
    found, address = [], path
    while address:
        _, told = ann.ask("get", address)
        found.append(told["results"])
        address = told["next"] and told["next"].split("/api/v1/")[1]
    return found


@pytest.mark.parametrize(("count", "sizes"), [(0, [0]), (1, [1]), (2, [2]), (3, [2, 1]), (4, [2, 2]), (5, [2, 2, 1])])
def test_the_last_page_leads_nowhere(ann: Caller, count: int, sizes: list[int]) -> None:
    for number in range(count):
        notify(ann.user, "account", str(number))
    read = pages(ann, "me/notifications/?limit=2")
    assert [len(page) for page in read] == sizes
    texts = [line["text"] for page in read for line in page]
    assert texts == [str(number) for number in reversed(range(count))]


def test_a_line_that_comes_or_goes_between_two_pages_moves_no_other(ann: Caller) -> None:
    lines = [notify(ann.user, "account", str(number)) for number in range(5)]
    _, first = ann.ask("get", "me/notifications/?limit=2")
    notify(ann.user, "account", "new")
    Notification.objects.filter(pk=lines[3].pk).delete()
    rest = pages(ann, first["next"].split("/api/v1/")[1])
    assert [line["text"] for line in first["results"]] == ["4", "3"]
    assert [line["text"] for page in rest for line in page] == ["2", "1", "0"]


def test_a_page_leads_back_to_the_one_before(ann: Caller) -> None:
    for number in range(4):
        notify(ann.user, "account", str(number))
    _, first = ann.ask("get", "me/notifications/?limit=2")
    assert first["previous"] is None
    _, second = ann.ask("get", first["next"].split("/api/v1/")[1])
    _, again = ann.ask("get", second["previous"].split("/api/v1/")[1])
    assert again["results"] == first["results"]


@pytest.mark.parametrize("limit", ["0", "101", "-1", "many", "null", "1.5", ""])
def test_a_limit_out_of_range_is_refused_by_name(ann: Caller, limit: str) -> None:
    status, told = ann.ask("get", f"me/notifications/?limit={limit}")
    assert status == 400
    assert list(told["error"]["fields"]) == ["limit"]


def test_notifications_are_read_by_number_and_only_one_s_own(ann: Caller) -> None:
    bob = Caller(make_user("bob"))
    mine, other = notify(ann.user, "account", "mine"), notify(bob.user, "account", "his")
    assert ann.ask("post", "me/notifications/", {"ids": [mine.pk, other.pk]})[0] == 204
    assert (ann.ask("get", "me/")[1]["unread"], bob.ask("get", "me/")[1]["unread"]) == (0, 1)
    assert ann.ask("post", "me/notifications/", {"ids": ["x"]})[0] == 400


def test_a_token_is_revoked_by_its_owner_and_works_until_then(ann: Caller) -> None:
    _, fresh = ann.ask("post", "auth/tokens/", {"name": "second", "days": 1})
    bob = Caller(make_user("bob"))
    assert bob.ask("delete", f"auth/tokens/{fresh['id']}/")[0] == 404
    second = Client(headers={"Authorization": f"Token {fresh['token']}"})
    assert second.get("/api/v1/me/").status_code == 200
    assert ann.ask("delete", f"auth/tokens/{fresh['id']}/")[0] == 204
    assert second.get("/api/v1/me/").status_code == 401


@pytest.mark.parametrize(("days", "status"), [(1, 201), (366, 201), (0, 400), (367, 400), ("many", 400)])
def test_a_token_has_its_days(ann: Caller, days: object, status: int) -> None:
    answered, told = ann.ask("post", "auth/tokens/", {"days": days})
    assert answered == status
    if status == 201:
        left = datetime.fromisoformat(told["expires_at"]) - now()
        assert timedelta(days=int(str(days)), minutes=-5) < left <= timedelta(days=int(str(days)))


def test_signing_out_ends_the_token_that_came_along_and_no_other(ann: Caller) -> None:
    other = Client(headers={"Authorization": f"Token {make_token(ann.user).token}"})
    assert ann.ask("post", "auth/logout/")[0] == 204
    assert ann.ask("get", "me/")[0] == 401
    assert other.get("/api/v1/me/").status_code == 200


def test_following_twice_and_unfollowing_twice_are_once(ann: Caller) -> None:
    bot = make_version(owner=make_user("bob"), game="gatsby").bot
    for _ in range(2):
        assert ann.ask("put", f"bots/{bot.pk}/follow/")[0] == 204
    assert len(ann.ask("get", "me/following/")[1]["results"]) == 1
    for _ in range(2):
        assert ann.ask("delete", f"bots/{bot.pk}/follow/")[0] == 204
    assert ann.ask("get", "me/following/")[1]["results"] == []


def test_an_account_goes_only_with_its_password(ann: Caller) -> None:
    version = make_version(owner=ann.user)
    status, told = ann.ask("delete", "me/", {"password": "wrong"})
    assert (status, list(told["error"]["fields"])) == (400, ["password"])
    assert ann.ask("delete", "me/", {"password": "long enough 1"})[0] == 204
    assert not User.objects.filter(username="ann").exists()
    assert Bot.objects.get(pk=version.bot_id).owner is None
