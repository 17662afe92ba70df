"""Reverse-mode differentiation: a backward walk that names no op, and gradients of graphs."""
