"""Emit branches and loops as Python's `if` and `while`, with their subgraphs inlined.

A recursive function is a recursive function of the plan. A loop updates arrays that it carries in
place, where `ownership` permits it.
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.counting import Counting, counting
from runtime.engines.ownership import is_read_as_list, owned_list, taken_over
from runtime.engines.printer import (
    DEEPEST,
    LONGEST,
    Kind,
    Line,
    Printer,
    Recursive,
    Step,
    kind_of,
    kind_of_spec,
)
from runtime.engines.ranges import Range


def branch(printer: Printer, op: Operation) -> bool:
    """Emit `if`: each branch assigns its outputs to the same names."""
    if printer.depth > DEEPEST:
        return False
    pred, *captured = op.inputs
    names, kinds = _results(printer, op)
    condition, step = printer.moved(pred, printer.condition(pred))
    printer.line(f"if {condition}:", step or Step(op, None))
    _arm(printer, op.attrs["then_branch"], captured, names, kinds)
    before = len(printer.lines)
    printer.line("else:")
    if not _arm(printer, op.attrs["else_branch"], captured, names, kinds):
        del printer.lines[before:]
    for tensor, name, kind in zip(op.outputs, names, kinds, strict=True):
        printer.define(tensor, name, kind)
    return True


def numbered_branches(printer: Printer, op: Operation) -> bool:
    """Emit `if`, `elif`, ..., `else`; the last branch also handles indices out of range."""
    index, *captured = op.inputs
    graphs = op.subgraphs()
    fits = printer.depth <= DEEPEST and 1 < len(graphs) <= LONGEST
    if not fits or kind_of(index) is not Kind.INTEGER:
        return False
    number = printer.integer(index)
    names, kinds = _results(printer, op)
    for i, graph in enumerate(graphs):
        word = "elif" if i else "if"
        step = None if i else Step(op, None)
        printer.line(f"{word} {number} == {i}:" if i < len(graphs) - 1 else "else:", step)
        _arm(printer, graph, captured, names, kinds)
    for tensor, name, kind in zip(op.outputs, names, kinds, strict=True):
        printer.define(tensor, name, kind)
    return True


def _results(printer: Printer, op: Operation) -> tuple[list[str], list[Kind]]:
    """Return the names and kinds of the results of branches."""
    results = [_result(printer, tensor) for tensor in op.outputs]
    return [name for name, _ in results], [kind for _, kind in results]


def _result(printer: Printer, tensor: SymbolicTensor) -> tuple[str, Kind]:
    """Return a new name, or that of the array or list that is updated, and the kind."""
    source = printer.in_place.get(id(tensor))
    if source is None:
        return printer.new_name(tensor.op.name), kind_of(tensor)
    listed = printer.find(source, Kind.LIST)
    return (printer.array(source), kind_of(tensor)) if listed is None else (listed, Kind.LIST)


def _arm(
    printer: Printer,
    graph: Graph,
    captured: list[SymbolicTensor],
    names: list[str],
    kinds: list[Kind],
) -> bool:
    """Emit one branch; return True if it has a statement."""
    start = len(printer.lines)
    with printer.block():
        for inner, outer in zip(graph.inputs, captured, strict=True):
            printer.alias(inner, outer)
        printer.wanted.update(zip(map(id, graph.outputs), names, strict=True))
        printer.body(graph)
        for name, tensor, kind in zip(names, graph.outputs, kinds, strict=True):
            value = printer.as_kind(tensor, kind)
            if value != name:
                printer.line(f"{name} = {value}")
        does_something = len(printer.lines) > start
        if not does_something:
            printer.line("pass")
    return does_something


def loop(printer: Printer, op: Operation) -> bool:
    """Emit `while` or `for`: a carried variable keeps one name in the loop and after it."""
    if printer.depth > DEEPEST:
        return False
    test, body, count = op.attrs["cond"], op.attrs["body"], op.attrs["count"]
    counted, around = counting(op), dict(printer.in_place)
    lists = _own_lists(printer, op)
    kinds = [Kind.LIST if i in lists else _carried_kind(printer, op, i) for i in range(count)]
    starts = [lists.get(i) or printer.as_kind(op.inputs[i], kinds[i]) for i in range(count)]
    names = list(starts)
    for i, tensor in enumerate(body.inputs[:count]):
        if id(op.inputs[i]) in printer.filled:
            printer.filled.update((id(tensor), id(op.outputs[i])))
            continue
        if id(op.outputs[i]) in printer.in_place or i in lists:
            continue
        names[i] = printer.new_name(tensor.op.name)
        if updated := taken_over(op, i):
            printer.in_place.update(updated)
            printer.line(f"{names[i]} = {starts[i]}.copy()")
        elif counted is None or counted.place != i:
            printer.line(f"{names[i]} = {starts[i]}")
    for part in (test, body):
        for inner, outer in zip(part.inputs[count:], op.inputs[count:], strict=True):
            if printer.find(outer, Kind.LIST) is None:
                # Once before the loop, not in each iteration.
                printer.as_kind(outer, kind_of(outer))
            printer.alias(inner, outer)
    first = len(printer.lines)
    if counted is not None:
        _counted_rounds(printer, op, counted, names, starts, kinds)
    else:
        with printer.block():
            for part in (test, body):
                for tensor, name, kind in zip(part.inputs[:count], names, kinds, strict=True):
                    printer.define(tensor, name, kind)
            printer.body(test)
            _head(printer, op, first, printer.condition(test.outputs[0]))
            printer.body(body)
            _next_round(printer, body, names, kinds, first)
    printer.in_place = around
    for i, (tensor, name, kind) in enumerate(zip(op.outputs, names, kinds, strict=True)):
        printer.define(tensor, name, kind)
        if i in lists and not is_read_as_list(tensor):
            printer.array(tensor)  # once, not in each iteration of a later loop
    return True


def _own_lists(printer: Printer, op: Operation) -> dict[int, str]:
    """Emit the lists that a loop owns, but for those of a loop around it; return their names."""
    names = {}
    for i, start in enumerate(op.inputs[: op.attrs["count"]]):
        is_new = id(op.outputs[i]) not in printer.in_place and id(start) not in printer.filled
        owned = owned_list(op, i) if is_new else None
        if owned is not None:
            names[i] = printer.new_name(op.attrs["body"].inputs[i].op.name)
            _own(printer, start, owned.entry, names[i])
            printer.in_place.update(owned.before)
    return names


def _own(printer: Printer, tensor: SymbolicTensor, entry: TensorSpec, name: str) -> None:
    """Emit a list of Python, with a name, of the entries of a list."""
    printer.entries[name] = entry
    held, op = printer.find(tensor, Kind.LIST), tensor.op
    if held is not None:
        text = f"{held}.copy()"
    elif op.definition.emit is Emit.NEW_LIST and static_value(op.inputs[0]) == 0:
        printer.moved(tensor, printer.array(tensor))
        text = "[]"
    else:
        method = "arrays" if kind_of_spec(entry) is Kind.ARRAY else "numbers"
        text = f"{printer.array(tensor)}.{method}({printer.not_written(name)})"
    printer.line(f"{name} = {text}")


def _carried_kind(printer: Printer, op: Operation, place: int) -> Kind:
    start = op.inputs[place]
    is_listed = printer.find(start, Kind.LIST) is not None
    in_place = id(op.outputs[place]) in printer.in_place
    return Kind.LIST if is_listed and in_place else kind_of(op.attrs["body"].inputs[place])


def _counted_rounds(
    printer: Printer,
    op: Operation,
    counted: Counting,
    names: list[str],
    starts: list[str],
    kinds: list[Kind],
) -> None:
    """Emit `for`, which counts without a test and without a check for overflow."""
    body, place = op.attrs["body"], counted.place
    limit = counted.limit if isinstance(counted.limit, int) else printer.integer(counted.limit)
    start = "" if starts[place] == "0" else f"{starts[place]}, "
    printer.line(f"for {names[place]} in range({start}{limit}):", Step(op, None))
    first = len(printer.lines) - 1
    with printer.block():
        for tensor, name, kind in zip(body.inputs, names, kinds, strict=False):
            printer.define(tensor, name, kind)
        values = _between(printer, op.inputs[place], counted.limit)
        printer.define(body.inputs[place], names[place], kinds[place], values)
        if not counted.is_read:
            printer.left_out.add(id(counted.step))
        _rows_to_write(printer, body, names)
        printer.body(body)
        printer.define(body.outputs[place], names[place], kinds[place])
        _next_round(printer, body, names, kinds, first)
    if printer.liveness.is_read(op.outputs[place]):
        printer.line(f"{names[place]} = max({starts[place]}, {limit})")


def _between(printer: Printer, start: SymbolicTensor, limit: int | SymbolicTensor) -> Range:
    """Return the range of a counter in a loop."""
    least = printer.range_of(start).least
    most = limit if isinstance(limit, int) else printer.range_of(limit).most
    return Range(least, max(least, most - 1))


def _rows_to_write(printer: Printer, body: Graph, names: list[str]) -> None:
    """Compute the entry of an iteration in the array that represents a list, if possible."""
    for tensor, name in zip(body.inputs, names, strict=False):
        if id(tensor) in printer.filled:
            put = tensor.consumers()[0]
            item = put.inputs[2]
            if item.op.graph is body and item.spec.dims:
                printer.rows[id(item)] = f"{name}[{printer.integer(put.inputs[1])}]"


def _head(printer: Printer, op: Operation, first: int, condition: str) -> None:
    """Emit the `while` line; a test of one statement is inlined into it."""
    tested = printer.lines[first:]
    step, head = Step(op, None), "while True:"
    if not tested:
        head = f"while {condition}:"
    elif len(tested) == 1 and tested[0].code.startswith(f"{condition} = "):
        head = f"while {tested[0].code.removeprefix(f'{condition} = ')}:"
        step = tested[0].step or step
        del printer.lines[first:]
    else:
        printer.line(f"if not {condition}: break", step)
    printer.lines.insert(first, Line(printer.depth - 1, head, step))


def _next_round(
    printer: Printer, body: Graph, names: list[str], kinds: list[Kind], first: int
) -> None:
    values = [printer.as_kind(t, k) for t, k in zip(body.outputs, kinds, strict=True)]
    changed = [(name, value) for name, value in zip(names, values, strict=True) if name != value]
    if changed:
        left, right = zip(*changed, strict=True)
        printer.line(f"{', '.join(left)} = {', '.join(right)}")
    if len(printer.lines) == first + 1:
        printer.line("pass")


def recursion(printer: Printer, op: Operation) -> bool:
    """Emit functions before the current one, and a call of the first."""
    graphs, callees = op.subgraphs(), op.attrs["callees"]
    for graph, callee in zip(graphs, callees, strict=True):
        takes = tuple(map(kind_of, graph.inputs))
        gives = tuple(map(kind_of, graph.outputs))
        printer.recursive[callee] = Recursive(printer.new_function(graph.name), takes, gives)
    for graph, callee in zip(graphs, callees, strict=True):
        function = printer.recursive[callee]
        with printer.function():
            printer.head(function.name, graph, function.takes)
            with printer.block():
                printer.body(graph)
                printer.give_back(graph, function.gives)
    _call(printer, op, printer.recursive[callees[0]])
    return True


def recur(printer: Printer, op: Operation) -> bool:
    """Emit a call of the function inside itself."""
    _call(printer, op, printer.callee(op.attrs["callee"]))
    return True


def _call(printer: Printer, op: Operation, function: Recursive) -> None:
    given = zip(op.inputs, function.takes, strict=True)
    words = ", ".join([printer.as_kind(tensor, kind) for tensor, kind in given])
    printer.results(op, f"{function.name}({words})", function.gives, Step(op, None))
