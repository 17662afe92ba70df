"""Comparisons and logic on pairs of elements."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from runtime.core.opdef import (
    ANY,
    BOOL,
    REAL_OR_STRING,
    DTypes,
    Kernel,
    Overflow,
    PythonOperator,
    Sample,
    sample,
)
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.families import Binary, Elementwise

_rows = Elementwise(__name__)
_ORDERED = (sample(1, 2), sample([1.0, 3.0], 2.0), sample([[1], [2]], [1, 2]))
_LOGICAL = (sample(True, [True, False]), sample([False, True], [False, True]))
_ANY = (*_ORDERED, *_LOGICAL, sample("a", ["a", "b"]))


def _test(
    name: str,
    sign: str,
    python: Callable[[Any, Any], Any],
    example: str,
    group: DTypes = REAL_OR_STRING,
    samples: tuple[Sample, ...] = _ORDERED,
    kernel: Kernel | None = None,
    commutative: bool = False,
) -> Binary:
    """Define a row of this module; without a kernel it has the name of NumPy's function."""
    return _rows.binary(
        name,
        kernel or name,
        None,
        f"`x {sign} y` for each pair of elements.",
        example,
        group=group,
        infer=rules.compared,
        samples=samples,
        commutative=commutative,
        python=PythonOperator(f"{{}} {sign} {{}}", python, Overflow.NEVER),
    )


less = _test("less", "<", operator.lt, "[1, 3], 2 -> [ True False]")
less_equal = _test("less_equal", "<=", operator.le, "[2, 3], 2 -> [ True False]")
greater = _test("greater", ">", operator.gt, "[1, 3], 2 -> [False  True]")
greater_equal = _test("greater_equal", ">=", operator.ge, "[2, 1], 2 -> [ True False]")
equal = _test(
    "equal",
    "==",
    operator.eq,
    '["a", "b"], "b" -> [False  True]',
    ANY,
    _ANY,
    lambda xp, x, y: xp.equal(x, y).astype(bool),  # an object array for strings
    commutative=True,
)
not_equal = _test(
    "not_equal",
    "!=",
    operator.ne,
    "[1, 2], 2 -> [ True False]",
    ANY,
    _ANY,
    lambda xp, x, y: xp.not_equal(x, y).astype(bool),
    commutative=True,
)
logical_and = _test(
    "logical_and",
    "and",
    lambda x, y: x and y,
    "[True, False], True -> [ True False]",
    BOOL,
    _LOGICAL,
    commutative=True,
)
logical_or = _test(
    "logical_or",
    "or",
    lambda x, y: x or y,
    "[True, False], False -> [ True False]",
    BOOL,
    _LOGICAL,
    commutative=True,
)


def logical_xor(x: TensorLike, y: TensorLike, name: str | None = "LogicalXor") -> Tensor:
    """True where exactly one of two bools is true.

    Args:
      x: bool tensor.
      y: bool tensor of a shape that broadcasts with that of `x`.

    Returns: bool tensor of the broadcast shape.

    >>> print(logical_xor(True, [True, False]).numpy())
    [False  True]
    """
    # `and` with itself refuses other dtypes under the name that TensorFlow reports.
    return not_equal(logical_and(x, x), logical_and(y, y), name=name or "LogicalXor")
