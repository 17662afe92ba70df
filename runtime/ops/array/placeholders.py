"""Op types of graphs built by hand: defaults of feeds, and operations for control inputs."""

from __future__ import annotations

from runtime.core.opdef import ANY, sample
from runtime.core.shapes import Dims, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.ops.base.aliases import Namespace
from runtime.ops.base.define import define_op


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


def _nothing(xp: Namespace) -> tuple[()]:
    return ()


NO_OP = define_op("NoOp", {}, lambda: (), _nothing, outputs=0, samples=(sample(),))
