"""Functions of a tensor library around functions of the user, such as `jax.jit(f)`.

A wrapper is called as it is, so its options and rules stay. The functions inside keep their
identity, too; they are adopted (see `conversion.adoption`), so that they run converted in a trace.

>>> hands_over(lambda x: x + 1)
False
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

from autograph.adapters.names import TENSOR_LIBRARIES, TRANSFORMING
from autograph.code_objects import names_in
from autograph.conversion.class_facts import dictionary_of, is_base, is_static, look_up
from autograph.conversion.libraries import is_known_library

HIGHER_ORDER = frozenset(
    {"apply_along_axis", "associative_scan", "case", "checkify", "checkpoint", "closure_convert",
     "cond", "custom_jvp", "custom_linear_solve", "custom_root", "custom_vjp", "custom_vmap",
     "def_vmap", "defjvp", "defjvps", "defvjp", "eval_shape", "foldl", "foldr", "fori_loop",
     "grad", "hessian", "jacfwd", "jacobian", "jacrev", "jit", "jvp", "linear_transpose",
     "linearize", "make_jaxpr", "map", "map_fn", "map_structure", "minimize", "named_call",
     "odeint", "pmap", "reduce", "remat", "scan", "shard_map", "switch", "switch_case",
     "tree_map", "value_and_grad", "vectorize", "vectorized_map", "vjp", "vmap", "while_loop"}
)  # fmt: skip
"""Names of higher-order library functions."""

_RULES = ("jvp", "fwd", "bwd", "vmap_rule")
"""Attributes for the derivatives and the batching of a wrapped function."""


def _library(value: Any, roots: frozenset[str] = TRANSFORMING) -> bool:
    """Return whether one of the libraries, by default a transforming one, defines a callable."""
    kind = type(value)
    if kind is FunctionType:
        name = value.__globals__.get("__name__")
    elif kind is ModuleType:
        name = value.__dict__.get("__name__")
    else:
        name = dictionary_of(value if is_base(type, kind) else kind).get("__module__")
    return type(name) is str and name.partition(".")[0] in roots


def is_transforming(wrapper: object) -> bool:
    """Return whether a wrapper of a library traces what it calls."""
    return _library(wrapper)


def is_transform(function: Any) -> bool:
    """Return whether a function, or class, of a library traces the functions that it is given."""
    return function.__name__ in HIGHER_ORDER and _library(function)


def wrapped_by(value: object) -> list[Any]:
    """Return the functions, and callable objects, of the user in a library's wrapper."""
    return list(_within(value)) if _is_wrapper(value) else []


def rules_of(wrapper: object) -> list[Any]:
    """Return the user's derivatives and batching of a wrapper, which run after a trace, too."""
    held = _attributes(wrapper)
    return [each for rule in map(held.get, _RULES) for each in _within(rule)]


def _is_wrapper(value: object) -> bool:
    if is_base(type, type(value)) or not _library(value, TENSOR_LIBRARIES):
        return False
    if hasattr(type(value), "__autograph_converts__"):
        return False  # it converts its function itself, and its graphs depend on the code
    return "__wrapped__" in _attributes(value)


def _attributes(value: object) -> dict[str, Any]:
    found = getattr(value, "__dict__", None)
    return found if type(found) is dict else {}


def _within(value: object) -> Iterator[Any]:
    if _is_wrapper(value):
        held = _attributes(value)
        for each in (held["__wrapped__"], *map(held.get, _RULES)):
            yield from _within(each)
    elif type(value) is functools.partial:
        yield from _within(value.func)
    elif type(value) is MethodType:
        yield from _within(value.__func__)
    elif type(value) is FunctionType:
        if not is_known_library(value.__globals__):
            yield value
    elif look_up(type(value), "__call__") and not is_static(type(value)) and not _library(value):
        yield value


def uses_transforms(function: FunctionType) -> bool:
    """Return whether the module of a function, or the function, imports a transforming library."""
    names = names_in(function.__code__)
    return not TRANSFORMING.isdisjoint(names) or any(map(_library, function.__globals__.values()))


def hands_over(*values: object) -> bool:
    """Return whether functions, or methods of objects, may give functions to a transform.

    Follows the functions and classes that they name.
    """
    seen: set[int] = set()
    waiting = list(values)
    while waiting:
        each = waiting.pop()
        each = each.__func__ if type(each) is MethodType else each
        if id(each) in seen:
            continue
        seen.add(id(each))
        if wrapped_by(each):
            return True
        if type(each) is not FunctionType:
            kind: Any = each if is_base(type, type(each)) else type(each)
            waiting += [] if is_static(kind) or _library(kind) else _methods(kind)
        elif not is_known_library(each.__globals__):
            named = list(_named(each))
            if any(map(_library, named)) and not HIGHER_ORDER.isdisjoint(names_in(each.__code__)):
                return True
            waiting += named
    return False


def _named(function: FunctionType) -> Iterator[Any]:
    """Yield the globals and free variables that a function names."""
    for name in names_in(function.__code__):
        if name in function.__globals__:
            yield function.__globals__[name]
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue


def _methods(kind: type) -> list[Any]:
    values = dictionary_of(kind).values()
    return [each for each in values if type(each) is FunctionType or wrapped_by(each)]
