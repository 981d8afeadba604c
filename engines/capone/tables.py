"""The printed game, read once from data/: members, businesses, cards and money (in thousands of dollars)."""

from __future__ import annotations

from functools import partial

from engines.printed import PrintedRow, read_table

rows = partial(read_table, "capone")


def _column(table: list[PrintedRow], key: str) -> tuple[str, ...]:
    return tuple(row[key] for row in table)


def _numbers(table: list[PrintedRow], key: str) -> tuple[int, ...]:
    return tuple(int(row[key]) for row in table)


# Pieces (CA 1.1). A set of members is a bit mask: bit m is the member in row m.
_members = rows("members")
MEMBERS = _column(_members, "key")
MEMBER_NAMES = _column(_members, "name")
MEMBER_VALUE = _numbers(_members, "value")
MEMBER_COMPANY = _numbers(_members, "company")  # most members of the family on a site where this one stands (CA 4.4)
ALL_MEMBERS = (1 << len(MEMBERS)) - 1
FAMILIES = _column(rows("families"), "name")

_number = {row["key"]: int(row["value"]) for row in rows("numbers")}
GUARD_VALUE = _number["bodyguard_value"]
GUARDS = _number["bodyguards"]
START_CASH = _number["start_cash"]
INVEST_PRICE = _number["invest_price"]
SALE_PRICE = _number["sale_price"]
LAST_STEP = _number["last_step"]
ATTACK_MARGIN = _number["attack_margin"]
PRISON_BLOCKS = _number["prison_blocks"]
YEAR_LIMIT = _number["year_limit"]
MOST_SEATS = len(FAMILIES)

# Businesses and places (CA 1.2). Site 2k and 2k + 1 are the two sites of illegal kind k.
_illegal = rows("illegal")
_colour_value = {row["key"]: int(row["value"]) for row in rows("colours")}
ILLEGAL = _column(_illegal, "key")
SITES_OF_KIND = 2
SITES = tuple(f"{kind}{number}" for kind in ILLEGAL for number in range(1, SITES_OF_KIND + 1))
KIND_VALUE = tuple(_colour_value[row["colour"]] for row in _illegal)
SITE_VALUE = tuple(KIND_VALUE[site // SITES_OF_KIND] for site in range(len(SITES)))
LEGAL = _column(rows("legal"), "key")
_actions = rows("action_cards")
RESTS = tuple(row["key"] for row in _actions if row["group"] == "rest")

# Cards (CA 1.3): kind k of CARDS; its order is the order in which cards are returned and shown.
CARDS = (*ILLEGAL, *LEGAL, *_column(_actions, "key"))
CARD_NAMES = (*_column(_illegal, "name"), *_column(rows("legal"), "name"), *_column(_actions, "name"))
FIRST_LEGAL = len(ILLEGAL)
FIRST_REST = FIRST_LEGAL + len(LEGAL)
FBI = CARDS.index("fbi")
PROTECTION = CARDS.index("protection")
TAKEOVER = CARDS.index("takeover")
OFFER = CARDS.index("offer")


def _deck(illegal_column: str) -> tuple[int, ...]:
    copies = (*_numbers(_illegal, illegal_column), *_numbers(rows("legal"), "cards"), *_numbers(_actions, "cards"))
    return tuple(kind for kind, count in enumerate(copies) for _ in range(count))


DECK = {seats: _deck("cards_3_seats" if seats == 3 else "cards") for seats in range(3, MOST_SEATS + 1)}
HAND = {seats: _number["hand_6_seats" if seats == MOST_SEATS else "hand"] for seats in range(3, MOST_SEATS + 1)}

# Money by marker 0..9 (CA 3, 5.3).
_markers = rows("markers")
LEGAL_INCOME = _numbers(_markers, "legal_income")
PROTECTION_PRICE = _numbers(_markers, "protection")

# Masks of members unfolded, for speed: 256 entries each.
MEMBERS_IN = tuple(tuple(m for m in range(len(MEMBERS)) if mask >> m & 1) for mask in range(ALL_MEMBERS + 1))
NAMES_IN = tuple(tuple(MEMBERS[m] for m in members) for members in MEMBERS_IN)
MASK_VALUE = tuple(sum(MEMBER_VALUE[m] for m in members) for members in MEMBERS_IN)
