"""The programs of a library need it; the tiny library begins each test anew."""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.autograph.tiny_library import LIBRARY

collect_ignore_glob = [f"{name}_*.py" for name in ("jax", "torch") if find_spec(name) is None]
if not all(map(find_spec, ("equinox", "flax", "optax"))):
    collect_ignore_glob += ["jax_programs_libraries.py"]


@pytest.fixture(autouse=True)
def _nothing_staged_yet() -> None:
    LIBRARY.staged.clear()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on `sys.path`; what the test imports, installs and caches is forgotten after it."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.partition(".")[0] not in ("autograph", "libcst", "gast", "astor"):
            del sys.modules[name]
