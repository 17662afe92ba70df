"""`runtime.config.optimizer`: which passes functions go through."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
