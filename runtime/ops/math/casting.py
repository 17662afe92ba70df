"""Conversion of elements to another dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import DTypeMismatchError, UnimplementedError
from runtime.core.opdef import NOT_DIFFERENTIABLE, NUMERIC, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import Array, DTypeLike, Namespace
from runtime.ops.base.convert import convert_to_tensor, is_weak
from runtime.ops.base.define import Op, call, op
from runtime.ops.base.structural import CAST
from runtime.ops.items.indexed_slices import IndexedSlices

_cast = Op(CAST)


def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Convert the elements to another dtype; floats are truncated to integers.

    Args:
      x: numeric or bool tensor, or `IndexedSlices`.
      dtype: the dtype.
      name: name for the operation.

    Returns:
      Tensor of that dtype; `x` if it has it. `IndexedSlices` stay `IndexedSlices`.

    Raises:
      TypeError: if `dtype` is not a dtype.
      UnimplementedError: from or to strings.

    >>> print(cast([1.8, -1.8], "int32").numpy())
    [ 1 -1]
    """
    if isinstance(x, IndexedSlices):
        return x.with_values(cast(x.values, dtype, name))  # type: ignore[no-any-return]
    tensor, wanted = convert_to_tensor(x), dtypes.as_dtype(dtype)
    if tensor.dtype is wanted and not is_weak(tensor):
        return tensor
    if dtypes.string in (tensor.dtype, wanted) and tensor.dtype is not wanted:
        raise UnimplementedError.of(
            f"Cast {tensor.dtype.name} to {wanted.name} is not supported; use "
            "runtime.strings.as_string or runtime.strings.to_number",
        )
    return _cast(tensor, dtype=wanted, name=name)


def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Convert the elements to another dtype, clipped to its range.

    Args:
      value: numeric tensor; of a complex one the real part counts if `dtype` is real.
      dtype: the dtype.
      name: name for the operation.

    Returns:
      Tensor of that dtype.

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


def _bitcast_spec(x: Tensor, type: DType) -> TensorSpec:
    dims, old, new = x.spec.dims, x.dtype.size, type.size
    if dims is None or old == new:
        return spec_of(type, dims)
    if old > new:
        return spec_of(type, (*dims, old // new))
    _check_last(dims, x.spec.dtype, type)
    return spec_of(type, dims[:-1])


def _check_last(dims: Sequence[int | None], old: DType, new: DType) -> None:
    """Raise ValueError unless the last dimension holds one element of the new dtype."""
    length = new.size // old.size
    if not dims or dims[-1] not in (None, length):
        raise ValueError(
            f"Cannot bitcast from {old.name} to {new.name}: shape {list(dims)} does not end with "
            f"{length}"
        )


def _bitcast(xp: Namespace, x: Array, type: DType) -> Array:
    old, new = x.dtype.itemsize, type.size
    array, dims = xp.ascontiguousarray(x), np.shape(x)
    if old > new:
        return array.reshape(*dims, 1).view(type.numpy_dtype)
    if old < new:
        _check_last(dims, dtypes.from_numpy(x.dtype), type)
        dims = dims[:-1]
    return array.view(type.numpy_dtype).reshape(dims)


@op(
    "Bitcast",
    {"input": NUMERIC},
    infer=_bitcast_spec,
    kernel=_bitcast,
    grad=NOT_DIFFERENTIABLE,
    samples=(
        sample([1.0, 2.0], type=dtypes.int32),
        sample([1, 2], type=dtypes.uint8),
        sample([[1, 2], [3, 4]], type=dtypes.int64),
    ),
)
def bitcast(input: TensorLike, type: DTypeLike, name: str | None = None) -> Tensor:
    """Reinterpret the bits of the elements as another dtype.

    Args:
      input: numeric tensor. If the new dtype is narrower, the result has one dimension more; if it
        is wider, the last dimension of `input` becomes one element.
      type: a numeric dtype.
      name: name for the operation.

    Returns:
      Tensor of dtype `type`.

    Raises:
      InvalidArgumentError: if the last dimension does not fit.
      TypeError: if `type` is not numeric.

    >>> print(hex(bitcast(1.0, "uint32").numpy()))
    0x3f800000
    """
    wanted = dtypes.as_dtype(type)
    if wanted not in NUMERIC:
        raise DTypeMismatchError.of(
            f"Value for attr 'type' of {wanted.name} is not in the list of allowed values: numbers "
            "only. Value passed to parameter 'type' has DataType "
            f"{wanted.name} not in list of allowed values",
        )
    return bitcast.op(input, type=wanted, name=name)
