from __future__ import annotations

from django.conf import settings
from django.db import models


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
