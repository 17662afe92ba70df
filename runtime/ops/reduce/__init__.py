"""Reductions, orders and counts along axes."""
