"""Conversion of elements to another dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import DTypeLike
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import CAST, convert_to_tensor, is_weak
from runtime.ops.base.define import Op, call
from runtime.ops.items.indexed_slices import IndexedSlices

_cast = Op(CAST)


def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Convert the elements to another dtype; floats are truncated to integers.

    Args:
      x: numeric or bool tensor, or `IndexedSlices`.
      dtype: the dtype.

    Returns: Tensor of that dtype; `x` if it has it. `IndexedSlices` stay `IndexedSlices`.
    Raises:
      TypeError: if `dtype` is not a dtype.
      UnimplementedError: from or to strings, or handles of variables and lists.

    >>> print(cast([1.8, -1.8], "int32").numpy())
    [ 1 -1]
    """
    if isinstance(x, IndexedSlices):
        return x.with_values(cast(x.values, dtype, name))  # type: ignore[no-any-return]
    tensor, wanted = convert_to_tensor(x), dtypes.as_dtype(dtype)
    own = tensor.dtype
    if own is wanted and not is_weak(tensor):
        return tensor
    if own is not wanted and "O" in (own.kind, wanted.kind):
        remedy = "; use runtime.strings.as_string or runtime.strings.to_number"
        texts = dtypes.string in (own, wanted)
        raise UnimplementedError.of(
            f"Cast {own.name} to {wanted.name} is not supported{remedy if texts else ''}"
        )
    return _cast.apply((tensor,), name, {"dtype": wanted})


def at_least_float32(x: Tensor) -> Tensor:
    """Convert float16 to float32, the dtype to compute its sums in."""
    return cast(x, dtypes.float32) if x.dtype is dtypes.float16 else x


def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Convert the elements to another dtype, clipped to its range.

    Args:
      value: numeric tensor; of a complex one the real part counts if `dtype` is real.
      dtype: the dtype.

    Returns: Tensor of that dtype.

    >>> print(saturate_cast([-1, 300], "uint8").numpy())
    [  0 255]
    """
    tensor, wanted = convert_to_tensor(value), dtypes.as_dtype(dtype)
    if tensor.dtype.is_complex:
        if wanted.is_complex:
            return cast(tensor, wanted, name)
        tensor = call("Real", tensor)
    if tensor.dtype.kind in "iuf" and wanted.kind in "iuf":
        low, high = _common_limits(tensor.dtype, wanted)
        tensor = call("Minimum", call("Maximum", tensor, low), high)
    return cast(tensor, wanted, name)


def _common_limits(source: DType, wanted: DType) -> tuple[Any, Any]:
    """Return the smallest and the largest number of both dtypes, in the first."""
    as_source = source.as_numpy_dtype
    low = source.min if float(source.min) > float(wanted.min) else wanted.min
    high = source.max if float(source.max) < float(wanted.max) else wanted.max
    low, high = as_source(low), as_source(high)
    if source.is_floating and wanted.is_integer and float(high) > int(wanted.max):
        high = np.nextafter(high, as_source(0))
    return low, high
