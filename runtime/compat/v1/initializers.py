"""`compat.v1.initializers`: initial values of variables."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
