"""The operator's desk."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig


class LadderAdminSite(AdminSite):
    site_header = "Rumrunner administration"
    site_title = "Rumrunner"
    index_title = "Bots, matches, ladders, accounts"


class LadderAdminConfig(AdminConfig):
    default_site = "ladder.operations.admin_site.LadderAdminSite"
