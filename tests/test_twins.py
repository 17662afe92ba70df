"""The tests of `runtime/core/graph.py` are in `tests/runtime/core/test_graph.py`, and so on.

Namespaces, which have a stub, have those of `tests/runtime/test_surface.py`. Modules that define no
function need none. What a rewrite does is in its docstring, as a before and after that run, and in
the golden files.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REWRITES = ROOT / "autograph" / "rewrite"

PARTS_OF_REWRITES = {
    "blocks", "expressions", "functions", "show", "staged", "states",
}  # fmt: skip
"""Modules of `autograph.rewrite` that rewrite no construct themselves."""


def twin(module):
    return ROOT / "tests" / module.parent.relative_to(ROOT) / f"test_{module.name}"


def parsed(module):
    return ast.parse(module.read_text(encoding="utf-8"))


def needs_twin(module):
    """Whether a module defines functions whose tests are not those of a namespace."""
    is_own = module.name[:2] != "__" and module.name != "conftest.py"
    if not is_own or module.with_suffix(".pyi").exists() or module.parent == REWRITES:
        return False
    return any(isinstance(node, ast.FunctionDef) for node in ast.walk(parsed(module)))


@pytest.mark.parametrize("package", ["autograph", "runtime"])
def test_every_module_has_a_test_file_of_its_name(package):
    modules = filter(needs_twin, (ROOT / package).rglob("*.py"))
    assert not [path for path in modules if not twin(path).exists()]


def test_every_rewrite_shows_a_before_and_after_that_run():
    for module in REWRITES.glob("*.py"):
        if module.stem not in PARTS_OF_REWRITES | {"__init__"}:
            assert ">>> " in ast.get_docstring(parsed(module)), module
