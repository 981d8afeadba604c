from django.apps import AppConfig


class PipelineConfig(AppConfig):
    """Every process that has Django hears what is announced."""

    name = "ladder.pipeline"

    def ready(self) -> None:
        from ladder.events import subscribe
        from ladder.pipeline import LISTENERS

        subscribe(LISTENERS)
