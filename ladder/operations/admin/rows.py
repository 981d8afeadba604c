"""Django's admin classes as its stubs know them: generic for the type checker, plain when the service runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

if TYPE_CHECKING:
    from ladder.accounts.models import User

    Rows = admin.ModelAdmin[Any]
    Lines = admin.TabularInline[Any, Any]
    Accounts = UserAdmin[User]
else:
    Rows, Lines, Accounts = admin.ModelAdmin, admin.TabularInline, UserAdmin
