"""Tournaments: finding and making them, entering, running, and reading their tables."""
