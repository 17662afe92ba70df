"""Orders along an axis: sorting, positions of extremes, the largest elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, AxisLike, DTypeLike, Namespace
from runtime.core.dtypes import DType
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import INDEX, INT32, NUMERIC, REAL, DTypes, Emit, Failure, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int
from runtime.ops.base.define import Op, OpFunction, define_op, op, publish, shape_of
from runtime.ops.base.node_forms import Place, converted
from runtime.ops.base.samples import MATRIX

_SAMPLES = (sample([3, 1, 2], axis=-1, descending=False), sample(MATRIX, axis=0, descending=True))


def _sorted_dims(dims: Dims, axis: int, descending: bool) -> Dims:
    rules.normalize_axis(axis, len(dims or ()))
    return dims


_sorted_spec = rules.shaped(_sorted_dims)


def _sort(xp: Namespace, x: Array, axis: int, descending: bool) -> Array:
    ordered = xp.sort(x, axis=axis)
    return xp.flip(ordered, axis) if descending else ordered


def _argsort(xp: Namespace, x: Array, axis: int, descending: bool) -> Array:
    rules.normalize_axis(axis, x.ndim)  # NumPy takes a scalar for a vector
    if not descending:
        return xp.argsort(x, axis=axis, kind="stable").astype(np.int32)
    order = xp.argsort(xp.flip(x, axis), axis=axis, kind="stable")
    return (x.shape[axis] - 1 - xp.flip(order, axis)).astype(np.int32)


def _sort_grad(g: Tensor, y: Tensor, x: Tensor, axis: int, descending: bool) -> tuple[Tensor]:
    """Apply the inverse permutation."""
    order = argsort.op(x, axis=axis, descending=descending)
    inverse = argsort.op(order, axis=axis, descending=False)
    return (_TAKE(g, inverse, axis=axis),)


def _ranked(place: Place, descending: bool) -> list[Ref]:
    """Return the operands of TopKV2; negated for ascending order."""
    (x,) = place.inputs
    if descending:
        turned = x
    elif x.dtype.is_floating:
        (turned,) = place.part("Neg", [x], "Neg")
    else:
        (turned,) = place.part("Invert", [x], "Invert")
    rank = place.op.inputs[0].shape.rank
    if rank is None or place.op.attrs["axis"] % rank != rank - 1:
        raise ValueError("only the last axis can be sorted there")
    (shape,) = place.part("Shape", [x], "Shape", out_type=dtypes.int32)
    begin, end, stride = (
        place.constant(np.array([number], np.int32), label)
        for number, label in ((-1, "stack"), (0, "stack_1"), (1, "stack_2"))
    )
    (length,) = place.part(
        "StridedSlice", [shape, begin, end, stride], "strided_slice", shrink_axis_mask=1, end_mask=1
    )
    return [turned, length]


def _write_sort(place: Place) -> list[Ref]:
    descending = place.op.attrs["descending"]
    operands = _ranked(place, descending)
    if descending:
        return place.main("TopKV2", operands)[:1]
    values, _ = place.part("TopKV2", operands, "TopKV2")
    return place.main("Neg" if values.dtype.is_floating else "Invert", [values])


def _write_argsort(place: Place) -> list[Ref]:
    operands = _ranked(place, place.op.attrs["descending"])
    _, positions = place.part("TopKV2", operands, "TopKV2")
    return place.main("Identity", [positions])


@op(
    "Sort",
    {"values": REAL},
    infer=_sorted_spec,
    kernel=_sort,
    failure=Failure.SHAPES,
    emit=Emit.SORTED,
    grad=_sort_grad,
    node=NodeForm(write=_write_sort),
    samples=_SAMPLES,
)
def sort(
    values: TensorLike, axis: AxisLike = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """Sort along an axis.

    Args:
      values: real tensor of at least one dimension.
      axis: the axis.
      direction: "ASCENDING" or "DESCENDING".

    Returns: Tensor of the shape and dtype of `values`.
    Raises:
      ValueError: for another direction.
      InvalidArgumentError: if there is no such axis.

    >>> print(sort([3, 1, 2], direction="DESCENDING").numpy())
    [3 2 1]
    """
    position = static_int("axis", axis)
    attrs = {"axis": position, "descending": _descending(direction)}
    return sort.op.apply((values,), name, attrs)


@op(
    "ArgSort",
    {"values": REAL},
    infer=lambda x, **attrs: _sorted_spec(x, **attrs).with_dtype(dtypes.int32),
    kernel=_argsort,
    failure=Failure.SHAPES,
    node=NodeForm(write=_write_argsort),
    samples=_SAMPLES,
)
def argsort(
    values: TensorLike,
    axis: AxisLike = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the indices that sort a tensor along an axis.

    Args:
      values: real tensor of at least one dimension.
      axis: the axis.
      direction: "ASCENDING" or "DESCENDING".
      stable: has no effect; the sort is always stable.

    Returns: int32 tensor of the shape of `values`.
    Raises:
      ValueError: for another direction.
      InvalidArgumentError: if there is no such axis.

    >>> print(argsort([3, 1, 2]).numpy())
    [1 2 0]
    """
    position = static_int("axis", axis)
    return argsort.op(values, axis=position, descending=_descending(direction), name=name)


def _descending(direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            "Argument `direction` should be one of ASCENDING, DESCENDING. "
            f"Received: direction={direction}"
        )
    return direction == "DESCENDING"


_ORDERED = DTypes("a real number or bool", *REAL.members, dtypes.bool)
_ARGUMENTS = """
    Args:
      input: Tensor; each element is a real number or bool.
      axis: the axis; None: 0.
      output_type: int32 or int64.

    Returns: Tensor of that dtype without the axis; of equal elements the first counts.
    Raises: InvalidArgumentError if there is no such axis, or it is empty.
    """


def _position_spec(x: Tensor, axis: int, output_type: DType, nan_wins: bool = False) -> TensorSpec:
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


def _may_hold_nan(xp: Namespace, x: Array) -> bool:
    # A traced array tells no values; on a NumPy array the test costs less than the selection.
    if xp is not np:
        return True
    largest = np.maximum.reduce(x, axis=None, initial=0)
    return bool(largest != largest)


def _write_position(place: Place) -> list[Ref]:
    """Write the position; with `nan_wins` that of the first NaN, if there is one."""
    (x,), attrs = place.inputs, place.op.attrs
    axis = place.constant(np.int32(attrs["axis"]), "dimension")
    target = {"output_type": attrs["output_type"]}
    if not attrs.get("nan_wins"):
        return place.main(place.op.type, [x, axis], **target)
    (unordered,) = place.part("IsNan", [x], "IsNan")
    numbers = converted(place, unordered, dtypes.int32)
    (has_one,) = place.part("Any", [unordered, axis], "Any")
    (first,) = place.part("ArgMax", [numbers, axis], "ArgMax", **target)
    (found,) = place.part(place.op.type, [x, axis], place.op.type, **target)
    return place.main("SelectV2", [has_one, first, found])


def _row(
    name: str, op: str, emit: Emit, of_nan: float, about: str, example: str
) -> OpFunction[..., Tensor]:
    def kernel(
        xp: Namespace, x: Array, axis: int, output_type: DType, nan_wins: bool = False
    ) -> Array:
        _check_axis(x.shape, axis)
        if not nan_wins and x.dtype.kind == "f" and _may_hold_nan(xp, x):
            x = xp.where(xp.isnan(x), of_nan, x)
        return getattr(x, name)(axis=axis).astype(output_type.numpy_dtype, copy=False)

    defined = define_op(
        op,
        {"input": _ORDERED},
        _position_spec,
        kernel,
        emit=emit,
        node=NodeForm(write=_write_position),
        samples=(
            sample(MATRIX, axis=0, output_type=dtypes.int64),
            sample([3, 9, 2], axis=-1, output_type=dtypes.int32),
            sample([3.0, np.nan, 2.0], axis=0, output_type=dtypes.int64, nan_wins=True),
        ),
    )

    def function(
        input: TensorLike,
        axis: AxisLike = None,
        output_type: DTypeLike = dtypes.int64,
        name: str | None = None,
    ) -> Tensor:
        position = 0 if axis is None else static_int("axis", axis)
        attrs = {"axis": position, "output_type": dtypes.as_dtype(output_type)}
        return defined.apply((input,), name, attrs)

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
    return _ADD(g, indices, shape_of(x), axis=axis)


_TAKE: Op = define_op(
    "TakeAlongAxis",
    {"x": NUMERIC, "indices": INDEX},
    lambda x, indices, axis: indices.spec.with_dtype(x.spec.dtype),
    lambda xp, x, indices, axis: xp.take_along_axis(x, indices, axis=axis),
    grad=lambda g, y, x, indices, axis: (put_back(g, indices, x, axis), None),
    samples=(sample([[3.0, 1.0, 2.0], [4.0, 5.0, 6.0]], [[0, 2], [1, 1]], axis=-1),),
)
_ADD: Op = define_op(
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


def _downward(xp: Namespace, x: Array) -> Array:
    """Return the indices that sort rows in descending order, stably."""
    backward = xp.argsort(xp.flip(x, -1), axis=-1, kind="stable")
    return x.shape[-1] - 1 - xp.flip(backward, -1)


_FRACTION, _LONG = 8, 256
"""Partial selection beats a full sort for k <= n / 8 and n >= 256 (measured)."""


def _largest(x: Array, count: int) -> Any:
    """Return the first columns of `_downward`; sort only the elements that may be among them."""
    length = x.shape[-1]
    rows = x.reshape(-1, length)
    least = np.partition(rows, length - count, axis=-1)[:, length - count, None]
    result = np.empty((len(rows), count), np.intp)
    for row, possible in enumerate(~(rows < least)):
        places = np.flatnonzero(possible)
        result[row] = places[_downward(np, rows[row, places])[:count]]
    return result.reshape(*x.shape[:-1], count)


def _top_k(xp: Namespace, x: Array, k: Array, index_type: DType) -> Array:
    count = int(k)
    _check_count(x.shape, count)
    length = x.shape[-1]
    few = xp is np and 0 < count <= length // _FRACTION and length >= _LONG
    order = _largest(x, count) if few else _downward(xp, x)[..., :count]
    return xp.take_along_axis(x, order, axis=-1), order.astype(index_type.numpy_dtype)


def _top_grad(g: Any, y: Any, x: Tensor, k: Tensor, index_type: DType) -> tuple[Any, None]:
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
