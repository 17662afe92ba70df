"""Automatic differentiation: tapes, custom gradients, gradients in graphs, forward mode."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
