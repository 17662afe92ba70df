"""What one vector has and another has not."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, NOT_DIFFERENTIABLE, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor
from runtime.ops.define import define_op


def _spec(x: Tensor, y: Tensor, out_idx: DType) -> tuple[TensorSpec, ...]:
    for tensor in (x, y):
        if tensor.shape.rank not in (None, 1):
            raise ValueError(f"Shape must be rank 1 but is rank {tensor.shape.rank}")
    return x.spec.with_dims((None,)), spec_of(out_idx, (None,))


def _left(xp: Any, x: Any, y: Any, out_idx: DType) -> tuple[Any, Any]:
    for label, array in (("x", x), ("y", y)):
        if array.ndim != 1:
            raise InvalidArgumentError(None, None, f"{label} should be a 1D vector.")
    places = np.flatnonzero(~np.isin(x, y))
    return x[places], places.astype(out_idx.numpy_dtype)


LIST_DIFF = define_op(
    "ListDiff",
    {"x": ANY, "y": ANY},
    _spec,
    _left,
    outputs=None,
    grad=NOT_DIFFERENTIABLE,
    samples=(
        sample([1, 2, 2, 3], [3, 1], out_idx=dtypes.int32),
        sample(["b", "a"], ["a"], out_idx=dtypes.int64),
    ),
)
