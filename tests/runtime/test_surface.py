"""Imports go downwards only, and every public name explains itself."""

import ast
import inspect
import types
from pathlib import Path

import pytest

import runtime as tf

ROOT = Path(tf.__file__).parent
LAYERS = ("core", "ops", "passes", "engines", "state", "control_flow", "function")
MODULES = sorted(ROOT.rglob("*.py"))
NAMESPACES = (
    tf,
    tf.bitwise,
    tf.compat.v1,
    tf.compat.v1.debugging,
    tf.compat.v1.initializers,
    tf.compat.v1.linalg,
    tf.compat.v1.manip,
    tf.compat.v1.math,
    tf.compat.v1.nn,
    tf.compat.v1.random,
    tf.compat.v1.spectral,
    tf.compat.v1.strings,
    tf.config,
    tf.config.experimental,
    tf.config.optimizer,
    tf.config.threading,
    tf.debugging,
    tf.dtypes,
    tf.errors,
    tf.graph_util,
    tf.linalg,
    tf.math,
    tf.math.special,
    tf.nest,
    tf.nn,
    tf.random,
    tf.random.experimental,
    tf.signal,
    tf.strings,
    tf.test,
    tf.types.experimental,
)


def module_name(path):
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path) for path in MODULES}


def layer(parts):
    return LAYERS.index(parts[0]) if parts and parts[0] in LAYERS else len(LAYERS)


def imported(tree):
    """The modules of the package that a module imports, by their full names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("runtime"):
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from inner
            if not set(inner) <= NAMES:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_downwards(path):
    own = layer(path.relative_to(ROOT).parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("runtime."):
            assert layer(node.module.split(".")[1:]) <= own, node.module


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_stand_at_the_top(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inner = [n for n in ast.walk(node) if isinstance(n, (ast.Import, ast.ImportFrom))]
            assert not inner


def is_for_types(node):
    """Whether a statement holds imports that only the checker of types does: none of them runs."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_imports_make_no_circle():
    needs = {}
    for path in MODULES:
        tree = ast.parse(path.read_text())
        tree.body = [node for node in tree.body if not is_for_types(node)]
        needs[module_name(path)] = set(imported(tree)) & NAMES - {module_name(path)}
    while free := {name for name, others in needs.items() if not others & set(needs)}:
        needs = {name: others for name, others in needs.items() if name not in free}
    assert not needs


def test_types_know_each_other_only_where_a_graph_its_operations_and_its_tensors_do():
    knowing = {
        module_name(path)
        for path in MODULES
        if any(map(is_for_types, ast.parse(path.read_text()).body))
    }
    assert knowing == {"runtime.core.operation", "runtime.core.symbolic"}


def public():
    for module in NAMESPACES:
        for name, value in vars(module).items():
            own = getattr(value, "__module__", "") or ""
            if not name.startswith("_") and callable(value) and own.startswith("runtime."):
                yield pytest.param(value, id=f"{module.__name__}.{name}")


def explains_by_its_base(value):
    """Errors that only carry a number of their own; what they share is explained once."""
    return inspect.isclass(value) and value.__base__ is tf.errors.NotFoundError.__base__


@pytest.mark.parametrize("value", list(public()))
def test_public_names_show_an_example(value):
    if not isinstance(value, types.ModuleType) and not explains_by_its_base(value):
        assert ">>>" in (value.__doc__ or ""), value
