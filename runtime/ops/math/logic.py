"""Comparisons, logic and functions of bits, on pairs of elements."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.errors import InvalidArgumentError
from runtime.core.handlers import current_place, raised
from runtime.core.opdef import (
    ANY,
    BOOL,
    INTEGER,
    REAL_OR_STRING,
    DTypes,
    Effect,
    Emit,
    Facts,
    Kernel,
    Overflow,
    PythonOperator,
    Sample,
    sample,
)
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.define import define_op
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
    lambda xp, x, y: xp.equal(x, y).astype(bool, copy=False),  # an object array for strings
    commutative=True,
)
not_equal = _test(
    "not_equal",
    "!=",
    operator.ne,
    "[1, 2], 2 -> [ True False]",
    ANY,
    _ANY,
    lambda xp, x, y: xp.not_equal(x, y).astype(bool, copy=False),
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
    # `and` with itself refuses other dtypes under the name that TensorFlow reports. A bool of
    # Python stays one: with another one that a tensor chose, it gives a truth value of Python.
    left, right = (each if type(each) is bool else logical_and(each, each) for each in (x, y))
    return not_equal(left, right, name=name or "LogicalXor")


_INTS = (sample(6, 3), sample([5, 1], [4, 2]), sample([-8, 8], 2))


_CLAMPED = "A shift below 0 counts as 0, one by the width or more as the width less one."


def _bits(
    name: str, kernel: Kernel | str, about: str, example: str, **facts: Unpack[Facts]
) -> Binary:
    return _rows.binary(name, kernel, None, about, example, group=INTEGER, samples=_INTS, **facts)


def _logic(
    name: str, sign: str, python: Callable[[Any, Any], Any], about: str, example: str
) -> Binary:
    form = PythonOperator(f"{{}} {sign} {{}}", python, Overflow.NEVER)
    return _bits(name, name, about, example, commutative=True, python=form)


def _shift(function: str) -> Kernel:
    def kernel(xp: Namespace, x: Array, y: Array) -> Array:
        width = 8 * x.dtype.itemsize - 1
        return getattr(xp, function)(x, xp.clip(y, 0, width).astype(x.dtype))

    return kernel


bitwise_and = _logic("bitwise_and", "&", operator.and_, "Bitwise and, `x & y`.", "6, 3 -> 2")
bitwise_or = _logic("bitwise_or", "|", operator.or_, "Bitwise or, `x | y`.", "6, 3 -> 7")
bitwise_xor = _logic(
    "bitwise_xor", "^", operator.xor, "Bitwise exclusive or, `x ^ y`.", "6, 3 -> 5"
)
left_shift = _bits(
    "left_shift",
    _shift("left_shift"),
    f"Shift of the bits of `x` to the left by `y` places.\n\n{_CLAMPED}",
    "[1, 3], 2 -> [ 4 12]",
    python=PythonOperator("{} << {}", operator.lshift, Overflow.UNLIKE),
)
right_shift = _bits(
    "right_shift",
    _shift("right_shift"),
    f"Arithmetic shift of the bits of `x` to the right by `y` places.\n\n{_CLAMPED}",
    "[8, -8], 2 -> [ 2 -2]",
    python=PythonOperator("{} >> {}", operator.rshift, Overflow.UNLIKE),
)
invert = _rows.unary(
    "invert",
    "invert",
    None,
    "Integer with all bits flipped, `~x`.",
    "[0, 5] -> [-1 -6]",
    group=INTEGER,
    samples=(sample(5),),
    python=PythonOperator("~{}", operator.invert),
)


def _python_shift(name: str, shift: Callable[[Any, Any], Any], emit: Emit) -> Callable[..., Tensor]:
    """Python's shift: without limits to the left, and an error for less than 0."""

    def kernel(xp: Namespace, x: Array, y: Array, place: str) -> Array:
        if xp.any(y < 0):
            raise raised(ValueError("negative shift count"), place)
        exact = shift(np.asarray(x).astype(object), np.asarray(y).astype(object))
        limits = np.iinfo(x.dtype)
        if np.any((exact < limits.min) | (exact > limits.max)):
            raise InvalidArgumentError.of(
                f"{x} << {y} is {exact}, which does not fit into {x.dtype}. {_remedy(x)}."
            )
        return np.asarray(exact).astype(x.dtype)

    defined = define_op(
        name,
        {"x": INTEGER, "y": INTEGER},
        lambda x, y, place: rules.broadcasted(x, y),
        kernel,
        effect=Effect.WRITE,
        elementwise=True,
        emit=emit,
        samples=(sample(6, 3, place=""), sample([5, 1], [4, 2], place="")),
    )

    def function(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
        return defined(x, y, name=name, place=current_place(ValueError))

    return function


def _remedy(x: Array) -> str:
    if x.dtype.itemsize < 8:
        wider = "a wider dtype, for instance runtime.constant(1, runtime.int64)"
        return f"Start with a tensor of {wider}"
    return "Where a rounded result will do, write `x * 2.0**n` for `x << n`"


shift_left = _python_shift("PythonLeftShift", operator.lshift, Emit.LEFT_SHIFT)
"""`x << y` as Python computes it."""
shift_right = _python_shift("PythonRightShift", operator.rshift, Emit.RIGHT_SHIFT)
"""`x >> y` as Python computes it."""
