"""Graphs in the formats of other programs."""
