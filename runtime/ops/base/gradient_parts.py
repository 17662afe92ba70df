"""What many gradient rules say alike."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import call


def chosen(condition: Tensor, x: TensorLike, otherwise: TensorLike = 0) -> Tensor:
    """`x` where the condition holds, otherwise the other; a NaN that is not chosen vanishes."""
    return call("SelectV2", condition, x, otherwise)


def zeros_of(x: Tensor) -> Tensor:
    """Zeros of the dtype and shape of a tensor."""
    return call("ZerosLike", x, dtype=x.dtype)


def ones_of(x: Tensor) -> Tensor:
    """Ones of the dtype and shape of a tensor."""
    return call("OnesLike", x, dtype=x.dtype)


def shape_of(x: Tensor) -> Tensor:
    """The shape as a tensor."""
    return call("Shape", x, out_type=dtypes.int32)


def given(gradients: Any, outputs: Any) -> list[Tensor]:
    """The gradients of several outputs, zeros for those that nothing depends on."""
    return [zeros_of(y) if g is None else g for g, y in zip(gradients, outputs, strict=True)]
