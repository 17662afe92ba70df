"""What a program tells the converter: which functions stay as written, how loops are staged."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, TypeVar, overload

from autograph.guard import as_written
from autograph.operators.calls import fix, fixed, forget

F = TypeVar("F", bound=Callable[..., Any])


@overload
def do_not_convert(func: F) -> F: ...


@overload
def do_not_convert(func: None = None) -> Callable[[F], F]: ...


def do_not_convert(func: Any = None) -> Any:
    """A decorator: the function always runs as written, also where converted code calls it.

    Args:
      func: any callable; None: gives the decorator, as in `@do_not_convert()`.
    Returns: the function under another identity; the one passed stays convertible.

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
    maximum_iterations: Any = None,
    shape_invariants: Any = None,
) -> None:
    """Says, in the first line of a loop, how the loop is staged; in plain Python it does nothing.

    Args:
      parallel_iterations: how many iterations may run at the same time.
      swap_memory: whether values kept for the gradient may leave the device.
      maximum_iterations: the loop stops after so many.
      shape_invariants: pairs of a variable and the shape that holds for all iterations.

    >>> for i in range(2):
    ...     set_loop_options(maximum_iterations=10)
    """


def set_element_type(entity: Any, dtype: Any, shape: Any = None) -> None:
    """Declare what a list or array holds, for readers of a program; it has no effect.

    What a list holds is found from the items that are appended.

    Args:
      entity: the list.
      dtype: the dtype of its items.
      shape: the shape of its items, if they have one.

    >>> squares = []
    >>> set_element_type(squares, int)
    """
