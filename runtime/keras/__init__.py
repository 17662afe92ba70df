"""Layers, models and what trains them, under the names of Keras 3."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
