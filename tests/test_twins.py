"""The tests of `runtime/core/graph.py` are in `tests/runtime/core/test_graph.py`, and so on.

Namespaces, which have a stub, have those of `tests/runtime/test_surface.py`.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "backprop", "compat", "config", "core", "export", "functions", "image", "io", "passes",
    "profiler", "state", "summary", "testing", "types",
)  # fmt: skip
"""Packages of `runtime` in which every module has a test file of its name."""


def twin(module):
    return ROOT / "tests" / module.parent.relative_to(ROOT) / f"test_{module.name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_has_a_test_file_of_its_name(package):
    modules = [
        path
        for path in (ROOT / "runtime" / package).rglob("*.py")
        if path.name[:2] != "__" and not path.with_suffix(".pyi").exists()
    ]
    assert not [path for path in modules if not twin(path).exists()]
