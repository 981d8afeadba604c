"""Ratings that no longer follow from the matches are computed again by the service itself."""

from __future__ import annotations

import pytest

from ladder import pipeline
from ladder.ladders.models import Ladder
from ladder.ladders.services import request_rebuild
from ladder.matches.services import void_match
from ladder.ratings import recompute
from ladder.ratings.models import Rating, RatingStep
from ladder.ratings.recompute import check, rebuild_all
from ladder.ratings.services import rate_all
from tests.ladder.cast import enrol, play, queue, standing

pytestmark = pytest.mark.django_db


def is_marked(ladder: Ladder) -> bool:
    return Ladder.objects.get(pk=ladder.pk).needs_rebuild


def test_a_rated_match_that_is_struck_leaves_the_ratings_with_the_next_beat(
    ladder: Ladder, sent: list[str], django_capture_on_commit_callbacks
) -> None:
    versions = enrol(ladder, 2)
    matches = [play(ladder, *versions, ranks=(1, 2)) for _ in range(3)]
    rate_all()
    with django_capture_on_commit_callbacks(execute=True):
        void_match(matches[1], reason="the host was on fire")
    assert is_marked(ladder)
    assert "ladder.pipeline.run_stage" in sent
    pipeline.run_stage("rebuild")
    assert not is_marked(ladder)
    assert standing(versions[0], ladder).matches == 2
    assert check(ladder).problems == []
    assert list(Rating.objects.filter(version=versions[0]).order_by("step").values_list("nth", flat=True)) == [1, 2]


def test_a_match_that_was_not_rated_leaves_the_ratings_alone(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    void_match(queue(ladder, *versions), reason="nobody wants it")
    assert not is_marked(ladder)


def test_ratings_follow_a_changed_tau(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    for _ in range(3):
        play(ladder, *versions, ranks=(1, 2))
    rate_all()
    before = standing(versions[0], ladder).sigma
    Ladder.objects.update(tau=1.0)
    request_rebuild(ladder.pk)
    assert rebuild_all() == 3
    assert standing(versions[0], ladder).sigma > before


def test_what_nobody_marked_is_not_computed_again(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    play(ladder, *versions, ranks=(1, 2))
    rate_all()
    assert rebuild_all() == 0
    request_rebuild(ladder.pk)
    assert [rebuild_all(), rebuild_all()] == [1, 0]
    assert recompute.rebuild_marked(ladder.pk) == 0  # somebody else was quicker


def test_a_rebuild_that_dies_in_the_middle_leaves_the_table_and_the_mark(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = enrol(ladder, 2)
    play(ladder, *versions, ranks=(1, 2))
    rate_all()
    request_rebuild(ladder.pk)

    def die(edition: recompute.Edition) -> bool:
        if not edition.through:
            return False
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(recompute, "exchange", die)
        with pytest.raises(KeyboardInterrupt):
            rebuild_all()
    assert is_marked(ladder)
    assert standing(versions[0], ladder).matches == 1
    assert RatingStep.objects.count() == 2
    assert RatingStep.objects.shown().count() == 1
    assert rebuild_all() == 1
    assert RatingStep.objects.count() == 1
    assert check(Ladder.objects.get()).problems == []


def test_a_match_struck_during_a_rebuild_overtakes_it(ladder: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = enrol(ladder, 2)
    matches = [play(ladder, *versions, ranks=(1, 2)) for _ in range(3)]
    rate_all()
    request_rebuild(ladder.pk)
    write_page = recompute.write_page

    def write_and_strike(edition: recompute.Edition) -> None:
        write_page(edition)
        void_match(matches[0], reason="the host was on fire")

    with monkeypatch.context() as patch:
        patch.setattr(recompute, "write_page", write_and_strike)
        assert rebuild_all() == 0
    assert is_marked(ladder)
    assert standing(versions[0], ladder).matches == 3
    assert rebuild_all() == 3
    assert standing(versions[0], ladder).matches == 2
    assert RatingStep.objects.count() == 3


def test_what_is_rated_during_a_rebuild_is_in_the_new_edition_too(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = enrol(ladder, 2)
    play(ladder, *versions, ranks=(1, 2))
    rate_all()
    request_rebuild(ladder.pk)
    write_page = recompute.write_page

    def write_and_rate(edition: recompute.Edition) -> None:
        write_page(edition)
        if edition.through == 1:
            play(ladder, versions[1], *enrol(ladder, 1), ranks=(2, 1))
            rate_all()

    monkeypatch.setattr(recompute, "write_page", write_and_rate)
    assert rebuild_all() == 2
    assert standing(versions[1], ladder).matches == 2
    assert check(Ladder.objects.get()).problems == []


def test_a_rebuilt_step_keeps_the_moment_of_its_rating(ladder: Ladder) -> None:
    play(ladder, *enrol(ladder, 2), ranks=(1, 2))
    rate_all()
    before = RatingStep.objects.get()
    request_rebuild(ladder.pk)
    rebuild_all()
    after = RatingStep.objects.get()
    assert (after.at, after.number) == (before.at, before.number)
    assert after.edition > before.edition
