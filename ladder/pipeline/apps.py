from django.apps import AppConfig
from django.conf import settings


class PipelineConfig(AppConfig):
    """Every process that has Django hears what is announced, but for workers with narrow rights."""

    name = "ladder.pipeline"

    def ready(self) -> None:
        if settings.NARROW:
            return  # it may send no message; the beat finds what it did
        from ladder.events import subscribe
        from ladder.pipeline import LISTENERS

        subscribe(LISTENERS)
