"""Every public name explains itself, and a golden file holds all of them with their parameters."""

import enum
import functools
import inspect
import types
from pathlib import Path

import pytest

import autograph
import runtime as tf

NAMESPACES = (
    tf,
    tf.autodiff,
    tf.bitwise,
    tf.compat,
    tf.compat.v1,
    tf.config,
    tf.config.experimental,
    tf.config.optimizer,
    tf.config.threading,
    tf.data,
    tf.data.experimental,
    tf.debugging,
    tf.dtypes,
    tf.errors,
    tf.image,
    tf.io,
    tf.linalg,
    tf.math,
    tf.nest,
    tf.nn,
    tf.profiler.experimental,
    tf.random,
    tf.saved_model,
    tf.strings,
    tf.summary,
    tf.summary.experimental,
    tf.test,
    tf.train,
    tf.types.experimental,
)


KERAS = (
    *("activations", "callbacks", "constraints", "datasets", "initializers", "layers", "losses"),
    *("metrics", "models", "ops", "optimizers", "optimizers.schedules", "preprocessing"),
    *("regularizers", "saving", "utils"),
)
BESIDE = (tf.keras, tf.profiler, tf.types, tf.version)
"""Namespaces of which the golden file holds the names in other ways."""

GOLDEN = Path(__file__).with_name("surface.txt")


def public():
    for module in NAMESPACES:
        for name in dir(module):
            value = getattr(module, name)
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


def keras_modules():
    for name in KERAS:
        yield functools.reduce(getattr, name.split("."), tf.keras)


def modules_in(module):
    """The modules among the names that `dir` shows, but for Python's own `__name__`."""
    values = [getattr(module, name) for name in dir(module) if not name.startswith("__")]
    return [value for value in values if isinstance(value, types.ModuleType)]


@pytest.mark.parametrize("namespace", NAMESPACES, ids=lambda module: module.__name__)
def test_a_namespace_shows_public_names_and_other_namespaces_alone(namespace):
    assert not [name for name in dir(namespace) if name[0] == "_" and name[:2] != "__"]
    known = {*NAMESPACES, *keras_modules(), *BESIDE, autograph}
    assert set(modules_in(namespace)) <= known


def signature(value):
    if not callable(value) or (isinstance(value, type) and issubclass(value, (tuple, enum.Enum))):
        return ""  # of an enumeration it is Python's own, which differs between versions
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    shown = [
        str(each.replace(annotation=each.empty, default=each.empty))
        + ("" if each.default is each.empty else "=")
        for each in found.parameters.values()
    ]
    return f"({', '.join(shown)})"


def surface():
    """Each public name with its parameters; `=` marks one that has a default."""
    yield from (line for module in NAMESPACES for line in names_of(module.__name__, module))
    for name in KERAS:
        module = tf.keras
        for part in name.split("."):
            module = getattr(module, part)
        yield from names_of(f"runtime.keras.{name}", module)
    yield from names_of("runtime.keras", tf.keras)


def names_of(path, module):
    for name in sorted(dir(module)):
        value = getattr(module, name)
        if not name.startswith("_") and not isinstance(value, types.ModuleType):
            yield f"{path}.{name}{signature(value)}"


def test_the_surface_changes_only_with_its_golden_file(request):
    text = "".join(f"{line}\n" for line in surface())
    if request.config.getoption("--rewrite-golden"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
