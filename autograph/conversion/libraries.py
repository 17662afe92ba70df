"""Which functions run unconverted: those of known libraries, and converted ones."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from autograph.adapters.names import TENSOR_LIBRARIES, TRANSFORMING
from autograph.code_objects import CONVERTED, names_in
from autograph.staging import ATTRIBUTE, is_registered
from autograph.syntax.names import OPERATORS

LEFT_ALONE = TENSOR_LIBRARIES | {
    "IPython", "_pytest", "astor", "autograph", "coverage", "gast", "hypothesis", "ipykernel",
    "libcst", "matplotlib", "mypy", "pandas", "pip", "pkg_resources", "pluggy", "pytest", "rich",
    "setuptools",
}  # fmt: skip
"""Top-level modules whose functions run unconverted: they have nothing to stage."""

_REACHED_BY_MODELS = frozenset({
    "PIL", "filelock", "fsspec", "httpcore", "httpx", "huggingface_hub", "jinja2", "mpmath",
    "packaging", "requests", "safetensors", "sympy", "tqdm", "typing_extensions", "urllib3", "yaml",
})  # fmt: skip
"""The same where they are installed: modules of PyTorch's users lead to thousands of functions of
these. A program may have a module of its own with one of these names."""

_STANDARD_LIBRARY = os.path.dirname(os.__file__)


class Namespace:
    """The base class of `ag__`: a module with such a global `ag__`, `ag__1`, ... is converted."""


def stays_python(function: FunctionType) -> bool:
    """Return whether a function runs unconverted: a known library's, or already converted.

    >>> stays_python(os.path.join), stays_python(functools.singledispatch(len))
    (True, False)
    """
    if is_converted(function):
        return True
    return is_known_library(function.__globals__) and not calls_users(function)


def calls_users(function: FunctionType) -> bool:
    """Return whether `functools` put a function in place of one of the program, which it calls.

    >>> calls_users(functools.singledispatch(len)), calls_users(functools.wraps)
    (True, False)
    """
    return function.__globals__ is vars(functools) and function.__code__.co_qualname in _CALLING


def _calling() -> Iterator[str]:
    calling: list[Any] = [
        functools.singledispatch(len),
        functools.singledispatchmethod(len).__get__(None, object),
    ]
    for name in _ORDERINGS:
        ordered: type = functools.total_ordering(type("Ordered", (), {name: getattr(int, name)}))
        calling += [vars(ordered)[each] for each in _ORDERINGS if each != name]
    return (each.__code__.co_qualname for each in calling)


_ORDERINGS = ("__lt__", "__le__", "__gt__", "__ge__")
_CALLING = frozenset(_calling())


def is_converted(function: FunctionType) -> bool:
    """Return whether a function is converted, or is inside a converted function or module.

    A module is converted as a whole. In a notebook or at a prompt, only functions that use the
    operators are.
    """
    code, names = function.__code__, function.__globals__
    if CONVERTED in code.co_consts:
        return True
    operators = {name for name in OPERATORS if issubclass(type(names.get(name)), Namespace)}
    if operators and names.get("__name__") == "__main__" and "__file__" not in names:
        return not operators.isdisjoint(names_in(code))
    return bool(operators)


def is_known_library(names: dict[str, Any]) -> bool:
    """Return whether `names` are the globals of a module whose functions run unconverted.

    A module of a tensor library says so by a global `__autograph_staging__`; others may register
    it by its name.
    """
    if ATTRIBUTE in names:
        return True
    name = names.get("__name__")
    root = name.partition(".")[0] if type(name) is str else ""
    if root in LEFT_ALONE or (root in _REACHED_BY_MODELS and is_installed(names)):
        return True
    return is_registered(root) or is_standard_library(names)


def is_installed(names: dict[str, Any]) -> bool:
    """Return whether `names` are the globals of a module of an installed package."""
    return "site-packages" in str(names.get("__file__"))


def is_written_for_tracers(names: dict[str, Any]) -> bool:
    """Return whether `names` are the globals of an installed module that works on traced values."""
    if not is_installed(names):
        return False
    modules = (each for each in names.values() if type(each) is ModuleType)
    return any(each.__name__.partition(".")[0] in TRANSFORMING for each in modules)


def is_standard_library(names: dict[str, Any]) -> bool:
    """Return whether `names` are the globals of a module of Python's standard library."""
    name = names.get("__name__")
    if type(name) is not str or name.partition(".")[0] not in sys.stdlib_module_names:
        return False
    # A user module may have the name of a standard one.
    file = names.get("__file__")
    return type(file) is not str or (
        file.startswith(_STANDARD_LIBRARY) and "site-packages" not in file
    )
