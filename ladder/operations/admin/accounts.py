"""Accounts on the operator's desk."""

from __future__ import annotations

from typing import Any

from axes.utils import reset
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from ladder.accounts.audit import audit
from ladder.accounts.models import Invite, User
from ladder.accounts.permissions import signed_in
from ladder.accounts.services import appoint, invite, reset_path
from ladder.operations.admin.rows import Accounts, Rows
from ladder.privacy.deletion import delete_account
from ladder.refusals import Refused

admin.site.unregister(Group)  # roles say it all


@admin.register(User)
class AccountAdmin(Accounts):
    """Roles, locks and links; everything goes through services, so that the audit log has it."""

    list_display = ("username", "email", "role", "is_active", "date_joined", "last_login")
    list_filter = ("role", "is_active")
    fieldsets = ((None, {"fields": ("username", "email", "role", "is_active", "date_joined", "last_login")}),)
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("username", "password1", "password2", "role")}),)
    readonly_fields = ("date_joined", "last_login")
    ordering = ("username",)
    actions = ("make_reset_link", "unlock", "make_organisers", "make_authors")

    @admin.action(description="Make a one-time link for a new password")
    def make_reset_link(self, request: HttpRequest, users: QuerySet[User]) -> None:
        for user in users[:20]:
            link = request.build_absolute_uri(reset_path(user, by=signed_in(request.user)))
            text = format_html("{}: <code>{}</code> (valid once, for 24 hours)", user.username, link)
            self.message_user(request, text, messages.WARNING)

    @admin.action(description="Unlock after too many failed sign-ins")
    def unlock(self, request: HttpRequest, users: QuerySet[User]) -> None:
        for user in users:
            reset(username=user.username.lower())
            audit(request.user, "unlock", user)
        self.message_user(request, "They may try again.")

    @admin.action(description="Make organisers")
    def make_organisers(self, request: HttpRequest, users: QuerySet[User]) -> None:
        self._appoint(request, users, User.Role.ORGANISER)

    @admin.action(description="Make them authors")
    def make_authors(self, request: HttpRequest, users: QuerySet[User]) -> None:
        self._appoint(request, users, User.Role.AUTHOR)

    def _appoint(self, request: HttpRequest, users: QuerySet[User], role: User.Role) -> None:
        for user in users:
            try:
                appoint(user, role, by=signed_in(request.user))
            except Refused as refused:
                self.message_user(request, refused.message, messages.ERROR)

    def save_model(self, request: HttpRequest, user: User, form: Any, change: bool) -> None:
        """A changed role goes through its service; the last administrator keeps it."""
        role = user.role
        if change and "role" in form.changed_data:
            user.role = form.initial["role"]
        super().save_model(request, user, form, change)
        audit(request.user, "change account" if change else "add account", user, fields=form.changed_data)
        if user.role != role:
            self._appoint(request, User.objects.filter(pk=user.pk), User.Role(role))

    def has_delete_permission(self, request: HttpRequest, user: User | None = None) -> bool:
        return user is not None  # one at a time, so that bots are anonymised

    def delete_model(self, request: HttpRequest, user: User) -> None:
        try:
            delete_account(user)
        except Refused as refused:
            self.message_user(request, refused.message, messages.ERROR)


@admin.register(Invite)
class InviteAdmin(Rows):
    """Codes for signing up."""

    list_display = ("code", "note", "uses_left", "expires_at", "created_by")
    fields = ("note", "uses_left", "expires_at")
    readonly_fields = ("code",)

    def save_model(self, request: HttpRequest, made: Invite, form: Any, change: bool) -> None:
        if change:
            super().save_model(request, made, form, change)
            audit(request.user, "change invite", made)
            return
        fresh = invite(by=signed_in(request.user), uses=made.uses_left, note=made.note)
        Invite.objects.filter(pk=fresh.pk).update(expires_at=made.expires_at)
        made.pk, made.code = fresh.pk, fresh.code
        self.message_user(request, f"The code is {fresh.code}.", messages.WARNING)
