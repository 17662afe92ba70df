"""Functions that return their inputs, markers on the way of gradients, and `NoOp`."""

from __future__ import annotations

from runtime.core.node_form import NodeForm
from runtime.core.opdef import ANY, MIXED, NOT_DIFFERENTIABLE, Failure, Marks, sample
from runtime.core.shapes import Dims, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.structural import IDENTITY
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.define import Op, define_op, op

_identity = Op(IDENTITY)


def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor with the value of another.

    Args:
      input: any tensor.

    >>> print(identity([1, 2]).numpy())
    [1 2]
    """
    return _identity.apply((input,), name)


@op(
    "StopGradient",
    {"input": MIXED},
    infer=rules.same,
    kernel=lambda xp, x: x,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([1.0, 2.0]),),
    failure=Failure.NEVER,
    marks=Marks.GRADIENT,
)
def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the value as a constant for gradients.

    Args:
      input: any tensor.

    >>> import runtime as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * stop_gradient(x)
    >>> print(tape.gradient(y, x).numpy())
    3.0
    """
    return stop_gradient.op.apply((input,), name)


def _given(x: Tensor, shape: Dims) -> TensorSpec:
    if not x.shape.is_compatible_with(shape):
        raise ValueError(f"a default of shape {x.shape} does not fit into {TensorShape(shape)}")
    return x.spec.with_dims(shape)


PLACEHOLDER_WITH_DEFAULT = define_op(
    "PlaceholderWithDefault",
    {"input": ANY},
    _given,
    lambda xp, x, shape: x,
    grad=lambda g, y, x, shape: (g,),
    samples=(sample([1.0, 2.0], shape=(None,)),),
)


LATER = define_op(
    "Later",
    {"input": MIXED, "after": MIXED},
    lambda x, after: x.spec,
    lambda xp, x, after: x,
    grad=lambda g, y, x, after: (g, None),
    samples=(sample([1.0, 2.0], 3.0),),
    failure=Failure.NEVER,
    marks=Marks.ORDER,
    node=NodeForm(write=lambda place: place.main("Identity", place.inputs[:1])),
)
"""The value of a tensor where another one is known: what is computed from it is computed there, and
not shared with what was computed before."""


NO_OP = define_op(
    "NoOp",
    {},
    lambda: (),
    lambda xp: (),
    outputs=0,
    failure=Failure.NEVER,
    samples=(sample(),),
)
