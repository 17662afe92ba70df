"""Largest elements, and gathering along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import INDEX, INT32, NUMERIC, REAL, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, DTypeLike, Namespace
from runtime.ops.base.define import call, define_op, op, shape_of


class TopKV2(NamedTuple):
    """Result of `top_k`."""

    values: Tensor
    indices: Tensor


def _put(xp: Namespace, x: Array, indices: Array, shape: Array, axis: int) -> Array:
    result = np.zeros(tuple(int(dim) for dim in shape), x.dtype)
    places = list(np.indices(indices.shape, sparse=True))
    places[axis] = indices
    np.add.at(result, tuple(places), x)
    return result


def put_back(g: Tensor, indices: Tensor, x: Tensor, axis: int) -> Tensor:
    """Scatter the gradient of elements gathered along an axis."""
    return call("AddAlongAxis", g, indices, shape_of(x), axis=axis)


_TAKE = define_op(
    "TakeAlongAxis",
    {"x": NUMERIC, "indices": INDEX},
    lambda x, indices, axis: indices.spec.with_dtype(x.spec.dtype),
    lambda xp, x, indices, axis: xp.take_along_axis(x, indices, axis=axis),
    grad=lambda g, y, x, indices, axis: (put_back(g, indices, x, axis), None),
    samples=(sample([[3.0, 1.0, 2.0], [4.0, 5.0, 6.0]], [[0, 2], [1, 1]], axis=-1),),
)
define_op(
    "AddAlongAxis",
    {"x": NUMERIC, "indices": INDEX, "shape": INT32},
    lambda x, indices, shape, axis: spec_of(x.spec.dtype, static_dims(shape)),
    _put,
    grad=lambda g, y, x, indices, shape, axis: (_TAKE(g, indices, axis=axis), None, None),
    samples=(sample([[3.0, 1.0], [4.0, 5.0]], [[0, 2], [1, 1]], [2, 3], axis=-1),),
)


def _top_spec(x: Tensor, k: Tensor, index_type: DType) -> tuple[TensorSpec, TensorSpec]:
    dims, count = x.spec.dims, rules.known_int(k)
    if dims is None:
        return x.spec, spec_of(index_type, None)
    _check_count(dims, count)
    result = (*dims[:-1], count)
    return spec_of(x.spec.dtype, result), spec_of(index_type, result)


def _check_count(dims: Sequence[int | None], count: int | None) -> None:
    if not dims:
        raise ValueError("input must be >= 1-D, got shape []")
    if count is None:
        return
    if count < 0:
        raise ValueError(f"Need k >= 0, got {count}")
    if dims[-1] is not None and count > dims[-1]:
        raise ValueError(f"input must have at least k columns. Had {dims[-1]}, needed {count}")


def _descending(xp: Namespace, x: Array) -> Array:
    """Return the indices that sort rows in descending order, stably."""
    backward = xp.argsort(xp.flip(x, -1), axis=-1, kind="stable")
    return x.shape[-1] - 1 - xp.flip(backward, -1)


_FRACTION, _LONG = 8, 256
"""Partial selection beats a full sort for k <= n / 8 and n >= 256 (measured)."""


def _largest(x: Any, count: int) -> Any:
    """Return the first columns of `_descending`; sort only the elements that may be among them."""
    length = x.shape[-1]
    rows = x.reshape(-1, length)
    least = np.partition(rows, length - count, axis=-1)[:, length - count, None]
    result = np.empty((len(rows), count), np.intp)
    for row, possible in enumerate(~(rows < least)):
        places = np.flatnonzero(possible)
        result[row] = places[_descending(np, rows[row, places])[:count]]
    return result.reshape(*x.shape[:-1], count)


def _top_k(xp: Namespace, x: Array, k: Array, index_type: DType) -> Array:
    count = int(k)
    _check_count(x.shape, count)
    length = x.shape[-1]
    few = xp is np and 0 < count <= length // _FRACTION and length >= _LONG
    order = _largest(x, count) if few else _descending(xp, x)[..., :count]
    return xp.take_along_axis(x, order, axis=-1), order.astype(index_type.numpy_dtype)


def _top_grad(g: Any, y: Any, x: Tensor, k: Tensor, index_type: DType) -> tuple[Any, None]:
    if g[0] is None:
        return None, None
    return put_back(g[0], y[1], x, -1), None


@op(
    "TopKV2",
    {"input": REAL, "k": INDEX},
    infer=_top_spec,
    kernel=_top_k,
    outputs=2,
    grad=_top_grad,
    samples=(
        sample([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]], 2, index_type=dtypes.int32),
        sample([1, 3, 3], 1, index_type=dtypes.int64),
    ),
)
def top_k(
    input: TensorLike,
    k: TensorLike = 1,
    sorted: bool = True,
    index_type: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> TopKV2:
    """Find the k largest entries along the last axis.

    Args:
      input: real tensor of shape [..., n].
      k: int32 or int64 scalar, 0 <= k <= n.
      sorted: has no effect; the entries are always in descending order.
      index_type: int32 or int64, the dtype of the indices.

    Returns: (values, indices), each of shape [..., k]. Equal entries appear in order of index.
    Raises: InvalidArgumentError if k > n.

    >>> values, indices = top_k([1.0, 9.0, 4.0], k=2)
    >>> print(values.numpy(), indices.numpy())
    [9. 4.] [1 2]
    """
    wanted = dtypes.as_dtype(index_type)
    return TopKV2(*top_k.op.outputs(input, k, name=name, index_type=wanted))
