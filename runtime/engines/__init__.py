"""Engines run graphs: `engine(graph)` returns a function on arrays."""
