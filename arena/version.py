"""The version of Rumrunner, said once: the wheel, the command line and workers read it here."""

VERSION = "0.1.0"
