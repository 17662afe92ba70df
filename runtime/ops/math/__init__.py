"""Elementwise operations on numbers."""
