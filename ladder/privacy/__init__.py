"""What a person may take along and what is forgotten when they leave, over all rooms."""
