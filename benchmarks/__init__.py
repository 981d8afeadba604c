"""What only measures: speed, strength and scale, each beside its floor or a peer; no part of what is shipped."""
