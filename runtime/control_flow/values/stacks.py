"""Lists of equal elements, stored as the rows of one tensor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.dispatch import execute
from runtime.core.dtypes import DType
from runtime.core.opdef import Emit, lookup
from runtime.core.operation import Operation
from runtime.core.shapes import MASKS
from runtime.core.spec import Weak
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
    whole: Tensor = source.inputs[0]
    if whole.dtype is not dtype:
        whole = cast_to(whole, dtype)
    if weakness(whole) is not weak:
        whole = execute(IDENTITY, (whole,), {}, None, weak)[0]
    for place, item in enumerate(items):
        if item is not source.outputs[place]:
            whole = with_row(whole, (convert_to_tensor(place),), convert(item))
    return whole


def _source(items: Sequence[Any]) -> Operation | None:
    """Return the `Unpack` operation that produced most of these rows, in this order, or None."""
    found = [
        item.op
        for place, item in enumerate(items)
        if isinstance(item, SymbolicTensor)
        and item.op.definition.emit is Emit.ROWS
        and item.value_index == place
    ]
    if 2 * len(found) < len(items):
        return None
    number, count = Counter(map(id, found)).most_common(1)[0]
    op = next(op for op in found if id(op) == number)
    dims = op.inputs[0].spec.dims
    known = dims is not None and dims[0] is not None
    fits = known and op.attrs["axis"] == 0 and op.attrs["num"] == len(items)
    return op if fits and 2 * count >= len(items) else None


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
