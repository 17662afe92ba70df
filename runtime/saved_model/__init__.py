"""`runtime.saved_model`: models in folders, which run without the program that made them."""

from autograph import namespaces
from runtime.absent import absent_from

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__, absent_from(__name__))
