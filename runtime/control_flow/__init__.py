"""Branches and loops as operations that carry graphs."""
