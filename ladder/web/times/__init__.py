"""How Django writes moments where no template says how: as the site does, so that the operator's desk does too."""
