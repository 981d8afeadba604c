"""Ladders, versions, matches, workers and the audit log on the operator's desk; every act goes through a service."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from arena.record import ENDINGS
from ladder.accounts.audit import audit
from ladder.accounts.models import AuditEntry
from ladder.accounts.permissions import signed_in
from ladder.events import Event, announce
from ladder.ladders.models import Ladder
from ladder.ladders.services import request_rebuild, set_open
from ladder.matches.draining import drain, undo_drain
from ladder.matches.leases import try_again
from ladder.matches.models import FailedAttempt, Match, Seat, Worker
from ladder.matches.queries import set_aside_matches
from ladder.matches.services import pause_ladder, rerun_match, resume_ladder, void_match
from ladder.operations.admin.rows import Lines, Rows
from ladder.qualifying.trials import check_again, quarantine, release
from ladder.refusals import Conflict, Refused
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments.models import Tournament
from ladder.tournaments.services import cancel, pause, resume

RATES_BY = {"draw_probability", "tau"}


class Desk(Rows):
    """A table that is looked at, and changed by actions alone."""

    show_full_result_count = False
    list_per_page = 50

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Called by what it lists."""
        title = str(self.opts.verbose_name_plural).capitalize()
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, row: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, row: Model | None = None) -> bool:
        return False

    def each(self, request: HttpRequest, rows: Iterable[Any], name: str, act: Callable[[Any], object]) -> None:
        """Do one thing to every row, write it down, and say how it went."""
        done = 0
        for row in rows:
            try:
                act(row)
            except Refused as refused:
                self.message_user(request, refused.message, messages.ERROR)
                continue
            audit(request.user, name, row)
            done += 1
        self.message_user(request, f"{name}: {done} done.")


@admin.register(Ladder)
class LadderDesk(Desk):
    """Open, close and pause ladders, and set how they rate."""

    list_display = (
        "slug",
        "is_open",
        "is_paused",
        "last_number",
        "rated_through",
        "draw_probability",
        "tau",
        "ratings",
    )
    fields = ("is_open", "draw_probability", "tau", "sigma_goal", "most_matches", "ratings")
    readonly_fields = ("ratings",)
    actions = ("pause", "resume", "close_season")

    def view_on_site(self, ladder: Ladder) -> str:
        return reverse("web:ladder", args=[ladder.slug])

    def has_change_permission(self, request: HttpRequest, row: Model | None = None) -> bool:
        return True

    def save_model(self, request: HttpRequest, ladder: Ladder, form: Any, change: bool) -> None:
        super().save_model(request, ladder, form, change)
        if "is_open" in form.changed_data:
            set_open(ladder, ladder.is_open)
        if RATES_BY & set(form.changed_data):
            request_rebuild(ladder.pk)
            self.message_user(request, f"The ratings of {ladder} are being recomputed.")
        audit(request.user, "change ladder", ladder, **{name: form.cleaned_data[name] for name in form.changed_data})

    @admin.display(description="ratings")
    def ratings(self, ladder: Ladder) -> str:
        return "pending: ratings are being recomputed" if ladder.needs_rebuild else "in order"

    @admin.action(description="Pause: start no more matches")
    def pause(self, request: HttpRequest, ladders: QuerySet[Ladder]) -> None:
        self.each(request, ladders, "pause ladder", pause_ladder)

    @admin.action(description="Resume")
    def resume(self, request: HttpRequest, ladders: QuerySet[Ladder]) -> None:
        self.each(request, ladders, "resume ladder", resume_ladder)

    @admin.action(description="Close the season of one ladder (asks first)")
    def close_season(self, request: HttpRequest, ladders: QuerySet[Ladder]) -> HttpResponse | None:
        chosen = list(ladders[:2])
        if len(chosen) == 1:
            return redirect("web:close_season", chosen[0].slug)
        self.message_user(request, "Choose one ladder: its season is closed on a page that asks first.", messages.ERROR)
        return None


class SeatLine(Lines):
    """Who sat where."""

    model = Seat
    fields = ("seat", "version", "rank", "score", "fault", "fault_ply", "cpu_ms", "peak_kib")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, row: Model | None = None) -> bool:
        return False


class AttemptLine(Lines):
    """Which attempts gave no result, where and why."""

    model = FailedAttempt
    fields = ("at", "worker", "cause", "detail")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, row: Model | None = None) -> bool:
        return False


class SetAside(admin.SimpleListFilter):
    """Matches that failed on every try so far."""

    title = "set aside"
    parameter_name = "aside"

    def lookups(self, request: HttpRequest, desk: Any) -> list[tuple[str, str]]:
        return [("yes", "waits for a later try")]

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        return matches.filter(pk__in=set_aside_matches().order_by().values("pk")) if self.value() else matches


class Ending(admin.SimpleListFilter):
    """How matches ended; those that have not are under status."""

    title = "ending"
    parameter_name = "ending"

    def lookups(self, request: HttpRequest, desk: Any) -> list[tuple[str, str]]:
        return [(ending, ending.replace("_", " ")) for ending in ENDINGS]

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        return matches.filter(ending=self.value()) if self.value() else matches


class WithReason(ActionForm):
    """An action, and why."""

    reason = forms.CharField(required=False, max_length=500, label="Why")


@admin.register(Match)
class MatchDesk(Desk):
    """Find matches; strike them or play them again."""

    list_display = (
        "id", "ladder", "lane", "status", "ending", "is_rated", "attempts", "aside_until", "worker", "created_at",
    )  # fmt: skip
    list_filter = (SetAside, "status", "lane", "ladder", Ending, "is_held")
    list_select_related = ("ladder",)
    search_fields = ("=id", "worker")
    search_help_text = "match number or worker name"
    exclude = ("set", "lease")
    inlines = (SeatLine, AttemptLine)
    action_form = WithReason
    actions = ("void", "void_and_rerun", "rerun", "try_again")

    def view_on_site(self, match: Match) -> str:
        return reverse("web:match", args=[match.pk])

    @admin.action(description="Try again now what was set aside")
    def try_again(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        self.each(request, matches, "try match again", _try_again)

    @admin.action(description="Void; ratings it changed are recomputed")
    def void(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        self.each(request, matches, "void match", lambda match: _void(request, match))

    @admin.action(description="Void and replay")
    def void_and_rerun(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        self.each(request, matches.select_related("set"), "void and rerun match", lambda match: _again(request, match))

    @admin.action(description="Replay as new matches")
    def rerun(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        self.each(request, matches.select_related("set"), "rerun match", rerun_match)


def _try_again(match: Match) -> None:
    if not try_again(match.pk):
        raise Conflict(f"Match {match.pk} is not set aside.")
    announce(Event.MATCHES_QUEUED)


def _void(request: HttpRequest, match: Match) -> None:
    """Nobody but a person voids a match that has not been played, and says why."""
    told = str(request.POST.get("reason", "")).strip()[:500]
    if not told and match.status == Match.Status.QUEUED:
        raise Refused(f"Match {match.pk} has not been played: say why in the field next to the action.")
    void_match(match, reason=": ".join(filter(None, [f"voided by {request.user.get_username()}", told])))


def _again(request: HttpRequest, match: Match) -> None:
    _void(request, match)
    rerun_match(match)


@admin.register(BotVersion)
class VersionDesk(Desk):
    """Quarantine and release versions."""

    list_display = ("id", "bot", "number", "status", "runtime", "uploaded_by", "uploaded_at", "reason")
    list_filter = ("status", "bot__game", "runtime")
    list_select_related = ("bot", "uploaded_by")
    search_fields = ("bot__name", "bot__owner__username", "=bundle__digest")
    search_help_text = "bot, owner or digest"
    exclude = ("bundle",)
    actions = ("quarantine", "release", "check_again")

    @admin.action(description="Check again: a rejected version anew, a waiting one now")
    def check_again(self, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
        rows = versions.select_related("bot__owner")
        self.each(request, rows, "check version again", lambda version: check_again(version, by_operator=True))

    @admin.action(description="Quarantine: it plays no matches until released")
    def quarantine(self, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
        reason = f"by {request.user.get_username()}"
        rows = versions.select_related("bot__owner")
        self.each(request, rows, "quarantine version", lambda version: quarantine(version, reason=reason))

    @admin.action(description="Release from quarantine")
    def release(self, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
        self.each(request, versions.select_related("bot__owner"), "release version", release)


@admin.register(Bot)
class BotDesk(Desk):
    """Whose bots there are."""

    list_display = ("id", "name", "game", "owner", "active_version", "created_at")
    list_filter = ("game",)
    list_select_related = ("owner", "active_version__bot")
    search_fields = ("name", "owner__username")
    search_help_text = "name or owner"

    def view_on_site(self, bot: Bot) -> str:
        return reverse("web:bot", args=[bot.pk])


@admin.register(Tournament)
class TournamentDesk(Desk):
    """Step in where an organiser can't."""

    list_display = (
        "id",
        "name",
        "ladder",
        "format",
        "status",
        "organiser",
        "is_rated",
        "tables_settled",
        "tables_total",
    )
    list_filter = ("status", "format", "ladder", "is_rated")
    list_select_related = ("ladder", "organiser")
    search_fields = ("name", "organiser__username")
    search_help_text = "name or organiser"
    exclude = ("seed", "invite_code")
    actions = ("pause", "resume", "cancel")

    def view_on_site(self, tournament: Tournament) -> str:
        return reverse("web:tournament", args=[tournament.pk])

    @admin.action(description="Pause: start no more matches")
    def pause(self, request: HttpRequest, tournaments: QuerySet[Tournament]) -> None:
        self.each(request, tournaments, "pause tournament", lambda row: pause(row, by=signed_in(request.user)))

    @admin.action(description="Resume")
    def resume(self, request: HttpRequest, tournaments: QuerySet[Tournament]) -> None:
        self.each(request, tournaments, "resume tournament", lambda row: resume(row, by=signed_in(request.user)))

    @admin.action(description="Cancel; finished matches stay visible")
    def cancel(self, request: HttpRequest, tournaments: QuerySet[Tournament]) -> None:
        self.each(request, tournaments, "cancel tournament", lambda row: cancel(row, by=signed_in(request.user)))


@admin.register(Worker)
class WorkerDesk(Desk):
    """Which machines play, with which version, and why one does not."""

    list_display = (
        "name",
        "host",
        "plays",
        "processes",
        "version",
        "short_engines",
        "runtimes",
        "sandbox_ok",
        "message",
        "drained_at",
        "seen_at",
    )
    actions = ("drain", "undo_drain")

    @admin.action(description="Drain: end what is played, take nothing more")
    def drain(self, request: HttpRequest, workers: QuerySet[Worker]) -> None:
        drained = sum([drain(worker.name, by=signed_in(request.user)) for worker in workers if worker.plays])
        self.message_user(request, f"Drained: {drained}. Each ends the matches it plays now.")

    @admin.action(description="Undo drain: let them play again")
    def undo_drain(self, request: HttpRequest, workers: QuerySet[Worker]) -> None:
        undone = sum([undo_drain(worker.name, by=signed_in(request.user)) for worker in workers if worker.plays])
        self.message_user(request, f"Playing again: {undone}.")

    @admin.display(description="runtimes")
    def runtimes(self, worker: Worker) -> str:
        return ", ".join(" ".join(pair) for pair in worker.abilities.get("runtimes", {}).items())

    @admin.display(description="engines")
    def short_engines(self, worker: Worker) -> str:
        return worker.engines_digest[:12]


@admin.register(AuditEntry)
class AuditDesk(Desk):
    """Who did what."""

    list_display = ("at", "actor_name", "action", "target", "detail")
    list_filter = ("action",)
    search_fields = ("actor_name", "target")
    search_help_text = "who did it, or to what"
    date_hierarchy = "at"
