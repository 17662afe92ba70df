"""Sums of lists of tensors."""

from __future__ import annotations

from runtime.core.opdef import NUMERIC, sample
from runtime.core.shapes import TensorShape, as_dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor
from runtime.ops.array.identity import identity
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.convert import one_dtype
from runtime.ops.base.define import op


def _sum_spec(*values: Tensor) -> TensorSpec:
    shape = TensorShape(values[0].spec.dims)
    for value in values[1:]:
        shape = shape.merge_with(value.shape)
    return spec_of(values[0].spec.dtype, as_dims(shape))


def _sum(xp: Namespace, *values: Array) -> Array:
    total = values[0]
    for position, value in enumerate(values[1:], start=1):
        if value.shape != total.shape:
            raise ValueError(
                "Inputs to operation AddN of type AddN must have the same size and shape.  "
                f"Input 0: {list(total.shape)} != input {position}: {list(value.shape)}"
            )
        total = total + value
    return total


@op(
    "AddN",
    {"*inputs": NUMERIC},
    infer=_sum_spec,
    kernel=_sum,
    grad=lambda g, y, *inputs: (g,) * len(inputs),
    samples=(sample(1.0, 2.0, 3.0), sample([1, 2], [3, 4])),
)
def add_n(inputs: object, name: str | None = None) -> Tensor:
    """Add tensors of one shape and dtype.

    Args:
      inputs: list of numeric tensors, or one tensor.
      name: name for the operation.

    Returns:
      Tensor of that shape and dtype.

    Raises:
      ValueError: if the list is empty.
      InvalidArgumentError: if the shapes differ.

    >>> print(add_n([[1, 2], [3, 4], [5, 6]]).numpy())
    [ 9 12]
    """
    values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if not values:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same "
            f"dtype and shape. Received: {inputs!r}"
        )
    tensors, _ = one_dtype("AddN", [("inputs", value) for value in values], None, NUMERIC)
    return identity(tensors[0], name=name) if len(tensors) == 1 else add_n.op(*tensors, name=name)
