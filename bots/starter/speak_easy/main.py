"""A Speak Easy bot to start from: sets up by a plan, takes what it surely beats, else marches on the enemy's bars."""

from bots.kit import Bot, Turn, run

# 25 pieces from the rear row to the front row, left to right as the game asks for them; S must stand on a bar.
SETUP = "BSB123BKF45K162148F75362K"


class MyBot(Bot):
    def act(self, turn: Turn) -> str:
        seen = turn.observation
        if seen["phase"] == "setup":
            mine = [piece for piece in seen["pieces"] if piece["seat"] == seen["seat"]]
            return SETUP[len(mine)]
        # Who stands where: cell name → piece, ours with their kinds, the enemy's only as far as they are known.
        standing = {piece["cell"]: piece for piece in seen["pieces"] if piece["cell"]}
        return max(turn.legal, key=lambda move: self.worth(move, standing, seen) + 0.01 * turn.rng.random())

    def worth(self, move: str, standing: dict, seen: dict) -> float:
        """How much we like a move, such as a6-a7."""
        start, end = move.split("-")
        mover, target = standing[start]["kind"], standing.get(end)
        if target is not None:
            return self.odds(mover, target, seen)
        # An empty cell: like to come nearer to the enemy's rear row and to its bars in columns b and d.
        goal = 12 if seen["seat"] == 0 else 1
        way = abs(goal - int(start[1:])) - abs(goal - int(end[1:]))
        return 0.1 * way if mover not in "F" else 0.02 * way

    def odds(self, mover: str, target: dict, seen: dict) -> float:
        """How much we like to attack an enemy piece."""
        kind = target["kind"]
        rear = (11, 12) if seen["seat"] == 0 else (1, 2)
        if kind is None and int(target["cell"][1:]) in rear and not target["moved"]:
            # It may be the Speakeasy (on a bar) or a Babe: send a Kid, or a piece we can spare.
            on_bar = target["cell"][0] in "bd" and int(target["cell"][1:]) in (1, 12)
            return 3.0 if on_bar else 1.0 if mover in "K12" else 0.05
        if kind is None:  # a stranger: the strong may try their luck, and after a long quiet everybody must
            return (int(mover) - 4.5) / 2 if mover.isdigit() and seen["quiet"] < 30 else 0.2
        if mover == "F":  # the FBI takes its man with it: worth it for the high and mighty
            return 2.0 if kind in "678" else -1.0
        if mover == "K":
            return 2.0 if kind == "B" else -2.0
        if kind in "BF":
            return 0.5 if mover in "12" else -2.0
        return 3.0 if kind == "K" or mover > kind else -1.0 if mover == kind else -3.0


if __name__ == "__main__":
    run(MyBot())
