"""The programs of a library need it; the tiny library begins each test anew."""

from importlib.util import find_spec

import pytest

from tests.autograph.tiny_library import LIBRARY

collect_ignore_glob = [f"{name}_*.py" for name in ("jax", "torch") if find_spec(name) is None]
if not all(map(find_spec, ("equinox", "flax", "optax"))):
    collect_ignore_glob += ["jax_programs_libraries.py"]


@pytest.fixture(autouse=True)
def _nothing_staged_yet() -> None:
    LIBRARY.staged.clear()
