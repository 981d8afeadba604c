"""Playing in the browser: the lobby, the table by mouse and by keys, on a phone, and without JavaScript."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import Browser, Page, expect
from prometheus_client import generate_latest

from engines import GAMES
from ladder.accounts.models import User
from ladder.operations.metrics import DatabaseNumbers
from ladder.parlour.models import Act, Sitting
from ladder.parlour.permissions import HumanPlayer
from ladder.parlour.queries import get_sitting, state_of
from ladder.parlour.services import Sitter, begin, join, resign
from ladder.submissions.models import Bot
from tests.ladder.cast import make_user
from tests.ladder.parlour.table import choose_first, house_bot


def signed_in(name: str) -> tuple[Client, HumanPlayer]:
    player, client = HumanPlayer(make_user(name)), Client()
    client.force_login(player.user)
    return client, player


def duel(ann: HumanPlayer, *others: HumanPlayer, game: str = "gatsby") -> Sitting:
    sitting = begin(ann, game=game, chairs=[Sitter.ME, *[Sitter.FRIEND] * len(others)])
    for other in others:
        sitting = join(other, sitting, sitting.invite)
    return sitting


@pytest.mark.django_db
def test_a_guest_begins_a_game_and_alone_sees_it() -> None:
    version, client = house_bot("gatsby"), Client()
    Bot.objects.update(description="Takes <any> card")
    lobby = client.get("/play/?game=gatsby").content.decode()
    assert version.bot.name in lobby
    assert "Takes &lt;any&gt; card" in lobby
    answer = client.post("/play/", {"game": "gatsby", "seats": "2", "seat0": "me", "seat1": version.pk, "begin": "1"})
    assert answer.status_code == 302
    assert client.get(answer["Location"]).status_code == 200
    assert Client().get(answer["Location"]).status_code == 403
    assert Client().get(answer["Location"] + "state/").status_code == 403


@pytest.mark.django_db
def test_a_guest_who_signs_in_goes_on_with_the_game() -> None:
    version, client = house_bot("gatsby"), Client()
    answer = client.post("/play/", {"game": "gatsby", "seats": "2", "seat0": "me", "seat1": version.pk, "begin": "1"})
    client.force_login(make_user("ann"))
    assert "(you)" in client.get(answer["Location"]).content.decode()
    assert answer["Location"] in client.get("/play/").content.decode()
    other = Client()
    other.force_login(make_user("bob"))
    assert other.get(answer["Location"]).status_code == 403


@pytest.mark.django_db
def test_who_comes_too_late_to_an_invitation_can_begin_a_game_of_their_own() -> None:
    _, ann = signed_in("ann")
    late, _ = signed_in("late")
    sitting = begin(ann, game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND])
    join(signed_in("ben")[1], sitting, sitting.invite)
    page = late.post(f"/play/{sitting.key}/join/{sitting.invite}/", follow=True).content.decode()
    assert "Every seat in this game is taken." in page
    assert "Begin one of your own" in page


@pytest.mark.django_db
@pytest.mark.parametrize("seat", ["", "0", "9" * 30, "you", "💥"])
def test_a_seat_that_is_nobody_is_refused_in_words(seat: str) -> None:
    answer = Client().post("/play/", {"game": "gatsby", "seats": "2", "seat0": "me", "seat1": seat, "begin": "1"})
    assert answer.status_code == 400
    assert "is not a bot; choose one from the list" in answer.content.decode()


@pytest.mark.django_db
def test_the_table_works_without_javascript_and_tells_no_seed() -> None:
    (client, ann), (other, ben) = signed_in("ann"), signed_in("ben")
    sitting = duel(ann, ben)
    clients = [client, other]
    page = clients[sitting.to_act].get(f"/play/{sitting.key}/").content.decode()
    assert sitting.seed not in page
    state = state_of(sitting)
    text = state.format(state.legal_actions()[0])
    assert f'value="{text}"' in page
    clients[sitting.to_act].post(f"/play/{sitting.key}/choose/", {"ply": "0", "action": text})
    assert get_sitting(sitting.key).ply == 1


@pytest.mark.django_db
def test_a_bad_choice_is_answered_in_words() -> None:
    (client, ann), (other, ben) = signed_in("ann"), signed_in("ben")
    sitting = duel(ann, ben)
    mover = [client, other][sitting.to_act]
    late = "The game is at ply 0, not at -1; refresh and try again."
    for given, message in [
        ({}, late),
        ({"ply": "x", "action": "M1"}, late),
        ({"ply": "0", "action": "nonsense"}, "'nonsense' is not one of the 2 legal actions."),
    ]:
        answer = mover.post(f"/play/{sitting.key}/choose/", given, headers={"Accept": "application/json"})
        assert answer.status_code == 409, given
        assert answer.json()["error"]["message"] == message
    assert "Not now" in mover.post(f"/play/{sitting.key}/choose/", {}).content.decode()
    assert Client().post(f"/play/{sitting.key}/resign/").status_code == 403
    assert client.get("/play/nowhere/").status_code == 404


@pytest.mark.django_db
def test_a_friend_takes_the_open_chair_by_the_link() -> None:
    client, ann = signed_in("ann")
    sitting = begin(ann, game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND])
    link = f"/play/{sitting.key}/join/{sitting.invite}/"
    assert link in client.get(f"/play/{sitting.key}/").content.decode()
    friend = Client()
    assert "ann invites you" in friend.get(link).content.decode()
    assert get_sitting(sitting.key).status == Sitting.Status.OPEN  # looking takes no chair
    assert friend.post(link).status_code == 302
    assert friend.get(f"/play/{sitting.key}/").status_code == 200
    assert get_sitting(sitting.key).status == Sitting.Status.PLAYING
    assert "Every seat in this game is taken." in Client().get(link).content.decode()


@pytest.mark.django_db
def test_a_link_that_leads_to_no_seat_says_so_before_anybody_presses_a_button() -> None:
    client, ann = signed_in("ann")
    sitting = begin(ann, game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND])
    wrong = Client().get(f"/play/{sitting.key}/join/{sitting.invite[:-1]}/")
    assert (wrong.status_code, "This invitation is not valid" in wrong.content.decode()) == (403, True)
    assert "Waiting for 1 friend" in client.get(f"/play/{sitting.key}/").content.decode()
    client.post(f"/play/{sitting.key}/resign/")
    for page in (client.get(f"/play/{sitting.key}/"), Client().get(f"/play/{sitting.key}/join/{sitting.invite}/")):
        assert "The game never began, because a seat stayed empty." in page.content.decode()


@pytest.mark.django_db
def test_the_page_of_a_game_that_is_over_is_its_replay_for_everybody() -> None:
    (client, ann), (_, ben) = signed_in("ann"), signed_in("ben")
    sitting = duel(ann, ben)
    sitting = choose_first([ann, ben][sitting.to_act], sitting)
    frames = f"/play/{sitting.key}/frames/?start=0&stop=60"
    early = client.get(frames, headers={"Accept": "application/json"})
    assert (early.status_code, "opens when it is over" in early.json()["error"]["message"]) == (409, True)
    client.post(f"/play/{sitting.key}/resign/")
    page = Client().get(f"/play/{sitting.key}/").content.decode()
    assert "ben won because ann resigned." in page
    assert frames.partition("?")[0] in page
    for eyes in ("", "&seat=0", "&seat=1", "&seat=9"):
        assert [frame["ply"] for frame in Client().get(frames + eyes).json()["frames"]] == [0, 1]


@pytest.mark.django_db
def test_who_resigned_while_others_play_is_not_asked_to_resign_again() -> None:
    (client, ann), (_, ben), (_, eve) = signed_in("ann"), signed_in("ben"), signed_in("eve")
    sitting = duel(ann, ben, eve, game="capone")
    resign = f"/play/{sitting.key}/resign/"
    assert resign in client.get(f"/play/{sitting.key}/").content.decode()
    client.post(resign)
    assert resign not in client.get(f"/play/{sitting.key}/").content.decode()
    lobby = client.get("/play/").content.decode()
    assert ("go on</strong>" in lobby, ">resigned</span>" in lobby) == (False, True)


@pytest.mark.django_db
def test_a_guest_is_told_that_another_game_ends_the_one_being_played() -> None:
    version, guest = house_bot("gatsby"), Client()
    warning = "it is given up when you begin another"
    assert warning not in guest.get("/play/?game=gatsby").content.decode()
    guest.post("/play/", {"game": "gatsby", "seats": "2", "seat0": "me", "seat1": version.pk, "begin": "1"})
    assert warning in guest.get("/play/?game=capone").content.decode()


@pytest.mark.django_db
def test_who_waits_for_a_bot_that_waits_for_a_core_is_told_so() -> None:
    version, (client, _) = house_bot("gatsby"), signed_in("ann")
    client.post("/play/", {"game": "gatsby", "seats": "2", "seat0": "me", "seat1": version.pk, "begin": "1"})
    sitting = Sitting.objects.get()
    url = f"/play/{sitting.key}/state/?since=0&status=playing&note="
    for waits_since, is_queued in [(None, False), (now(), False), (now() - timedelta(seconds=4), True)]:
        Sitting.objects.update(due_at=waits_since)
        assert client.get(url).json() == {"same": True, "is_queued": is_queued}
    Sitting.objects.update(lease_until=now() + timedelta(seconds=9))
    assert client.get(url).json()["is_queued"] is False  # a host has it, and the bot thinks


def _offers_a_card(sitting: Sitting) -> bool:
    """Whether the one to act may use a card, in a game that has a hand; everywhere else always."""
    state = state_of(sitting)
    texts = [state.format(action) for action in state.legal_actions()]
    return sitting.game != "capone" or any(text.startswith("use") for text in texts)


@pytest.fixture
def table(chromium: Browser, live_server, transactional_db):
    """Ann's page of a game between her and friends, who always take the first action; she is to act."""
    contexts = []

    def opened(game: str, *, ply: int, width: int = 1440, height: int = 900) -> tuple[Page, Sitting]:
        client, ann = signed_in("ann")
        people = [ann, *[signed_in(f"friend{n}")[1] for n in range(GAMES[game].seats.start - 1)]]
        sitting = duel(*people, game=game)
        while sitting.ply < ply or sitting.to_act != 0 or not _offers_a_card(sitting):
            sitting = choose_first(people[sitting.to_act], sitting)
        context = chromium.new_context(base_url=live_server.url, viewport={"width": width, "height": height})
        context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
        contexts.append(context)
        page = context.new_page()
        page.goto(f"/play/{sitting.key}/")
        page.wait_for_selector("svg.board")
        return page, sitting

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.browser
def test_a_laptop_that_was_closed_comes_back_to_its_turn(table) -> None:
    page, _ = table("gatsby", ply=4)
    words = page.locator(".last-words")
    expect(words).to_have_text(re.compile(r"^Choose "))  # what is asked, before what has happened:
    expect(words.locator(".next")).to_have_text(re.compile(r"\.$"))  # the end of a long text is off the screen
    before = words.inner_text()
    page.context.set_offline(True)
    expect(words).to_contain_text("The server can’t be reached. Trying again.")
    page.context.set_offline(False)
    expect(words).to_have_text(before)
    expect(page.locator(".target").first).to_be_visible()


@pytest.mark.browser
def test_who_plays_on_is_told_that_a_friend_resigned(table) -> None:
    page, sitting = table("capone", ply=10)
    resign(HumanPlayer(User.objects.get(username="friend1")), sitting)
    expect(page.locator(".rail > .state")).to_contain_text("friend1 resigned; the first action allowed is taken")
    expect(page.locator(".target, .traycard").first).to_be_visible()


@pytest.mark.browser
def test_a_piece_is_moved_by_two_clicks_and_a_confirmation(table) -> None:
    page, sitting = table("speak_easy", ply=50)
    page.locator(".target").first.click()
    if not page.locator("[data-confirm]").count():
        page.locator(".target:not(.chosen)").first.click()
    expect(page.locator(".last-words")).to_contain_text("from")
    start, end = [chosen.get_attribute("data-target") for chosen in page.locator(".target.chosen").all()]
    page.locator("[data-confirm]").click()
    expect(page.locator(".movelist li").first).to_contain_text(str(sitting.ply + 1))
    expect(page.locator(f'.board [data-seat="0"][data-cell="{start}"]')).to_have_count(0)
    expect(page.locator(f'.board [data-cell="{end}"]')).to_have_count(1)
    assert get_sitting(sitting.key).ply == sitting.ply + 1


@pytest.mark.browser
def test_keys_alone_walk_choose_go_back_and_confirm(table) -> None:
    page, sitting = table("gatsby", ply=10)
    page.keyboard.press("ArrowRight")
    if page.locator(".target").count():
        page.keyboard.press("Enter")
        expect(page.locator("[data-confirm]")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("[data-confirm]")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("[data-confirm]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".movelist li").first).to_contain_text(str(sitting.ply + 1))


@pytest.mark.browser
def test_a_phone_shows_the_board_and_a_tray_without_scrolling_sideways(table) -> None:
    page, _ = table("cotton_club", ply=12, width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".target, .traycard:has(svg)").first.click()
    expect(page.locator("[data-confirm]")).to_be_visible()
    expect(page.locator(".closeup, .target.chosen").first).to_be_visible()


# How far what is asked about reaches below the words and the tray, which lie over the foot of a phone's window.
COVERED = """() => {
  const asked = [...document.querySelectorAll('.board .target, .board .last-to')];
  const caption = document.querySelector('.caption').getBoundingClientRect().top;
  return Math.max(...asked.map((one) => one.getBoundingClientRect().bottom)) - caption;
}"""


@pytest.mark.browser
def test_on_a_phone_the_first_row_to_place_pieces_on_is_seen_above_the_tray(table) -> None:
    page, _ = table("speak_easy", ply=0, width=390, height=844)
    expect(page.locator(".traycard").first).to_be_visible()
    page.wait_for_function(f"() => ({COVERED})() <= 0")
    assert page.evaluate("scrollY") > 0


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 720)])
def test_a_card_is_taken_from_the_tray_then_shown_at_its_place_or_laid_aside(table, width: int, height: int) -> None:
    page, sitting = table("capone", ply=20, width=width, height=height)
    state = state_of(sitting)
    wanted = {state.format(action) for action in state.legal_actions()}
    cards = {f"card {text.split()[1]}" for text in wanted if text.startswith("discard")}
    assert {card.get_attribute("data-target") for card in page.locator(".traycard").all()} == cards
    name = next(text for text in sorted(wanted) if text.startswith("use")).split()[1]
    page.locator(f'.traycard[data-target="card {name}"]').click()
    expect(page.locator('.traycard[data-target="discard"]')).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".traycard")).to_have_count(len(cards))
    page.locator(f'.traycard[data-target="card {name}"]').click()
    page.locator('.traycard[data-target="discard"]').click()
    expect(page.locator("[data-confirm]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".movelist li").first).to_contain_text(str(sitting.ply + 1))
    assert f"discard {name}" in [act.text for act in Act.objects.filter(sitting=sitting)]


@pytest.mark.django_db
def test_the_lobby_offers_a_game_s_options_and_plays_by_them():
    bot = house_bot("capone")
    client, lobby = Client(), reverse("web:play")
    assert "threshold" in client.get(lobby, {"game": "capone", "seats": 3}).content.decode()
    chairs = {"seat0": "me", "seat1": bot.pk, "seat2": bot.pk}
    client.post(lobby, {"game": "capone", "seats": 3, "begin": 1, "option-income": "threshold", **chairs})
    assert Sitting.objects.get().options == {"income": "threshold"}


@pytest.mark.django_db
def test_the_lobby_and_the_metrics_state_how_long_bots_waited():
    bot = house_bot("speak_easy")
    client, lobby = Client(), reverse("web:play")
    assert "in 95 of 100 cases" not in client.get(lobby).content.decode()
    client.post(lobby, {"game": "speak_easy", "seats": 2, "begin": 1, "seat0": "me", "seat1": bot.pk})
    waits = [*range(0, 1900, 100), 60_000]
    Act.objects.bulk_create(
        Act(sitting=Sitting.objects.get(), ply=ply, seat=1, text="x", waited_ms=waited)
        for ply, waited in enumerate(waits)
    )
    assert "within 1.8 s in 95 of 100 cases" in client.get(lobby).content.decode()
    told = generate_latest(DatabaseNumbers()).decode()
    assert "rumrunner_sitting_wait_p95_seconds 1.8" in told


@pytest.mark.browser
def test_what_was_picked_stays_when_the_same_ply_is_told_again(table) -> None:
    page, _ = table("gatsby", ply=10)
    page.route("**/state/**", lambda route: route.continue_(url=route.request.url.replace("status=playing", "status=")))
    page.locator(".target, .traycard").first.click()
    expect(page.locator("[data-confirm]")).to_be_visible()
    for _ in range(2):
        page.wait_for_event("requestfinished", lambda request: "/state/" in request.url)
    expect(page.locator("[data-confirm]")).to_be_visible()
