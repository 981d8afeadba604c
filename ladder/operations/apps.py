from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "ladder.operations"

    def ready(self) -> None:
        from ladder.operations import checks  # noqa: F401 - registers what `manage.py check` looks at
