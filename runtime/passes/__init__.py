"""Graph to graph: each pass is a file, keeps the meaning, and runs alone."""
