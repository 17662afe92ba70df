"""The largest elements, and elements picked along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import INDEX, INT32, NUMERIC, REAL, DTypes, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims, static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.results import TopKV2

_LARGE = DTypes("float32", dtypes.float32)


def _taken_spec(x: Tensor, indices: Tensor, axis: int) -> TensorSpec:
    return indices.spec.with_dtype(x.spec.dtype)


def _take(xp: Any, x: Any, indices: Any, axis: int) -> Any:
    return xp.take_along_axis(x, indices, axis=axis)


def _put(xp: Any, x: Any, indices: Any, shape: Any, axis: int) -> Any:
    result = np.zeros(tuple(int(dim) for dim in shape), x.dtype)
    places = list(np.indices(indices.shape, sparse=True))
    places[axis] = indices
    np.add.at(result, tuple(places), x)
    return result


def put_back(g: Tensor, indices: Tensor, x: Tensor, axis: int) -> Tensor:
    """The gradient of the elements that were taken along an axis, in their places."""
    return call("AddAlongAxis", g, indices, shape_of(x), axis=axis)


_TAKE = define_op(
    "TakeAlongAxis",
    {"x": NUMERIC, "indices": INDEX},
    _taken_spec,
    _take,
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
    dims = x.spec.dims
    if dims is None:
        return x.spec, spec_of(index_type, None)
    if not dims:
        raise ValueError("input must be >= 1-D, got shape []")
    known = static_value(k)
    count = None if known is None else int(known)
    if count is not None and dims[-1] is not None and count > dims[-1]:
        raise ValueError(f"input must have at least k columns. Had {dims[-1]}, needed {count}")
    result = (*dims[:-1], count)
    return spec_of(x.spec.dtype, result), spec_of(index_type, result)


def _descending(xp: Any, x: Any) -> Any:
    """The order from the largest to the smallest element; of equal ones the first is in front."""
    backward = xp.argsort(xp.flip(x, -1), axis=-1, kind="stable")
    return x.shape[-1] - 1 - xp.flip(backward, -1)


_FEW = 8
_LONG = 256
"""It pays to look for so small a part of a row of such a length alone."""


def _largest(x: Any, count: int) -> Any:
    """The first columns of `_descending`: sorted are only the elements that may be among them."""
    length = x.shape[-1]
    rows = x.reshape(-1, length)
    least = np.partition(rows, length - count, axis=-1)[:, length - count, None]
    result = np.empty((len(rows), count), np.intp)
    for row, possible in enumerate(~(rows < least)):
        places = np.flatnonzero(possible)
        result[row] = places[_descending(np, rows[row, places])[:count]]
    return result.reshape(*x.shape[:-1], count)


def _top_k(xp: Any, x: Any, k: Any, index_type: DType) -> Any:
    if x.ndim == 0:
        raise ValueError("input must be >= 1-D, got shape []")
    count, length = int(k), x.shape[-1]
    if count < 0:
        raise ValueError(f"Need k >= 0, got {count}")
    if count > length:
        raise ValueError(f"input must have at least k columns. Had {length}, needed {count}")
    few = xp is np and 0 < count <= length // _FEW and length >= _LONG
    order = _largest(x, count) if few else _descending(xp, x)[..., :count]
    return xp.take_along_axis(x, order, axis=-1), order.astype(index_type.numpy_dtype)


def _top_grad(g: Any, y: Any, x: Tensor, k: Tensor, index_type: DType) -> tuple[Any, None]:
    if g[0] is None:
        return None, None
    return put_back(g[0], y[1], x, -1), None


_TOP_K = define_op(
    "TopKV2",
    {"input": REAL, "k": INDEX},
    _top_spec,
    _top_k,
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
    index_type: Any = dtypes.int32,
    name: str | None = None,
) -> TopKV2:
    """The `k` largest elements along the last axis, and where they are.

    Args:
      input: real numbers with at least one dimension.
      k: how many; a scalar, int32 or int64.
      sorted: whether the largest come first; they do either way.
      index_type: the dtype of the positions.

    Returns: `values` and `indices`; of equal elements the one with the lower index comes first.
    Raises: InvalidArgumentError if there are fewer elements than `k`.

    >>> values, indices = top_k([1, 5, 3], k=2)
    >>> print(values, indices)
    tf.Tensor([5 3], shape=(2,), dtype=int32) tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    wanted = dtypes.as_dtype(index_type)
    return TopKV2(*_TOP_K.outputs(input, k, name=name, index_type=wanted))


def _in_top_k(xp: Any, predictions: Any, targets: Any, k: Any) -> Any:
    if predictions.ndim != 2:
        raise ValueError("predictions must be 2-dimensional")
    if targets.ndim != 1:
        raise ValueError("targets must be 1-dimensional")
    if predictions.shape[0] != targets.shape[0]:
        raise ValueError(
            f"First dimension of predictions {predictions.shape[0]} must match length of targets "
            f"{targets.shape[0]}"
        )
    inside = (targets >= 0) & (targets < predictions.shape[1])
    places = xp.where(inside, targets, 0)
    own = xp.take_along_axis(predictions, places[:, None], axis=1)
    finite = xp.isfinite(predictions).all(axis=1)
    return (xp.sum(predictions > own, axis=1) < k) & inside & finite


_IN_TOP_K = define_op(
    "InTopKV2",
    {"predictions": _LARGE, "targets": INDEX, "k": DTypes("int32 or int64 (k)", *INDEX.members)},
    lambda predictions, targets, k: targets.spec.with_dtype(dtypes.bool),
    _in_top_k,
    samples=(sample([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2]], [1, 2], 1),),
)


def in_top_k(
    targets: TensorLike, predictions: TensorLike, k: TensorLike, name: str | None = None
) -> Tensor:
    """Whether each target is among the `k` classes that are predicted most strongly.

    Args:
      targets: class numbers, int32 or int64, shape [batch].
      predictions: float32, shape [batch, classes].
      k: how many classes count; those that are equal at the boundary all count.

    Returns: bool, shape [batch]; false where a prediction of the row is not finite.
    Raises: InvalidArgumentError if the shapes do not fit.

    >>> print(in_top_k([1, 2], [[0.1, 0.7, 0.2], [0.5, 0.3, 0.2]], 1))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return _IN_TOP_K(predictions, targets, k, name=name)
