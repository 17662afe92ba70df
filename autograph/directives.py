"""Directives of a program to the converter: functions to leave alone, options of loops."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, TypeVar, overload

from autograph.conversion.guard import as_written
from autograph.operators.replacements import fix, fixed, forget

F = TypeVar("F", bound=Callable[..., Any])


@overload
def do_not_convert(func: F) -> F: ...


@overload
def do_not_convert(func: None = None) -> Callable[[F], F]: ...


def do_not_convert(func: Any = None) -> Any:
    """Decorate a function to run as written, also when converted code calls it.

    Args:
      func: any callable. None: return the decorator, as in `@do_not_convert()`.

    Returns:
      A copy of the function. The function passed in stays convertible.

    >>> @do_not_convert
    ... def double(x):
    ...     return 2 * x
    >>> double(2)
    4
    """
    if func is None:
        return do_not_convert
    if isinstance(func, FunctionType):
        return _copy_left_alone(func)
    if isinstance(func, (staticmethod, classmethod)):
        return type(func)(do_not_convert(func.__func__))
    if isinstance(func, MethodType):
        return MethodType(do_not_convert(func.__func__), func.__self__)

    @functools.wraps(func, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return _left_alone(call)


def _left_alone(function: Any) -> Any:
    fix(function)
    return function


def _copy_left_alone(function: FunctionType) -> Any:
    decided = fixed(function)
    original = function.__dict__.get("__wrapped__")
    if decided is not None and decided.target is not None and isinstance(original, FunctionType):
        function = original
    written = as_written(function)
    copy = FunctionType(
        written.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    functools.update_wrapper(copy, function)
    forget(copy)
    return _left_alone(copy)


def set_loop_options(
    parallel_iterations: int | None = None,
    swap_memory: bool | None = None,
    maximum_iterations: object = None,
    shape_invariants: object = None,
) -> None:
    """Set options of the enclosing staged loop. No effect if the loop runs as Python.

    Call it as the first statement of the loop body.

    Args:
      parallel_iterations: maximum number of iterations that run concurrently.
      swap_memory: whether values saved for the gradient may leave the device.
      maximum_iterations: maximum number of iterations; the loop then ends.
      shape_invariants: pairs of a variable and the shape that it has in all iterations.

    >>> for i in range(2):
    ...     set_loop_options(maximum_iterations=10)
    ...     print(i)
    0
    1
    """


def set_element_type(entity: object, dtype: object, shape: object = None) -> None:
    """Declare the element type of a list for the reader. No effect: appended items determine it.

    Args:
      entity: the list.
      dtype: dtype of its items.
      shape: shape of its items, or None.

    >>> squares = []
    >>> set_element_type(squares, int)
    """
