"""Plans whose parts a compiler takes where possible.

The plan keeps each part as Python, too, and runs it where the compiled one reports a failure.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Operation
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines import compiled, nesting, plan
from runtime.engines.limits import Unsupported
from runtime.engines.parts import Code, Compiler, Divided, Part, divided
from runtime.engines.plan import rule_for as plan_rule_for
from runtime.engines.printer import DEEPEST, Kind, Printer, Rule, Step, joined, kind_of


class Whole(NamedTuple):
    """The code of a graph that is one part.

    Attributes:
      code: the code.
      operands: the positions of its arguments among the inputs of the graph.
      order: the positions of the outputs of the graph among its results.
    """

    code: Code
    operands: list[int]
    order: list[int]


def executable(
    graph: Graph, compiler: Compiler, in_loops: bool = False
) -> Callable[..., tuple[Any, ...]]:
    """Return a function from input arrays to output arrays; see `plan.executable`.

    If one part is the whole graph, the function calls its code without the plan, which stays for
    where that fails. Its attribute `whole` then is this part, and `makes_new` says whether the
    caller may change the arrays that it returns.
    """
    parts = divided(graph, compiler, in_loops=in_loops)
    planned = plan.executable(parts.graph, functools.partial(rule_for, parts))
    whole = _whole(parts)
    if whole is None:
        return planned
    names: dict[str, Any] = {"run": whole.code.call, "planned": planned}
    results = []
    for place, tensor in zip(whole.order, graph.outputs, strict=True):
        is_scalar = tensor.spec.dims == ()
        names[f"kind{place}"] = tensor.spec.dtype.numpy_dtype.type
        results.append(f"kind{place}(found[{place}])" if is_scalar else f"found[{place}]")
    as_found = results == [f"found[{place}]" for place in range(len(results))]
    body = _CALL.replace("TAKEN", ", ".join([f"{{{place}}}" for place in whole.operands]))
    body = body.replace("FOUND", "found" if as_found else f"({', '.join(results)},)")
    call = compiled.of_feeds(len(graph.inputs), body, names)
    call.makes_new = whole.code.makes_new  # type: ignore[attr-defined]
    call.whole = whole  # type: ignore[attr-defined]
    return call


_CALL = """
    try:
        found = run(TAKEN)
    except ValueError:  # an array is not in C order
        found = False
    if found is False:
        return tuple([each.copy() for each in planned({feeds})])
    return FOUND
"""


def _whole(parts: Divided) -> Whole | None:
    """Return the code of a graph that is one part. None: something else is left to do."""
    graph = parts.graph
    calls = [op for op in graph.operations if op.definition not in (PLACEHOLDER, CONST)]
    if len(calls) != 1 or calls[0].definition.control is not Control.CALL:
        return None
    (call,) = calls
    code = parts.functions.get(id(call.attrs["f"]))
    results = list(map(id, call.outputs))
    if code is None or sorted(map(id, graph.outputs)) != sorted(results):
        return None
    places = {id(tensor): i for i, tensor in enumerate(graph.inputs)}
    taken = [call.inputs[place] for place in code.places]
    if not all(id(tensor) in places for tensor in taken):
        return None
    if any(tensor.spec.dims == () and tensor.spec.dtype in _PLAIN for tensor in taken):
        return None
    order = [results.index(id(tensor)) for tensor in graph.outputs]
    return Whole(code, [places[id(tensor)] for tensor in taken], order)


def with_parts(
    graph: Graph, compiler: Compiler, takes: Callable[[Operation], bool]
) -> Callable[..., tuple[Any, ...]]:
    """Compile only loops, and parts of operations for which `takes` is true, in loops, too."""
    parts = divided(graph, compiler, takes, in_loops=True)
    return plan.executable(parts.graph, functools.partial(rule_for, parts))


def source(graph: Graph, compiler: Compiler, in_loops: bool = False) -> str:
    """Return the source text of the plan, with the calls of compiled parts."""
    parts = divided(graph, compiler, in_loops=in_loops)
    return plan.source(parts.graph, functools.partial(rule_for, parts))


def rule_for(parts: Divided, op: Operation) -> Rule | None:
    """Return the emit rule of an operation; None: call its kernel."""
    if op.definition.control is Control.WHILE:
        return functools.partial(loop, parts)
    if op.definition.control is Control.CALL and id(op.attrs["f"]) in parts.functions:
        return functools.partial(part, parts.functions[id(op.attrs["f"])])
    rule, reason = plan_rule_for(op), parts.reasons.get(id(op))
    return rule if reason is None else functools.partial(_with_reason, reason, rule)


def _with_reason(reason: str, rule: Rule | None, printer: Printer, op: Operation) -> bool:
    printer.notes.append(f"{op.name} runs as Python: {reason}")
    return rule is not None and rule(printer, op)


def loop(parts: Divided, printer: Printer, op: Operation) -> bool:
    """Emit a call of a compiled loop, and the loop in Python for where that fails."""
    if printer.depth >= DEEPEST or any(id(tensor) in printer.filled for tensor in op.inputs):
        return nesting.loop(printer, op)
    try:
        found = Part([op])
        function = parts.loops.get(id(op)) or parts.compiler(found.graph)
    except Unsupported as alone:
        reason = parts.reasons.get(id(op), alone)  # that of the loop with what it reads
        printer.notes.append(f"{op.name} runs as Python: {reason}")
        return nesting.loop(printer, op)

    def python() -> Sequence[SymbolicTensor]:
        nesting.loop(printer, op)
        return found.outputs

    _call(printer, op, function, found.inputs, found.outputs, python)
    return True


def part(function: Code, printer: Printer, op: Operation) -> bool:
    """Emit a call of a compiled part, and its operations in Python for where that fails."""
    graph = op.attrs["f"]

    def python() -> Sequence[SymbolicTensor]:
        for inner, outer in zip(graph.inputs, op.inputs, strict=True):
            printer.alias(inner, outer)
        printer.body(graph)
        return graph.outputs  # type: ignore[no-any-return]

    _call(printer, op, function, op.inputs, op.outputs, python)
    return True


def _call(
    printer: Printer,
    op: Operation,
    function: Code,
    inputs: Sequence[SymbolicTensor],
    outputs: Sequence[SymbolicTensor],
    python: Callable[[], Sequence[SymbolicTensor]],
) -> None:
    """Emit a call, and a block of Python whose results replace those of the call if it fails."""
    taken = [inputs[place] for place in function.places]
    arguments = ", ".join([_argument(printer, tensor) for tensor in taken])
    found = printer.new_name(f"{op.name}_results")
    called = printer.bind(f"{op.name}_compiled", function.call)
    printer.line(f"{found} = {called}({arguments})", Step(op, None))
    names = [printer.new_name(tensor.op.name) for tensor in outputs]
    printer.line(f"if {found} is False:")
    with printer.block(), printer.using(plan_rule_for):
        results = python()
        values = [printer.as_kind(t, kind_of(t)) for t in results]
        printer.line(f"{', '.join(names)} = {', '.join(values)}" if names else "pass")
    printer.line("else:")
    with printer.block():
        _unpack(printer, found, names, outputs)
    for tensor, name in zip(outputs, names, strict=True):
        printer.define(tensor, name, kind_of(tensor))


def _argument(printer: Printer, tensor: SymbolicTensor) -> str:
    """Return the expression of an argument."""
    if tensor.spec.dims != ():
        return f"np.ascontiguousarray({printer.array(tensor)})"
    held = printer.as_kind(tensor, kind_of(tensor))
    function = _PLAIN.get(tensor.spec.dtype)
    return held if function is None else f"{function}({held})"


_PLAIN = {dtypes.uint64: "int", dtypes.complex64: "complex", dtypes.complex128: "complex"}
"""What makes a number of Python that compiled code takes of a scalar of NumPy that it does not."""


def _unpack(
    printer: Printer, found: str, names: Sequence[str], outputs: Sequence[SymbolicTensor]
) -> None:
    """Emit the assignment of the results; numbers get their dtype."""
    if not names:
        printer.line("pass")
        return
    printer.line(f"{joined(names)} = {found}")
    for tensor, name in zip(outputs, names, strict=True):
        if tensor.spec.dims == () and kind_of(tensor) is Kind.ARRAY:
            printer.line(f"{name} = {tensor.spec.dtype.name}({name})")
