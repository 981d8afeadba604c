"""How fast the engines play, against other libraries."""
