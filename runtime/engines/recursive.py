"""Emit recursive functions as recursive functions of the plan."""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.engines.printer import Printer, Recursive, Step, kind_of


def recursion(printer: Printer, op: Operation) -> bool:
    """Emit functions before the current one, and a call of the first."""
    graphs, callees = op.subgraphs(), op.attrs["callees"]
    for graph, callee in zip(graphs, callees, strict=True):
        takes = tuple(map(kind_of, graph.inputs))
        gives = tuple(map(kind_of, graph.outputs))
        printer.recursive[callee] = Recursive(printer.new_function(graph.name), takes, gives)
    for graph, callee in zip(graphs, callees, strict=True):
        with printer.function():
            _print(printer, graph, printer.recursive[callee])
    _call(printer, op, printer.recursive[callees[0]])
    return True


def _print(printer: Printer, graph: Graph, function: Recursive) -> None:
    names = [printer.new_name(tensor.op.name) for tensor in graph.inputs]
    for tensor, name, kind in zip(graph.inputs, names, function.takes, strict=True):
        printer.define(tensor, name, kind)
    printer.line(f"def {function.name}({', '.join(names)}):")
    with printer.block():
        printer.body(graph)
        results = zip(graph.outputs, function.gives, strict=True)
        words = [printer.as_kind(tensor, kind) for tensor, kind in results]
        printer.line(f"return ({', '.join(words)}{',' * (len(words) == 1)})")


def recur(printer: Printer, op: Operation) -> bool:
    """Emit a call of the function inside itself."""
    _call(printer, op, printer.callee(op.attrs["callee"]))
    return True


def _call(printer: Printer, op: Operation, function: Recursive) -> None:
    given = zip(op.inputs, function.takes, strict=True)
    words = ", ".join([printer.as_kind(tensor, kind) for tensor, kind in given])
    names = [printer.new_name(op.name) for _ in op.outputs]
    targets = f"{', '.join(names)}{',' * (len(names) == 1)} = " if names else ""
    printer.line(f"{targets}{function.name}({words})", Step(op, None))
    for tensor, name, kind in zip(op.outputs, names, function.gives, strict=True):
        printer.define(tensor, name, kind)
