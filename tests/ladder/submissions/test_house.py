from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from engines import GAMES
from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.submissions.house import first_start, register_house_bots
from ladder.submissions.models import Bot, BotVersion

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for game, name in (("gatsby", "random"), ("gatsby", "agatha"), ("speak_easy", "random")):
        (tmp_path / game).mkdir(exist_ok=True)
        (tmp_path / game / f"{name}.py").write_text(f"# {game} {name}\n")
    (tmp_path / "gatsby" / "_helper.py").write_text("")
    return tmp_path


def test_every_house_file_becomes_a_bot_and_sparring_partners_come_first(folder: Path) -> None:
    versions = register_house_bots(folder)
    assert [version.bot.name for version in versions] == ["random", "random", "agatha"]
    assert all(bot.owner.username == "house" for bot in Bot.objects.all())


def test_a_second_time_changes_nothing_and_a_changed_file_is_a_new_version(folder: Path) -> None:
    register_house_bots(folder)
    assert register_house_bots(folder) == []
    (folder / "gatsby" / "agatha.py").write_text("# better\n")
    (changed,) = register_house_bots(folder)
    assert (changed.bot.name, changed.number) == ("agatha", 2)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ('"""Takes the best seat."""\n', "Takes the best seat."),
        ("pass\n", "A house bot."),
        ("def (:\n", "A house bot."),
    ],
)
def test_a_house_bot_is_described_as_its_file_says(tmp_path: Path, source: str, told: str) -> None:
    (tmp_path / "gatsby").mkdir()
    (tmp_path / "gatsby" / "agatha.py").write_text(source)
    (version,) = register_house_bots(tmp_path)
    assert version.bot.description == told
    Bot.objects.update(description="A house bot.")  # an installation of an older release
    assert register_house_bots(tmp_path) == []
    assert Bot.objects.get().description == told


def test_the_first_start_makes_an_administrator_ladders_and_house_bots_once() -> None:
    done = first_start()
    assert User.objects.get(username="admin").check_password(done.password)
    assert done.ladders == ["speak_easy-2", "gatsby-2", "capone-4", "cotton_club-2", "cotton_club-3"]
    assert {bot.game for bot in Bot.objects.filter(name="random")} == set(GAMES)
    before = (BotVersion.objects.count(), User.objects.count(), Ladder.objects.count())
    again = first_start()
    assert (again.password, again.ladders, again.versions) == ("", [], [])
    assert (BotVersion.objects.count(), User.objects.count(), Ladder.objects.count()) == before


def test_the_password_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("first_start")
    assert "password:" in capsys.readouterr().out
    call_command("first_start")
    assert capsys.readouterr().out == ""


def test_a_ladder_that_an_operator_closed_stays_closed() -> None:
    first_start()
    Ladder.objects.update(is_open=False)
    first_start()
    assert not Ladder.objects.filter(is_open=True).exists()


def test_nobody_can_sign_in_as_the_house() -> None:
    first_start()
    assert not User.objects.get(username="house").has_usable_password()
