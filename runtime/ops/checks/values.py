"""Checks of values: comparisons, signs, nearness.

What is known while a graph is recorded is checked at once, the rest when the graph runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.errors import AssertionFailedError
from runtime.core.operation import Operation
from runtime.core.static import static_value
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.checks.parts import name_of, nothing_left
from runtime.ops.effects.output import Assert
from runtime.ops.math import comparison
from runtime.ops.math.arithmetic import subtract
from runtime.ops.math.elementwise import abs as absolute
from runtime.ops.reduce.reduction import reduce_all

_SHOWN = 3

Relation = Callable[[Tensor, Tensor], Tensor]


def _compared(
    relation: Relation,
    sign: str,
    x: TensorLike,
    y: TensorLike,
    message: str | None,
    summarize: int | None,
    name: str,
) -> Operation | None:
    (a, b), _ = one_dtype(name, [("x", x), ("y", y)])
    holds = relation(a, b)
    known = static_value(holds)
    if known is not None and np.all(known):
        return nothing_left()
    prefix = f"{message}\n" if message else ""
    if isinstance(a, EagerTensor) and isinstance(b, EagerTensor):
        shown = _SHOWN if summarize is None else summarize
        text = f"{prefix}Condition x {sign} y did not hold.\n"
        raise AssertionFailedError.of(text + _differences(sign, known, a, b, shown))
    text = f"Condition x {sign} y did not hold element-wise:"
    values = [static_value(a), static_value(b)]
    if known is not None and values[0] is not None and values[1] is not None:
        lines = [
            f"{label} ({name_of(tensor)}) = \n{value}" for label, tensor, value in _pairs(a, b)
        ]
        raise AssertionFailedError.of("\n".join([f"{prefix}{text}", *lines]))
    own = [] if message is None else [message]
    data = [text, f"x ({name_of(a)}) = ", a, f"y ({name_of(b)}) = ", b]
    return Assert(reduce_all(holds), [*own, *data], _SHOWN if summarize is None else summarize)


def _pairs(a: Tensor, b: Tensor) -> list[tuple[str, Tensor, Any]]:
    return [("x", a, static_value(a)), ("y", b, static_value(b))]


def _differences(sign: str, holds: Any, a: EagerTensor, b: EagerTensor, shown: int) -> str:
    lines = []
    x, y = np.asarray(a.array), np.asarray(b.array)
    if sign in ("==", "!="):
        where = np.argwhere(np.logical_not(holds))[:shown] if np.ndim(holds) else np.zeros((0, 0))
        if len(where):
            full = np.broadcast_arrays(x, y)
            first, second = (array[tuple(where.T)] for array in full)
            lines.append(f"Indices of first {len(where)} different values:\n{where}")
            lines.append(f"Corresponding x values:\n{first}")
            lines.append(f"Corresponding y values:\n{second}")
    for label, array in (("x", x), ("y", y)):
        flat = array.ravel()[:shown]
        lines.append(f"First {len(flat)} elements of {label}:\n{flat}")
    return "\n".join(lines)


def assert_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x == y` for all elements, at once if they are known, else when the graph runs.

    Args:
      x, y: tensors of one dtype that broadcast.
      message: what stands first in the error.
      summarize: how many elements the error shows; None: 3.
      name: has no effect.

    Returns: the operation in a graph built by hand, else None.
    Raises: InvalidArgumentError with both values if not.

    >>> assert_equal([1, 2], [1, 2])
    """
    return _compared(comparison.equal, "==", x, y, message, summarize, "Equal")


def assert_none_equal(
    x: TensorLike,
    y: TensorLike,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x != y` for all elements; see `assert_equal`.

    >>> assert_none_equal([1, 2], 3)
    """
    return _compared(comparison.not_equal, "!=", x, y, message, summarize, "NotEqual")


def assert_less(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x < y` for all elements; see `assert_equal`.

    >>> assert_less([1, 2], 3)
    """
    return _compared(comparison.less, "<", x, y, message, summarize, "Less")


def assert_less_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x <= y` for all elements; see `assert_equal`.

    >>> assert_less_equal([1, 2], 2)
    """
    return _compared(comparison.less_equal, "<=", x, y, message, summarize, "LessEqual")


def assert_greater(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x > y` for all elements; see `assert_equal`.

    >>> assert_greater([1, 2], 0)
    """
    return _compared(comparison.greater, ">", x, y, message, summarize, "Greater")


def assert_greater_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x >= y` for all elements; see `assert_equal`.

    >>> assert_greater_equal([1, 2], 1)
    """
    return _compared(
        comparison.greater_equal, ">=", x, y, message, summarize, "assert_greater_equal"
    )


def _require(
    holds: Tensor, data: Sequence[Any], message: str | None, summarize: int | None
) -> Operation | None:
    """Checks a condition at once if it is known, else when the graph runs."""
    known = static_value(holds)
    if known is not None and np.all(known):
        return nothing_left()
    first = f"{message}.  " if message else ""
    if known is not None:
        parts = [static_value(part) if isinstance(part, Tensor) else part for part in data]
        if all(part is not None for part in parts):
            raise AssertionFailedError.of(f"{first}\n" + "\n".join(map(str, parts)))
    return Assert(holds, [first, *data], _SHOWN if summarize is None else summarize)


def _signed(
    relation: Relation, sign: str, x: TensorLike, message: str | None, summarize: int | None
) -> Operation | None:
    tensor = convert_to_tensor(x)
    zero = convert_to_tensor(0, tensor.dtype)
    text = f"Condition x {sign} 0 did not hold element-wise:"
    holds = reduce_all(relation(tensor, zero))
    return _require(holds, [text, f"x ({name_of(tensor)}) = ", tensor], message, summarize)


def assert_positive(
    x: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that all elements are above 0; see `assert_equal`.

    >>> assert_positive([1, 2])
    """
    return _signed(comparison.greater, ">", x, message, summarize)


def assert_negative(
    x: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that all elements are below 0; see `assert_equal`.

    >>> assert_negative([-1, -2])
    """
    return _signed(comparison.less, "<", x, message, summarize)


def assert_non_negative(
    x: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that no element is below 0; see `assert_equal`.

    >>> assert_non_negative([0, 2])
    """
    return _signed(comparison.greater_equal, ">=", x, message, summarize)


def assert_non_positive(
    x: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that no element is above 0; see `assert_equal`.

    >>> assert_non_positive([0, -2])
    """
    return _signed(comparison.less_equal, "<=", x, message, summarize)


def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: TensorLike | None = None,
    atol: TensorLike | None = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `abs(x - y) <= atol + rtol * abs(y)` for all elements.

    Args:
      x, y: floating-point or complex tensors of one dtype that broadcast.
      rtol, atol: the tolerances; None: ten times the distance from 1 to the next larger number.
      message: what stands first in the error.
      summarize: how many elements the error shows; None: 3.
      name: has no effect.

    Raises: InvalidArgumentError if not; ValueError for integers without tolerances.

    >>> assert_near([1.0], [1.05], atol=0.1)
    """
    (a, b), _ = one_dtype("assert_near", [("x", x), ("y", y)])
    real = a.dtype.real_dtype
    if None in (rtol, atol) and not real.is_floating:
        raise ValueError(f"data type {real.name} not inexact: give rtol and atol for {a.spec}")
    default = None if not real.is_floating else 10 * np.finfo(real.numpy_dtype).eps
    relative, absolute_part = (
        convert_to_tensor(default if tolerance is None else tolerance, real)
        for tolerance in (rtol, atol)
    )
    allowed = absolute_part + relative * absolute(b)
    holds = reduce_all(comparison.less_equal(absolute(subtract(a, b)), allowed))
    text = f"x and y not equal to tolerance rtol = {relative}, atol = {absolute_part}"
    data = [text, f"x ({name_of(a)}) = ", a, f"y ({name_of(b)}) = ", b]
    return _require(holds, data, message, summarize)
