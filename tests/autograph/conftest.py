"""The programs of a library need it."""

from importlib.util import find_spec

collect_ignore_glob = [f"{name}_*.py" for name in ("jax", "torch") if find_spec(name) is None]
