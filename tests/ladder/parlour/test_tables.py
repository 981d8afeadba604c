"""Games with people, as the people at the table find them: names, seats, turns, joining, leaving, and coming back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from engines import GAMES
from ladder.accounts.models import User
from ladder.parlour.models import Act, Chair, Host, Sitting
from ladder.parlour.permissions import HumanPlayer, is_house, may_play_against, may_watch, seat_of
from ladder.parlour.queries import (
    active_guests,
    due_sittings,
    ending_of,
    faults_of,
    get_sitting,
    glance,
    live_hosts,
    names_of,
    order_of,
    record_of,
    sittings_of,
    state_of,
    unfinished_of,
    view_of,
    wait_p95_ms,
)
from ladder.parlour.services import (
    GUEST_BANK_MS,
    NotChoosable,
    Sitter,
    SittingRefused,
    begin,
    choose,
    join,
    leave_stale,
    resign,
    tell,
)
from ladder.refusals import Conflict, Forbidden, Missing, QuotaReached
from ladder.submissions.models import Bot
from tests.ladder.cast import make_user, make_version
from tests.ladder.parlour.table import against, choose_first, guest, house_bot, person

pytestmark = pytest.mark.django_db
FRIENDS = [Sitter.ME, Sitter.FRIEND]


@pytest.fixture
def ann() -> HumanPlayer:
    return person("ann")


@pytest.fixture
def bob() -> HumanPlayer:
    return person("bob")


def between(one: HumanPlayer, *others: HumanPlayer, game: str = "gatsby") -> Sitting:
    """A game among people; everybody has come."""
    sitting = begin(one, game=game, chairs=[Sitter.ME, *[Sitter.FRIEND] * len(others)])
    for other in others:
        sitting = join(other, sitting, sitting.invite)
    return sitting


def to_move(sitting: Sitting, *players: HumanPlayer) -> HumanPlayer:
    return players[get_sitting(sitting.key).to_act or 0]


@pytest.mark.parametrize("key", ["", "nowhere", "x" * 500])
def test_an_address_that_was_never_given_is_missing(key: str) -> None:
    with pytest.raises(Missing, match="There is no game at this address"):
        get_sitting(key)


def test_a_game_waits_for_everybody_and_then_says_whose_turn_it_is(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = begin(ann, game="gatsby", chairs=FRIENDS)
    assert (sitting.status, sitting.to_act) == ("open", None)
    with pytest.raises(NotChoosable if sitting.is_over else Conflict):
        choose(ann, sitting, ply=0, text="M1")
    sitting = join(bob, sitting, sitting.invite)
    assert sitting.status == "playing"
    assert sitting.to_act == state_of(sitting).to_act


def test_joining_twice_takes_one_seat(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = begin(ann, game="capone", chairs=[Sitter.ME, Sitter.FRIEND, Sitter.FRIEND])
    for _ in range(2):
        sitting = join(bob, sitting, sitting.invite)
    assert [chair.is_taken for chair in sitting.chairs.all()] == [True, True, False]
    assert join(ann, sitting, sitting.invite).chairs.filter(person=ann.user).count() == 1


def test_friends_who_come_at_once_get_a_seat_each_and_one_who_comes_twice_gets_one(ann: HumanPlayer) -> None:
    sitting = begin(ann, game="capone", chairs=[Sitter.ME, Sitter.FRIEND, Sitter.FRIEND])
    bob, carl = person("bob"), person("carl")
    looks = [get_sitting(sitting.key) for _ in range(3)]
    for player, look in zip((bob, bob, carl), looks, strict=True):
        join(player, look, sitting.invite)
    assert [chair.person for chair in get_sitting(sitting.key).chairs.all()] == [ann.user, bob.user, carl.user]


def test_who_comes_too_late_is_told_that_every_seat_is_taken(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = begin(ann, game="gatsby", chairs=FRIENDS)
    stale = get_sitting(sitting.key)
    join(bob, sitting, sitting.invite)
    for look in (stale, get_sitting(sitting.key)):
        with pytest.raises(Conflict, match="Every seat in this game is taken"):
            join(person(f"late{id(look)}"), look, sitting.invite)


@pytest.mark.parametrize("invite", ["", "guessed", "é"])
def test_a_guessed_invitation_opens_nothing(ann: HumanPlayer, bob: HumanPlayer, invite: str) -> None:
    sitting = begin(ann, game="gatsby", chairs=FRIENDS)
    with pytest.raises(Forbidden, match="This invitation is not valid"):
        join(bob, sitting, invite)
    assert get_sitting(sitting.key).status == "open"


def test_a_guest_without_a_secret_joins_nothing(ann: HumanPlayer) -> None:
    sitting = begin(ann, game="gatsby", chairs=FRIENDS)
    with pytest.raises(Forbidden, match="keep a cookie"):
        join(HumanPlayer(), sitting, sitting.invite)


def test_a_guest_is_known_by_a_hash_and_two_guests_are_two(ann: HumanPlayer) -> None:
    vera, other = guest("a secret"), guest("another")
    sitting = begin(ann, game="gatsby", chairs=FRIENDS)
    sitting = join(vera, sitting, sitting.invite)
    assert (seat_of(vera, sitting), seat_of(other, sitting), seat_of(HumanPlayer(), sitting)) == (1, None, None)
    assert "a secret" not in str(Chair.objects.values_list("guest", flat=True))


def test_who_signs_in_takes_new_seats_as_a_person_and_keeps_those_taken_as_a_guest(ann: HumanPlayer) -> None:
    known = HumanPlayer(ann.user, "a secret")
    before = begin(guest("a secret"), game="gatsby", chairs=FRIENDS)
    after = begin(known, game="gatsby", chairs=FRIENDS)
    assert [seat_of(known, sitting) for sitting in (before, after)] == [0, 0]
    assert set(sittings_of(known)) == {before, after}
    assert (seat_of(ann, before), seat_of(guest("a secret"), after)) == (None, None)


def test_whoever_sits_at_a_table_as_a_person_and_as_a_guest_plays_as_the_person(ann: HumanPlayer) -> None:
    sitting = between(guest("a secret"), ann)
    assert seat_of(HumanPlayer(ann.user, "a secret"), sitting) == 1


@pytest.mark.parametrize(
    ("players", "names"),
    [
        ([guest("a"), guest("b"), guest("c")], ["Guest 1", "Guest 2", "Guest 3"]),
        ([guest("a")], ["Guest", "an empty seat 1", "an empty seat 2"]),
    ],
)
def test_everybody_at_a_table_has_a_name_of_their_own(players: list[HumanPlayer], names: list[str]) -> None:
    sitting = begin(players[0], game="capone", chairs=[Sitter.ME, Sitter.FRIEND, Sitter.FRIEND])
    for player in players[1:]:
        sitting = join(player, sitting, sitting.invite)
    assert names_of(sitting) == names


def test_two_seats_of_one_bot_are_told_apart(ann: HumanPlayer) -> None:
    assert names_of(against(ann, house_bot("capone"), seats=3)) == ["ann", "random 1", "random 2"]


def test_a_game_is_watched_by_its_players_and_by_anybody_once_it_is_over(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = between(ann, bob)
    stranger = person("stranger")
    assert [may_watch(player, sitting) for player in (ann, bob, stranger, HumanPlayer())] == [True, True, False, False]
    sitting = resign(ann, sitting)
    assert [may_watch(player, sitting) for player in (stranger, HumanPlayer())] == [True, True]


@pytest.mark.parametrize(
    ("opens", "who", "may"),
    [(True, "stranger", True), (False, "stranger", False), (False, "owner", True), (True, "guest", False)],
)
def test_a_bot_meets_whom_its_owner_lets_in(opens: bool, who: str, may: bool) -> None:
    owner = make_user("owner")
    bot = make_version(owner=owner, game="gatsby").bot
    Bot.objects.update(plays_people=opens)
    bot.refresh_from_db()
    player = {"stranger": HumanPlayer(make_user()), "owner": HumanPlayer(owner), "guest": guest()}[who]
    assert may_play_against(player, bot) is may
    assert not is_house(bot)


@pytest.mark.parametrize("who", ["guest", "person"])
def test_house_bots_meet_everybody_unless_they_are_hidden(who: str) -> None:
    bot = house_bot("gatsby").bot
    player = guest() if who == "guest" else person("ann")
    assert may_play_against(player, bot)
    bot.is_hidden = True
    assert not may_play_against(player, bot)


@pytest.mark.parametrize("count", [0, 2])
def test_one_takes_one_seat(ann: HumanPlayer, count: int) -> None:
    chairs = [Sitter.ME] * count + [Sitter.FRIEND] * (2 - count)
    with pytest.raises(SittingRefused, match=f"You can take one seat; {count} were asked for"):
        begin(ann, game="gatsby", chairs=chairs)


def test_a_game_nobody_knows_is_named_in_few_letters(ann: HumanPlayer) -> None:
    with pytest.raises(SittingRefused) as refused:
        begin(ann, game="x" * 5000, chairs=FRIENDS)
    assert len(refused.value.message) < 200


@pytest.mark.parametrize("options", [{"income": "golden"}, {"nonsense": 1}])
def test_options_that_a_game_has_not_are_refused(ann: HumanPlayer, options: dict) -> None:
    with pytest.raises(SittingRefused):
        begin(ann, game="capone", chairs=[Sitter.ME, Sitter.FRIEND, Sitter.FRIEND], options=options)


@pytest.mark.parametrize(("settled", "told"), [(50_000, GUEST_BANK_MS), (200, 200)])
def test_bots_think_less_for_guests(settings, settled: int, told: int) -> None:
    settings.BOT_LIMITS_MS = {**settings.BOT_LIMITS_MS, "bank_ms": settled}
    version = house_bot("gatsby")
    assert against(guest(), version).bank_ms == told
    assert against(person("ann"), version).bank_ms == settled


def test_a_guest_who_begins_anew_has_left_the_game_before() -> None:
    version, vera = house_bot("gatsby"), guest()
    first, second = against(vera, version), against(vera, version)
    assert get_sitting(first.key).is_over
    assert list(unfinished_of(vera)) == [second]


def test_guests_who_rest_make_room_for_others(settings) -> None:
    settings.SITTINGS_OF_GUESTS = 1
    version = house_bot("gatsby")
    against(guest("one"), version)
    with pytest.raises(QuotaReached, match="1 people without an account are playing"):
        against(guest("two"), version)
    Sitting.objects.update(moved_at=now() - timedelta(minutes=3))
    assert active_guests() == 0
    against(guest("two"), version)


def test_the_day_of_a_person_ends_24_hours_after_the_first_game(ann: HumanPlayer, settings) -> None:
    settings.SITTINGS_A_DAY = 1
    sitting = begin(ann, game="gatsby", chairs=FRIENDS)
    Sitting.objects.update(created_at=now() - timedelta(hours=20))
    with pytest.raises(QuotaReached) as refused:
        begin(ann, game="gatsby", chairs=FRIENDS)
    assert 3 * 3600 < refused.value.retry_after_s <= 4 * 3600
    Sitting.objects.update(created_at=now() - timedelta(hours=24, seconds=1))
    assert begin(ann, game="gatsby", chairs=FRIENDS).pk != sitting.pk


def test_who_keeps_the_service_plays_as_often_as_they_like(settings) -> None:
    settings.SITTINGS_A_DAY = 0
    keeper = HumanPlayer(make_user(role=User.Role.ADMINISTRATOR))
    begun = [begin(keeper, game="gatsby", chairs=FRIENDS) for _ in range(2)]
    assert {sitting.pk for sitting in begun} == {sitting.pk for sitting in Sitting.objects.all()}


def test_the_same_choice_sent_twice_is_made_once(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = between(ann, bob)
    player, state = to_move(sitting, ann, bob), state_of(sitting)
    text = state.format(state.legal_actions()[0])
    for _ in range(3):
        choose(player, sitting, ply=0, text=text)
    assert Act.objects.count() == 1
    assert get_sitting(sitting.key).ply == 1


@pytest.mark.parametrize(("ply", "code"), [(1, "stale_ply"), (99, "stale_ply")])
def test_a_choice_for_another_ply_says_where_the_game_is(
    ann: HumanPlayer, bob: HumanPlayer, ply: int, code: str
) -> None:
    sitting = between(ann, bob)
    with pytest.raises(NotChoosable, match=f"The game is at ply 0, not at {ply}; refresh and try again") as refused:
        choose(to_move(sitting, ann, bob), sitting, ply=ply, text="M1")
    assert (refused.value.code, refused.value.status) == (code, 409)


def test_nobody_chooses_for_another(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = between(ann, bob)
    waiting = bob if to_move(sitting, ann, bob) is ann else ann
    with pytest.raises(NotChoosable) as refused:
        choose(waiting, sitting, ply=0, text="M1")
    assert refused.value.code == "not_your_turn"
    with pytest.raises(Forbidden, match="You have no seat in this game"):
        choose(person("stranger"), sitting, ply=0, text="M1")


@pytest.mark.parametrize("text", ["", "dance", "x" * 9999, "\x00", "M1 "])
def test_an_action_that_is_none_is_shown_in_part_and_changes_nothing(
    ann: HumanPlayer, bob: HumanPlayer, text: str
) -> None:
    sitting = between(ann, bob)
    with pytest.raises(NotChoosable, match="legal actions") as refused:
        choose(to_move(sitting, ann, bob), sitting, ply=0, text=text)
    assert len(refused.value.message) < 160
    assert not Act.objects.exists()


def test_after_the_end_nothing_is_chosen_and_resigning_changes_nothing(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = resign(ann, between(ann, bob))
    with pytest.raises(Conflict, match="This game is finished: nothing can be chosen"):
        choose(bob, sitting, ply=0, text="M1")
    before = Sitting.objects.values().get()
    resign(bob, sitting)
    assert Sitting.objects.values().get() == before


def test_who_resigns_is_last_and_the_ending_says_so(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = resign(bob, choose_first(to_move(sitting := between(ann, bob), ann, bob), sitting))
    assert (sitting.ranks, sitting.ending) == ([1, 2], "resigned")
    assert ending_of(sitting) == "ann won because bob resigned."


def test_a_table_that_is_left_before_it_began_is_called_off(ann: HumanPlayer) -> None:
    sitting = resign(ann, begin(ann, game="gatsby", chairs=FRIENDS))
    assert (sitting.status, sitting.ranks) == ("abandoned", None)
    assert ending_of(sitting) == "The game never began, because a seat stayed empty."


def test_a_seat_whose_person_left_is_played_on_while_others_play(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = resign(ann, between(ann, bob, person("eve"), game="capone"))
    assert sitting.status == "playing"
    assert sitting.to_act != 0
    assert [(fault.seat, fault.kind) for fault in faults_of(sitting)] == [(0, "resigned")]


@pytest.mark.parametrize(("age", "left"), [(timedelta(hours=23), 0), (timedelta(hours=25), 1)])
def test_a_day_is_enough_to_come_back(ann: HumanPlayer, age: timedelta, left: int) -> None:
    begin(ann, game="gatsby", chairs=FRIENDS)
    Sitting.objects.update(moved_at=now() - age)
    assert [leave_stale(), leave_stale()] == [left, 0]
    assert unfinished_of(ann).count() == 1 - left


def test_one_s_games_come_newest_first_and_no_one_else_s(ann: HumanPlayer, bob: HumanPlayer) -> None:
    first, second = (begin(ann, game="gatsby", chairs=FRIENDS) for _ in range(2))
    begin(bob, game="gatsby", chairs=FRIENDS)
    assert list(sittings_of(ann)) == [second, first]
    assert not sittings_of(HumanPlayer()).exists()


def test_a_look_at_a_waiting_table_tells_who_is_missing(ann: HumanPlayer) -> None:
    seen = view_of(begin(ann, game="gatsby", chairs=FRIENDS), ann)
    assert (seen["status"], seen["frames"], seen["legal"], seen["seat"]) == ("open", [], [], 0)
    assert [(chair["name"], chair["is_you"], chair["is_taken"]) for chair in seen["chairs"]] == [
        ("ann", True, True),
        ("an empty seat", False, False),
    ]


def test_a_player_gets_only_what_is_new(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = between(ann, bob)
    for _ in range(3):
        sitting = choose_first(to_move(sitting, ann, bob), sitting)
    assert [frame["ply"] for frame in view_of(sitting, ann)["frames"]] == [0, 1, 2, 3]
    assert [frame["ply"] for frame in view_of(sitting, ann, since=2)["frames"]] == [2, 3]
    assert [frame["ply"] for frame in view_of(sitting, ann, since=99)["frames"]] == [3]


def test_choices_are_offered_to_whose_turn_it_is_in_words(ann: HumanPlayer, bob: HumanPlayer) -> None:
    sitting = between(ann, bob)
    mover = to_move(sitting, ann, bob)
    other = bob if mover is ann else ann
    assert view_of(sitting, other)["legal"] == []
    offered = view_of(sitting, mover)["legal"]
    assert {choice["text"] for choice in offered} == {
        state_of(sitting).format(action) for action in state_of(sitting).legal_actions()
    }
    assert all(choice["offer"] for choice in offered)


def test_a_glance_costs_no_replay(ann: HumanPlayer, bob: HumanPlayer, django_assert_num_queries) -> None:
    sitting = get_sitting(between(ann, bob).key)
    tell(sitting, "The bot was asked again.")
    sitting = get_sitting(sitting.key)
    with django_assert_num_queries(0):
        assert glance(sitting)["note"] == "The bot was asked again."


def test_the_order_marks_people_and_names_bots_by_their_bytes(ann: HumanPlayer) -> None:
    version = house_bot("gatsby")
    order = order_of(against(ann, version))
    assert order.seats[1] == version.bundle_id
    assert order.seats[0] != version.bundle_id
    assert order.rules_version == GAMES["gatsby"].rules_version


def test_the_record_of_a_game_has_names_and_no_resignation_among_faults(ann: HumanPlayer, bob: HumanPlayer) -> None:
    record = record_of(resign(ann, between(ann, bob)))
    assert (record.names, record.faults, record.ranks) == (("ann", "bob"), (), (2, 1))


def test_bots_are_due_from_when_it_is_their_turn_until_a_host_has_them(ann: HumanPlayer) -> None:
    version = house_bot("gatsby")
    sitting = against(ann, version)
    if sitting.due_at is None:
        sitting = choose_first(ann, sitting)
    Sitting.objects.update(due_at=now() - timedelta(seconds=1))
    assert list(due_sittings()) == [sitting]
    Sitting.objects.update(lease_until=now() + timedelta(minutes=1))
    assert not due_sittings().exists()
    Sitting.objects.update(lease_until=now() - timedelta(minutes=1))
    assert list(due_sittings()) == [sitting]


def test_a_host_lives_until_its_time(ann: HumanPlayer) -> None:
    Host.objects.create(worker="here", until=now() + timedelta(minutes=1))
    Host.objects.create(worker="gone", until=now() - timedelta(minutes=1))
    assert [host.worker for host in live_hosts()] == ["here"]


@pytest.mark.parametrize(
    ("waits", "told"), [([], None), ([None], None), ([7], 7.0), (list(range(1, 101)), 95.0), ([0] * 19 + [50], 0.0)]
)
def test_ninety_five_in_a_hundred_waited_no_longer(
    ann: HumanPlayer, bob: HumanPlayer, waits: list[int | None], told: float | None
) -> None:
    sitting = between(ann, bob)
    Act.objects.bulk_create(
        Act(sitting=sitting, ply=ply, seat=0, text="x", waited_ms=wait) for ply, wait in enumerate(waits)
    )
    assert wait_p95_ms() == told


@pytest.mark.parametrize("change", [{"status": "dancing"}, {"status": "open", "due_at": now()}])
def test_the_database_refuses_games_that_can_t_be(ann: HumanPlayer, change: dict) -> None:
    begin(ann, game="gatsby", chairs=FRIENDS)
    with pytest.raises(IntegrityError), transaction.atomic():
        Sitting.objects.update(**change)


def test_the_database_seats_a_bot_or_a_person_and_not_both(ann: HumanPlayer) -> None:
    sitting = against(ann, house_bot("gatsby"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Chair.objects.filter(sitting=sitting, seat=1).update(person=ann.user)


def test_nobody_in_particular_has_no_chair(ann: HumanPlayer) -> None:
    sitting = begin(ann, game="gatsby", chairs=FRIENDS)
    assert seat_of(HumanPlayer(), sitting) is None
    assert not isinstance(AnonymousUser(), User)
