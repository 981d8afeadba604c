"""Failures of the service sent to a Sentry that a setting names; nothing of people, bots or secrets goes along."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from arena.version import VERSION


def send_failures(dsn: str) -> None:
    """Have every uncaught exception reported; raises ImproperlyConfigured, which never shows the address."""
    try:
        import sentry_sdk
    except ImportError:
        raise ImproperlyConfigured(
            "RUMRUNNER_SENTRY_DSN is set, but sentry-sdk is not installed. Run `make options`, or unset it."
        ) from None
    try:
        sentry_sdk.init(
            dsn=dsn,
            release=VERSION,
            send_default_pii=False,
            include_local_variables=False,  # they hold passwords, tokens and other people's programs
            max_request_body_size="never",
        )
    except sentry_sdk.utils.BadDsn:
        raise ImproperlyConfigured("RUMRUNNER_SENTRY_DSN is not an address that Sentry gives to a project.") from None
