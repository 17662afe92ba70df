"""Automatic differentiation: tapes, custom gradients, gradients in graphs."""

from autograph import namespaces
from runtime.absent import absent_from

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__, absent_from(__name__))
