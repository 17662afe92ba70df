"""`runtime.profiler`: profiles of Python code, plans of graphs among it, by `cProfile`."""

from runtime.profiler import experimental as experimental
