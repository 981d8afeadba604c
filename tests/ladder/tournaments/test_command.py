"""``manage.py tournament`` without a service: what it starts, prints and refuses."""

import pytest
from django.core.management import CommandError, call_command

from ladder.accounts.models import User
from ladder.matches import leases
from ladder.tournaments import drawing, services
from ladder.tournaments.management.commands import tournament as command
from ladder.tournaments.models import Tournament
from tests.ladder.cast import enrol, make_ladder, make_user
from tests.ladder.tournaments.test_life import settle_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def names():
    make_user("olga", "organiser")
    return [version.bot.name for version in enrol(make_ladder("gatsby"), 3)]


def test_the_top_of_the_ladder_starts_without_names_and_a_missing_worker_is_told(names, capsys):
    call_command("tournament", "gatsby", "--as", "olga", "--top", "2", "--cycles", "3")
    assert (Tournament.objects.get().status, Tournament.objects.get().tables_total) == ("running", 3)
    said = capsys.readouterr()
    assert "runs: 3 tables" in said.out
    assert "No worker has reported in" in said.err


def test_waiting_shows_progress_and_prints_the_table(names, monkeypatch, capsys):
    def work(seconds):
        drawing.advance_all()
        settle_all(Tournament.objects.get())

    monkeypatch.setattr(command.time, "sleep", work)
    call_command("tournament", "gatsby", "--as", "olga", "--bots", *names, "--wait")
    said = capsys.readouterr().out
    assert "(finished)" in said
    assert all(name in said for name in names)
    assert f"Seed {Tournament.objects.get().seed}" in said


def test_the_seed_is_not_printed_while_a_match_of_a_cancelled_tournament_is_played(names, monkeypatch, capsys):
    def call_off(seconds):
        drawing.advance_all()
        leases.claim_match(worker="host/1")
        services.cancel(Tournament.objects.get(), by=User.objects.get())

    monkeypatch.setattr(command.time, "sleep", call_off)
    call_command("tournament", "gatsby", "--as", "olga", "--wait")
    said = capsys.readouterr().out
    assert "(cancelled)" in said
    assert "Seed told when" in said
    assert Tournament.objects.get().seed not in said


def test_ctrl_c_leaves_the_tournament_running(names, monkeypatch, capsys):
    def interrupt(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(command.time, "sleep", interrupt)
    call_command("tournament", "gatsby", "--as", "olga", "--wait")
    assert "keeps running" in capsys.readouterr().out
    assert Tournament.objects.get().status == "running"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--as", "nobody"], "no user 'nobody'"),
        (["--bots", "ghost"], "no bot 'ghost'"),
        (["--bots", "{0}", "{0}"], "already"),
        (["--bots", "{0}"], "too few"),
        (["--cycles", "21"], "cycles can't be 21"),
        (["--seats", "9"], "9 seats"),
        (["--seed", "xyz"], "not a number in hex"),
        (["--format", "gauntlet"], "needs a champion"),
        (["--top", "0"], "first 0"),
    ],
)
def test_what_cannot_be_run_is_told_and_leaves_nothing_behind(names, options, told):
    with pytest.raises(CommandError, match=told):
        call_command("tournament", "gatsby", "--as", "olga", *(word.format(*names) for word in options))
    assert not Tournament.objects.exists()
