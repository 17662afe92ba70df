"""Rules of the lowering: elements and slices at index tuples, one after the other."""

from __future__ import annotations

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.engines.native.arrays import Dim, View, constant
from runtime.engines.native.lowering import Lowering, Rule, Value, is_array
from runtime.engines.native.types import INT64, memory_type


def _scattered(adds: bool) -> Rule:
    """Return the rule that replaces elements, or adds to them."""

    def rule(lowering: Lowering, op: Operation) -> Value | None:
        x, indices_, updates_ = op.inputs
        if not all(map(is_array, op.inputs)):
            return None
        indices, updates = lowering.array(indices_), lowering.array(updates_)
        depth = indices.dims[-1]
        if type(depth) is not int or depth > len(x.spec.dims or ()):
            return None
        view = lowering.writable(x)
        elements = lowering.elements
        indices, updates = (
            elements.copied(each) if each.buffer is view.buffer else each
            for each in (indices, updates)
        )
        wanted = (*indices.dims[:-1], *view.dims[depth:])
        if len(updates.dims) != len(wanted):
            return None
        for one, other in zip(updates.dims, wanted, strict=True):
            elements.require_equal(one, other, "updates of another shape than the elements")
        source, dtype = elements.base(updates), view.dtype
        part = view.part(view.dims[depth:], view.strides[depth:], 0)
        with elements.nest(indices.dims[:-1]) as place:
            start = _start(lowering, view, indices, place)
            with elements.nest(part.dims) as rest:
                address = elements.at(part, start, rest)
                value = elements.load(dtype, elements.at(updates, source, [*place, *rest]))
                if adds:
                    value = lowering.numbers.sum(dtype, elements.load(dtype, address), value)
                elements.put(dtype, value, address)
        return lowering.written(view)

    return rule


def _start(lowering: Lowering, view: View, indices: View, place: list[ir.Value]) -> ir.Value:
    """Return the address of what an index tuple selects; code fails where it is out of range."""
    elements, numbers = lowering.elements, lowering.numbers
    base = elements.base(indices)
    total: Dim = 0
    for axis in range(indices.dims[-1]):
        entry = elements.load(indices.dtype, elements.at(indices, base, [*place, INT64(axis)]))
        index = numbers.converted(entry, indices.dtype, dtypes.int64)
        numbers.fail_if(lowering.build.icmp_unsigned(">=", index, constant(view.dims[axis])))
        total = elements.plus(total, elements.times(index, view.strides[axis]))
    kind = memory_type(view.dtype)
    return lowering.build.gep(elements.base(view), [constant(total)], source_etype=kind)


SCATTER_RULES: dict[Emit, Rule] = {
    Emit.SCATTER_UPDATE: _scattered(adds=False),
    Emit.SCATTER_ADD: _scattered(adds=True),
}
"""The rule of each computation that writes to index tuples."""
