"""Python text as trees: one parse, the statements of functions, names, positions."""
