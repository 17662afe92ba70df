"""Assertions on values, shapes and dtypes."""
