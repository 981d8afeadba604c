"""What a sensible player may do, one module a game: quick rules with some chance in them, for playouts."""
