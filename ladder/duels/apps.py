from django.apps import AppConfig


class DuelsConfig(AppConfig):
    name = "ladder.duels"
