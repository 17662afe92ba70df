"""Models as JSON and as files."""
