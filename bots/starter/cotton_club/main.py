"""A Cotton Club bot to start from: it looks at each card it may take and gives it a price of its own."""

from bots.kit import Bot, Turn, run
from engines.cotton_club.tables import CARD_NUMBERS, CARDS, Card

# What one of each is worth to us, in reputation. Change these first and see what happens.
DOLLAR, INFLUENCE, INITIATIVE, CRIME = 0.4, 0.6, 0.3, -0.3
INCOME, WEAPON, ICON = 0.35, 0.3, 0.25  # for each round that is still to come
LOAN, TIP_OFF, EVENT = -0.5, -1.0, 0.1  # what we think of the other actions


class MyBot(Bot):
    def act(self, turn: Turn) -> str:
        """Answer with one of turn.legal: here the one with the highest worth."""
        # turn.observation is what your seat knows; engines/cotton_club/BOTS.md names every field.
        rounds_left = 6 - turn.observation["round"]
        club = turn.observation["clubs"][turn.seat]
        best = max(turn.legal, key=lambda text: worth_of(text, rounds_left, club["icons"]))
        turn.note = f"{best}: {worth_of(best, rounds_left, club['icons']):.1f}"  # you can read it in the replay
        return best


def worth_of(text: str, rounds_left: int, icons: dict[str, int]) -> float:
    """What an action brings, by its text."""
    verb, _, rest = text.partition(" ")
    if verb == "take":  # "take G16", or "take I01 B" where an improvement has two options
        card_id, _, option = rest.partition(" ")
        return worth_of_card(CARDS[CARD_NUMBERS[card_id]], int(option == "B"), rounds_left, icons)
    if verb == "bribe":  # $3 for each politician at the end: criminality costs more than that
        return float(rest)
    # pass, drop, add and salvatore: events are a coin toss to us, rivals are not looked at
    return {"loan": LOAN, "tip-off": TIP_OFF, "add": EVENT}.get(verb, 0.0)


def worth_of_card(card: Card, option: int, rounds_left: int, icons: dict[str, int]) -> float:
    """Reputation at the end, what the card does for later rounds, and what it costs."""
    change = card.options[option]  # dollars and steps on the three tracks; a cost is a negative change
    later = INCOME * card.income + WEAPON * card.weapons + ICON * sum(card.icons)
    now = DOLLAR * change.usd + INFLUENCE * change.influence + INITIATIVE * change.initiative
    # A celebrity is paid with influence; what our club offers that she likes makes her cheaper.
    liked = sum(likes * has for likes, has in zip(card.preferences, icons.values(), strict=True))
    price = INFLUENCE * max(0, card.price - liked)
    return card.end_reputation + rounds_left * later + now + CRIME * change.criminality - price


if __name__ == "__main__":
    run(MyBot())
