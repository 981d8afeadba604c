"""What owners do with a bot as a whole: rename and describe it, open it to people, hide it, delete it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from ladder.accounts.permissions import signed_in
from ladder.parlour.permissions import is_house
from ladder.privacy.owning import BotWishes, change_bot, delete_bot
from ladder.refusals import Refused
from ladder.submissions.models import Bot
from ladder.submissions.permissions import may_manage
from ladder.web.account_forms import BotForm
from ladder.web.confirming import about_deleting, about_hiding, ask


def _own_bot(request: HttpRequest, bot_id: int) -> Bot:
    bot = get_object_or_404(Bot.objects.select_related("owner"), pk=bot_id)
    if not may_manage(request.user, bot):
        raise Http404
    return bot


@login_required
@require_http_methods(["GET", "POST"])
def edit_bot(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Another name and description for a bot, and who may play against it; a refusal is told beside the field."""
    bot = _own_bot(request, bot_id)
    before = {"name": bot.name, "description": bot.description, "plays_people": bot.plays_people}
    form = BotForm(request.POST or None, initial=before)
    if request.method == "POST" and form.is_valid():
        try:
            change_bot(bot, BotWishes(**form.cleaned_data), by=signed_in(request.user))
        except Refused as refused:
            form.add_error("name", refused.message)
        else:
            messages.success(request, f"{bot.name} has been saved.")
            return redirect("web:bot", bot.pk)
    context = {"nav": bot.game, "bot": bot, "form": form, "is_house": is_house(bot)}
    return render(request, "web/edit_bot.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "POST"])
def hide(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Hide a bot after asking; a hidden one is shown again at once."""
    bot = _own_bot(request, bot_id)
    if request.method == "GET":
        return redirect("web:edit_bot", bot.pk) if bot.is_hidden else ask(request, about_hiding(bot))
    wanted = "show" not in request.POST
    change_bot(bot, BotWishes(is_hidden=wanted), by=signed_in(request.user))
    told = f"{bot.name} is hidden. You can show it again here." if wanted else f"{bot.name} is shown and plays again."
    messages.success(request, told)
    return redirect("web:edit_bot", bot.pk)


@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Delete a bot after asking; a refusal is told on its page."""
    bot = _own_bot(request, bot_id)
    if request.method == "GET":
        return ask(request, about_deleting(bot))
    name = bot.name
    try:
        delete_bot(bot, by=signed_in(request.user))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("web:edit_bot", bot.pk)
    messages.success(request, f"{name} has been deleted.")
    return redirect("web:account")
