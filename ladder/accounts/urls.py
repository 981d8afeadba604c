from __future__ import annotations

from django.urls import path

from ladder.accounts import views

app_name = "accounts"
urlpatterns = [
    path("tokens/", views.tokens, name="tokens"),
    path("tokens/<int:token_id>/revoke/", views.revoke, name="revoke"),
    path("export/", views.export, name="export"),
    path("delete/", views.delete, name="delete"),
]
