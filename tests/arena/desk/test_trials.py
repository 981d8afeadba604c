"""The trials at the desk: the server's, in its order, with its seats and what it would be sent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.desk.trials import HostFailed, hold_trials, sparring_partner
from arena.desk.upload import Upload, upload_of
from arena.qualifying import TrialKind, first_tables, plan_of, seats_of_bot
from engines import GAMES
from tests.arena.test_match import RANDOM_BOT

FAILING_AT_HOME = RANDOM_BOT.replace(b"rng.choice(message", b"rng.choice(0 if start['seat'] == 1 else message")


@pytest.fixture
def partner(tmp_path: Path) -> Path:
    path = tmp_path / "partner.py"
    path.write_bytes(RANDOM_BOT)
    return path


def told(content: bytes, *tables: int, partner: Path | None = None, version: int = 1) -> list[tuple[str, str, str]]:
    held = hold_trials(Upload("mine.py", content), "countdown", tables, partner=partner, version=version)
    return [(trial.step.ladder, trial.step.kind.value, trial.status) for trial in held]


def test_a_bot_meets_itself_at_every_table_and_then_the_house_at_every_table(partner: Path) -> None:
    assert told(RANDOM_BOT + b"#", 2, 3, partner=partner) == [
        ("countdown-2", "self", "passed"),
        ("countdown-3", "self", "passed"),
        ("countdown-2", "house", "passed"),
        ("countdown-3", "house", "passed"),
    ]


def test_the_trials_stop_at_the_first_fault_and_the_rest_is_skipped(partner: Path) -> None:
    assert [status for _, _, status in told(FAILING_AT_HOME, 2, 3, partner=partner)] == ["failed"] + ["skipped"] * 3


def test_against_the_house_the_bot_has_one_seat_and_moves_on_with_its_version(partner: Path) -> None:
    upload = Upload("mine.py", RANDOM_BOT + b"#")
    for version in (1, 2, 3):
        *_, trial = hold_trials(upload, "countdown", [3], partner=partner, version=version)
        assert trial.record is not None
        mine = [seat for seat, digest in enumerate(trial.record.order.seats) if digest != trial.record.order.seats[-1]]
        alone = {trial.record.order.seats.count(digest) for digest in trial.record.order.seats}
        assert alone == {1, 2}
        assert trial.step.mine == (version % 3,)
        assert version % 3 == 2 or mine == [version % 3]


def test_a_fault_of_the_partner_is_not_the_bots(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("raise SystemExit(3)")
    assert told(RANDOM_BOT, 2, partner=bad)[-1] == ("countdown-2", "house", "passed")


def test_without_a_partner_the_trial_is_skipped_as_on_the_server() -> None:
    assert told(RANDOM_BOT, 2)[-1] == ("countdown-2", "house", "skipped")


def test_what_is_not_uploaded_is_not_played(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "mine"\ngame = "countdown"\n')
    (folder / ".weights").write_text("1")
    (folder / "main.py").write_bytes(
        b"import pathlib\npathlib.Path(__file__).with_name('.weights').read_text()\n" + RANDOM_BOT
    )
    upload = upload_of(folder)
    first, *_ = hold_trials(upload, "countdown", [2], partner=None)
    assert first.status == "failed"
    assert first.record is not None
    assert "FileNotFoundError" in first.record.seats[0].stderr


def test_a_host_that_keeps_failing_is_no_fault_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from arena.desk import trials

    tries, real = [], trials.play

    def fail(*args: object, **options: object) -> object:
        tries.append(1)
        return replace(real(*args, **options), ending="host_fault")  # type: ignore[arg-type]

    monkeypatch.setattr(trials, "play", fail)
    with pytest.raises(HostFailed):
        told(RANDOM_BOT, 2)
    assert len(tries) == 3


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_a_sparring_partner_and_tables_it_can_be_played_at(game: str) -> None:
    assert sparring_partner(game) is not None
    assert set(first_tables(game)) <= set(GAMES[game].seats)


@pytest.mark.django_db
@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_server_holds_the_same_trials_in_the_same_order(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from ladder import pipeline
    from ladder.ladders.services import open_first_ladders
    from ladder.matches.models import Match
    from ladder.qualifying.queries import report_of
    from ladder.qualifying.trials import advance, begin_check
    from ladder.submissions.house import house_owner
    from ladder.submissions.models import Bot
    from tests.ladder.cast import make_user, make_version

    monkeypatch.setattr(pipeline, "send", lambda task, **options: None)
    opened = {ladder.slug for ladder in open_first_ladders()}
    assert opened >= {f"{game}-{seats}" for seats in first_tables(game)}
    make_version(bot=Bot.objects.create(owner=house_owner(), game=game, name="random"))
    version = make_version(owner=make_user(), game=game, status="received")
    begin_check(version)
    planned = [(f"{game}-{seats}", kind.value) for kind, seats in plan_of(first_tables(game))]
    assert [(step.ladder, step.kind) for step in report_of(version)] == planned
    version.trials.filter(kind="self").update(status="passed")
    advance(version.pk)
    seats = Match.objects.get().seats
    mine = seats_of_bot(TrialKind.HOUSE, seats=first_tables(game)[0], version=version.number)
    assert tuple(seats.filter(version=version).values_list("seat", flat=True)) == mine


def test_the_command_line_tells_the_trials_and_the_log_of_the_first_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from typer.testing import CliRunner

    from bots.cli.main import app

    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("raise RuntimeError('my own words')")
    answer = CliRunner().invoke(app, ["check", "mine.py", "--game", "gatsby", "--json"])
    told = json.loads(answer.stdout)
    assert answer.exit_code == 1
    assert Path(told["turn"]).read_text().startswith('{"type":"start"')
    assert [trial["status"] for trial in told["trials"]] == ["failed", "skipped"]
    assert "my own words" in told["log"]
