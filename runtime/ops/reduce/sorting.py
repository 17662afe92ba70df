"""Sorting along an axis."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import REAL, Emit, sample
from runtime.core.shapes import Dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, AxisLike, Namespace
from runtime.ops.base.arguments import static_int
from runtime.ops.base.define import call, op
from runtime.ops.base.node_forms import Place
from runtime.ops.base.sample_values import MATRIX

_SAMPLES = (sample([3, 1, 2], axis=-1, descending=False), sample(MATRIX, axis=0, descending=True))


def _sorted_dims(dims: Dims, axis: int, descending: bool) -> Dims:
    rules.normal_axis(axis, len(dims or ()))
    return dims


_sorted_spec = rules.shaped(_sorted_dims)


def _sort(xp: Namespace, x: Array, axis: int, descending: bool) -> Array:
    ordered = xp.sort(x, axis=axis)
    return xp.flip(ordered, axis) if descending else ordered


def _argsort(xp: Namespace, x: Array, axis: int, descending: bool) -> Array:
    if not descending:
        return xp.argsort(x, axis=axis, kind="stable").astype(np.int32)
    order = xp.argsort(xp.flip(x, axis), axis=axis, kind="stable")
    return (x.shape[axis] - 1 - xp.flip(order, axis)).astype(np.int32)


def _sort_grad(g: Tensor, y: Tensor, x: Tensor, axis: int, descending: bool) -> tuple[Tensor]:
    """Apply the inverse permutation."""
    order = argsort.op(x, axis=axis, descending=descending)
    inverse = argsort.op(order, axis=axis, descending=False)
    return (call("TakeAlongAxis", g, inverse, axis=axis),)


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
    return sort.op(values, axis=position, descending=_descending(direction), name=name)


@op(
    "ArgSort",
    {"values": REAL},
    infer=lambda x, **attrs: _sorted_spec(x, **attrs).with_dtype(dtypes.int32),
    kernel=_argsort,
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
