"""The doctests of an adapter need its library."""

from importlib.util import find_spec

collect_ignore = [name for name in ("jax", "torch") if find_spec(name) is None]
