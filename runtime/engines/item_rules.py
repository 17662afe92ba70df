"""Rules of the plan: items and slices of arrays."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.shapes import numpy_index
from runtime.core.structural import CONST
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.interpreter import array_of_strings, gives_strings
from runtime.engines.liveness import Entry, index_of
from runtime.engines.printer import Kind, Printer, Rule, Step, kind_of
from runtime.engines.ranges import Range


def are(kind: Kind, *tensors: SymbolicTensor) -> bool:
    """Return whether all tensors are of one kind."""
    return all(kind_of(tensor) is kind for tensor in tensors)


def row(printer: Printer, op: Operation) -> bool:
    """Emit `params[i]` for a scalar index; `params[i, j]` for an item of a row."""
    if not _is_row(op):
        return False
    params, position = op.inputs
    if gives_strings(op) and op.outputs[0].spec.dims != ():
        return False
    x, i, (length, *_) = printer.array(params), printer.integer(position), params.spec.dims or (0,)
    if not printer.range_of(position).is_within(0, (length or 0) - 1):
        printer.line(f"if not 0 <= {i} < len({x}): raise IndexError({i})", printer.step(op))
    table, before = printer.parts.get(x, (x, ""))
    kind, place = kind_of(op.outputs[0]), f"{before}{i}"
    if kind is not Kind.ARRAY:
        printer.result(op, f"{table}.item({place})", kind)
    elif gives_strings(op):
        printer.bound["array_of_strings"] = array_of_strings
        printer.result(op, f"array_of_strings({table}.item({place}))")
    elif _is_read_by_rows(printer, op.outputs[0]):
        part = f"{table}[{place}]"
        printer.parts[part] = table, f"{place}, "
        printer.define(op.outputs[0], part, Kind.ARRAY)
    else:
        printer.result(op, f"{table}[{place}]")
    return True


def _is_row(op: Operation) -> bool:
    """Return whether an operation reads one row of an array."""
    is_gather = op.definition.emit is Emit.ROW and len(op.inputs) == 2
    is_first = is_gather and op.attrs.get("axis") == 0 and bool(op.inputs[0].spec.dims)
    return is_first and kind_of(op.inputs[1]) is Kind.INTEGER


def _is_read_by_rows(printer: Printer, tensor: SymbolicTensor) -> bool:
    readers = printer.liveness.all_readers(tensor)
    return bool(readers) and all(_is_row(op) and op.inputs[0] is tensor for op in readers)


def item_position(printer: Printer, op: Operation) -> bool:
    """Emit a nonnegative index; the kernel raises Python's error if it is out of range."""
    index, length = op.inputs
    if not are(Kind.INTEGER, index, length):
        return False
    i, n = printer.integer(index), printer.integer(length)
    values, size = printer.range_of(index), printer.range_of(length)
    if not values.is_within(-size.least, size.least - 1):
        printer.line(f"if not -{n} <= {i} < {n}: raise IndexError({i})", printer.step(op))
    places = Range(0, max(size.most - 1, 0))
    if values.least >= 0:
        printer.define(op.outputs[0], i, Kind.INTEGER, places)
    else:
        printer.result(op, f"{i} if {i} >= 0 else {i} + {n}", Kind.INTEGER, values=places)
    return True


def parts(printer: Printer, op: Operation) -> bool:
    """Emit the rows that an operation reads."""
    x = op.inputs[0]
    if op.attrs["axis"] != 0 or gives_strings(op) or (x.spec.dims or (None,))[0] is None:
        return False
    held, step = printer.array(x), printer.step(op)
    for i, output in enumerate(op.outputs):
        if printer.liveness.is_read(output):
            name = printer.new_name(op.name)
            printer.line(f"{name} = {held}[{i}]", step)
            printer.define(output, name, Kind.ARRAY)
    return True


def update(printer: Printer, op: Operation) -> bool:
    """Emit the update of a slice, of a copy unless a loop owns the array."""
    in_place = id(op.outputs[0]) in printer.in_place
    index = index_of(op)
    if index is None and not in_place:
        return False
    held, new = printer.array(op.inputs[0]), op.inputs[4]
    is_assigned = op.definition.emit is Emit.ASSIGN
    value = printer.as_kind(new, kind_of(new)) if is_assigned else printer.array(new)
    operator = Emit.ASSIGN.value if is_assigned else Emit.ADD.value
    key, operands = _computed_place(printer, op) if index is None else _place(printer, index)
    name = held
    if not in_place:
        name = printer.new_name(op.name)
        printer.line(f"{name} = {held}.copy()")
    step = Step(op, (held, *operands, printer.array(new)))
    printer.line(f"{name}[{key}] {operator} {value}", step)
    printer.define(op.outputs[0], name, Kind.ARRAY)
    return True


Place = tuple[str, tuple[str, str, str]]
"""The index of a slice as Python, and as the operands of its kernel."""


def _place(printer: Printer, index: Sequence[Entry]) -> Place:
    """Return the index as a program writes it."""
    rows = [_entry_texts(printer, entry) for entry in index]
    begin, end, strides = (
        f"np.array([{', '.join(row[i] for row in rows)}], int)" for i in range(1, 4)
    )
    return ", ".join(row[0] for row in rows) or "()", (begin, end, strides)


def _entry_texts(printer: Printer, entry: Entry) -> tuple[str, str, str, str]:
    """Return an entry of an index as a program writes it, and its begin, its end and its stride."""
    if isinstance(entry, slice):
        start, stop, step = (_bound(printer, e) for e in (entry.start, entry.stop, entry.step))
        text = f"{start}:{stop}" if step == "1" else f"{start}:{stop}:{step}"
        return text, start or "0", stop or "0", step
    if entry is None or entry is Ellipsis:
        return "None" if entry is None else "...", "0", "0", "1"
    position = _bound(printer, entry)
    return position, position, f"{position} + 1", "1"


def _bound(printer: Printer, bound: int | SymbolicTensor | None) -> str:
    if isinstance(bound, SymbolicTensor):
        return printer.integer(bound)
    return "" if bound is None else str(bound)


def _computed_place(printer: Printer, op: Operation) -> Place:
    """Return an index of which only the running code knows the number of entries."""
    begin, end, strides = map(printer.array, op.inputs[1:4])
    printer.bound["numpy_index"] = numpy_index
    masks = printer.bind(f"{op.name}_masks", dict(op.attrs))
    vectors = ", ".join(f"{vector}.tolist()" for vector in (begin, end, strides))
    return f"numpy_index({vectors}, {masks})", (begin, end, strides)


def slices(printer: Printer, op: Operation) -> bool:
    """Emit `x[i, j]`, `x[1:n, ::-1]`."""
    index = index_of(op)
    if index is None:
        return False
    key, operands = _place(printer, index)
    x = printer.array(op.inputs[0])
    name, kind = printer.new_name(op.name), Kind.ARRAY
    if _is_python_number(op, index):
        kind = kind_of(op.outputs[0])
    item = f"{x}[{key}]" if kind is Kind.ARRAY else f"{x}.item({key})"
    printer.line(f"{name} = {item}", Step(op, (x, *operands)))
    printer.define(op.outputs[0], name, kind)
    return True


def _is_python_number(op: Operation, index: Sequence[Entry]) -> bool:
    """Return whether a slice is one number that Python can hold, by an index for each axis."""
    are_positions = all(isinstance(entry, int | SymbolicTensor) for entry in index)
    is_one = len(index) > 0 and are_positions and len(index) == len(op.inputs[0].spec.dims or ())
    return is_one and kind_of(op.outputs[0]) is not Kind.ARRAY


def equal_parts(printer: Printer, op: Operation) -> bool:
    """Emit slices of an axis of static length: the views that `np.split` returns."""
    x, parts, axis = op.inputs[0], op.attrs.get("parts"), op.attrs.get("axis")
    dims = x.spec.dims
    if len(op.inputs) > 1 or type(parts) is not int or type(axis) is not int or not dims:
        return False
    length = dims[axis]
    if length is None or length % parts:
        return False
    before, size = ":, " * (axis % len(dims)), length // parts
    held, step = printer.array(x), printer.step(op)
    for i, output in enumerate(op.outputs):
        name = printer.new_name(op.name)
        printer.line(f"{name} = {held}[{before}{i * size}:{(i + 1) * size}]", step)
        printer.define(output, name, Kind.ARRAY)
    return True


def reshaped(printer: Printer, op: Operation) -> bool:
    """Emit the method of an array with axes for a constant shape, which calls no function of
    Python.
    """
    x, shape = op.inputs
    if shape.op.definition is not CONST or not x.spec.dims or x.spec.dtype.kind not in "biufc":
        return False
    entries = shape.op.attrs["value"]
    if entries.ndim != 1 or not entries.size or entries.min() < -1:
        return False
    words = ", ".join(map(str, entries.tolist()))
    printer.result(op, f"{printer.array(x)}.reshape({words})")
    return True


ITEM_RULES: dict[Emit, Rule] = {
    Emit.ROW: row,
    Emit.ROWS: parts,
    Emit.PARTS: equal_parts,
    Emit.SLICE: slices,
    Emit.ASSIGN: update,
    Emit.ADD: update,
    Emit.POSITION: item_position,
    Emit.RESHAPE: reshaped,
}
"""The rule of each computation that reads or writes items."""
