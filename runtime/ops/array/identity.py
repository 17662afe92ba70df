"""Ops that pass their inputs on as they are."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.opdef import MIXED, NOT_DIFFERENTIABLE, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.define import Op, define_op
from runtime.ops.base.structural import IDENTITY

_identity = Op(IDENTITY)


def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """The same value as another tensor.

    >>> print(identity(3))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return _identity(input, name=name)


def identity_n(input: Sequence[TensorLike], name: str | None = None) -> list[Tensor]:
    """The same values as several tensors.

    >>> [int(x) for x in identity_n([1, 2])]
    [1, 2]
    """
    return list(_IDENTITY_N.outputs(*input, name=name))


_IDENTITY_N = define_op(
    "IdentityN",
    {"*input": MIXED},
    lambda *values: tuple(value.spec for value in values),
    lambda xp, *values: values,
    outputs=None,
    grad=lambda g, y, *values: g,
    samples=(sample([1.0, 2.0], 3.0), sample("text", True)),
)
_STOP = define_op(
    "StopGradient",
    {"input": MIXED},
    rules.same,
    lambda xp, x: x,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([1.0, 2.0]),),
)


def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """The same value, which counts as a constant where gradients are taken.

    >>> print(stop_gradient(2.0))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """
    return _STOP(input, name=name)


_GUARANTEE = define_op(
    "GuaranteeConst",
    {"input": MIXED},
    rules.same,
    lambda xp, x: x,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([1.0, 2.0]),),
)


def guarantee_const(input: TensorLike, name: str | None = None) -> Tensor:
    """The same value, which the program promises never to change; no gradient flows through it.

    >>> print(guarantee_const(2.0))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """
    return _GUARANTEE(input, name=name)
