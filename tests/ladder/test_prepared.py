"""Questions whose SQL is made once."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from ladder.accounts.models import User
from ladder.matches.leases import claim_match
from ladder.matches.models import Match
from ladder.prepared import NotPrepared, prepared, prepared_update
from ladder.submissions.models import Bot
from tests.ladder.cast import enrol, make_ladder, make_user, queue

pytestmark = pytest.mark.django_db


def make_bots() -> list[Bot]:
    owners = [make_user("ada"), make_user("bo")]
    return [Bot.objects.create(owner=owners[n % 2], game="gatsby", name=f"bot {n}") for n in range(7)]


def test_the_answer_is_that_of_the_query_set_whatever_it_is_asked_with() -> None:
    make_bots()
    by_owner = prepared(
        lambda owner, game: (
            Bot.objects.filter(owner__username=owner, game=game).select_related("owner").order_by("name")
        )
    )
    for owner, game in (("ada", "gatsby"), ("bo", "gatsby"), ("bo", "capone"), ("nobody", "gatsby")):
        told = list(Bot.objects.filter(owner__username=owner, game=game).order_by("name"))
        with CaptureQueriesContext(connection) as queries:
            found = by_owner(owner, game)
            assert [(bot.name, bot.owner.username) for bot in found] == [(bot.name, owner) for bot in told]
            assert found == told
        assert len(queries) == 1


def test_a_list_of_any_length_finds_what_it_names() -> None:
    bots = make_bots()
    names = prepared(lambda ids: Bot.objects.filter(pk__in=ids).order_by("id").values_list("name", "created_at"))
    for count in range(8):
        wanted = bots[:count]
        assert names([bot.pk for bot in wanted]) == [(bot.name, bot.created_at) for bot in wanted]


def test_single_values_and_dictionaries_come_as_they_are_asked_for() -> None:
    bots = make_bots()
    flat = prepared(lambda pk: Bot.objects.filter(pk=pk).values_list("name", flat=True))
    rows = prepared(lambda pk: Bot.objects.filter(pk=pk).values("name", "game"))
    assert flat(bots[3].pk) == ["bot 3"]
    assert rows(bots[4].pk) == [{"name": "bot 4", "game": "gatsby"}]


def test_the_query_set_is_made_once() -> None:
    make_user("ada")
    made: list[str] = []

    @prepared
    def users(name: str) -> QuerySet[User]:
        made.append(name)
        return User.objects.filter(username=name)

    assert [len(users(name)) for name in ("ada", "bo", "ada")] == [1, 0, 1]
    assert len(made) == 1
    assert users.__name__ == "users"


@pytest.mark.parametrize(
    "question",
    [
        lambda name: User.objects.filter(username__contains=name),
        lambda name: User.objects.all() if name == "everybody" else User.objects.none().union(User.objects.all()),
        lambda name: User.objects.filter(username=name).prefetch_related("bots"),
    ],
)
def test_a_question_whose_statement_depends_on_its_argument_is_refused(question) -> None:
    with pytest.raises(NotPrepared):
        prepared(question)("ada")


def test_a_change_is_that_of_the_query_set_and_counts_its_rows() -> None:
    bots = make_bots()
    rename = prepared_update(
        lambda pk, game, name: (Bot.objects.filter(pk=pk, game=game), {"name": name, "created_at": Now()})
    )
    assert [rename(bots[2].pk, "gatsby", "ann"), rename(bots[3].pk, "capone", "ben")] == [1, 0]
    assert list(Bot.objects.order_by("id").values_list("name", flat=True))[2:4] == ["ann", "bot 3"]


def test_a_change_takes_the_key_of_a_lease() -> None:
    ladder = make_ladder()
    match = queue(ladder, *enrol(ladder, 2))
    claim = claim_match(worker="host/1")
    assert claim is not None
    lease, other = claim.lease, uuid4()
    hold = prepared_update(lambda pk, lease, worker: (Match.objects.filter(pk=pk, lease=lease), {"worker": worker}))
    assert [hold(match.pk, other, "a"), hold(match.pk, lease, "b")] == [0, 1]
    match.refresh_from_db()
    assert (match.worker, match.lease) == ("b", lease)


def test_texts_in_a_list_are_found_each_for_itself() -> None:
    make_bots()
    named = prepared(lambda names: Bot.objects.filter(name__in=names).order_by("id").values_list("name", flat=True))
    assert named(["bot 1", "bot 4", "bot 5"]) == ["bot 1", "bot 4", "bot 5"]
    assert named(["bot 6", "nobody", "bot 0"]) == ["bot 0", "bot 6"]
