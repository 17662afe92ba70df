"""Imports go downwards only, and every public name shows an example."""

import ast
import inspect
from pathlib import Path

import pytest

import runtime as tf

ROOT = Path(tf.__file__).parent
LAYERS = ("core", "ops", "passes", "engines", "state", "control_flow", "function")
MODULES = sorted(ROOT.rglob("*.py"))


def layer(parts):
    return LAYERS.index(parts[0]) if parts and parts[0] in LAYERS else len(LAYERS)


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


def public():
    for module in (tf, tf.math, tf.random, tf.debugging, tf.linalg, tf.config, tf.strings):
        for name, value in vars(module).items():
            own = getattr(value, "__module__", "") or ""
            if not name.startswith("_") and callable(value) and own.startswith("runtime."):
                yield pytest.param(value, id=f"{module.__name__}.{name}")


@pytest.mark.parametrize("value", list(public()))
def test_public_names_show_an_example(value):
    if inspect.isclass(value) or inspect.isfunction(value):
        assert ">>>" in (value.__doc__ or ""), value
