"""The operator's desk: everything goes through services, so that the audit log has it."""

from ladder.operations.admin import accounts, desk  # noqa: F401 - registers what the desk shows
