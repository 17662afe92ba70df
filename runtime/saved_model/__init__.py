"""`runtime.saved_model`: models in folders, which run without the program that made them."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
