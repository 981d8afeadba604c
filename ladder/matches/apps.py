from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class MatchesConfig(AppConfig):
    name = "ladder.matches"

    def ready(self) -> None:
        post_migrate.connect(_install_functions, sender=self)


def _install_functions(**_: Any) -> None:
    """The functions of workers follow the tables."""
    from ladder.matches import functions

    functions.install()
