"""Namespaces list the names of their stubs, and load the module of a name on first use."""

import ast
import importlib
import subprocess
import sys
import types
from pathlib import Path

import pytest

import autograph
import runtime
from autograph.namespaces import on_demand, read_stub

ROOTS = [Path(package.__file__).parent for package in (autograph, runtime)]
STUBS = [stub for root in ROOTS for stub in root.rglob("*.pyi")]


def namespace(stub):
    parts = stub.relative_to(ROOTS[0].parent).with_suffix("").parts
    return importlib.import_module(".".join(parts).removesuffix(".__init__"))


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: "/".join(stub.parts[-3:]))
def test_each_name_of_a_stub_is_what_its_module_defines(stub):
    if stub.parent.name == "xla":
        pytest.importorskip("jax")
    module = namespace(stub)
    listed = read_stub(stub.read_text(encoding="utf-8"))
    assert set(listed) == set(module.__all__) <= set(dir(module))
    for name, (origin, inner) in listed.items():
        value = getattr(module, name)
        if isinstance(value, types.ModuleType):
            assert value.__name__ in (f"{origin}.{inner}", origin) or value.__name__.endswith(
                f".{inner}"
            )
        else:
            assert value is getattr(importlib.import_module(origin), inner)


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: "/".join(stub.parts[-3:]))
def test_a_module_inside_a_namespace_hides_no_public_name(stub):
    if stub.name == "__init__.pyi":
        inside = {path.stem for path in stub.parent.glob("*.py")} | {
            path.parent.name for path in stub.parent.glob("*/__init__.py")
        }
        module = namespace(stub)
        for name in inside & set(module.__all__):
            assert isinstance(getattr(module, name), types.ModuleType), name


def test_a_name_that_the_stub_lacks_is_an_error_that_names_the_namespace():
    with pytest.raises(AttributeError, match="'autograph' has no attribute 'nothing'") as found:
        autograph.nothing  # noqa: B018
    assert found.value.name == "nothing"


def test_a_namespace_may_explain_what_it_lacks():
    load, _, _ = on_demand("runtime.io", lambda name: AttributeError(f"no {name} here"))
    with pytest.raises(AttributeError, match="no sparse here"):
        load("sparse")
    with pytest.raises(AttributeError, match="no attribute '__wrapped__'"):
        load("__wrapped__")


def test_stubs_hold_imports_aliases_and_declarations_alone():
    for stub in STUBS:
        for statement in ast.parse(stub.read_text(encoding="utf-8")).body:
            assert isinstance(statement, (ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef))


def run(text):
    subprocess.run([sys.executable, "-c", text], check=True)


def test_a_star_import_takes_the_public_names():
    run("from runtime import *\nassert DType is type(float32) and while_loop and keras")


def test_importing_the_converter_loads_no_parser():
    parsers = {"libcst", "gast", "astor", "rich", "numpy"}
    run(f"import sys, autograph\nassert not {parsers} & set(sys.modules)")
