from django.apps import AppConfig
from django.conf import settings


class ParlourConfig(AppConfig):
    """A worker at play ends its chunk of matches when a bot of a sitting waits for a host."""

    name = "ladder.parlour"

    def ready(self) -> None:
        if settings.NARROW:
            return  # it may read no sitting, and hosts none
        from ladder.matches.playing import CALLS
        from ladder.parlour.hosting import is_host_wanted

        CALLS.append(is_host_wanted)
