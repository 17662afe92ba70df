"""Unique elements and binary search."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike, Namespace
from runtime.core.dtypes import DType
from runtime.core.errors import IncompatibleShapesError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import ANY, NOT_DIFFERENTIABLE, REAL, sample
from runtime.core.shapes import Dims, bracketed
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import Op, define_op, op
from runtime.ops.base.node_forms import Place


class Unique(NamedTuple):
    """Unique elements `y`, and indices `idx` with `x[i] == y[idx[i]]`."""

    y: Tensor
    idx: Tensor


def _distinct(x: Array) -> tuple[Any, Any]:
    """Return unique elements in order of first occurrence, and indices into them."""
    if x.dtype.kind in "iu" and x.size:
        low, high = int(x.min()), int(x.max())
        if high - low < _DENSE * x.size and high <= np.iinfo(np.int64).max:
            return _distinct_dense(x, low, high - low + 1)
    values, first, inverse = np.unique(x, return_index=True, return_inverse=True, equal_nan=False)
    order = np.argsort(first, kind="stable")
    places = np.empty(len(order), int)
    places[order] = np.arange(len(order))
    return values[order], places[inverse.reshape(-1)]


_DENSE = 4
"""A table of all numbers of the range is used for a range of at most 4 times the elements."""


def _distinct_dense(x: Array, low: int, count: int) -> tuple[Any, Any]:
    """`_distinct` of integers in a narrow range."""
    rows = x.astype(np.int64) - low
    first = np.full(count, x.size)
    # Repeated numbers are written from the end: the lowest index stays.
    first[rows[::-1]] = np.arange(x.size - 1, -1, -1)
    order = np.sort(first[first < x.size])
    found = rows[order]
    places = np.empty(count, np.int64)
    places[found] = np.arange(len(found))
    return x[order], places[rows]


def _check_vector(dims: Dims) -> None:
    if dims is not None and len(dims) != 1:
        raise ValueError(f"unique expects a 1D vector, not shape {list(dims)}")


def _unique_spec(x: Tensor, out_idx: DType) -> tuple[TensorSpec, TensorSpec]:
    _check_vector(x.spec.dims)
    return x.spec.with_dims((None,)), x.spec.with_dtype(out_idx)


def _unique(xp: Namespace, x: Array, out_idx: DType) -> tuple[Array, Array]:
    _check_vector(x.shape)
    values, places = _distinct(x)
    return values, places.astype(out_idx.numpy_dtype)


@op(
    "Unique",
    {"x": ANY},
    infer=_unique_spec,
    kernel=_unique,
    outputs=None,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([3, 1, 3, 2], out_idx=dtypes.int32), sample(["b", "a"], out_idx=dtypes.int64)),
)
def unique(x: TensorLike, out_idx: DTypeLike = dtypes.int32, name: str | None = None) -> Unique:
    """Find the unique elements of a vector, in order of first occurrence.

    Args:
      x: vector of any dtype.
      out_idx: int32 or int64, the dtype of the indices.

    Returns: `y`, the unique elements, and `idx`, so that `x[i] == y[idx[i]]`.
    Raises: InvalidArgumentError if `x` is not a vector.

    >>> y, idx = unique([3, 1, 3])
    >>> print(y.numpy(), idx.numpy())
    [3 1] [0 1 0]
    """
    return Unique(*unique.op.outputs(x, out_idx=dtypes.as_dtype(out_idx), name=name))


def _write_bound(place: Place) -> list[Ref]:
    """Insert a dimension: TensorFlow takes matrices only."""
    zero = place.constant(np.int32(0), "dim")
    rows = [place.part("ExpandDims", [x, zero], "ExpandDims")[0] for x in place.inputs]
    (positions,) = place.part(place.op.type, rows, "rows", **place.op.attrs)
    return place.main("Squeeze", [positions], squeeze_dims=(0,))


def _check_vectors(*shapes: Dims) -> None:
    if any(dims is not None and len(dims) != 1 for dims in shapes):
        raise IncompatibleShapesError.of(
            f"searchsorted takes two vectors, not shapes {' and '.join(map(bracketed, shapes))}; "
            "runtime.map_fn applies it to the rows of matrices"
        )


def _bound(name: str, side: str) -> Op:
    def infer(rows: Tensor, values: Tensor, out_type: DType) -> TensorSpec:
        _check_vectors(rows.spec.dims, values.spec.dims)
        return values.spec.with_dtype(out_type)

    def kernel(xp: Namespace, rows: Array, values: Array, out_type: DType) -> Array:
        _check_vectors(rows.shape, values.shape)
        return xp.searchsorted(rows, values, side=side).astype(out_type.numpy_dtype)

    return define_op(
        name,
        {"sorted_inputs": REAL, "values": REAL},
        infer,
        kernel,
        grad=NOT_DIFFERENTIABLE,
        node=NodeForm(write=_write_bound),
        samples=(
            sample([1.0, 3.0], [0.0, 1.0, 3.5], out_type=dtypes.int32),
            sample(np.zeros([0]), [1.0], out_type=dtypes.int32),
        ),
    )


_LOWER, _UPPER = _bound("LowerBound", "left"), _bound("UpperBound", "right")


def searchsorted(
    sorted_sequence: TensorLike,
    values: TensorLike,
    side: str = "left",
    out_type: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Find where values would be inserted into a sorted vector, by binary search.

    Args:
      sorted_sequence: real vector of length n, ascending.
      values: vector of the same dtype.
      side: "left": before equal elements; "right": after them.
      out_type: int32 or int64.

    Returns: Tensor of the shape of `values`, entries in [0, n].
    Raises:
      ValueError: for another `side`.
      InvalidArgumentError: if an argument is not a vector.

    >>> print(searchsorted([1, 3, 5], [0, 3, 9]).numpy())
    [0 1 3]
    """
    if side not in ("left", "right"):
        raise ValueError(
            f"Argument `side` must be either 'right' or 'left'. Received: `side` = '{side}'."
        )
    bound = _LOWER if side == "left" else _UPPER
    return bound(sorted_sequence, values, out_type=dtypes.as_dtype(out_type), name=name)
