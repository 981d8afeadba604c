from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "ladder.operations"
