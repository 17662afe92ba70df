"""Functions of the bits of integers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import INTEGER, Effect, Kernel, Sample, Ufunc, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.define import Op, define_op
from runtime.ops.base.raising import current_place, raised

_INTS = (sample(6, 3), sample([5, 1], [4, 2]))


def _binary(name: str, kernel: Kernel, samples: tuple[Sample, ...] = _INTS) -> Op:
    return define_op(
        name,
        {"x": INTEGER, "y": INTEGER},
        rules.broadcasted,
        kernel,
        elementwise=True,
        samples=samples,
    )


def _shift(function: str) -> Kernel:
    def kernel(xp: Any, x: Any, y: Any) -> Any:
        width = 8 * x.dtype.itemsize - 1
        return getattr(xp, function)(x, xp.clip(y, 0, width).astype(x.dtype))

    return kernel


_BITWISE_AND = _binary("BitwiseAnd", Ufunc("bitwise_and"))
_BITWISE_OR = _binary("BitwiseOr", Ufunc("bitwise_or"))
_BITWISE_XOR = _binary("BitwiseXor", Ufunc("bitwise_xor"))
_LEFT_SHIFT = _binary("LeftShift", _shift("left_shift"))
_RIGHT_SHIFT = _binary("RightShift", _shift("right_shift"), (sample([-8, 8], 2),))
_INVERT = define_op(
    "Invert", {"x": INTEGER}, rules.same, Ufunc("invert"), elementwise=True, samples=(sample(5),)
)


def bitwise_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The bits that both integers have.

    >>> print(bitwise_and(6, 3))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    return _BITWISE_AND(x, y, name=name)


def bitwise_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The bits that either integer has.

    >>> print(bitwise_or(6, 3))
    tf.Tensor(7, shape=(), dtype=int32)
    """
    return _BITWISE_OR(x, y, name=name)


def bitwise_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The bits that one of the integers has.

    >>> print(bitwise_xor(6, 3))
    tf.Tensor(5, shape=(), dtype=int32)
    """
    return _BITWISE_XOR(x, y, name=name)


def invert(x: TensorLike, name: str | None = None) -> Tensor:
    """The integer with all bits flipped.

    >>> print(invert(0))
    tf.Tensor(-1, shape=(), dtype=int32)
    """
    return _INVERT(x, name=name)


def left_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The bits of `x`, moved `y` places towards the more significant end.

    A shift by less than 0 counts as 0, one by the width or more as the width less one.

    >>> print(left_shift([1, 3], 2))
    tf.Tensor([ 4 12], shape=(2,), dtype=int32)
    """
    return _LEFT_SHIFT(x, y, name=name)


def right_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The bits of `x`, moved `y` places towards the less significant end; the sign stays.

    A shift by less than 0 counts as 0, one by the width or more as the width less one.

    >>> print(right_shift([8, -8], 2))
    tf.Tensor([ 2 -2], shape=(2,), dtype=int32)
    """
    return _RIGHT_SHIFT(x, y, name=name)


def _python_shift(name: str, shift: Callable[[Any, Any], Any]) -> Op:
    """Python's shift: without limits to the left, and an error for less than 0."""

    def kernel(xp: Any, x: Any, y: Any, place: str) -> Any:
        if xp.any(y < 0):
            raise raised(ValueError("negative shift count"), place)
        exact = shift(np.asarray(x).astype(object), np.asarray(y).astype(object))
        limits = np.iinfo(x.dtype)
        if np.any((exact < limits.min) | (exact > limits.max)):
            raise InvalidArgumentError(
                None,
                None,
                f"{x} << {y} is {exact}, which does not fit into {x.dtype}. Start with a tensor of "
                "a wider dtype, for instance runtime.constant(1, runtime.int64).",
            )
        return np.asarray(exact).astype(x.dtype)

    return define_op(
        name,
        {"x": INTEGER, "y": INTEGER},
        lambda x, y, place: rules.broadcasted(x, y),
        kernel,
        effect=Effect.WRITE,
        elementwise=True,
        samples=(sample(6, 3, place=""), sample([5, 1], [4, 2], place="")),
    )


_PYTHON_LEFT_SHIFT = _python_shift("PythonLeftShift", operator.lshift)
_PYTHON_RIGHT_SHIFT = _python_shift("PythonRightShift", operator.rshift)


def shift_left(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x << y` as Python computes it.

    Raises: ValueError for a shift by less than 0; InvalidArgumentError if the result does not fit.

    >>> print(shift_left(3, 2))
    tf.Tensor(12, shape=(), dtype=int32)
    """
    return _PYTHON_LEFT_SHIFT(x, y, name=name, place=current_place(ValueError))


def shift_right(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x >> y` as Python computes it.

    Raises: ValueError for a shift by less than 0.

    >>> print(shift_right(-9, 1))
    tf.Tensor(-5, shape=(), dtype=int32)
    """
    return _PYTHON_RIGHT_SHIFT(x, y, name=name, place=current_place(ValueError))
