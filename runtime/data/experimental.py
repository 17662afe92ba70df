"""`runtime.data.experimental`: tables, and names from before they moved to `runtime.data`."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
