"""Pages of an account that allauth does not have: tokens, export, deletion."""

from __future__ import annotations

import json

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ladder.accounts.permissions import signed_in
from ladder.accounts.queries import tokens_of
from ladder.accounts.services import FreshToken, make_token, revoke_token
from ladder.privacy.deletion import delete_account
from ladder.privacy.export import account_export
from ladder.refusals import Refused
from ladder.web.account_forms import DeleteAccountForm, TokenForm


@login_required
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List tokens and make one; its plain text is shown on this answer and never again."""
    form = TokenForm(request.POST or None)
    fresh: FreshToken | None = None
    if request.method == "POST" and form.is_valid():
        try:
            fresh = make_token(signed_in(request.user), **form.cleaned_data)
            form = TokenForm()
        except Refused as refused:
            form.add_error(None, refused.message)
    context = {"form": form, "fresh": fresh, "tokens": tokens_of(signed_in(request.user))}
    return render(request, "account/tokens.html", context)


@login_required
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """Make one token useless."""
    if not revoke_token(signed_in(request.user), token_id):
        raise Http404("You have no such token.")
    messages.success(request, "The token has been revoked.")
    return redirect("accounts:tokens")


@login_required
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """All that is kept about this account, as a JSON file."""
    body = json.dumps(account_export(signed_in(request.user)), cls=DjangoJSONEncoder, indent=2)
    name = f"rumrunner-{request.user.username}.json"
    return HttpResponse(body, "application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'})


@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Delete your account after its owner typed the password; bots stay without a name."""
    form = DeleteAccountForm(signed_in(request.user), request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            delete_account(signed_in(request.user))
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            logout(request)
            return redirect("/")
    return render(request, "account/delete.html", {"form": form})
