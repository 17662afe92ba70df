"""`runtime.data.experimental`: tables, and names from before they moved to `runtime.data`."""

from autograph import namespaces
from runtime.absent import absent_from

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__, absent_from(__name__))
