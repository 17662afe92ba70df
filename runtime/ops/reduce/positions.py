"""Where the largest and the smallest elements are."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import REAL, DTypes, Kernel, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int
from runtime.ops.base.define import define_op
from runtime.ops.base.sample_values import MATRIX

_ORDERED = DTypes("a real number or bool", *REAL.members, dtypes.bool)


def _position_spec(x: Tensor, axis: int, output_type: dtypes.DType) -> TensorSpec:
    dims = x.spec.dims
    if dims is None:
        return spec_of(output_type, None)
    _check_position(dims, axis)
    return spec_of(output_type, rules.reduced_dims(dims, (axis,), False))


def _check_position(dims: Any, axis: int) -> None:
    rank = len(dims)
    if not -rank <= axis < rank:
        raise ValueError(f"Expected dimension in the range [{-rank}, {rank}), but got {axis}")
    if dims[axis] == 0:
        raise ValueError(f"Reduction axis {axis} is empty in shape {list(dims)}")


def _position(function: str, of_nan: float) -> Kernel:
    def kernel(xp: Any, x: Any, axis: int, output_type: dtypes.DType) -> Any:
        _check_position(x.shape, axis)
        if x.dtype.kind == "f":
            x = xp.where(xp.isnan(x), of_nan, x)  # a NaN is neither the largest nor the least
        return getattr(xp, function)(x, axis=axis).astype(output_type.numpy_dtype)

    return kernel


_POSITIONS = (
    sample(MATRIX, axis=0, output_type=dtypes.int64),
    sample([3, 9, 2], axis=-1, output_type=dtypes.int32),
)
_ARG_MAX = define_op(
    "ArgMax", {"input": _ORDERED}, _position_spec, _position("argmax", -np.inf), samples=_POSITIONS
)
_ARG_MIN = define_op(
    "ArgMin", {"input": _ORDERED}, _position_spec, _position("argmin", np.inf), samples=_POSITIONS
)


def argmax(
    input: TensorLike,
    axis: Any = None,
    output_type: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """The position of the largest element along `axis` (None: 0); the first of several.

    NaN counts as the least.

    >>> print(argmax([2, 20, 30, 3]))
    tf.Tensor(2, shape=(), dtype=int64)
    """
    return _ARG_MAX(
        input,
        axis=0 if axis is None else static_int("axis", axis),
        output_type=dtypes.as_dtype(output_type),
        name=name,
    )


def argmin(
    input: TensorLike,
    axis: Any = None,
    output_type: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """The position of the smallest element along `axis` (None: 0); the first of several.

    >>> print(argmin([2, 20, 1, 3]))
    tf.Tensor(2, shape=(), dtype=int64)
    """
    return _ARG_MIN(
        input,
        axis=0 if axis is None else static_int("axis", axis),
        output_type=dtypes.as_dtype(output_type),
        name=name,
    )
