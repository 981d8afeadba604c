"""Home, documentation, rules, theme."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from engines import GAMES
from ladder.web.context import THEMES
from ladder.web.markdown import render_page

YEAR_S = 365 * 24 * 3600


def home(request: HttpRequest) -> HttpResponse:
    return render(request, "web/home.html")


def docs_folder() -> Path:
    return Path(settings.BASE_DIR) / "docs"


def docs(request: HttpRequest, page: str | None = None) -> HttpResponse:
    """One page of docs/, with the list of all beside it."""
    files = {path.stem: path for path in sorted(docs_folder().glob("[0-9]*-*.md"), key=_number)}
    pages = [(stem, render_page(path)[0]) for stem, path in files.items()]
    if page is None:
        return render(request, "web/docs.html", {"nav": "docs", "pages": pages})
    if page not in files:
        raise Http404
    title, body = render_page(files[page])
    return render(
        request, "web/docs.html", {"nav": "docs", "pages": pages, "page": page, "doc_title": title, "body": body}
    )


def _number(path: Path) -> int:
    return int(path.stem.split("-")[0])


def rules(request: HttpRequest, name: str) -> HttpResponse:
    """The rules of a game, from its RULES.md."""
    if name not in GAMES:
        raise Http404
    title, body = render_page(Path(settings.BASE_DIR) / "engines" / name / "RULES.md")
    return render(request, "web/rules.html", {"nav": name, "game": GAMES[name], "doc_title": title, "body": body})


def game(request: HttpRequest, name: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("web:rules", args=[name]))


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the reader's theme in a cookie and go back to where they were."""
    target = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        target = reverse("web:home")
    response = HttpResponseRedirect(target)
    theme = request.POST.get("theme")
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=YEAR_S, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    return response
