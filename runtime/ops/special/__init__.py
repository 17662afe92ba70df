"""Special functions; loaded on demand."""
