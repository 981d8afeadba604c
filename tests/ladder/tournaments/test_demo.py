"""The first tournaments of a new service, among the house bots of each game."""

import pytest

from engines import GAMES
from ladder.submissions.house import house_owner
from ladder.submissions.models import BotVersion
from ladder.tournaments import demo, drawing
from ladder.tournaments.models import Table, Tournament
from tests.ladder.cast import make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(settings):
    settings.DEMO = True
    return house_owner()


def bring(house, game, count=None, **more):
    return [make_version(owner=house, game=game, **more) for _ in range(count or GAMES[game].seats[0])]


def test_every_game_whose_house_bots_are_checked_gets_one_demo_that_runs(house):
    for game in GAMES:
        bring(house, game)
    assert demo.start_demos_when_due() == len(GAMES)
    assert demo.start_demos_when_due() == 0
    drawing.advance_all()
    assert set(Tournament.objects.values_list("ladder__game", "status", "format")) == {
        (game, "running", "round_robin") for game in GAMES
    }
    assert Table.objects.values("tournament").distinct().count() == len(GAMES)


def test_a_demo_waits_for_the_last_check_and_then_has_everybody_who_qualified(house):
    bring(house, "gatsby", 3)
    (late,) = bring(house, "gatsby", 1, status="checking")
    bring(house, "gatsby", 1, status="rejected")
    assert demo.start_demos_when_due() == 0
    BotVersion.objects.filter(pk=late.pk).update(status="rejected")
    assert demo.start_demos_when_due() == 1
    assert Tournament.objects.get().entrant_count == 3


def test_too_few_house_bots_or_the_switch_start_nothing(house, settings):
    bring(house, "gatsby", 1)
    assert demo.start_demos_when_due() == 0
    bring(house, "gatsby", 1)
    settings.DEMO = False
    assert demo.start_demos_when_due() == 0
    assert not Tournament.objects.exists()


def test_without_the_house_there_is_no_demo(settings):
    settings.DEMO = True
    assert demo.start_demos_when_due() == 0
