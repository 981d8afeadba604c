from __future__ import annotations

from django.urls import path

from ladder.web.views import personal

app_name = "accounts"
urlpatterns = [
    path("tokens/", personal.tokens, name="tokens"),
    path("tokens/<int:token_id>/revoke/", personal.revoke, name="revoke"),
    path("export/", personal.export, name="export"),
    path("delete/", personal.delete, name="delete"),
]
