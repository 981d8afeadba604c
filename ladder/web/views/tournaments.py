"""Tournaments: the list, one tournament with its progress and results, and what organisers and owners do."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ladder.accounts.models import User
from ladder.accounts.permissions import signed_in
from ladder.api.throttles import Costly, PerMinute, count_guess, throttled
from ladder.matches.models import Match
from ladder.matches.queries import matches_in_full, set_aside_matches
from ladder.prepared import prepared
from ladder.refusals import Conflict, Refused
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments import services
from ladder.tournaments.models import LONGEST_CODE, Tournament
from ladder.tournaments.permissions import may_run
from ladder.tournaments.queries import (
    Preview,
    crosstable,
    entrants_of,
    export_csv,
    export_json,
    get_tournament,
    matches_of,
    older_rules_played,
    preview,
    progress,
    told_seed,
    visible_to,
    winners_of,
)
from ladder.tournaments.schedule import format_of, plan_of
from ladder.tournaments.verification import begin_proof, verify_part
from ladder.web import proofs
from ladder.web.cards import card_of_tournament
from ladder.web.confirming import about_cancelling, ask
from ladder.web.formats import terms
from ladder.web.match_rows import MatchRow, match_rows_of
from ladder.web.news import crown
from ladder.web.reader import wants_fragment
from ladder.web.results import brackets, heat_rows, how_sure, standing_rows
from ladder.web.tournament_forms import TournamentForm

PAGE = 30
MOST_MATCHES = 100
CROSS = 40
LATEST = 6  # matches, for those who wait for the next


@prepared
def running_tournaments() -> QuerySet[Tournament]:
    """What is being played, for the home page."""
    return visible_to(None).filter(status=Tournament.Status.RUNNING)[:6]


def tournaments_of(user: User) -> list[Tournament]:
    """What somebody organises, newest first."""
    return list(visible_to(user).filter(organiser=user)[:PAGE])


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Tournaments, newest first, by state."""
    found = visible_to(request.user)
    if (status := request.GET.get("status", "")) in Tournament.Status.values:
        found = found.filter(status=status)
    if (before := request.GET.get("before", "")).isdecimal() and len(before) < 19:
        found = found.filter(pk__lt=int(before))
    rows = list(found[: PAGE + 1])
    context = {"nav": "tournaments", "tournaments": crown(rows[:PAGE]), "has_more": len(rows) > PAGE}
    context |= {"statuses": Tournament.Status.values, "asked": status}
    return render(request, "web/tournaments.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """A draft of one's own; another format is chosen by asking for the page again with what is filled in."""
    chosen: dict[str, object] = {name: request.GET[name] for name in TournamentForm.base_fields if name in request.GET}
    if "entry" in chosen:
        chosen["all_rotations"] = "all_rotations" in request.GET  # a box that is not ticked is not sent
    form = TournamentForm(request.POST or None, initial={"entrants": 8, **chosen}, organiser=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            tournament = services.create_tournament(by=signed_in(request.user), wishes=form.wishes())
            return redirect("web:tournament", tournament.pk)
        except Refused as refused:
            form.add_error(refused.field if refused.field in form.fields else None, refused.message)
    context = {"nav": "tournaments", "form": form, "preview": None}
    return render(request, "web/tournament_create.html", context, status=422 if form.errors else 200)


@require_safe
@throttled(PerMinute, Costly)
def create_preview(request: HttpRequest) -> HttpResponse:
    """How many matches a tournament would have and about how long it would take; asked while the form is filled."""
    form = TournamentForm(request.GET, organiser=request.user)
    for name in {"name", "champion"}.intersection(form.fields):
        form.fields[name].required = False  # neither changes the count
    context: dict[str, object] = {}
    if form.is_valid():
        try:
            context["preview"] = _preview(form)
        except (Refused, ValueError) as refused:
            context["problem"] = str(refused)
    else:
        context["problem"] = " ".join(str(error) for errors in form.errors.values() for error in errors)
    return render(request, "web/_preview.html", context)


def _preview(form: TournamentForm) -> Preview:
    wishes = form.wishes()
    plan = plan_of(services.tournament_like(wishes), entrants=form.cleaned_data["entrants"], champion=0)
    return preview(ladder=wishes.ladder, format_name=wishes.format, plan=plan, all_rotations=wishes.all_rotations)


@require_safe
def tournament_page(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Everything about one tournament; the results are fetched again and again while it runs."""
    tournament = get_tournament(tournament_id, request.user)
    context: dict[str, Any] = {
        "nav": "tournaments",
        "tournament": tournament,
        "terms": terms(tournament),
        "is_organiser": may_run(request.user, tournament),
        "is_wall": "wall" in request.GET,
        "code": request.GET.get("code", "")[:LONGEST_CODE],
        "link": join_link(request, tournament),
        "seed": told_seed(tournament),
    }
    if tournament.status in (Tournament.Status.DRAFT, Tournament.Status.OPEN):
        context |= _entries(request, tournament)
    else:
        context |= _results(tournament)
    context["card"] = card_of_tournament(tournament, context.get("progress"))
    return render(request, "web/tournament.html", context)


def _entries(request: HttpRequest, tournament: Tournament) -> dict[str, object]:
    """Who is in, and which of the reader's bots could still be; nobody is asked to start what is empty."""
    entrants, own = list(entrants_of(tournament)), _own_bots(request, tournament)
    present = {one.bot_id for one in entrants}
    return {
        "entrants": entrants,
        "own_bots": [bot for bot in own if bot.pk not in present],
        "has_entered": any(bot.pk in present for bot in own),
        "own_in_checks": _own_in_checks(request, tournament),
        "wants_entries": not entrants and tournament.status == Tournament.Status.DRAFT and tournament.entry != "closed",
    }


def join_link(request: HttpRequest, tournament: Tournament) -> str:
    """The address that an organiser gives to those who may enter bots; it brings the code along."""
    code = f"?{urlencode({'code': tournament.invite_code})}" if tournament.invite_code else ""
    return request.build_absolute_uri(reverse("web:tournament", args=[tournament.pk])) + code


def _own_bots(request: HttpRequest, tournament: Tournament) -> list[Bot]:
    if not request.user.is_authenticated:
        return []
    mine = Bot.objects.filter(owner=request.user, game=tournament.ladder.game, is_hidden=False)
    return list(mine.filter(active_version__isnull=False).order_by("name"))


def _own_in_checks(request: HttpRequest, tournament: Tournament) -> list[BotVersion]:
    """First versions of the reader's bots that may yet qualify: a class submits and comes here at once."""
    if not request.user.is_authenticated:
        return []
    checked = BotVersion.objects.filter(status__in=[BotVersion.Status.RECEIVED, BotVersion.Status.CHECKING])
    theirs = checked.filter(bot__owner=request.user, bot__game=tournament.ladder.game, bot__is_hidden=False)
    return list(theirs.filter(bot__active_version=None).select_related("bot").order_by("bot__name"))


@require_safe
def results(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Progress, standings and crosstable alone."""
    tournament = get_tournament(tournament_id, request.user)
    return render(request, "web/_results.html", {"tournament": tournament, **_results(tournament)})


def _results(tournament: Tournament) -> dict[str, object]:
    cross, standings = crosstable(tournament, count=CROSS), standing_rows(tournament)
    running = matches_in_full().filter(status=Match.Status.RUNNING, set__table__tournament=tournament)
    return {
        "progress": progress(tournament),
        "winners": winners_of(tournament),
        "is_final": told_seed(tournament) is not None and tournament.sheet_settled == tournament.tables_settled,
        "standings": standings,
        "how_sure": how_sure(tournament, standings),
        "cross": cross,
        "heat": [] if format_of(tournament).sends_home else heat_rows(tournament, cross),  # its rounds say it all
        "brackets": brackets(tournament),
        "format": format_of(tournament),
        "rules": older_rules_played(tournament),
        "running": list(running[:4]),
        "latest": [] if tournament.is_over else _latest_matches(tournament),
        "entrants": [] if standings else list(entrants_of(tournament)),
        "set_aside": list(set_aside_matches().filter(set__table__tournament=tournament)[:5]),
    }


def _latest_matches(tournament: Tournament) -> list[MatchRow]:
    finished = Match.objects.filter(status=Match.Status.FINISHED, set__table__tournament=tournament)
    return match_rows_of(list(finished.order_by("-id").values_list("pk", flat=True)[:LATEST]))


STEPS = {
    "open": (services.open_entries, "Entries are open."),
    "start": (services.start, "The tournament has started; its entrants are fixed."),
    "pause": (services.pause, "Paused: running matches finish, and no new ones start."),
    "resume": (services.resume, "Resumed."),
    "cancel": (services.cancel, "Cancelled. Finished matches stay visible."),
}


@login_required
@require_http_methods(["GET", "POST"])
def step(request: HttpRequest, tournament_id: int, name: str) -> HttpResponse:
    """Open, start, pause, resume or cancel; cancelling asks first, and a refusal is told on the tournament's page."""
    tournament = get_tournament(tournament_id, request.user)
    if request.method == "GET":
        if name == "cancel" and may_run(request.user, tournament) and not tournament.is_over:
            return ask(request, about_cancelling(tournament))
        return redirect("web:tournament", tournament.pk)
    act, done = STEPS[name]
    try:
        act(tournament, by=signed_in(request.user))
        messages.success(request, done)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("web:tournament", tournament.pk)


@login_required
@require_POST
@throttled(PerMinute)
def entry(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Enter a bot, the top of the ladder, or take a bot out."""
    tournament = get_tournament(tournament_id, request.user)
    count_guess(request.POST.get("code", ""), request)
    try:
        messages.success(request, _enter(request, tournament))
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("web:tournament", tournament.pk)


def _enter(request: HttpRequest, tournament: Tournament) -> str:
    asked = request.POST
    if top := asked.get("top"):
        count = int(top) if top.isdecimal() and len(top) < 6 else 0
        entered = len(services.enter_top(tournament, count, by=signed_in(request.user)))
        return f"{entered} bot{' of the ladder has' if entered == 1 else 's of the ladder have'} been entered."
    bot = _named_bot(tournament, asked.get("bot", ""))
    if asked.get("leave"):
        services.leave(tournament, bot, by=signed_in(request.user))
        return f"{bot.name} has been removed."
    services.enter(tournament, bot, by=signed_in(request.user), code=asked.get("code", ""))
    return f"{bot.name} has been entered."


def _named_bot(tournament: Tournament, name: str) -> Bot:
    bot = Bot.objects.filter(game=tournament.ladder.game, name__iexact=name.strip()[:60]).first()
    if bot is None:
        raise Refused(f"There is no bot named {name[:60]!r} for this game.", status=404)
    return bot


@require_safe
def proof(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Check a tournament whose seed is told, part by part: each answer carries what was found so far to the next."""
    tournament = get_tournament(tournament_id, request.user)
    _check_provable(tournament)
    asked, wait = request.GET.get("state", ""), 0
    found = proofs.carried(tournament, asked) if asked else begin_proof(tournament)
    if asked and not found.is_done and not (wait := proofs.seconds_to_wait(request)):
        found = proofs.shortened(verify_part(tournament, found, matches=proofs.A_PART, seconds=proofs.A_PART_S))
    context = {
        "nav": "tournaments",
        "tournament": tournament,
        "seed": told_seed(tournament),
        "proof": found,
        "state": proofs.carry(tournament, found),
        "wait": wait,
        "has_begun": bool(asked),
        "progress": progress(tournament),
        "problem_count": len(found.problems) + found.unlisted,
        "replayed": found.records - found.outdated,
    }
    return render(request, "web/_proof.html" if wants_fragment(request) else "web/proof.html", context)


def _check_provable(tournament: Tournament) -> None:
    """Raises Conflict while there is nothing to prove, or matches that the seed tells of are still being played."""
    if not tournament.is_over or not tournament.started_at:
        raise Conflict(f"{tournament.name} is {tournament.status}: it can be verified when it is over.")
    if told_seed(tournament) is None:
        raise Conflict(f"{tournament.name} was cancelled, and its last matches are still being played.")


@require_safe
def pair_matches(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The tournament's matches, or those of a pair of entrants."""
    tournament = get_tournament(tournament_id, request.user)
    asked = [int(n) for n in request.GET.getlist("entrant") if n.isdecimal() and len(n) < 6][:6]
    wanted = list(matches_of(tournament, entrants=asked).values_list("pk", flat=True)[:MOST_MATCHES])
    names = [one.bot.name for one in entrants_of(tournament).filter(number__in=asked)]
    context = {"nav": "tournaments", "tournament": tournament, "names": names, "most": MOST_MATCHES}
    context["matches"] = match_rows_of(wanted)
    return render(request, "web/tournament_matches.html", context)


@require_safe
def export(request: HttpRequest, tournament_id: int, kind: str) -> StreamingHttpResponse:
    """The whole result as a file."""
    tournament = get_tournament(tournament_id, request.user)
    if kind not in ("json", "csv"):
        raise Http404
    body = export_json(tournament) if kind == "json" else export_csv(tournament)
    mime = {"json": "application/json", "csv": "text/csv; charset=utf-8"}[kind]
    name = f"tournament-{tournament.pk}.{kind}"
    return StreamingHttpResponse(
        body, content_type=mime, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
