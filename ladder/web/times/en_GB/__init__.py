"""The formats of the one language that the site speaks."""
