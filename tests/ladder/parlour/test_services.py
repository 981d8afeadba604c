"""Sittings without their bots: who may begin, join, choose and look, and what nobody is told."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from engines import GAMES
from ladder.parlour.models import Act, Chair, Sitting
from ladder.parlour.permissions import HumanPlayer, may_watch, seat_of
from ladder.parlour.queries import get_sitting, opponents, sittings_of, state_of, view_of
from ladder.parlour.services import (
    NotChoosable,
    Sitter,
    SittingRefused,
    begin,
    choose,
    join,
    leave_stale,
    resign,
)
from ladder.refusals import Conflict, Forbidden, QuotaReached
from ladder.submissions.models import Bot
from tests.ladder.cast import make_version
from tests.ladder.parlour.table import against, choose_first, guest, house_bot, person

pytestmark = pytest.mark.django_db


def duel(ann: HumanPlayer, ben: HumanPlayer, game: str = "speak_easy") -> Sitting:
    """Two people at a table, which needs no bot."""
    sitting = begin(ann, game=game, chairs=[Sitter.ME, Sitter.FRIEND])
    return join(ben, sitting, sitting.invite)


def test_people_play_a_whole_game_by_a_link() -> None:
    players = [person("ann"), person("ben")]
    sitting = duel(*players, game="gatsby")
    while not sitting.is_over:
        sitting = choose_first(players[sitting.to_act], sitting)
    assert sitting.ending == "finished"
    assert sorted(sitting.ranks) in ([1, 1], [1, 2])


def test_two_people_and_a_bot_sit_at_one_table() -> None:
    ann, ben = person("ann"), guest()
    sitting = begin(ann, game="capone", chairs=[house_bot("capone"), Sitter.ME, Sitter.FRIEND])
    assert sitting.status == Sitting.Status.OPEN
    with pytest.raises(Conflict, match="nothing can be chosen"):
        choose(ann, sitting, ply=0, text="done")
    sitting = join(ben, sitting, sitting.invite)
    assert sitting.status == Sitting.Status.PLAYING
    assert [seat_of(player, sitting) for player in (ann, ben, guest("another"))] == [1, 2, None]
    with pytest.raises(Conflict, match="Every seat"):
        join(person("cleo"), sitting, sitting.invite)


def test_a_wrong_invitation_opens_no_chair() -> None:
    sitting = begin(person("ann"), game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND])
    with pytest.raises(Forbidden, match="not valid"):
        join(person("ben"), sitting, "é" * 22)


def test_owners_decide_whether_people_play_against_their_bots() -> None:
    owner, rival = person("owner"), person("rival")
    version = make_version(owner=owner.user, game="gatsby")
    assert against(owner, version).status == Sitting.Status.PLAYING
    for player in (rival, guest()):
        with pytest.raises(Forbidden, match="doesn't let people play against it"):
            against(player, version)
    Bot.objects.filter(pk=version.bot_id).update(plays_people=True)
    version.bot.refresh_from_db()
    assert against(rival, version)
    with pytest.raises(Forbidden, match="Sign in"):
        against(guest(), version)


def test_a_player_is_offered_the_bots_that_may_be_played() -> None:
    owner, rival = person("owner"), person("rival")
    house = house_bot("gatsby")
    version = make_version(owner=owner.user, game="gatsby")
    assert opponents(rival, "gatsby") == opponents(guest(), "gatsby") == [house]
    assert opponents(owner, "gatsby") == [house, version]
    Bot.objects.filter(pk=version.bot_id).update(plays_people=True)
    assert opponents(rival, "gatsby") == [house, version]
    assert opponents(guest(), "gatsby") == [house]


@pytest.mark.parametrize(
    ("game", "chairs", "message"),
    [
        ("chess", [Sitter.ME, Sitter.FRIEND], "There is no game 'chess'"),
        ("gatsby", [Sitter.ME], "can't be played with 1 seats"),
        ("gatsby", [Sitter.ME] * 2, "You can take one seat; 2 were asked for"),
        ("gatsby", [Sitter.FRIEND] * 2, "You can take one seat; 0 were asked for"),
        ("gatsby", [], "You can take one seat; 0"),
        ("capone", [Sitter.ME, *[Sitter.FRIEND] * 6], "can't be played with 7 seats"),
    ],
)
def test_a_table_that_no_game_has_is_refused(game: str, chairs: list[Sitter], message: str) -> None:
    with pytest.raises(SittingRefused, match=message):
        begin(person("ann"), game=game, chairs=chairs)
    assert not Sitting.objects.exists()


def test_a_bot_of_another_game_or_unqualified_is_refused() -> None:
    ann = person("ann")
    with pytest.raises(SittingRefused, match="is a bot for capone"):
        begin(ann, game="gatsby", chairs=[Sitter.ME, house_bot("capone")])
    with pytest.raises(SittingRefused, match="is rejected"):
        against(ann, make_version(owner=ann.user, game="gatsby", status="rejected"))


def test_a_day_has_so_many_games_for_one_person(settings) -> None:
    settings.SITTINGS_A_DAY = 2
    ann, version = person("ann"), house_bot("gatsby")
    for _ in range(2):
        against(ann, version)
    with pytest.raises(QuotaReached, match="You began 2 games") as refused:
        against(ann, version)
    assert refused.value.retry_after_s
    assert against(person("ben"), version)


def test_guests_have_one_game_a_small_bank_and_a_cap_for_all_of_them(settings) -> None:
    settings.SITTINGS_OF_GUESTS = 2
    version = house_bot("gatsby")
    first = against(guest("one"), version)
    assert first.bank_ms == 1_000
    assert all(chair.bank_ms == 1_000 for chair in first.chairs.all() if chair.is_bot)
    against(guest("one"), version)
    assert get_sitting(first.key).ending == "resigned"  # a new game ends the old one
    against(guest("two"), version)
    with pytest.raises(QuotaReached, match="2 people without an account"):
        against(guest("three"), version)
    Sitting.objects.update(moved_at=Now() - timedelta(minutes=3))  # they rest, so others may play
    assert against(guest("three"), version)


def test_a_guest_who_joins_a_friend_has_left_the_own_game() -> None:
    own = against(guest("one"), house_bot("gatsby"))
    friends = begin(person("ann"), game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND])
    join(guest("one"), friends, friends.invite)
    assert get_sitting(own.key).ending == "resigned"
    assert get_sitting(friends.key).status == Sitting.Status.PLAYING


def test_games_between_guests_begin_by_the_link_only_while_there_is_room(settings) -> None:
    settings.SITTINGS_OF_GUESTS = 1
    waiting = begin(guest("one"), game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND])
    against(guest("two"), house_bot("gatsby"))
    with pytest.raises(QuotaReached, match="all there is room for"):
        join(guest("three"), waiting, waiting.invite)
    assert get_sitting(waiting.key).status == Sitting.Status.OPEN
    Sitting.objects.update(moved_at=Now() - timedelta(minutes=3))
    assert join(guest("three"), waiting, waiting.invite).status == Sitting.Status.PLAYING


def test_a_guest_without_a_cookie_is_told_so() -> None:
    with pytest.raises(Forbidden, match="cookie"):
        against(HumanPlayer(), house_bot("gatsby"))


def test_nobody_else_chooses_or_resigns() -> None:
    ann, ben = person("ann"), person("ben")
    sitting = duel(ann, ben)
    for stranger in (person("eve"), guest(), HumanPlayer()):
        with pytest.raises(Forbidden):
            choose(stranger, sitting, ply=0, text="8")
        with pytest.raises(Forbidden):
            resign(stranger, sitting)
        assert not may_watch(stranger, sitting)


@pytest.mark.parametrize("text", ["", "Z", "a1-a2", "8\n", "8" * 5000, "💥"])
def test_an_action_that_is_not_legal_changes_nothing(text: str) -> None:
    ann, ben = person("ann"), person("ben")
    sitting = duel(ann, ben)
    with pytest.raises(NotChoosable, match="is not one of the"):
        choose([ann, ben][sitting.to_act], sitting, ply=0, text=text)
    assert get_sitting(sitting.key).ply == 0
    assert not Act.objects.exists()


def test_an_action_counts_once_and_only_in_its_turn_and_at_its_ply() -> None:
    players = [person("ann"), person("ben")]
    sitting = duel(*players)
    mover, other = players[sitting.to_act], players[1 - sitting.to_act]
    with pytest.raises(NotChoosable, match="not your turn"):
        choose(other, sitting, ply=0, text="8")
    choose(mover, sitting, ply=0, text="8")
    choose(mover, sitting, ply=0, text="8")  # the answer got lost, so it was sent again
    assert get_sitting(sitting.key).ply == 1
    with pytest.raises(NotChoosable, match="at ply 1, not at 0"):
        choose(mover, sitting, ply=0, text="7")


def test_nothing_hidden_is_in_any_answer_while_the_game_goes_on() -> None:
    for game in sorted(GAMES):
        if 2 not in GAMES[game].seats:
            continue
        players = [person(f"ann-{game}"), person(f"ben-{game}")]
        sitting = duel(*players, game=game)
        for _ in range(60):
            sitting = choose_first(players[sitting.to_act], sitting)
        state = state_of(sitting)
        for seat, player in enumerate(players):
            told = view_of(sitting, player)
            assert sitting.seed not in json.dumps(told)
            last = told["frames"][-1]
            seen = {key: value for key, value in state.observe(seat).items() if key != "log"}
            assert _built(told["frames"]) == seen
            assert last["ply"] == sitting.ply
            assert bool(told["legal"]) == (sitting.to_act == seat)


def _built(frames: list[dict]) -> dict:
    from arena import apply_changes

    state = frames[0]["state"]
    for frame in frames[1:]:
        state = apply_changes(state, frame["changes"])
    return state


def test_every_offered_action_has_its_hint() -> None:
    players = [person("ann"), person("ben")]
    sitting = duel(*players)
    told = view_of(sitting, players[sitting.to_act])
    assert {"text": "8", "offer": "Places the Boss (8) on a1."} in told["legal"] or all(
        choice["offer"] != choice["text"] for choice in told["legal"]
    )


def test_who_resigns_loses_and_the_replay_opens() -> None:
    ann, ben = person("ann"), person("ben")
    sitting = resign(ann, duel(ann, ben))
    assert (sitting.ending, sitting.ranks) == ("resigned", [2, 1])
    assert may_watch(HumanPlayer(), sitting)
    assert view_of(sitting, HumanPlayer())["ending"] == "ben won because ann resigned."


def test_a_seat_that_resigned_is_played_on_while_other_people_play() -> None:
    players = [person("ann"), person("ben"), person("cleo")]
    sitting = begin(players[0], game="capone", chairs=[Sitter.ME, Sitter.FRIEND, Sitter.FRIEND])
    for player in players[1:]:
        sitting = join(player, sitting, sitting.invite)
    sitting = resign(players[1], sitting)
    for _ in range(30):
        sitting = choose_first(players[sitting.to_act], sitting)
        assert sitting.to_act != 1
    assert sitting.status == Sitting.Status.PLAYING
    assert resign(players[0], sitting).ranks == [2, 3, 1]


def test_nobody_came_back_within_a_day() -> None:
    ann = person("ann")
    sitting = against(ann, house_bot("gatsby"))
    assert leave_stale() == 0
    Sitting.objects.update(moved_at=Now() - timedelta(hours=25))
    assert leave_stale() == 1
    assert get_sitting(sitting.key).status == Sitting.Status.ABANDONED
    assert list(sittings_of(ann)) == [sitting]


def test_a_deleted_account_leaves_its_games_without_its_name() -> None:
    ann, ben = person("ann"), person("ben")
    sitting = duel(ann, ben)
    ann.user.delete()
    assert Chair.objects.filter(sitting=sitting, seat=0, person=None).exists()
    assert "ann" not in json.dumps(view_of(get_sitting(sitting.key), ben)["chairs"])
