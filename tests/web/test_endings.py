"""How a match ended, as a spectator reads it, and what an author is told to do about a fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.qualifying import READY
from arena.record import FAULT_KINDS
from ladder.matches.models import Match
from ladder.web.endings import CAUSES, FAULTS, FIXES, ending_sentence, fix_of, short_ending
from ladder.web.match_rows import match_rows_of
from tests.ladder.cast import crash as crashed
from tests.ladder.cast import enrol, make_ladder, play, queue


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_every_fault_has_words_and_a_cure(kind: str) -> None:
    assert FAULTS[kind]
    assert CAUSES[kind]
    assert fix_of(f"{kind} at ply 3: gone") == FIXES[kind]


def test_a_reason_that_names_no_fault_has_no_cure() -> None:
    assert fix_of("the house is closed") == ""


def test_a_bot_that_never_got_ready_was_told_so_already() -> None:
    assert fix_of(f"timeout at start: {READY}") == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "reason", "told"),
    [
        ("queued", "", "It is waiting for a worker."),
        ("running", "", "It is being played now."),
        ("void", "voided by kit", "It does not count: voided by kit."),
        ("cancelled", "", "It does not count: no seat could start."),
    ],
)
def test_a_match_without_a_result_says_what_it_is(status: str, reason: str, told: str) -> None:
    ladder = make_ladder()
    match = queue(ladder, *enrol(ladder, 2))
    match.status, match.reason = status, reason
    assert ending_sentence(match, None) == told


@pytest.mark.django_db
def test_a_winner_is_named() -> None:
    ladder = make_ladder()
    winner, loser = enrol(ladder, 2)
    match = play(ladder, loser, winner, ranks=(2, 1))
    assert ending_sentence(match, None).startswith(f"{winner.bot.name} won")


@pytest.mark.django_db
def test_an_ending_says_only_once_after_what_a_match_was_over() -> None:
    ladder = make_ladder("cotton_club", 3)
    match = play(ladder, *enrol(ladder, 3), ranks=(1, 2, 3))
    match.game_ending, match.plies = "six_rounds", 80
    told = ending_sentence(match, None)
    assert told.endswith(", in 80 plies.")
    assert "after 80" not in told


@pytest.mark.django_db
def test_a_draw_is_nobodys_win() -> None:
    ladder = make_ladder()
    match = play(ladder, *enrol(ladder, 2), ranks=(1, 1))
    assert ending_sentence(match, None).startswith("It was drawn")


@pytest.mark.django_db
def test_a_first_place_may_be_shared_by_some() -> None:
    ladder = make_ladder("cotton_club", 3)
    one, two, three = enrol(ladder, 3)
    match = play(ladder, one, two, three, ranks=(1, 1, 3))
    assert ending_sentence(match, None).startswith(f"{one.bot.name} and {two.bot.name} share first place")


@pytest.mark.django_db
@pytest.mark.parametrize(("stage", "when"), [("act", "at ply 3"), ("start", "at the start")])
def test_a_fault_is_told_before_the_winner(stage: str, when: str) -> None:
    ladder = make_ladder()
    winner, fragile = enrol(ladder, 2)
    match = play(ladder, winner, fragile, ranks=(1, 2), faults=(crashed(1, stage=stage),))
    told = ending_sentence(Match.objects.get(pk=match.pk), None)
    assert told.startswith(f"{fragile.bot.name} crashed {when}. {winner.bot.name} won")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ending", "ranks", "told"),
    [
        ("three_of_a_family", (1, 2), "Won with three characters of one family"),
        ("three_of_a_family", (1, 1), "Drawn with three characters of one family"),
        ("a_word_of_an_older_game", (2, 1), "Won a word of an older game"),
    ],
)
def test_a_list_tells_an_ending_in_the_sentence_of_its_game(ending: str, ranks: tuple[int, int], told: str) -> None:
    ladder = make_ladder("gatsby", 2)
    match = play(ladder, *enrol(ladder, 2), ranks=ranks)
    (row,) = match_rows_of([match.pk])
    assert short_ending(replace(row, game_ending=ending)) == told


@pytest.mark.django_db
def test_a_list_tells_which_fault_cut_a_match_short() -> None:
    ladder = make_ladder()
    match = play(ladder, *enrol(ladder, 2), ranks=(1, 2), faults=(crashed(1),))
    (row,) = match_rows_of([match.pk])
    assert short_ending(replace(row, ending="crash", game_ending="")) == "Won after a crash"


@pytest.mark.django_db
def test_a_list_tells_what_an_unfinished_match_waits_for() -> None:
    ladder = make_ladder()
    (row,) = match_rows_of([queue(ladder, *enrol(ladder, 2)).pk])
    assert short_ending(row) == "Queued"
