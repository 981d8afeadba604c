"""Plays any legal action: the floor of the ladder, and everybody's sparring partner."""

from bots.kit import Bot, Turn, run


class RandomBot(Bot):
    def act(self, turn: Turn) -> str:
        return turn.rng.choice(turn.legal)


def make() -> Bot:
    return RandomBot()


if __name__ == "__main__":
    run(make())
