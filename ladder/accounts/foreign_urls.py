from __future__ import annotations

from django.apps import apps
from django.urls import URLPattern, URLResolver, include, path

from ladder.accounts.foreign import guarded
from ladder.accounts.providers import APPS, GITHUB, OIDC

urlpatterns: list[URLPattern | URLResolver] = [path("others/", include("allauth.socialaccount.urls"))]
if apps.is_installed(f"{APPS}.{OIDC}"):
    from allauth.socialaccount.providers.openid_connect import views as oidc

    urlpatterns += [
        path("<slug:provider_id>/login/", guarded(oidc.login), name="openid_connect_login"),
        path("<slug:provider_id>/login/callback/", guarded(oidc.callback), name="openid_connect_callback"),
    ]
if apps.is_installed(f"{APPS}.{GITHUB}"):
    from allauth.socialaccount.providers.github import views as github

    urlpatterns = [
        path("github/login/", guarded(github.oauth2_login), name="github_login"),
        path("github/login/callback/", guarded(github.oauth2_callback), name="github_callback"),
        *urlpatterns,
    ]
