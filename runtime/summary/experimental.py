"""`runtime.summary.experimental`: the default step."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
