from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """Somebody who signs in: an author by default, an organiser or administrator by appointment."""

    class Role(models.TextChoices):
        AUTHOR = "author"  # submits bots and runs unrated tournaments
        ORGANISER = "organiser"  # also runs rated tournaments
        ADMINISTRATOR = "administrator"  # also keeps the service

    role = models.CharField(max_length=16, choices=Role.choices, default=Role.AUTHOR)
