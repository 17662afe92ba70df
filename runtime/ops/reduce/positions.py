"""Positions of the largest and smallest elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.node_form import NodeForm
from runtime.core.opdef import REAL, DTypes, Emit, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, AxisLike, DTypeLike, Namespace
from runtime.ops.base.arguments import static_int
from runtime.ops.base.define import OpFunction, define_op, publish
from runtime.ops.base.node_forms import moved_index
from runtime.ops.base.sample_values import MATRIX

_ORDERED = DTypes("a real number or bool", *REAL.members, dtypes.bool)
_ARGUMENTS = """
    Args:
      input: Tensor; each element is a real number or bool.
      axis: the axis; None: 0.
      output_type: int32 or int64.

    Returns: Tensor of that dtype without the axis; of equal elements the first counts.
    Raises: InvalidArgumentError if there is no such axis, or it is empty.
    """


def _position_spec(x: Tensor, axis: int, output_type: DType) -> TensorSpec:
    dims = x.spec.dims
    if dims is None:
        return spec_of(output_type, None)
    _check_axis(dims, axis)
    return spec_of(output_type, rules.reduced_dims(dims, (axis,), False))


def _check_axis(dims: Sequence[int | None], axis: int) -> None:
    rank = len(dims)
    if not -rank <= axis < rank:
        raise ValueError(f"Expected dimension in the range [{-rank}, {rank}), but got {axis}")
    if dims[axis] == 0:
        raise ValueError(f"Reduction axis {axis} is empty in shape {list(dims)}")


def _row(
    name: str, op: str, emit: Emit, of_nan: float, about: str, example: str
) -> OpFunction[..., Tensor]:
    def kernel(xp: Namespace, x: Array, axis: int, output_type: DType) -> Array:
        _check_axis(x.shape, axis)
        if x.dtype.kind == "f" and xp.any(missing := xp.isnan(x)):
            x = xp.where(missing, of_nan, x)
        return getattr(xp, name)(x, axis=axis).astype(output_type.numpy_dtype)

    defined = define_op(
        op,
        {"input": _ORDERED},
        _position_spec,
        kernel,
        emit=emit,
        node=NodeForm(moved=(moved_index(1, "dimension"),)),
        samples=(
            sample(MATRIX, axis=0, output_type=dtypes.int64),
            sample([3, 9, 2], axis=-1, output_type=dtypes.int32),
        ),
    )

    def function(
        input: TensorLike,
        axis: AxisLike = None,
        output_type: DTypeLike = dtypes.int64,
        name: str | None = None,
    ) -> Tensor:
        position = 0 if axis is None else static_int("axis", axis)
        return defined(input, axis=position, output_type=dtypes.as_dtype(output_type), name=name)

    return publish(function, __name__, name, defined, about, _ARGUMENTS, example)


argmax = _row(
    "argmax",
    "ArgMax",
    Emit.ARGMAX,
    -np.inf,
    "Position of the largest element along an axis; NaN counts as the smallest.",
    "[[2, 20, 30], [9, 3, 1]], axis=1 -> [2 0]",
)
argmin = _row(
    "argmin",
    "ArgMin",
    Emit.ARGMIN,
    np.inf,
    "Position of the smallest element along an axis; NaN counts as the largest.",
    "[[2, 20, 30], [9, 3, 1]], axis=1 -> [0 2]",
)
