"""Lists of equal elements, stored as the rows of one tensor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.dispatch import execute
from runtime.core.dtypes import DType
from runtime.core.opdef import Emit, lookup
from runtime.core.shapes import MASKS
from runtime.core.spec import Weak
from runtime.core.static import static_value
from runtime.core.structural import IDENTITY
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import (
    PACK,
    cast_to,
    constant_of,
    convert_to_tensor,
    one_dtype,
    weakened,
    weakness,
)
from runtime.ops.base.values import PLAIN_NUMBERS


def stack_of(
    items: Sequence[Any], dtype: DType, weak: Weak, convert: Callable[[Any], Tensor]
) -> Tensor:
    """Stack elements of one shape along a new first axis; `convert` makes tensors of `dtype`.

    Rows that `unstacked` produced from one tensor are recombined without an operation.
    """
    if all(type(item) in PLAIN_NUMBERS for item in items):
        return weakened(constant_of(np.array(items, dtype.numpy_dtype)), weak)
    source = _source(items)
    if source is None:
        return execute(PACK, [convert(item) for item in items], {"axis": 0}, "stack", weak)[0]
    whole, fits = source
    if whole.dtype is not dtype:
        whole = cast_to(whole, dtype)
    whole = reweakened(whole, weak)
    for place, item in enumerate(items):
        if not fits[place]:
            whole = with_row(whole, (convert_to_tensor(place),), convert(item))
    return whole


def reweakened(tensor: Tensor, weak: Weak) -> Tensor:
    """Return the tensor as one that represents Python numbers, or does not."""
    return tensor if weakness(tensor) is weak else execute(IDENTITY, (tensor,), {}, None, weak)[0]


def _source(items: Sequence[Any]) -> tuple[Tensor, list[bool]] | None:
    """Return the tensor of which most items are the rows, in this order, and whether each is."""
    found = list(map(_row_of, items))
    counts = Counter(id(each[0]) for each in found if each is not None)
    if not counts:
        return None
    number, _ = counts.most_common(1)[0]
    fits = [
        each is not None and id(each[0]) == number and each[1] == place
        for place, each in enumerate(found)
    ]
    whole = next(each[0] for each in found if each is not None and id(each[0]) == number)
    dims = whole.spec.dims
    is_whole = dims is not None and dims[0] == len(items)
    return (whole, fits) if is_whole and 2 * sum(fits) >= len(items) else None


def _row_of(item: object) -> tuple[Tensor, int] | None:
    """Return the tensor of which an item was read as a row, and the place of the row; or None.

    >>> import runtime as tf
    >>> @tf.function
    ... def second(x):
    ...     whole, place = _row_of(x[1])
    ...     return place if whole is x else None
    >>> int(second(tf.constant([4, 5])))
    1
    """
    if not isinstance(item, SymbolicTensor):
        return None
    op = item.op
    if op.definition.emit is Emit.ROWS:
        return (op.inputs[0], item.value_index) if op.attrs["axis"] == 0 else None
    if op.definition.emit is not Emit.SLICE or op.attrs != _FIRST_AXIS:
        return None
    place = static_value(op.inputs[1])
    return (op.inputs[0], int(place[0])) if place is not None and len(place) == 1 else None


_FIRST_AXIS = {**dict.fromkeys(MASKS, 0), "shrink_axis_mask": 1}
"""The attributes of `x[i]`."""


def unstacked(tensor: Tensor, count: int) -> list[Tensor]:
    """Return the rows of a tensor as a list."""
    attrs = {"num": count, "axis": 0}
    return list(execute(lookup("Unpack"), (tensor,), attrs, "unstack", weakness(tensor)))


def is_stack(items: list[Any]) -> bool:
    """Return whether a list is the result of `unstacked`."""
    first = items[0] if items else None
    if not isinstance(first, SymbolicTensor) or first.op.definition.emit is not Emit.ROWS:
        return False
    outputs = first.op.outputs
    pairs = zip(items, outputs, strict=False)
    whole = len(items) == len(outputs) and first.op.attrs["axis"] == 0
    return whole and all(item is output for item, output in pairs)


def row(table: Tensor, position: Tensor) -> Tensor:
    """Return `table[position]` for a position in range."""
    weak = weakness(table)
    return execute(lookup("GatherV2"), (table, position), {"axis": 0}, "item", weak)[0]


def with_row(table: Tensor, places: Sequence[Tensor], value: Tensor) -> Tensor:
    """Return the table with one row, or entry, replaced.

    `places` is an index in range for each of its first dimensions.
    """
    positions, _ = one_dtype("set_item", [("position", place) for place in places])
    begin = execute(PACK, positions, {"axis": 0}, "begin")[0]
    ones = convert_to_tensor(np.ones(len(positions), begin.dtype.numpy_dtype))
    attrs = {**dict.fromkeys(MASKS, 0), "shrink_axis_mask": (1 << len(positions)) - 1}
    operands = (table, begin, begin + ones, ones, value)
    op = lookup("TensorStridedSliceUpdate")
    return execute(op, operands, attrs, "set_item", weakness(table))[0]
