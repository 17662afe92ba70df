"""Activations, losses and normalization."""
