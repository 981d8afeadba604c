"""Every step of a tournament from every stage, entries at their edges, and what is told on the way."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils.timezone import now

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.matches.models import Match
from ladder.refusals import Forbidden, Missing, QuotaExceeded, Refused
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments import drawing, queries, services
from ladder.tournaments.formats import FORMATS, Plan
from ladder.tournaments.models import Entrant, Tournament
from ladder.tournaments.permissions import may_rate, may_run, may_run_many, may_take_out
from ladder.tournaments.queries import (
    USUAL_MATCH_MS,
    crosstable,
    entrants_of,
    get_tournament,
    match_list,
    matches_of,
    preview,
    progress,
    rounds_of,
    rules_played,
    told_seed,
    usual_match_ms,
    visible_to,
    winners_of,
)
from ladder.tournaments.services import EntryRefused, TournamentRefused, Wishes, WrongStage
from tests.ladder.cast import enrol, make_ladder, make_user, make_version
from tests.ladder.tournaments.test_life import settle_all

pytestmark = pytest.mark.django_db
Status = Tournament.Status
STAGES = list(Status)
Step = Callable[[Tournament, User], object]
STEPS: dict[str, tuple[Step, dict[str, str]]] = {
    "open": (lambda cup, by: services.open_entries(cup, by=by), {"draft": "open"}),
    "start": (lambda cup, by: services.start(cup, by=by), {"draft": "running", "open": "running"}),
    "pause": (lambda cup, by: services.pause(cup, by=by), {"running": "paused"}),
    "resume": (lambda cup, by: services.resume(cup, by=by), {"paused": "running"}),
    "cancel": (
        lambda cup, by: services.cancel(cup, by=by),
        dict.fromkeys(("draft", "open", "running", "paused"), "cancelled"),
    ),
    "delete": (lambda cup, by: services.delete_draft(cup, by=by), {"draft": "gone"}),
}


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder("gatsby")


@pytest.fixture
def olga() -> User:
    return make_user("olga", User.Role.ORGANISER)


def make(ladder: Ladder, by: User, bots: int = 2, **wishes: object) -> Tournament:
    cup = services.create_tournament(by=by, wishes=Wishes(**{"name": "Cup", "ladder": ladder, **wishes}))
    for _ in range(bots):
        services.enter(cup, make_version(game=ladder.game).bot, by=by)
    return cup


def at(stage: str, ladder: Ladder, by: User) -> Tournament:
    """A tournament that has come to this stage by the ordinary way."""
    cup = make(ladder, by)
    way = {
        "draft": [], "open": ["open"], "running": ["start"], "paused": ["start", "pause"], "cancelled": ["cancel"],
        "finished": ["start"],
    }[stage]  # fmt: skip
    for step in way:
        STEPS[step][0](cup, by)
    if stage == "finished":
        drawing.advance_all()
        settle_all(cup)
    cup.refresh_from_db()
    assert cup.status == stage
    return cup


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_taken_from_its_stages_and_from_no_others(ladder: Ladder, olga: User, step: str, stage: str) -> None:
    cup = at(stage, ladder, olga)
    act, leads = STEPS[step]
    if stage in leads:
        act(cup, olga)
        assert Tournament.objects.values_list("status", flat=True).first() == (
            None if leads[stage] == "gone" else leads[stage]
        )
    else:
        with pytest.raises(WrongStage, match=f"is {stage}"):
            act(cup, olga)
        assert Tournament.objects.get().status == stage


@pytest.mark.parametrize("step", STEPS)
def test_a_stranger_takes_no_step(ladder: Ladder, olga: User, step: str) -> None:
    cup = make(ladder, olga)
    for who in (make_user("stranger"), make_user("other", User.Role.ORGANISER)):
        with pytest.raises(Forbidden, match="Only the organiser of Cup may do this"):
            STEPS[step][0](cup, who)


@pytest.mark.parametrize("step", ["open", "start", "cancel", "delete"])
def test_an_administrator_may_lead_any_tournament(ladder: Ladder, olga: User, step: str) -> None:
    cup = make(ladder, olga)
    act, leads = STEPS[step]
    act(cup, make_user(role=User.Role.ADMINISTRATOR))
    found = Tournament.objects.values_list("status", flat=True).first() or "gone"
    assert found == leads["draft"]


@pytest.mark.parametrize(
    ("who", "runs", "rates", "many"),
    [
        ("olga", True, True, True),
        ("other organiser", False, True, True),
        ("administrator", True, True, True),
        ("author", False, False, False),
        ("nobody", False, False, False),
        ("anonymous", False, False, False),
    ],
)
def test_who_may_run_rate_and_run_many(
    ladder: Ladder, olga: User, who: str, runs: bool, rates: bool, many: bool
) -> None:
    cup = make(ladder, olga)
    visitor = {
        "olga": olga, "other organiser": make_user(role=User.Role.ORGANISER), "author": make_user(), "nobody": None,
        "administrator": make_user(role=User.Role.ADMINISTRATOR), "anonymous": AnonymousUser(),
    }[who]  # fmt: skip
    assert (may_run(visitor, cup), may_rate(visitor), may_run_many(visitor)) == (runs, rates, many)


@pytest.mark.parametrize("stage", STAGES)
def test_a_draft_is_seen_by_who_runs_it(ladder: Ladder, olga: User, stage: str) -> None:
    cup = at(stage, ladder, olga)
    keeper = make_user(role=User.Role.ADMINISTRATOR)
    for visitor in (None, AnonymousUser(), make_user()):
        assert visible_to(visitor).filter(pk=cup.pk).exists() is (stage != "draft")
    assert get_tournament(cup.pk, olga) == get_tournament(cup.pk, keeper) == cup


def test_what_is_not_there_and_what_is_hidden_are_missing_alike(ladder: Ladder, olga: User) -> None:
    cup = make(ladder, olga)
    for number in (cup.pk, 999_999):
        with pytest.raises(Missing, match=f"There is no tournament {number}"):
            get_tournament(number, make_user())


@pytest.mark.parametrize("stage", STAGES)
def test_entries_are_taken_while_a_tournament_is_open(ladder: Ladder, olga: User, stage: str) -> None:
    cup = at(stage, ladder, olga)
    author = make_user()
    bot = make_version(owner=author, game="gatsby").bot
    if stage == "open":
        assert services.enter(cup, bot, by=author).version == bot.active_version
    else:
        with pytest.raises(WrongStage, match=f"is {stage} and does not accept entries"):
            services.enter(cup, bot, by=author)


@pytest.mark.parametrize("stage", STAGES)
def test_bots_leave_before_the_start_only(ladder: Ladder, olga: User, stage: str) -> None:
    cup = at(stage, ladder, olga)
    bot = cup.entrants.first().bot
    if stage in ("draft", "open"):
        services.leave(cup, bot, by=olga)
        with pytest.raises(EntryRefused, match="is not in Cup") as refused:
            services.leave(cup, bot, by=olga)
        assert refused.value.status == 404
    else:
        with pytest.raises(WrongStage, match="its entrants are fixed"):
            services.leave(cup, bot, by=olga)


def test_an_owner_takes_out_the_own_bot_and_no_other(ladder: Ladder, olga: User) -> None:
    author, rival = make_user(), make_user()
    cup = make(ladder, olga, bots=0)
    services.open_entries(cup, by=olga)
    bot = make_version(owner=author, game="gatsby").bot
    services.enter(cup, bot, by=author)
    assert [may_take_out(who, cup, bot) for who in (author, rival, olga, None)] == [True, False, True, False]
    with pytest.raises(Forbidden):
        services.leave(cup, bot, by=rival)
    services.leave(cup, bot, by=author)


@pytest.mark.parametrize(("minutes", "is_open"), [(30, True), (-1, False)])
def test_a_deadline_is_a_deadline(ladder: Ladder, olga: User, minutes: int, is_open: bool) -> None:
    cup = make(ladder, olga, bots=0, entries_until=now() + timedelta(hours=1))
    services.open_entries(cup, by=olga)
    Tournament.objects.update(entries_until=now() + timedelta(minutes=minutes))
    author = make_user()
    bot = make_version(owner=author, game="gatsby").bot
    if is_open:
        services.enter(cup, bot, by=author)
    else:
        with pytest.raises(WrongStage, match="Entries for Cup closed at"):
            services.enter(cup, bot, by=author)
        services.enter(cup, bot, by=olga)


@pytest.mark.parametrize("code", ["", "wrong", "é", "THE CODE"])
def test_an_invitation_is_told_exactly(ladder: Ladder, olga: User, code: str) -> None:
    cup = make(ladder, olga, bots=0, entry="invite", invite_code="the code")
    services.open_entries(cup, by=olga)
    author = make_user()
    bot = make_version(owner=author, game="gatsby").bot
    with pytest.raises(Forbidden, match="is by invitation"):
        services.enter(cup, bot, by=author, code=code)
    services.enter(cup, bot, by=author, code="the code")


def test_a_tournament_by_invitation_has_a_code_and_others_have_none(ladder: Ladder, olga: User) -> None:
    first, second = (make(ladder, olga, entry="invite") for _ in range(2))
    assert first.invite_code
    assert first.invite_code != second.invite_code
    assert make(ladder, olga).invite_code == ""


@pytest.mark.parametrize("code", ["x", "rum", " sevenAB ", "é" * 7])
def test_a_code_that_can_be_guessed_is_not_taken(ladder: Ladder, olga: User, code: str) -> None:
    told = f"it has {len(code.strip())} of at least 8 characters"
    with pytest.raises(TournamentRefused, match=told) as refused:
        make(ladder, olga, entry="invite", invite_code=code)
    assert refused.value.field == "invite_code"
    assert len(make(ladder, olga, entry="invite", invite_code="  ").invite_code) == 8


def test_an_old_short_code_still_lets_in(ladder: Ladder, olga: User) -> None:
    cup = make(ladder, olga, bots=0, entry="invite")
    services.open_entries(cup, by=olga)
    Tournament.objects.update(invite_code="x")
    author = make_user()
    assert services.enter(cup, make_version(owner=author, game="gatsby").bot, by=author, code="x")


def test_a_version_of_another_bot_is_not_entered_for_this_one(ladder: Ladder, olga: User) -> None:
    cup = make(ladder, olga, bots=0)
    one, other = make_version(game="gatsby"), make_version(game="gatsby")
    with pytest.raises(EntryRefused, match="is not a version of"):
        services.enter(cup, one.bot, by=olga, version=other)


def test_a_bot_without_a_version_can_t_enter(ladder: Ladder, olga: User) -> None:
    bot = Bot.objects.create(name="empty", game="gatsby")
    with pytest.raises(EntryRefused, match="has no active version"):
        services.enter(make(ladder, olga), bot, by=olga)


def test_a_full_tournament_takes_nobody_more(ladder: Ladder, olga: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_ENTRANTS", 2)
    cup = make(ladder, olga, bots=2)
    with pytest.raises(EntryRefused, match="is full: it has 2 entrants"):
        services.enter(cup, make_version(game="gatsby").bot, by=olga)


@pytest.mark.parametrize("count", [0, -1, services.MOST_TOP + 1])
def test_the_top_of_a_ladder_has_its_limits(ladder: Ladder, olga: User, count: int) -> None:
    with pytest.raises(EntryRefused, match=f"choose a number from 1 to {services.MOST_TOP}") as refused:
        services.enter_top(make(ladder, olga), count, by=olga)
    assert refused.value.field == "top"


def test_entering_the_top_twice_enters_nobody_twice(ladder: Ladder, olga: User) -> None:
    enrol(ladder, 3)
    cup = make(ladder, olga, bots=0)
    assert [len(services.enter_top(cup, 2, by=olga)), len(services.enter_top(cup, 3, by=olga))] == [2, 3]
    assert cup.entrants.count() == 3


def test_a_bot_leaves_all_that_has_not_started(ladder: Ladder, olga: User) -> None:
    version = make_version(game="gatsby")
    cups = [make(ladder, olga, bots=1) for _ in range(3)]
    for cup in cups:
        services.enter(cup, version.bot, by=olga)
    services.start(cups[0], by=olga)
    assert [services.leave_unstarted(version.bot), services.leave_unstarted(version.bot)] == [2, 0]
    assert Entrant.objects.filter(bot=version.bot).count() == 1


@pytest.mark.parametrize(
    ("role", "limit", "is_refused"), [("author", 1, True), ("author", 2, False), ("organiser", 1, False)]
)
def test_unfinished_tournaments_of_an_author_are_counted(
    ladder: Ladder, settings, role: str, limit: int, is_refused: bool
) -> None:
    settings.TOURNAMENTS_A_USER = limit
    user = make_user(role=User.Role(role))
    services.cancel(make(ladder, user), by=user)
    make(ladder, user)
    if is_refused:
        with pytest.raises(QuotaExceeded, match="You have 1 unfinished tournaments; the limit is 1"):
            make(ladder, user)
    else:
        make(ladder, user)


@pytest.mark.parametrize(("limit", "is_refused"), [(2, False), (1, True)])
def test_a_large_tournament_is_an_organiser_s(ladder: Ladder, settings, limit: int, is_refused: bool) -> None:
    settings.TOURNAMENT_MATCHES_A_USER = limit
    author = make_user()
    cup = make(ladder, author)
    if is_refused:
        with pytest.raises(QuotaExceeded, match="would have 2 matches; the limit is 1"):
            services.start(cup, by=author)
        assert Tournament.objects.get().status == "draft"
    else:
        services.start(cup, by=author)


def test_entrants_are_numbered_by_rating_and_then_by_entry(ladder: Ladder, olga: User) -> None:
    weak, strong = enrol(ladder, 2)
    strong.standings.update(board_key=30.0)
    weak.standings.update(board_key=20.0)
    cup = make(ladder, olga, bots=2)
    for version in (weak, strong):
        services.enter(cup, version.bot, by=olga)
    services.start(cup, by=olga)
    numbered = [entrant.version_id for entrant in entrants_of(cup)]
    assert numbered[:2] == [strong.pk, weak.pk]
    assert numbered[2:] == sorted(numbered[2:])


def test_a_champion_who_has_not_entered_stops_the_start(ladder: Ladder, olga: User) -> None:
    champion = make_version(game="gatsby").bot
    cup = make(ladder, olga, format="gauntlet", champion=champion)
    with pytest.raises(Refused, match="has not entered") as refused:
        services.start(cup, by=olga)
    assert refused.value.field == "champion"
    services.enter(cup, champion, by=olga)
    services.start(cup, by=olga)


def test_the_seed_is_told_when_nothing_is_left_to_be_played(ladder: Ladder, olga: User) -> None:
    cup = at("running", ladder, olga)
    assert told_seed(cup) is None
    drawing.advance_all()
    settle_all(cup)
    cup.refresh_from_db()
    assert told_seed(cup) == cup.seed
    assert int(cup.seed, 16) < 1 << 256


def test_nobody_has_won_before_the_end(ladder: Ladder, olga: User) -> None:
    assert winners_of(at("running", ladder, olga)) == []
    assert len(winners_of(at("finished", ladder, olga))) == 1


def test_progress_goes_from_nothing_to_all(ladder: Ladder, olga: User) -> None:
    cup = at("running", ladder, olga)
    drawing.advance_all()
    before = progress(cup)
    assert (before.total, before.done, before.running, before.share) == (2, 0, 0, 0.0)
    assert before.left_s is not None
    settle_all(cup)
    cup.refresh_from_db()
    after = progress(cup)
    assert (after.done, after.counted, after.share, after.left_s) == (2, 2, 1.0, None)


def test_a_draft_has_no_progress(ladder: Ladder, olga: User) -> None:
    assert progress(make(ladder, olga)).share == 0.0


@pytest.mark.parametrize("name", FORMATS)
def test_a_preview_counts_what_would_be_played(ladder: Ladder, settings, name: str) -> None:
    settings.WORKERS = 2
    plan = Plan(entrants=8, seats=2, seed=1)
    told = preview(ladder=ladder, format_name=name, plan=plan, all_rotations=True)
    assert told.tables == FORMATS[name].table_count(plan)
    assert told.matches == 2 * told.tables
    assert told.about_s == told.matches * USUAL_MATCH_MS // 2000
    assert preview(ladder=ladder, format_name=name, plan=plan, all_rotations=False).matches == told.tables


def test_how_long_a_match_takes_is_learnt_from_the_ladder(ladder: Ladder, olga: User) -> None:
    assert usual_match_ms(ladder) == USUAL_MATCH_MS
    at("finished", ladder, olga)
    Match.objects.update(wall_ms=500)
    assert usual_match_ms(ladder) == 500


def test_matches_are_found_by_who_sat_there(ladder: Ladder, olga: User) -> None:
    cup = make(ladder, olga, bots=3)
    services.start(cup, by=olga)
    drawing.advance_all()
    assert [matches_of(cup, entrants=among).count() for among in ([], [0], [0, 1])] == [6, 4, 2]
    assert [matches_of(cup, entrants=among).count() for among in ([99], [0, 99], [0, 0])] == [0, 0, 4]
    assert list(match_list(cup)) == list(matches_of(cup).order_by("-pk"))
    assert set(match_list(cup, entrants=[0, 2])) == set(matches_of(cup, entrants=[2, 0]))


def test_matches_of_another_tournament_are_not_among_them(ladder: Ladder, olga: User) -> None:
    first, second = at("running", ladder, olga), at("running", ladder, olga)
    drawing.advance_all()
    assert not set(match_list(first)) & set(match_list(second))
    assert list(match_list(make(ladder, olga))) == []


@pytest.mark.parametrize(
    ("start", "count", "column", "shape"),
    [(0, 50, 0, (4, 4)), (1, 2, 0, (2, 2)), (3, 50, 2, (1, 2)), (9, 9, 9, (0, 0))],
)
def test_a_window_of_the_crosstable_is_what_was_asked_for(
    ladder: Ladder, olga: User, start: int, count: int, column: int, shape: tuple[int, int]
) -> None:
    cup = make(ladder, olga, bots=4)
    services.start(cup, by=olga)
    drawing.advance_all()
    settle_all(cup)
    cup.refresh_from_db()
    window = crosstable(cup, start=start, count=count, column=column)
    assert (len(window.rows), len(window.columns), window.total) == (*shape, 4)
    for line in window.rows:
        own = [cell is None for cell in line.cells]
        assert own == [row.entrant_id == line.row.entrant_id for row in window.columns]


def test_rounds_are_shown_of_formats_that_have_them(ladder: Ladder, olga: User) -> None:
    assert rounds_of(at("running", ladder, olga)) == []
    cup = make(ladder, olga, bots=3, format="swiss")
    services.start(cup, by=olga)
    drawing.advance_all()
    (first,) = rounds_of(Tournament.objects.get(pk=cup.pk))
    assert (first.number, len(first.tables), len(first.byes)) == (0, 1, 1)


def test_the_rules_of_finished_matches_are_counted(ladder: Ladder, olga: User) -> None:
    cup = at("finished", ladder, olga)
    Match.objects.filter(pk=Match.objects.first().pk).update(rules_version=1)
    Match.objects.exclude(pk=Match.objects.first().pk).update(rules_version=2)
    assert rules_played(cup) == {1: 1, 2: 1}
    assert queries.older_rules_played(cup) == {}


def test_a_version_that_changed_its_mind_is_named_with_the_cure(ladder: Ladder, olga: User) -> None:
    cup = make(ladder, olga)
    BotVersion.objects.filter(entries__tournament=cup).update(status="quarantined")
    with pytest.raises(Refused, match="out or enter another version of it, then start again"):
        services.start(cup, by=olga)
