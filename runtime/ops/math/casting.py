"""Ops that give elements another dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import DTypeMismatchError, UnimplementedError
from runtime.core.opdef import NOT_DIFFERENTIABLE, NUMERIC, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor, is_weak
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.structural import CAST
from runtime.ops.items.indexed_slices import IndexedSlices

_cast = Op(CAST)


def cast(x: TensorLike, dtype: Any, name: str | None = None) -> Tensor:
    """The elements in another dtype; floats lose their fraction on the way to integers.

    `IndexedSlices` stay rows.

    Raises: TypeError if `dtype` stands for none; UnimplementedError from or to strings.

    >>> print(cast([1.8, -1.8], "int32"))
    tf.Tensor([ 1 -1], shape=(2,), dtype=int32)
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


def saturate_cast(value: TensorLike, dtype: Any, name: str | None = None) -> Tensor:
    """The elements in another dtype; what it cannot hold becomes its smallest or largest value.

    >>> print(saturate_cast([-1, 300], "uint8"))
    tf.Tensor([  0 255], shape=(2,), dtype=uint8)
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


def _common_limits(source: dtypes.DType, wanted: dtypes.DType) -> tuple[Any, Any]:
    """The smallest and the largest number that both dtypes can hold, in the first."""
    as_source = source.as_numpy_dtype
    low = source.min if float(source.min) > float(wanted.min) else wanted.min
    high = source.max if float(source.max) < float(wanted.max) else wanted.max
    low, high = as_source(low), as_source(high)
    if source.is_floating and wanted.is_integer and float(high) > int(wanted.max):
        high = np.nextafter(high, as_source(0))
    return low, high


def _bitcast_spec(x: Tensor, type: dtypes.DType) -> TensorSpec:
    dims, old, new = x.spec.dims, x.dtype.size, type.size
    if dims is None or old == new:
        return spec_of(type, dims)
    if old > new:
        return spec_of(type, (*dims, old // new))
    if not dims or dims[-1] not in (None, new // old):
        raise ValueError(
            f"Cannot bitcast from {x.dtype.name} to {type.name}: shape {list(dims)} does not end "
            f"with {new // old}"
        )
    return spec_of(type, dims[:-1])


def _bitcast(xp: Any, x: Any, type: dtypes.DType) -> Any:
    old, new = x.dtype.itemsize, type.size
    array = xp.ascontiguousarray(x)
    if old > new:
        return array.reshape(*np.shape(x), 1).view(type.numpy_dtype)
    if old < new:
        if np.shape(x)[-1:] != (new // old,):
            raise ValueError(
                f"Cannot bitcast from {x.dtype} to {type.name}: shape {list(np.shape(x))} does not "
                f"end with {new // old}"
            )
        return array.view(type.numpy_dtype).reshape(np.shape(x)[:-1])
    return array.view(type.numpy_dtype).reshape(np.shape(x))


_BITCAST = define_op(
    "Bitcast",
    {"input": NUMERIC},
    _bitcast_spec,
    _bitcast,
    grad=NOT_DIFFERENTIABLE,
    samples=(
        sample([1.0, 2.0], type=dtypes.int32),
        sample([1, 2], type=dtypes.uint8),
        sample([[1, 2], [3, 4]], type=dtypes.int64),
    ),
)


def bitcast(input: TensorLike, type: Any, name: str | None = None) -> Tensor:
    """The same bits, read as another dtype.

    Args:
      input: numbers. If the dtype is shorter, the result has one dimension more; if it is longer,
        the last dimension goes into it.
      type: the dtype.
      name: the name of the operation.

    Raises: InvalidArgumentError if the last dimension does not fit, or `type` is none of numbers.

    >>> print(bitcast(1.0, "uint32"))
    tf.Tensor(1065353216, shape=(), dtype=uint32)
    """
    wanted = dtypes.as_dtype(type)
    if wanted not in NUMERIC:
        raise DTypeMismatchError.of(
            f"Value for attr 'type' of {wanted.name} is not in the list of allowed values: numbers "
            "only. Value passed to parameter 'type' has DataType "
            f"{wanted.name} not in list of allowed values",
        )
    return _BITCAST(input, type=wanted, name=name)
