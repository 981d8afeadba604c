from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower

LONGEST_NAME = 40
username_validators = [
    RegexValidator(
        r"^[A-Za-z0-9][A-Za-z0-9_.-]*\Z",
        "A username has letters A to Z, digits, dots, hyphens and underscores, and starts with a letter or digit.",
    )
]


class UserManager(DjangoUserManager["User"]):
    """Users by name, whatever the case it is written in."""

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(username__iexact=username)

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **extra: Any
    ) -> User:
        return super().create_superuser(username, email, password, **{"role": User.Role.ADMINISTRATOR, **extra})


class User(AbstractUser):
    """Somebody who signs in: an author by default, an organiser or administrator by appointment."""

    class Role(models.TextChoices):
        AUTHOR = "author"  # submits bots and runs unrated tournaments
        ORGANISER = "organiser"  # also runs rated tournaments
        ADMINISTRATOR = "administrator"  # also keeps the service

    username = models.CharField(
        max_length=LONGEST_NAME,
        unique=True,
        validators=username_validators,
        error_messages={"unique": "A user with that name already exists."},
    )
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.AUTHOR)
    hears_followed = models.BooleanField(default=True)  # gets notifications about what they follow

    objects: ClassVar[UserManager] = UserManager()

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(Lower("username"), name="one_user_a_name_in_any_case")]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """The role decides who enters the operator's desk; a new password makes all tokens useless."""
        self.is_staff = self.is_superuser = self.role == self.Role.ADMINISTRATOR
        has_new_password = self.pk is not None and getattr(self, "_password", None) is not None  # as Django tells it
        super().save(*args, **kwargs)
        if has_new_password:
            self.auth_token_set.all().delete()  # type: ignore[attr-defined]  # knox adds it


class Invite(models.Model):
    """A code that lets so many people sign up while sign-up is by invitation."""

    code = models.CharField(max_length=40, unique=True)
    note = models.CharField(max_length=200, blank=True)
    uses_left = models.PositiveIntegerField(default=1)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    def __str__(self) -> str:
        return self.note or f"invite {self.pk}"


class Notification(models.Model):
    """Something that happened to a person's bots or tournaments."""

    class Kind(models.TextChoices):
        QUALIFIED = "qualified"  # a version may play
        REJECTED = "rejected"  # a version may not play; its report says why
        QUARANTINED = "quarantined"  # a version failed too often and rests
        RELEASED = "released"  # a version may play again
        DUEL = "duel"  # whether a new version is better, or that its test was called off
        TOURNAMENT_FINISHED = "tournament_finished"  # its standings are final
        FOLLOWED = "followed"  # a bot that they follow, or an author's, has a new version or won a tournament
        ACCOUNT = "account"  # a new role, a new token, a reset link

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=24, choices=Kind.choices)
    text = models.CharField(max_length=300)
    url = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["user", "-id"]),
            models.Index(fields=["user"], condition=models.Q(read_at=None), name="unread_notifications"),
        ]

    def __str__(self) -> str:
        return self.text


class AuditEntry(models.Model):
    """One act of an operator, an organiser or the service itself; rows are only ever added."""

    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    actor_name = models.CharField(max_length=40, blank=True)
    action = models.CharField(max_length=40)
    target = models.CharField(max_length=120)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit log"

    def __str__(self) -> str:
        return f"{self.actor_name or 'the service'}: {self.action} {self.target}"
