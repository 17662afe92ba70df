"""What modules import: downwards only, in no circle, and tensor libraries only behind the seam."""

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
import runtime

ROOTS = {package.__name__: Path(package.__file__).parent for package in (autograph, runtime)}
FILES = {name: sorted(root.rglob("*.py")) for name, root in ROOTS.items()}
LAYERS = (
    {"core", "absent", "conftest"},
    {"errors", "nest", "ops", "passes"},
    {"bitwise", "debugging", "dtypes", "engines", "linalg", "math", "nn", "strings"},
    {"backprop", "config", "export", "state"},
    {"control_flow", "io", "random", "testing", "version"},
    {"autodiff", "image", "operators", "profiler", "staging", "test"},
    {"functions", "summary"},
    {"data", "numpy_programs", "types"},
    {"decorators"},
    {"saved_model"},
    {"compat", "train"},
    {"keras"},
)
"""Packages and modules of `runtime`; each imports only what is in layers below its own."""

WHOLE_NAMESPACE = {"compat", "keras"}
"""Packages that import the public namespace, as programs do."""

LOADS_COMPUTED = {"autograph.namespaces", "runtime.core.machine.extras"}
"""Modules that load what a stub or an optional library is called."""

LONGEST_CHAIN = {"autograph": 14, "runtime": 16}
"""Modules in the longest chain of imports; a new import must not make it longer."""

LOADED_LATER = {"runtime", "runtime.compat"}
TENSOR_LIBRARIES = {"jax", "numpy", "runtime", "torch"}


def module_name(path):
    root = next(root for root in ROOTS.values() if root in path.parents)
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for paths in FILES.values() for path in paths}
CONVERTER = [path for path in FILES["autograph"] if "adapters" not in path.parts]


@functools.cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def is_for_types(node):
    """Whether a statement holds imports that only the checker of types does: none of them runs."""
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def imports(node, late=True, for_types=True):
    """The statements that import; those in functions, or for types, only if asked for."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield node
    elif (late or not isinstance(node, ast.FunctionDef)) and (for_types or not is_for_types(node)):
        for child in ast.iter_child_nodes(node):
            yield from imports(child, late, for_types)


def names(statement):
    """The modules that a statement imports, by their full names."""
    if isinstance(statement, ast.Import):
        return {alias.name for alias in statement.names}
    inner = {f"{statement.module}.{alias.name}" for alias in statement.names}
    return inner if inner <= set(MODULES) else {*inner, statement.module}


def part(module):
    """The package of `runtime` that a module belongs to; None for `runtime` itself."""
    return module.split(".")[1] if "." in module else None


PARTS = {
    name: [path for path in FILES["runtime"] if part(module_name(path)) == name]
    for name in [None, *sorted({*map(part, map(module_name, FILES["runtime"]))} - {None})]
}
"""Files of `runtime` itself and of each of its packages and modules."""

each_part = pytest.mark.parametrize("package", PARTS, ids=str)


def layer(module):
    """The number of the layer of a module; `runtime` itself is above all."""
    if module == "runtime":
        return len(LAYERS)
    return next(number for number, members in enumerate(LAYERS) if part(module) in members)


def test_every_part_of_the_runtime_has_a_layer():
    assert set(PARTS) - {None} == set().union(*LAYERS)
    assert len(LAYERS) <= 12


@functools.cache
def loads(path, for_types=True):
    """The modules that a file imports at any time, itself or by its stub."""
    trees = [parsed(each) for each in (path, path.with_suffix(".pyi")) if each.exists()]
    return {
        name for tree in trees for each in imports(tree, True, for_types) for name in names(each)
    }


@each_part
def test_the_layers_of_the_runtime_import_downwards(package):
    for path in PARTS[package]:
        own = module_name(path)
        for name in loads(path):
            if name == "runtime":
                assert package in WHOLE_NAMESPACE, path
            elif name.startswith("runtime.") and part(name) != package:
                assert layer(name) < layer(own), (path, name)


def test_keras_imports_public_names_alone():
    for path in PARTS["keras"]:
        for name in loads(path):
            own = name == "runtime" or name.startswith("runtime.keras")
            assert own or not name.startswith("runtime."), (path, name)


def test_only_the_public_namespace_imports_keras():
    for path in FILES["runtime"]:
        if path not in PARTS["keras"] and path != ROOTS["runtime"] / "__init__.py":
            assert not any(name.startswith("runtime.keras") for name in loads(path)), path


@each_part
def test_imports_of_the_runtime_stand_at_the_top(package):
    """But for that of the staging library, which the first tensor in converted code loads."""
    loaded_late = {"runtime.staging", "runtime.staging.LIBRARY"} if package is None else set()
    for path in PARTS[package]:
        for node in ast.walk(parsed(path)):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                late = set().union(*map(names, imports(node)))
                assert late <= loaded_late, (path, node.name)


def test_namespaces_alone_load_modules_whose_names_are_computed():
    """Others name what they load, which is no part of this project."""
    for module, path in MODULES.items():
        for call in (node for node in ast.walk(parsed(path)) if isinstance(node, ast.Call)):
            if ast.unparse(call.func).endswith(("import_module", "__import__")):
                named = is_text(call.args[0])
                assert named or module in LOADS_COMPUTED, module
                assert not named or call.args[0].value.partition(".")[0] not in ROOTS, module


def test_no_text_names_a_module_to_load():
    for path in MODULES.values():
        for node in filter(is_text, ast.walk(parsed(path))):
            module, _, name = node.value.partition(":")
            assert not (module in MODULES and name.isidentifier()), (path, node.value)


def test_the_converter_names_no_tensor_library_in_a_collection():
    """Only `adapters` lists them; a program's own library takes part by a class or `register`."""
    for path in CONVERTER:
        for node in ast.walk(parsed(path)):
            if isinstance(node, (ast.Set, ast.List, ast.Tuple, ast.Dict)):
                held = {each.value for each in ast.iter_child_nodes(node) if is_text(each)}
                shown = (path, ast.unparse(node))
                assert not held & {"jax", "runtime", "tensorflow", "torch"}, shown


def test_the_converter_imports_no_tensor_library():
    for path in CONVERTER:
        found = {name.partition(".")[0] for each in imports(parsed(path)) for name in names(each)}
        assert not found & TENSOR_LIBRARIES, path


def packages(module):
    """The packages that an import of a module runs first."""
    return {module[:at] for at, character in enumerate(module) if character == "."}


def runs_first(module, path):
    """The modules and packages that an import of a module runs, but for the packages around it."""
    named = set().union(*map(names, imports(parsed(path), late=False, for_types=False)))
    run = named.union(*map(packages, named)) & set(MODULES)
    return run - packages(module)


def in_circles(needs):
    """The modules that need each other, of all modules with what each needs."""
    while free := {name for name, others in needs.items() if not (others - {name}) & set(needs)}:
        needs = {name: others for name, others in needs.items() if name not in free}
    return needs


def test_imports_make_no_circle():
    assert not in_circles({module: runs_first(module, path) for module, path in MODULES.items()})


def test_late_imports_make_no_circle():
    """But for the two public namespaces, and the list of the adapters of tensor libraries."""
    needs = {
        module: loads(path, for_types=False) & set(MODULES) - packages(module)
        for module, path in MODULES.items()
        if module not in {*ROOTS, "autograph.adapters.names"}
    }
    assert not in_circles(needs)


def longest_chain(package):
    """The modules of the longest chain of imports, each of which imports the next when it loads."""
    needs = {
        module_name(path): {
            name
            for statement in imports(parsed(path), late=False, for_types=False)
            for name in names(statement)
            if name in MODULES and name not in ROOTS and name != module_name(path)
        }
        for path in FILES[package]
    }

    @functools.cache
    def chain(module):
        below = (chain(name) for name in needs.get(module, ()))
        return (module, *max(below, key=len, default=()))

    return max(map(chain, needs), key=len)


@pytest.mark.parametrize("package", ROOTS)
def test_chains_of_imports_get_no_longer(package):
    chain = longest_chain(package)
    assert len(chain) <= LONGEST_CHAIN[package], " > ".join(chain)


def test_types_know_each_other_only_as_graph_operation_tensor_and_text():
    knowing = {
        module_name(path)
        for path in FILES["runtime"]
        if any(map(is_for_types, ast.walk(parsed(path))))
    }
    assert knowing - LOADED_LATER == {
        f"runtime.core.{name}" for name in ("operation", "symbolic", "text")
    }


def test_what_is_loaded_later_is_there_all_the_same():
    text = (
        "import sys, runtime as tf\n"
        "later = {'compat.v1', 'image', 'keras', 'profiler', 'summary', 'test'}\n"
        "later = {'PIL', 'tensorboard', 'unittest', *(f'runtime.{name}' for name in later)}\n"
        "assert not later & set(sys.modules)\n"
        "assert 'test' in dir(tf) and 'v1' in dir(tf.compat)\n"
        "assert tf.compat.v1.Session and tf.test.TestCase and tf.compat.v2 is tf\n"
    )
    subprocess.run([sys.executable, "-c", text], check=True)
