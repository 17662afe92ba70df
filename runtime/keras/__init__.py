"""Layers, models and what trains them, under the names of Keras 3."""
