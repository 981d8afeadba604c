"""What a match costs, against its floor and against others."""
