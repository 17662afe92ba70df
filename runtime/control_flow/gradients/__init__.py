"""Gradients of branches, loops and recursive functions."""
