"""Library functions that call functions of the user: they get these converted.

Those of a tensor library may have them anywhere in their arguments. Those of the standard library
call one argument; all others are data, which keeps its identity and may be long.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable
from contextlib import nullcontext
from types import FunctionType, MethodType
from typing import Any

from autograph.conversion.libraries import is_known_library, is_standard_library
from autograph.operators.frames import leave_out
from autograph.operators.wrappers import HIGHER_ORDER, is_transform, wrapped_by
from autograph.staging import is_one_of, library_defining, on_staged_values, ongoing, optional

_LENT = (FunctionType, MethodType, functools.partial)
"""Types of what is a function and no data; a model of Equinox's is data, and callable."""

CALLED: dict[Any, tuple[int, str]] = {
    functools.cmp_to_key: (0, "mycmp"),
    functools.reduce: (0, "function"),
    itertools.accumulate: (1, "func"),
    itertools.dropwhile: (0, "predicate"),
    itertools.filterfalse: (0, "function"),
    itertools.groupby: (1, "key"),
    itertools.starmap: (0, "function"),
    itertools.takewhile: (0, "predicate"),
}
"""Functions of the standard library that call an argument, to its position and name."""

CALLING = ("itertools",)
"""Modules whose members include them: `itertools.accumulate` in a text needs conversion."""


def is_higher_order(function: FunctionType) -> bool:
    """Return whether a tensor library's function, or the like, calls functions in its arguments."""
    names = function.__globals__
    is_named = function.__name__ in HIGHER_ORDER
    return is_named and is_known_library(names) and not is_standard_library(names)


def call_with_called(
    function: Callable[..., Any],
    converted: Callable[[Any], Any],
    /,
    *args: object,
    **kwargs: object,
) -> Any:
    """Call a function of `CALLED` with the argument that it calls converted.

    >>> list(call_with_called(itertools.starmap, lambda f: f, max, [(1, 2), (4, 3)]))
    [2, 4]
    """
    position, name = CALLED[function]
    try:
        if position < len(args):
            called = _unless_one_of(converted, args[position])
            args = (*args[:position], called, *args[position + 1 :])
        elif name in kwargs:
            kwargs[name] = _unless_one_of(converted, kwargs[name])
        return function(*args, **kwargs)
    except BaseException as error:
        leave_out(error)
        raise


def _unless_one_of(converted: Callable[[Any], Any], function: object) -> Any:
    # A call of one of several functions is split into calls that are converted.
    return function if is_one_of(function) else converted(function)


def _itself(function: Callable[..., Any]) -> Any:
    return function


def call_with_converted(
    function: Callable[..., Any],
    converted: Callable[[Any], Any],
    /,
    *args: object,
    **kwargs: object,
) -> Any:
    """Call a higher-order function of a tensor library with converted function arguments."""

    def given(value: Any) -> Any:
        kind = type(value)
        if kind in (list, tuple, dict):
            items = list(value.values() if kind is dict else value)
            found = list(map(given, items))
            if all(map(operator.is_, found, items)):
                return value  # the function may return an item, or change the list
            return dict(zip(value, found, strict=True)) if kind is dict else kind(found)
        if is_one_of(value) or isinstance(value, type) or not callable(value):
            return value
        target = converted(value)
        # An object may be data, as a model is. Its class was adopted, so its calls are converted.
        is_object = type(target) is MethodType and type(value) is not MethodType
        if is_object or wrapped_by(value):
            return value
        return lend(target) if type(target) in _LENT else target

    try:
        lend = optional(library_defining(function), "lent", _itself)
        traces = not ongoing and is_transform(function)
        with on_staged_values() if traces else nullcontext():
            named = {name: given(value) for name, value in kwargs.items()}
            return function(*map(given, args), **named)
    except BaseException as error:
        leave_out(error)
        raise
