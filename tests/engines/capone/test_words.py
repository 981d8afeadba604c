"""The game in plain English."""

from __future__ import annotations

from random import Random

import pytest

from engines.capone import GAME
from engines.capone.choices import CHOICES
from engines.capone.position import OVER
from tests.engines.capone.table import Table, new, settlement, turns
from tests.engines.playing import over_the_wire

NAMES = ("Carla", "Luigi", "Gianna", "Robert", "Alberto", "Bianca")
EVERYONE = ["casino casino", "bank bank", "bar bar"]


def told(table: Table, text: str, *, viewer: int | None = None) -> str:
    """Take an action and tell it as that seat, or all eyes, saw it."""
    seat, before = table.state.to_act, table.state.observe(viewer)
    table.do(text)
    after = table.state.observe(viewer)
    unlogged = text if viewer in (None, seat) else "?"
    entry = after["log"][-1] if after["log"] else f"{seat} {unlogged}"
    return GAME.words.sentence(entry, before, after, NAMES)


def mark(table: Table, text: str) -> str | None:
    seat, before = table.state.to_act, table.state.public()
    table.do(text)
    return GAME.words.mark(f"{seat} {text}", before, table.state.public())


def test_families_have_their_names() -> None:
    names = [GAME.words.seat_name(seat, 6) for seat in range(6)]
    assert names == ["Armaretto", "Mascapone", "Vinorosso", "Ramazotti", "Kaputtschino", "Zappajone"]
    assert names == [family["name"] for family in new(6).state.public()["families"]]


def test_an_exchange_is_told_without_the_cards_to_others() -> None:
    """CA 2.3"""
    table = turns(EVERYONE)
    table.state.choice = 0
    table.state.pile = (0, 1, 2, 3, 4, 5)
    twin = Table(table.state.copy())
    assert told(table, "return casino") == "Carla returns a casino card unseen."
    assert told(table, "done") == "Carla draws 1 card for the one returned."
    assert told(twin, "return casino", viewer=1) == "Carla returns a card unseen."
    twin.do("return casino")
    assert told(twin, "done", viewer=1) == "Carla draws 2 cards for those returned."
    assert told(twin, "done") == "Luigi keeps all cards."


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        ("exchange_office", "an exchange office card"),
        ("bakery", "a bakery card"),
        ("penthouse", "the Penthouse card"),
        ("fbi", "the FBI card"),
        ("protection", "the Protection card"),
        ("takeover", "a Takeover card"),
        ("offer", "an Offer card"),
    ],
)
def test_a_card_laid_aside_is_named_to_its_owner_only(card: str, sentence: str) -> None:
    """CA 2.4"""
    table = turns([f"{card} bar", "bar bar", "bar bar"])
    assert told(Table(table.state.copy()), f"discard {card}", viewer=0) == (
        f"Carla lays {sentence} aside, unused and unshown."
    )
    assert told(table, f"discard {card}", viewer=2) == "Carla lays a card aside, unused and unshown."


def test_a_storm_is_told_step_by_step() -> None:
    """CA 4.3"""
    table = turns(EVERYONE)
    table.station(1, "casino2", "secretary", guards=4)
    assert told(table, "use casino") == "Carla plays a casino card."
    assert told(table, "at casino2") == "Carla goes for the second casino, which Luigi holds with 50."
    assert told(table, "put right_hand") == "Carla sends the Right hand (50)."
    assert told(table, "guards 1") == (
        "Carla storms the second casino of Luigi with the Right hand and 1 bodyguard, worth 55. "
        "Luigi loses the Secretary and 4 bodyguards."
    )


def test_moving_in_and_strengthening_are_told() -> None:
    """CA 4.2"""
    table = turns("casino casino casino")
    table.do("use casino")
    assert told(table, "at casino1") == "Carla goes for the first casino."
    table.do("put mamma", "put novice")
    assert told(table, "guards 0") == "Carla moves into the first casino with Mamma and the Novice, worth 80."
    table.do("discard casino", "discard casino", "use casino")
    assert told(table, "at casino1") == "Carla goes for the first casino."
    assert told(table, "guards 2") == "Carla strengthens the first casino with 2 bodyguards, worth 10."


def test_the_set_of_a_last_card_is_told_although_nobody_chose_it() -> None:
    """CA 4.6"""
    table = turns(["bank", "bar bar", "bar bar"])
    table.keep_home(0, "don collector", guards=1)
    table.do("use bank")
    assert told(table, "at bank1", viewer=2) == "Carla moves into the first bank with the Collector, worth 40."


def test_a_takeover_is_told() -> None:
    """CA 5.4"""
    table = turns(["takeover bar", "bar bar", "bar bar"])
    table.station(1, "bank1", "secretary novice", guards=4)
    table.do("use takeover", "at bank1", "put mamma")
    assert told(table, "guards 2") == (
        "Carla takes over the first bank of Luigi with Mamma and 2 bodyguards, worth 70."
    )


def test_arrests_and_invitations_are_told() -> None:
    """CA 5.1 and CA 5.2"""
    table = turns(["fbi bar", "barber bar", "bar bar"])
    table.station(2, "bank1", "don", guards=4)
    table.station(0, "bar1", "mamma")
    table.do("use fbi")
    assert told(table, "move 2 don") == "Carla has Gianna's Don arrested."
    table.do("use barber")
    assert told(table, "move 0 mamma") == "Luigi sends Carla's Mamma to the Barber."


def test_an_offer_is_told_with_everybody_it_hits() -> None:
    """CA 5.6"""
    table = turns(["offer bar", "bar bar", "bar bar"])
    table.rest(1, "restaurant", "lawyer")
    table.rest(2, "restaurant", "novice")
    table.do("use offer")
    assert told(table, "at restaurant") == (
        "Carla makes an offer nobody can refuse at the Restaurant. Luigi loses the Lawyer. Gianna loses the Novice."
    )


@pytest.mark.parametrize(("cash", "sold"), [(100, ""), (25, ", who sells a step to pay")])
def test_protection_is_told(cash: int, sold: str) -> None:
    """CA 5.3"""
    table = turns(["protection bar", "bar bar", "bar bar"])
    table.state.marker[1], table.state.cash[1] = 5, cash
    table.do("use protection")
    assert told(table, "charge 1") == f"Carla takes $30k of protection money from Luigi{sold}."


def test_a_legal_business_tells_what_it_pays() -> None:
    """CA 3"""
    table = turns(["bakery bar", "bar bar", "bar bar"])
    table.state.marker[0] = 4
    assert told(table, "use bakery") == "Carla sends a bodyguard to the bakery and earns $30k."


def test_a_settlement_is_told_part_by_part() -> None:
    """CA 6.3"""
    table = settlement(cash=[15, 0, 0], marker=[3, 0, 0], park=[3, 0, 0], jailed="novice mamma")
    assert told(table, "bail mamma") == "Carla pays $60k to bail Mamma out of prison, selling 1 step."
    assert told(table, "bail novice") == "Carla pays $20k to bail the Novice out of prison, selling 1 step."
    assert told(table, "rehire 2").startswith("Carla rehires 2 bodyguards for $10k. ")


def test_bodyguards_that_nobody_rehires_leave() -> None:
    """CA 6.3"""
    table = settlement(cash=[250, 100, 0], marker=[0, 0, 0], park=[3, 1, 0])
    assert told(table, "rehire 0") == "Carla rehires nobody."
    assert told(table, "invest 2") == "Carla invests $200k: 2 of 10 steps. 3 bodyguards of Carla leave for good."
    table.do("rehire 0")
    assert told(table, "invest 0") == (
        "Luigi invests nothing. 1 bodyguard of Luigi leaves for good. Year 2 begins with Luigi."
    )


@pytest.mark.parametrize(
    ("table", "text", "sentence"),
    [
        (lambda: settlement(cash=[200, 0, 0], marker=[1, 0, 0]), "invest 2", "invests $200k: 3 of 10 steps"),
        (lambda: settlement(cash=[100, 0, 0], marker=[1, 0, 0]), "invest 0", "settles for what it has"),
        (lambda: settlement(cash=[10, 0, 0], marker=[0, 0, 0], park=[2, 0, 0]), "rehire 2", "rehires 2 bodyguards"),
        (
            lambda: settlement(cash=[60, 0, 0], marker=[0, 0, 0], jailed="mamma"),
            "bail mamma",
            "bails Mamma out of prison",
        ),
    ],
)
def test_the_choice_that_closes_a_year_is_told_to_others_by_what_it_changed(
    table: object, text: str, sentence: str
) -> None:
    """Their logs are those of the new year."""
    assert callable(table)
    assert told(table(), text, viewer=1) == f"Carla {sentence}. Year 2 begins with Luigi."


def test_the_last_card_of_a_year_whose_log_is_closed_is_told_as_such() -> None:
    table = turns("bakery")
    table.state.cash[:] = [0, 0, 0]
    table.do("discard bakery", "discard bakery")
    assert told(table, "discard bakery", viewer=1) == (
        "Gianna makes the last choice of the year. The year ends and the sites pay nobody. Year 2 begins with Luigi."
    )


def test_the_end_of_a_year_tells_income_apart_from_what_the_last_card_moved() -> None:
    """CA 6.1: 40 for the Lawyer and 5 for the bodyguard; the 30 for protection are told for themselves."""
    table = turns(["bar", "bar", "protection"])
    table.station(0, "bank1", "lawyer", guards=1)
    table.state.marker[0], table.state.cash[0] = 5, 0
    table.do("discard bar", "discard bar", "use protection")
    assert told(table, "charge 0") == (
        "Gianna takes $30k of protection money from Carla, who sells a step to pay. "
        "The year ends and the sites pay $45k to Carla."
    )


def test_the_end_of_a_year_tells_legal_income_apart_from_that_of_sites() -> None:
    table = turns(["bar", "bar", "bakery"])
    table.station(2, "bar1", guards=3)
    table.state.marker[2] = 1
    table.do("discard bar", "discard bar")
    assert told(table, "use bakery") == (
        "Gianna sends a bodyguard to the bakery and earns $10k. The year ends and the sites pay $15k to Gianna."
    )


def test_who_has_served_his_time_is_told() -> None:
    """CA 5.5"""
    table = turns("bakery")
    table.jail(1, 1, "don")
    table.jail(2, 3, "mamma")
    table.do("discard bakery", "discard bakery")
    assert "Luigi gets the Don back from prison." in told(table, "discard bakery")


def test_the_end_of_the_game_is_told() -> None:
    """CA 6.4"""
    table = settlement(cash=[100, 0, 0], marker=[9, 0, 0])
    assert told(table, "invest 1") == "Carla invests $100k: 10 of 10 steps. The game is over."
    assert GAME.words.asked(table.state.public(), NAMES) == "The game is over."
    assert GAME.words.endings[table.state.public()["outcome"]["ending"]] == "by investing a million"


@pytest.mark.parametrize(
    ("texts", "asked"),
    [
        ("", "Carla has to choose a card to use or discard, or a bail."),
        ("use casino", "Carla has to choose where to use the casino card."),
        ("use casino/at casino2", "Carla has to choose pieces for the second casino, worth at least 45."),
        ("use takeover/at casino2", "Carla has to choose pieces for the second casino, worth exactly 40."),
        ("use fbi", "Carla has to choose whom to have arrested."),
        ("use barber", "Carla has to choose whom to send to the Barber."),
        ("use protection", "Carla has to choose a seat to charge."),
        ("use offer", "Carla has to choose where to use the Offer card."),
    ],
)
def test_what_is_asked_is_told(texts: str, asked: str) -> None:
    table = turns(["casino takeover fbi barber protection offer", "bar bar", "bar bar"])
    table.station(1, "casino2", "collector")
    table.state.marker[1] = 1
    table.do(*texts.split("/") if texts else ())
    assert GAME.words.asked(table.state.public(), NAMES) == asked


def test_a_settlement_asks_for_its_parts() -> None:
    table = settlement(cash=[160, 0, 0], marker=[0, 0, 0], park=[1, 0, 0], jailed="mamma")
    seen = []
    for text in ("bail mamma", "rehire 0", "invest 1"):
        seen.append(GAME.words.asked(table.state.public(), NAMES))
        table.do(text)
    assert [one.removeprefix("Carla has to choose ") for one in seen] == [
        "a bail, or what follows it in the settlement.",
        "how many bodyguards to rehire.",
        "how many steps to invest.",
    ]


def test_notable_things_are_marked_on_the_time_line() -> None:
    table = turns(["fbi bar", "takeover offer", "protection casino"])
    table.station(1, "casino1", "novice")
    table.station(2, "bank1", "mamma", guards=1)
    table.state.marker[0] = 1
    assert [mark(table, text) for text in ("use fbi", "move 2 mamma")] == [None, "arrest"]
    assert [mark(table, text) for text in ("use takeover", "at bank1", "guards 1")] == [None, None, "takeover"]
    assert [mark(table, text) for text in ("use protection", "charge 0")] == [None, "protection"]
    assert mark(table, "discard bar") is None
    assert [mark(table, text) for text in ("use offer", "at casino1")] == [None, "losses"]
    assert mark(table, "discard casino") == "year"


def test_the_end_is_marked() -> None:
    assert mark(settlement(cash=[100, 0, 0], marker=[9, 0, 0]), "invest 1") == "end"


def test_the_table_names_who_is_where_and_hides_what_the_viewer_does_not_know() -> None:
    table = turns(["fbi bar", "bar bar", "bar casino"])
    table.station(1, "casino2", "don", guards=1)
    table.rest(2, "barber", "novice")
    table.jail(2, 3, "mamma")
    table.state.legal_owner[0], table.state.guards[0] = 0, 7
    board = GAME.words.board(table.state.observe(2))
    assert "casino2: seat 1 with 105 (don+1 guard)" in board
    assert "barber           seat 2: novice" in board
    assert "prison           seat 2: mamma" in board
    assert "legal            seat 0 at bakery" in board
    assert [line.split("hand: ")[1] for line in board.splitlines()[1:4]] == ["? ?", "? ?", "bar casino"]


def test_families_with_few_people_at_home_list_them() -> None:
    table = turns()
    table.keep_home(1, "don novice", guards=1)
    table.keep_home(2, "", guards=0)
    lines = GAME.words.board(table.state.public()).splitlines()
    assert "home: don+novice+1 guard |" in lines[2]
    assert "home: - |" in lines[3]


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_moment_of_a_game_can_be_told_to_every_viewer(seats: int) -> None:
    """Whatever is told is one sentence or more, fits a screen, and comes from JSON alone."""
    state, rng = GAME.new(seats=seats, seed=seats), Random(seats)
    while state.to_act is not None:
        viewers = (*range(seats), None)
        before = [state.observe(viewer) for viewer in viewers]
        seat, action = state.to_act, rng.choice(state.legal_actions())
        state.apply(action)
        for viewer, was in zip(viewers, before, strict=True):
            now = over_the_wire(state.observe(viewer))
            entry = now["log"][-1] if now["log"] else f"{seat} ?"
            sentence = GAME.words.sentence(entry, over_the_wire(was), now, NAMES)
            assert sentence.startswith(f"{NAMES[seat]} ")
            assert sentence.endswith(".")
            assert "_" not in sentence
            assert GAME.words.asked(now, NAMES).endswith(".")
        assert len(GAME.words.board(state.public()).splitlines()) <= 25
    assert "over" in GAME.words.board(state.public())


@pytest.mark.parametrize("seed", range(8))
def test_the_turn_order_of_a_game_is_that_of_its_first_year(seed: int) -> None:
    """CA 2.1"""
    state, rng = GAME.new(seats=5, seed=seed), Random(seed)
    first = state.public()["first"]
    expected = tuple((first + turn) % 5 for turn in range(5))
    while state.to_act is not None:
        assert GAME.words.turn_order(state) == expected
        state.apply(rng.choice(state.legal_actions()))
    assert GAME.words.turn_order(state) == expected


def test_every_kind_of_choice_has_its_words() -> None:
    assert all(choice.asked for choice in CHOICES)
    assert CHOICES[OVER].name == "over"
