"""The names of tokens, apart from accounts: this table needs knox's, which needs the people's."""

from __future__ import annotations

from django.conf import settings
from django.db import models

LONGEST_NAME = 40


class ApiToken(models.Model):
    """The name a person gave to one of their tokens; knox keeps the hash and the expiry."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=LONGEST_NAME)
    auth = models.OneToOneField("knox.AuthToken", on_delete=models.CASCADE, related_name="named")

    class Meta:
        db_table = "accounts_apitoken"  # where installations have it
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="one_token_a_name")]

    def __str__(self) -> str:
        return self.name
