"""Run graphs as plans whose loops are compiled where possible.

The plan keeps each loop as Python, too, and runs it where the compiled one reports a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.engines import nesting, plan
from runtime.engines.emit import rule_for as plan_rule_for
from runtime.engines.native.boundary import LoopFunction
from runtime.engines.native.numbers import Unsupported
from runtime.engines.printer import DEEPEST, Kind, Printer, Rule, Step, kind_of


def executable(graph: Graph) -> Callable[..., tuple[Any, ...]]:
    """Return a function from input arrays to output arrays; see `plan.executable`."""
    return plan.executable(graph, rule_for)


def source(graph: Graph) -> str:
    """Return the source text of the plan, with the calls of compiled loops."""
    return plan.source(graph, rule_for)


def rule_for(op: Operation) -> Rule | None:
    """Return the emit rule of an operation; None: call its kernel."""
    return loop if op.definition.control is Control.WHILE else plan_rule_for(op)


def loop(printer: Printer, op: Operation) -> bool:
    """Emit a call of the compiled loop, and the loop in Python for where that fails."""
    compiled = None if printer.depth >= DEEPEST else _compiled(printer, op)
    if compiled is None:
        return nesting.loop(printer, op)
    copies: dict[int, str] = {}
    arguments = [_argument(printer, t, compiled, copies) for t in compiled.inputs]
    function = printer.bind(f"{op.name}_native", compiled.call)
    found = printer.new_name(f"{op.name}_results")
    printer.line(f"{found} = {function}({', '.join(arguments)})", Step(op, None))
    results = _results(printer, op, copies)
    printer.line(f"if {found} is False:")
    with printer.block(), printer.using(plan_rule_for):
        nesting.loop(printer, op)
        values = (printer.as_kind(t, kind_of(t)) for t, _ in results)
        _assign(printer, [name for _, name in results], list(values))
    printer.line("else:")
    with printer.block():
        _unpack(printer, found, results)
    for tensor, name in results:
        printer.define(tensor, name, kind_of(tensor))
    return True


def _compiled(printer: Printer, op: Operation) -> LoopFunction | None:
    if any(id(tensor) in printer.filled for tensor in op.inputs):
        return None
    try:
        return LoopFunction(op)
    except Unsupported as reason:
        printer.notes.append(f"{op.name} runs as Python: {reason}")
        return None


def _argument(
    printer: Printer, tensor: SymbolicTensor, compiled: LoopFunction, copies: dict[int, str]
) -> str:
    """Return the expression of an argument; arrays that the loop writes to are copied."""
    if tensor.spec.dims == ():
        held = printer.as_kind(tensor, kind_of(tensor))
        return f"int({held})" if tensor.spec.dtype is dtypes.uint64 else held
    held = printer.array(tensor)
    if not any(tensor is other for other in compiled.writes):
        return f"np.ascontiguousarray({held})"
    name = copies[id(tensor)] = printer.new_name(tensor.op.name)
    printer.line(f"{name} = np.array({held}, order='C')")
    return name


def _results(
    printer: Printer, op: Operation, copies: dict[int, str]
) -> list[tuple[SymbolicTensor, str]]:
    """Return the outputs of the loop that it changes, with their names."""
    named = []
    for start, tensor in zip(op.inputs, op.outputs, strict=False):
        if tensor.spec.dims == ():
            named.append((tensor, printer.new_name(tensor.op.name)))
        elif id(start) in copies:
            named.append((tensor, copies[id(start)]))
        else:
            printer.alias(tensor, start)
    return named


def _unpack(printer: Printer, found: str, results: list[tuple[SymbolicTensor, str]]) -> None:
    """Emit the assignment of the scalars; floating-point numbers get their dtype."""
    scalars = [(tensor, name) for tensor, name in results if tensor.spec.dims == ()]
    if not scalars:
        printer.line("pass")
        return
    names = [name for _, name in scalars]
    printer.line(f"{', '.join(names)}{',' * (len(names) == 1)} = {found}")
    for tensor, name in scalars:
        if kind_of(tensor) is Kind.ARRAY:
            printer.line(f"{name} = {tensor.spec.dtype.name}({name})")


def _assign(printer: Printer, names: list[str], values: list[str]) -> None:
    if names:
        printer.line(f"{', '.join(names)} = {', '.join(values)}")
