from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/", include("ladder.web.account_urls")),
    path("accounts/", include("ladder.accounts.foreign_urls")),
    path("api/", include("ladder.api.urls")),
    path("", include("ladder.operations.urls")),
    path("", include("ladder.web.urls")),
]

handler400 = "ladder.web.errors.bad_request"
handler403 = "ladder.web.errors.forbidden"
handler404 = "ladder.web.errors.not_found"
handler500 = "ladder.web.errors.server_error"
