from django.apps import AppConfig


class QualifyingConfig(AppConfig):
    name = "ladder.qualifying"
