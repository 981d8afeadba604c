"""One position of Speak Easy as the contract wants it."""

from __future__ import annotations

from engines.api import IllegalAction, Json, Observation, Outcome, Snapshot
from engines.reading import Unreadable
from engines.refusals import refusal
from engines.speak_easy.actions import END, WAYS, format_action, parse_action
from engines.speak_easy.choices import TAKE, move
from engines.speak_easy.observation import observe, observe_public
from engines.speak_easy.position import MOVE, Position
from engines.speak_easy.refusals import why_not
from engines.speak_easy.scoring import outcome
from engines.speak_easy.snapshots import Playthrough, write_snapshot
from engines.speak_easy.turns import begin_placement


class SpeakEasyState(Position):
    """A game of Speak Easy."""

    __slots__ = ()

    def legal_actions(self) -> list[int]:
        return self.legal[:]

    def format(self, action: Json) -> str:
        return format_action(action)

    def parse(self, text: Json) -> int:
        return parse_action(text)

    def apply(self, action: object) -> None:
        if type(action) is not int:
            raise refusal(self, action, why_not)
        # nearly always a move: its piece's are fewer to look through than all, and a direct call is the quickest
        if (
            self.choice == MOVE
            and 0 <= action < END
            and action in (self.moves[self.to_act or 0][WAYS[action][0]] or ())
        ):
            move(self, action)
        elif action in self.legal:
            TAKE[self.choice](self, action)
        else:
            raise refusal(self, action, why_not)

    def outcome(self) -> Outcome | None:
        return outcome(self)

    def observe(self, seat: Json) -> Observation:
        return observe(self, seat)

    def public(self) -> Observation:
        return observe_public(self)

    def snapshot(self) -> Snapshot:
        return write_snapshot(self)

    def copy(self) -> SpeakEasyState:
        twin = SpeakEasyState()
        twin.seed = self.seed
        twin.first = self.first
        twin.choice = self.choice
        twin.to_act = self.to_act
        twin.placed = self.placed
        south_left, north_left = self.unplaced
        twin.unplaced = [south_left[:], north_left[:]]
        twin.kinds = self.kinds[:]
        twin.standing = self.standing[:]
        twin.pieces = self.pieces[:]
        twin.loose = self.loose
        twin.kids = self.kids[:]
        twin.moved = self.moved
        twin.ran = self.ran
        twin.shown = self.shown
        twin.plies = self.plies
        twin.quiet = self.quiet
        twin.ending = self.ending
        twin.winner = self.winner
        twin.log = self.log
        twin.told = self.told
        twin.legal = self.legal
        south, north = self.moves
        twin.moves = [south[:], north[:]]
        twin.stale = self.stale
        twin.changed = self.changed
        twin.kid_view = self.kid_view[:]
        return twin


def empty_board(*, seed: int, first: int) -> SpeakEasyState:
    """A board with no piece on it; the game begins when the first one is asked for."""
    state = SpeakEasyState()
    state.set_up(seed=seed, first=first)
    return state


def new_state(seed: int, first: int) -> SpeakEasyState:
    """A game about to begin."""
    state = empty_board(seed=seed, first=first)
    begin_placement(state)
    return state


def replay(course: Playthrough) -> SpeakEasyState:
    """The position that a play-through comes to; raises Unreadable where it can't have happened."""
    state = new_state(course.seed, course.first)
    for ply, action in enumerate(course.actions):
        try:
            state.apply(action)
        except IllegalAction as reason:
            raise Unreadable(f"ply {ply} can't be played: {reason}") from reason
    return state
