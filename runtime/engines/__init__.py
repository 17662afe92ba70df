"""Engines run graphs: `executable(graph)` returns a function on arrays."""
