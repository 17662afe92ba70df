"""Comparisons and logic on pairs of elements."""

from __future__ import annotations

from runtime.core.opdef import ANY, BOOL, REAL_OR_STRING, Ufunc, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.define import Op, define_op

_ORDERED = (sample(1, 2), sample([1.0, 3.0], 2.0), sample([[1], [2]], [1, 2]))
_TRUTH = (sample(True, [True, False]), sample([False, True], [False, True]))


def _ordering(name: str, function: str) -> Op:
    group = {"x": REAL_OR_STRING, "y": REAL_OR_STRING}
    return define_op(
        name, group, rules.compared, Ufunc(function), elementwise=True, samples=_ORDERED
    )


def _equality(name: str, function: str) -> Op:
    samples = (*_ORDERED, *_TRUTH, sample("a", ["a", "b"]))
    return define_op(
        name,
        {"x": ANY, "y": ANY},
        rules.compared,
        lambda xp, x, y: getattr(xp, function)(x, y).astype(bool),
        elementwise=True,
        samples=samples,
    )


def _logic(name: str, function: str) -> Op:
    return define_op(
        name,
        {"x": BOOL, "y": BOOL},
        rules.compared,
        Ufunc(function),
        elementwise=True,
        samples=_TRUTH,
    )


_LESS = _ordering("Less", "less")
_LESS_EQUAL = _ordering("LessEqual", "less_equal")
_GREATER = _ordering("Greater", "greater")
_GREATER_EQUAL = _ordering("GreaterEqual", "greater_equal")
_EQUAL = _equality("Equal", "equal")
_NOT_EQUAL = _equality("NotEqual", "not_equal")
_AND = _logic("LogicalAnd", "logical_and")
_OR = _logic("LogicalOr", "logical_or")


def less(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x < y`.

    >>> print(less([1, 3], 2))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return _LESS(x, y, name=name)


def less_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x <= y`.

    >>> print(less_equal([2, 3], 2))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return _LESS_EQUAL(x, y, name=name)


def greater(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x > y`.

    >>> print(greater([1, 3], 2))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    return _GREATER(x, y, name=name)


def greater_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x >= y`.

    >>> print(greater_equal([2, 1], 2))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return _GREATER_EQUAL(x, y, name=name)


def equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x == y`, element by element.

    >>> print(equal(["a", "b"], "b"))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    return _EQUAL(x, y, name=name)


def not_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x != y`, element by element.

    >>> print(not_equal([1, 2], 2))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return _NOT_EQUAL(x, y, name=name)


def logical_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether both are true, element by element.

    >>> print(logical_and(True, [True, False]))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return _AND(x, y, name=name)


def logical_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether at least one is true, element by element.

    >>> print(logical_or(False, [True, False]))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return _OR(x, y, name=name)


def logical_xor(x: TensorLike, y: TensorLike, name: str | None = "LogicalXor") -> Tensor:
    """Whether exactly one is true, element by element.

    >>> print(logical_xor(True, [True, False]))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    return _NOT_EQUAL(logical_and(x, x), logical_and(y, y), name=name or "LogicalXor")
