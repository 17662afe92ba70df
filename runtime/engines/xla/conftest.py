"""The doctests of the engine need JAX."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("jax") else ["*.py"]
