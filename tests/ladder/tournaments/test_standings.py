"""Points, tie-breaks and intervals on tables small enough to check by hand."""

import pytest

from ladder.tournaments.standings import MatchResult, default_points, shared_points, standings

TWO = default_points(2)


def duel(number, one, other, *, winner=None, scores=None, faults=()):
    ranks = (1, 1) if winner is None else (1, 2) if winner == one else (2, 1)
    return MatchResult(number, (one, other), ranks, scores or tuple(1.0 if r == 1 else 0.0 for r in ranks), faults)


@pytest.mark.parametrize(("seats", "points"), [(2, (1, 0)), (3, (1, 0.5, 0)), (5, (1, 0.75, 0.5, 0.25, 0))])
def test_points_fall_in_equal_steps_from_first_to_last(seats, points):
    assert default_points(seats) == points


def test_seats_that_share_a_rank_share_the_points_of_the_ranks_they_fill():
    assert shared_points((1, 3, 1, 4), (3, 2, 1, 0)) == (2.5, 1, 2.5, 0)
    assert shared_points((1, 1), TWO) == (0.5, 0.5)


def test_equal_points_are_parted_by_the_direct_encounter():
    results = [duel(0, 0, 1, winner=1), duel(1, 0, 2, winner=0), duel(2, 1, 3, winner=3), duel(3, 2, 3, winner=3)]
    rows = standings(4, results, TWO)
    assert [(row.entrant, row.place, row.tie_rule) for row in rows] == [
        (3, 1, ""),
        (1, 2, ""),
        (0, 3, "head-to-head"),
        (2, 4, ""),
    ]


def test_after_the_direct_encounter_beating_stronger_opponents_counts():
    results = [duel(0, 0, 2, winner=0), duel(1, 1, 3, winner=1), duel(2, 2, 3, winner=2)]
    rows = standings(4, results, TWO)
    assert rows[0].entrant == 0
    tied = {row.entrant: row for row in rows}
    assert tied[0].sonneborn_berger == 1.0
    assert tied[1].sonneborn_berger == 0.0


def test_wins_part_those_whom_nothing_before_parts():
    three = (2.0, 1.0, 0.0)
    results = [
        MatchResult(0, (0, 2, 3), (1, 2, 3), (0, 0, 0)),
        MatchResult(1, (0, 2, 3), (3, 1, 1), (0, 0, 0)),
        MatchResult(2, (1, 4, 5), (2, 1, 3), (0, 0, 0)),
        MatchResult(3, (1, 4, 5), (2, 3, 1), (0, 0, 0)),
    ]
    rows = {row.entrant: row for row in standings(6, results, three)}
    assert rows[0].points == rows[1].points == 2
    assert (rows[0].wins, rows[1].wins) == (1, 0)
    assert rows[0].place < rows[1].place


def test_who_cannot_be_parted_shares_the_place_and_the_next_is_skipped():
    results = [duel(0, 0, 1), duel(1, 0, 2, winner=0), duel(2, 1, 2, winner=1)]
    rows = standings(3, results, TWO)
    assert [(row.place, row.tie_rule) for row in rows] == [(1, ""), (1, "shared"), (3, "")]


def test_where_shares_count_nobody_gains_by_the_number_of_matches():
    """0 met everybody and drew level with each; what its opponents won in all says nothing about them."""
    results = [duel(i, 0, 1 + i % 3, winner=0 if i < 3 else 1 + i % 3) for i in range(6)]
    rows = standings(4, results, TWO, by_share=True)
    assert [(row.place, row.points / row.matches) for row in rows] == [(1, 0.5)] * 4


def test_faults_and_byes_are_counted():
    rows = {r.entrant: r for r in standings(3, [duel(0, 0, 1, winner=0, faults=(1,))], TWO, byes=[(2, 1.0)])}
    assert (rows[1].faults, rows[2].byes, rows[2].points, rows[2].matches) == (1, 1, 1.0, 0)


def test_a_clear_winner_has_a_narrow_interval_and_luck_a_wide_one():
    clear = [duel(i, 0, 1, winner=0) for i in range(40)]
    lucky = [duel(i, 0, 1, winner=i % 2) for i in range(39)]
    assert [(row.low, row.high) for row in standings(2, clear, TWO)] == [(1, 1), (2, 2)]
    assert [(row.low, row.high) for row in standings(2, lucky, TWO)] == [(1, 2), (1, 2)]


def test_standings_without_a_result_share_the_first_place():
    rows = standings(3, [], TWO)
    assert [(row.place, row.low, row.high) for row in rows] == [(1, 1, 1)] * 3


def test_the_order_of_results_changes_nothing():
    results = [duel(i, i % 4, (i + 1 + i % 3) % 4, winner=i % 4) for i in range(24) if i % 4 != (i + 1 + i % 3) % 4]
    assert standings(4, results, TWO) == standings(4, results[::-1], TWO)


def test_what_a_match_gave_is_the_same_however_many_are_counted_at_once():
    """Three seats share thirds of points, and a void match and one cut short lie between."""
    results = [MatchResult(i, (i % 4, (i + 1) % 4, (i + 2) % 4), RANKED[i % 4], (1.5, 0.5, 0.0)) for i in range(30)]
    results += [MatchResult(30, (0, 1, 2), (), (), (1,)), MatchResult(31, (1, 2, 3), (1, 2, 3), (None, None, None))]
    rows = {row.entrant: row for row in standings(5, results, default_points(3))}
    for entrant, row in rows.items():
        own = [(r, r.entrants.index(entrant)) for r in results if entrant in r.entrants and r.ranks]
        points = [shared_points(r.ranks, default_points(3))[seat] for r, seat in own]
        assert row.points == sum(points)
        assert row.matches == len(own) == row.wins + row.draws + row.losses
        assert row.scored == sum(r.scores[seat] is not None for r, seat in own)
        assert row.voids == (entrant in (0, 1, 2))
        assert row.faults == (entrant == 1)
        assert sum(met for _, met in row.opponents.values()) == 2 * len(own)
        assert list(row.opponents) == sorted(row.opponents)
    assert rows[4].opponents == {}


RANKED = ((1, 2, 3), (1, 1, 1), (2, 1, 2), (1, 1, 3))


def test_the_intervals_of_a_tournament_are_the_same_every_time_and_on_every_machine():
    pairs = [(i, i % 7, (i + 1 + i % 5) % 7) for i in range(200)]
    results = [duel(i // 2, one, two, winner=max(one, two) if i % 4 == 0 else min(one, two)) for i, one, two in pairs]
    rows = standings(7, results, TWO)
    assert [(row.low, row.high) for row in rows] == [(1, 3), (1, 3), (1, 5), (3, 5), (3, 6), (5, 7), (6, 7)]
    old = standings(7, results, TWO, luck_by_points=True)
    assert [(row.entrant, row.low, row.high) for row in old] == [
        (1, 1, 3),
        (0, 1, 4),
        (2, 1, 5),
        (3, 2, 5),
        (4, 3, 6),
        (5, 5, 7),
        (6, 5, 7),
    ]


def test_a_set_drawn_twice_is_no_merit():
    """All win half of their matches, each by clear sets; totals would scatter by how often a set is drawn."""
    results = [duel(i, 2 * (i % 3), 2 * (i % 3) + 1, winner=2 * (i % 3)) for i in range(12)]
    rows = standings(6, results, TWO)
    assert [(row.low, row.high) for row in rows] == [(1, 1)] * 3 + [(4, 4)] * 3
    old = standings(6, results, TWO, luck_by_points=True)
    assert (old[0].low, old[0].high) == (1, 3)


def test_the_winner_says_how_sure_it_is():
    clear = standings(2, [duel(i, 0, 1, winner=0) for i in range(40)], TWO)
    lucky = standings(2, [duel(i, 0, 1, winner=i % 2) for i in range(39)], TWO)
    assert [row.p_first for row in clear] == [1, 0]
    assert 0.4 < lucky[0].p_first < 0.75
    assert sum(row.p_first for row in lucky) == pytest.approx(1)


def test_the_interval_of_a_share_counts_sets_and_not_matches():
    """The deal decides both matches of a set: forty matches tell no more than twenty."""
    by_deal = [duel(i // 2, 0, 1, winner=(i // 2) % 2) for i in range(80)]
    alone = [duel(i, 0, 1, winner=i % 2) for i in range(80)]
    narrow, wide = (standings(2, results, TWO)[0] for results in (alone, by_deal))
    assert wide.share_high - wide.share_low > 1.3 * (narrow.share_high - narrow.share_low)
    assert 0 <= wide.share_low < 0.5 < wide.share_high <= 1


def test_who_won_every_match_may_still_lose_one():
    row = standings(2, [duel(i, 0, 1, winner=0) for i in range(10)], TWO)[0]
    assert row.share_low < 0.9 < row.share_high == pytest.approx(1)
