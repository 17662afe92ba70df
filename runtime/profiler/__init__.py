"""`runtime.profiler`: profiles of Python code, plans of graphs among it, by `cProfile`."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
