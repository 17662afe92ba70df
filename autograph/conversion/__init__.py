"""Functions in, converted functions out: what is converted, when, and what stays Python."""
