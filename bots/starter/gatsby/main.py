"""A Gatsby bot to start from: builds chains, climbs and fills tracks, each step by a simple rule of thumb."""

from bots.kit import Bot, Turn, run

CIRCLES = ("c11", "c14", "c41", "c44")


class MyBot(Bot):
    def act(self, turn: Turn) -> str:
        return max(turn.legal, key=lambda text: self.worth(text, turn.observation) + 0.1 * turn.rng.random())

    def worth(self, text: str, seen: dict) -> float:
        """How much we like an action; the texts are listed on the game's page."""
        me = seen["seat"]
        if text in ("M1", "M2", "M3", "M4"):
            # Climbing is cheapest while we stand lower: an advance then counts two floors.
            behind = seen["floors"][me] < seen["floors"][1 - me]
            return {"M1": 1.0, "M2": 1.5 if behind else 1.1, "M3": 1.5 if behind else 1.0, "M4": 1.0}[text]
        if text[0] == "S":
            return 1.2  # a special: as good as it is rare
        if text[0] == "c":
            return self.cabaret(int(text[1]), int(text[2]), seen)
        if text[0] == "t" and len(text) == 2:
            return self.track(seen["tracks"][int(text[1]) - 1], str(me))
        if text.startswith("take:"):
            return 0.0 if text == "take:S" else 1.0  # swapping tokens needs a plan; this bot has none
        return 0.0

    def cabaret(self, row: int, column: int, seen: dict) -> float:
        """A cabaret cell: go on with our own chains, sit on circles and on bonuses, block the other seat."""
        board, me = seen["cabaret"], str(seen["seat"])
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        around = [board[r][c] for r, c in near if 0 <= r < 6 and 0 <= c < 6]
        own_rows = {r for r in range(6) if me in board[r]}
        own_columns = {c for c in range(6) if any(line[c] == me for line in board)}
        liked = 0.6 * (row not in own_rows) + 0.6 * (column not in own_columns)  # a chain must cross all of them
        liked += 0.5 * min(2, around.count(me)) + 0.2 * ("10"[int(me)] in around)
        if f"c{row}{column}" in CIRCLES:
            liked += 0.4
        return liked + 0.3 * (seen["bonuses"][row][column] in "AXID")

    def track(self, tokens: str, me: str) -> float:
        """A track goes to the seat with more tokens when it fills up: contest the close ones."""
        mine, yours = tokens.count(me), len(tokens) - tokens.count(".") - tokens.count(me)
        needed = len(tokens) // 2 + 1 - mine
        if needed <= 0 or yours > len(tokens) // 2:
            return 0.2  # decided already
        return 1.0 / needed + 0.2 * (tokens.count(".") == 1)


if __name__ == "__main__":
    run(MyBot())
