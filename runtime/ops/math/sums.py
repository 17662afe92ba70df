"""Sums of several tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.opdef import NUMERIC, sample
from runtime.core.shapes import TensorShape, as_dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import identity
from runtime.ops.base.convert import one_dtype
from runtime.ops.base.define import define_op


def _merged(*values: Tensor) -> TensorSpec:
    shape = TensorShape(values[0].spec.dims)
    for value in values[1:]:
        shape = shape.merge_with(value.shape)
    return spec_of(values[0].spec.dtype, as_dims(shape))


def _added(xp: Any, *values: Any) -> Any:
    total = values[0]
    for place, value in enumerate(values[1:], start=1):
        if value.shape != total.shape:
            raise ValueError(
                "Inputs to operation AddN of type AddN must have the same size and shape.  "
                f"Input 0: {list(total.shape)} != input {place}: {list(value.shape)}"
            )
        total = total + value
    return total


_ADD_N = define_op(
    "AddN",
    {"*inputs": NUMERIC},
    _merged,
    _added,
    grad=lambda g, y, *inputs: (g,) * len(inputs),
    samples=(sample(1.0, 2.0, 3.0), sample([1, 2], [3, 4])),
)


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of tensors of one shape and dtype.

    Args:
      inputs: a list of tensors, or one tensor, which is its own sum.

    Raises: ValueError if there are none; InvalidArgumentError if the shapes differ.

    >>> print(add_n([1.0, 2.0, 3.0]))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """
    values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if not values:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same "
            f"dtype and shape. Received: {inputs!r}"
        )
    tensors, _ = one_dtype("AddN", [("inputs", value) for value in values], None, NUMERIC)
    return identity(tensors[0], name=name) if len(tensors) == 1 else _ADD_N(*tensors, name=name)


def accumulate_n(
    inputs: Sequence[TensorLike],
    shape: Any = None,
    tensor_dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """The sum of tensors of one shape and dtype.

    Args:
      inputs: a list of tensors.
      shape: the shape that they have, or None.
      tensor_dtype: the dtype that they have, or None.

    Raises: ValueError if there are none or they differ; TypeError for another dtype.

    >>> print(accumulate_n([[1, 2], [3, 4]]))
    tf.Tensor([4 6], shape=(2,), dtype=int32)
    """
    if not inputs or not isinstance(inputs, (list, tuple)):
        raise ValueError("inputs must be a list of at least one Tensor with the same dtype, shape")
    tensors, _ = one_dtype("AccumulateNV2", [("inputs", value) for value in inputs])
    joint = TensorShape(shape)
    for tensor in tensors:
        joint = joint.merge_with(tensor.shape)
    if tensor_dtype is not None and tensors[0].dtype != tensor_dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {tensors[0].dtype}")
    return add_n(list(tensors), name=name)
