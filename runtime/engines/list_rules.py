"""Rules of the plan: lists.

A list that a loop owns is a list of Python; its entries are numbers of Python where they can be. A
list whose entries are all written in order and then stacked is an array. Other lists are
`ListValue`s, as kernels take them.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.core import dtypes
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.counting import filled_by
from runtime.engines.printer import (
    DEEPEST,
    NUMPY_NAMES,
    Kind,
    Printer,
    Rule,
    Step,
    kind_of,
)
from runtime.engines.ranges import Range

_LENGTHS = Range(0, int(dtypes.int32.max))
"""A length is an int32."""


def new_list(printer: Printer, op: Operation) -> bool:
    """Emit an array for a list that a loop fills and that is then stacked; rows are copied once."""
    row = filled_by(op)
    if row is None or printer.depth > DEEPEST:
        return False
    shape = (int(op.inputs[0].op.attrs["value"]), *(row.spec.dims or ()))
    name = printer.new_name("rows")
    printer.line(f"{name} = np.empty({shape}, {NUMPY_NAMES[row.spec.dtype]})", Step(op, None))
    printer.define(op.outputs[0], name, Kind.ARRAY)
    printer.filled.add(id(op.outputs[0]))
    return True


def _with_plain_index(printer: Printer, op: Operation) -> bool:
    """Call a kernel with the index as a Python int."""
    printer.call_kernel(op, [1] if kind_of(op.inputs[1]) is Kind.INTEGER else [])
    return True


def _set_row(printer: Printer, op: Operation) -> bool:
    """Emit an assignment to a row of the array that represents a list, if one does."""
    held, position, item = op.inputs
    if id(held) not in printer.filled:
        return _with_plain_index(printer, op)
    name = printer.array(held)
    if id(item) not in printer.left_out:
        printer.line(f"{name}[{printer.integer(position)}] = {printer.array(item)}", Step(op, None))
    printer.define(op.outputs[0], name, Kind.ARRAY)
    return True


def _owned(printer: Printer, op: Operation) -> str | None:
    """Return the list of Python that an operation changes in place, or None."""
    in_place = id(op.outputs[0]) in printer.in_place
    return printer.find(op.inputs[0], Kind.LIST) if in_place else None


def _natural(printer: Printer, op: Operation, number: SymbolicTensor) -> str:
    """Return an integer of an operation, the kernel of which raises if it is negative."""
    text = printer.integer(number)
    if printer.range_of(number).least < 0:
        printer.line(f"if {text} < 0: raise IndexError({text})", printer.step(op))
    return text


Change = Callable[[Printer, Operation, str], None]
"""Prints the update of a list of Python with a name."""


def updated(change: Change, otherwise: Rule) -> Rule:
    """Return the rule of an update: in place where a loop owns the list."""

    def rule(printer: Printer, op: Operation) -> bool:
        name = _owned(printer, op)
        if name is None:
            return otherwise(printer, op)
        change(printer, op, name)
        printer.define(op.outputs[0], name, Kind.LIST)
        return True

    return rule


def _by_kernel(printer: Printer, op: Operation) -> bool:
    return False


def _push(printer: Printer, op: Operation, name: str) -> None:
    item = op.inputs[1]
    printer.line(f"{name}.append({printer.as_kind(item, kind_of(item))})", printer.step(op))


def _resize(printer: Printer, op: Operation, name: str) -> None:
    """Emit `del` of the last entries; where the list may be shorter, also new ones."""
    size = _natural(printer, op, op.inputs[1])
    if _shortens(printer, op):
        printer.line(f"del {name}[{size}:]", printer.step(op))
    else:
        zero = printer.not_written(name)
        printer.line(f"{name}[{size}:] = [{zero}] * ({size} - len({name}))", printer.step(op))


def _shortens(printer: Printer, op: Operation) -> bool:
    """Return whether the new length is the length of the list less a constant."""
    held, size = op.inputs
    if size.op.definition.sign != "{} - {}":
        return False
    before, removed = size.op.inputs
    is_length = before.op.definition.emit is Emit.LENGTH
    count = static_value(removed)
    is_same = is_length and printer.is_same(before.op.inputs[0], held)
    return is_same and count is not None and bool(count >= 0)


def _remove(printer: Printer, op: Operation, name: str) -> None:
    printer.line(f"del {name}[{_natural(printer, op, op.inputs[1])}]", printer.step(op))


def _insert(printer: Printer, op: Operation, name: str) -> None:
    i, item = printer.integer(op.inputs[1]), op.inputs[2]
    if i != "0":
        printer.line(f"if not 0 <= {i} <= len({name}): raise IndexError({i})", printer.step(op))
    printer.line(f"{name}.insert({i}, {printer.as_kind(item, kind_of(item))})", printer.step(op))


def _set(printer: Printer, op: Operation, name: str) -> None:
    i, item = _natural(printer, op, op.inputs[1]), op.inputs[2]
    if op.attrs["resize"]:
        zero = printer.not_written(name)
        printer.line(f"{name} += [{zero}] * ({i} + 1 - len({name}))")
    printer.line(f"{name}[{i}] = {printer.as_kind(item, kind_of(item))}", printer.step(op))


def entry(printer: Printer, op: Operation) -> bool:
    """Emit `items[i]`."""
    name = _listed(printer, op)
    if name is None:
        return _with_plain_index(printer, op)
    i = _natural(printer, op, op.inputs[1])
    printer.result(op, f"{name}[{i}]", kind_of(op.outputs[0]))
    return True


def _listed(printer: Printer, op: Operation) -> str | None:
    """Return the list of Python from which an operation reads entries, or None."""
    name = printer.find(op.inputs[0], Kind.LIST)
    return name if name is not None and printer.entries[name] == op.attrs["element"] else None


def length(printer: Printer, op: Operation) -> bool:
    """Emit `len`."""
    name = printer.find(op.inputs[0], Kind.LIST)
    if name is None:
        return False
    printer.result(op, f"len({name})", Kind.INTEGER, values=_LENGTHS)
    return True


def stacked(printer: Printer, op: Operation) -> bool:
    """Emit an array of the entries; nothing if an array represents the list."""
    if id(op.inputs[0]) in printer.filled:
        printer.alias(op.outputs[0], op.inputs[0])
        return True
    name = _listed(printer, op)
    if name is None:
        return False
    dims, dtype = op.attrs["element"].dims, NUMPY_NAMES[op.attrs["element"].dtype]
    shape = "".join(f", {size}" for size in dims)
    rows = f".reshape(len({name}){shape})" if dims else ""
    printer.result(op, f"np.array({name}, {dtype}){rows}")
    return True


LIST_RULES: dict[Emit, Rule] = {
    Emit.NEW_LIST: new_list,
    Emit.ENTRY: entry,
    Emit.SET_ENTRY: updated(_set, otherwise=_set_row),
    Emit.PUSHED: updated(_push, otherwise=_by_kernel),
    Emit.RESIZED: updated(_resize, otherwise=_with_plain_index),
    Emit.REMOVED: updated(_remove, otherwise=_with_plain_index),
    Emit.INSERTED: updated(_insert, otherwise=_with_plain_index),
    Emit.LENGTH: length,
    Emit.STACK: stacked,
}
"""The rule of each computation on lists."""
