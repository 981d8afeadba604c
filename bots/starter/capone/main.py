"""A Capone bot to start from: everybody goes to work, action cards hit the dearest rival, all money is invested."""

from bots.kit import Bot, Turn, run
from engines.capone.tables import CARDS, FIRST_LEGAL, MEMBER_VALUE, MEMBERS

VALUE = dict(zip(MEMBERS, MEMBER_VALUE, strict=True))  # don 100, mamma 60, …
ILLEGAL = CARDS[:FIRST_LEGAL]
ACTION_CARDS = {"offer": 70, "fbi": 60, "protection": 50, "penthouse": 30, "barber": 30, "restaurant": 30}


class MyBot(Bot):
    def act(self, turn: Turn) -> str:
        """Answer with one of turn.legal: here the one with the highest worth."""
        # turn.observation is what your seat knows; engines/capone/BOTS.md names every field.
        return max(turn.legal, key=lambda text: self.worth(turn, text))

    def worth(self, turn: Turn, text: str) -> float:
        """A turn is a few short choices: `use casino`, `at casino2`, `put right_hand`, `guards 1`."""
        verb, _, what = text.partition(" ")
        me = turn.observation["families"][turn.seat]
        if verb == "return":  # exchange: a legal business pays nothing before the first investment
            return 1.0 if what not in ILLEGAL and what not in ACTION_CARDS and me["marker"] == 0 else -1.0
        if verb == "use":  # the last card places a small set only, so people go to work before it
            return 100.0 if what in ILLEGAL and me["home"] else ACTION_CARDS.get(what, 20.0)
        if verb == "discard":
            return -50.0 if what in ILLEGAL else -10.0
        if verb == "at":
            return self.worth_of_place(turn, what)
        if verb == "put":  # the Don stands alone, and so he would keep the others at home
            return 50.0 if what not in ("don", "mamma") else -1.0
        if verb == "move":  # FBI and rest cards: the dearest member of a rival
            return VALUE[what.split()[1]]
        if verb == "charge":  # protection: the rival who has invested most
            return float(turn.observation["families"][int(what)]["marker"])
        if verb == "bail":  # he earns his bail back in a year
            return 30.0 if VALUE[what] <= me["cash"] else -1.0
        if verb in ("guards", "rehire", "invest"):  # as many as possible
            return float(what)
        return 0.0  # done

    def worth_of_place(self, turn: Turn, place: str) -> float:
        """An Offer kills whoever is there; any other card is best used where nobody is."""
        site = next((site for site in turn.observation["sites"] if site["site"] == place), None)
        if site is None:  # a rest place
            return 1.0
        if turn.observation["pending"]["card"] in ("offer", "takeover"):
            return -1.0 if site["owner"] == turn.seat else float(site["total"])
        return 200.0 if site["owner"] is None else float(site["total"])


if __name__ == "__main__":
    run(MyBot())
