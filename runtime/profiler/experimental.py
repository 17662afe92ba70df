"""`runtime.profiler.experimental`: profiles of this thread, read by Python's `pstats`.

Graphs run as Python functions with the names of their functions, so they are in the profile.
"""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
