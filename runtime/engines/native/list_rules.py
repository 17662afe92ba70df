"""Rules of the lowering: lists."""

from __future__ import annotations

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.counting import filled_by
from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import Entries, Items
from runtime.engines.native.lowering import Lowering, Rule, Value
from runtime.engines.native.types import INT64, has_type

_MOST = 16
"""Largest number of entries that have code of their own."""


def _new_list(lowering: Lowering, op: Operation) -> Value:
    """Return a list; an array for one that a loop fills and that is only stacked."""
    row = filled_by(op)
    if row is None or not has_type(row.spec.dtype):
        return Entries((), None, _index(lowering, op.inputs[0]))
    dims = (int(op.inputs[0].op.attrs["value"]), *(row.spec.dims or ()))
    return lowering.elements.whole(lowering.elements.memory.new(dims, row.spec.dtype))


def _index(lowering: Lowering, tensor: SymbolicTensor) -> ir.Value:
    return lowering.numbers.converted(lowering.scalar(tensor), tensor.spec.dtype, dtypes.int64)


def _item(lowering: Lowering, tensor: SymbolicTensor) -> Value:
    value = lowering.operand(tensor)
    return value if isinstance(value, ir.Value) else lowering.elements.forced(value)


def _held(lowering: Lowering, op: Operation) -> Items | Entries:
    """Return the list that an operation takes."""
    held = lowering.held(op.inputs[0])
    if isinstance(held, Items | Entries):
        return held
    raise Unsupported("a list from other code")


def _owned(lowering: Lowering, op: Operation, item: SymbolicTensor | None = None) -> Items:
    """Return the list that an operation changes, or gives an item: outside of loops, a copy."""
    held = _held(lowering, op)
    if item is not None and item.spec != held.spec:
        raise Unsupported("a list of entries of several types")
    if isinstance(held, Items) and lowering.may_change(held, op.outputs[0]):
        return held
    if lowering.loops or held.spec is None:
        raise Unsupported("a list of which another version is needed")
    return _copied(lowering, held, held.spec)


def _copied(lowering: Lowering, held: Items | Entries, spec: TensorSpec) -> Items:
    items = lowering.lists.new(spec)
    lowering.lists.assign(items, held)
    return items


def _list_of_rows(lowering: Lowering, op: Operation) -> Value:
    view, spec = lowering.array(op.inputs[0]), op.inputs[0].spec
    count, entry = view.dims[0], spec.with_dims(spec.dims and spec.dims[1:])
    if type(count) is not int or count > _MOST:
        items = lowering.lists.new(entry)
        lowering.lists.fill(items, view)
        return items
    starts = (lowering.elements.times(i, view.strides[0]) for i in range(count))
    offsets = (lowering.elements.plus(view.offset, start) for start in starts)
    rows = [view.part(view.dims[1:], view.strides[1:], offset) for offset in offsets]
    values = tuple(lowering.elements.finished(row) for row in rows)
    return Entries(values, entry, INT64(0))


def _pushed(lowering: Lowering, op: Operation) -> Value:
    held, item = _held(lowering, op), op.inputs[1]
    if isinstance(held, Entries):
        if held.spec not in (None, item.spec):
            raise Unsupported("a list of entries of several types")
        return Entries((*held.values, _item(lowering, item)), item.spec, held.unwritten)
    items = _owned(lowering, op, item)
    lowering.lists.append(items, _item(lowering, item))
    return items


def _set_entry(lowering: Lowering, op: Operation) -> Value:
    held, position, item = op.inputs
    if not isinstance(lowering.held(held), Items | Entries):
        return _set_row(lowering, op)
    items, index = _owned(lowering, op, item), _index(lowering, position)
    value = _item(lowering, item)
    write = lowering.lists.write_or_append if op.attrs["resize"] else lowering.lists.write
    write(items, index, value)
    return items


def _set_row(lowering: Lowering, op: Operation) -> Value:
    held, position, item = op.inputs
    elements, value = lowering.elements, lowering.operand(item)
    view = lowering.writable(held)
    offset = elements.times(_index(lowering, position), view.strides[0])
    elements.assign(view.part(view.dims[1:], view.strides[1:], offset), value)
    return lowering.written(view)


def _resized(lowering: Lowering, op: Operation) -> Value:
    items = _owned(lowering, op)
    lowering.lists.shorten(items, _index(lowering, op.inputs[1]))
    return items


def _removed(lowering: Lowering, op: Operation) -> Value:
    items = _owned(lowering, op)
    lowering.lists.remove(items, _index(lowering, op.inputs[1]))
    return items


def _inserted(lowering: Lowering, op: Operation) -> Value:
    _, position, item = op.inputs
    items, value = _owned(lowering, op, item), _item(lowering, item)
    lowering.lists.insert(items, _index(lowering, position), value)
    return items


def _items(lowering: Lowering, op: Operation) -> Items:
    """Return the list whose entries an operation reads, in memory."""
    held, spec = _held(lowering, op), op.attrs["element"]
    if held.spec != spec:
        raise Unsupported("entries of a list of another type")
    return held if isinstance(held, Items) else _copied(lowering, held, spec)


def _entry(lowering: Lowering, op: Operation) -> Value:
    return lowering.lists.read(_items(lowering, op), _index(lowering, op.inputs[1]))


def _length(lowering: Lowering, op: Operation) -> Value:
    length = lowering.lists.length(_held(lowering, op))
    return lowering.numbers.converted(length, dtypes.int64, op.outputs[0].spec.dtype)


def _stacked(lowering: Lowering, op: Operation) -> Value:
    held = lowering.held(op.inputs[0])
    if not isinstance(held, Items | Entries):
        return held
    return lowering.elements.copied(lowering.lists.whole(_items(lowering, op)))


LIST_RULES: dict[Emit, Rule] = {
    Emit.NEW_LIST: _new_list,
    Emit.LIST_OF_ROWS: _list_of_rows,
    Emit.PUSHED: _pushed,
    Emit.SET_ENTRY: _set_entry,
    Emit.RESIZED: _resized,
    Emit.REMOVED: _removed,
    Emit.INSERTED: _inserted,
    Emit.ENTRY: _entry,
    Emit.LENGTH: _length,
    Emit.STACK: _stacked,
}
"""The rule of each computation on lists."""
