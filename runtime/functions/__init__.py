"""`function`: Python functions that run as graphs."""
