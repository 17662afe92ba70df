"""Parts of a graph that a compiler takes: each becomes a call of a graph of its own.

Before:  a = x @ y; b = a + z; print(b)       After:  b = PartitionedCall(x, y, z: both); print(b)

A part is a sequence of operations that all compile. Reads of variables do not end a part:
they move before it, since nothing in the part changes variables.

The body of a loop that does not compile has parts, too, if a call of a part costs little: sequences
of elementwise operations on arrays. Other operations stay where the plan finds its patterns: the
counter of a loop, updates in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from runtime.core.graph import Graph
from runtime.core.opdef import Control, Effect, Emit
from runtime.core.operation import Operation
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.limits import LARGEST_CONSTANT, TooLong, Unsupported
from runtime.passes.rewriting import Rewriting

_FEWEST = 16
"""Least weight of a part: Python runs one computation on arrays, or a dozen on numbers, as fast."""

_OF_ARRAYS = 8
"""Weight of a computation on arrays; one on numbers weighs 1."""

_FEWEST_IN_LOOPS = 4 * _OF_ARRAYS
"""Least weight of a part of a loop: three computations on small arrays take as long as a call."""

_VIEWS = frozenset({
    Emit.CONSTANT, Emit.ALIAS, Emit.RESHAPE, Emit.TRANSPOSE, Emit.NEW_AXIS, Emit.SQUEEZE,
    Emit.SLICE, Emit.SHAPE, Emit.SIZE, Emit.ROW, Emit.PARTS, Emit.ROWS,
})  # fmt: skip
"""Computations that move no elements."""


_RAISING = (
    Emit.ASSERT, Emit.RAISE, Emit.POSITION, Emit.FUNCTION, Emit.LEFT_SHIFT, Emit.RIGHT_SHIFT,
)  # fmt: skip
"""Computations with no other effect than that they may raise."""


class Code(Protocol):
    """A compiled graph.

    Attributes:
      places: the positions of the inputs of the graph that it takes.
      call: takes scalars as Python or NumPy numbers and arrays in C order; returns a tuple of the
        outputs, scalars as Python numbers, or False where the plan would raise. Raises ValueError
        if an array is not in C order.
      makes_new: whether the caller may change the arrays among the outputs.
      checks_shapes: whether `call` raises ValueError for an array of another shape than its input.
    """

    places: list[int]
    makes_new: bool
    checks_shapes: bool

    @property
    def call(self) -> Callable[..., Any]:
        """Run the code."""


Compiler = Callable[[Graph], Code]
"""Compiles a graph. Raises Unsupported."""


@dataclass
class Divided:
    """A graph whose parts are calls.

    Attributes:
      graph: the graph.
      compiler: compiles the parts.
      takes: whether an operation can be in a part.
      in_loops: whether bodies of loops that do not compile have parts.
      fewest: least weight of a part.
      functions: the code of the parts, by the id of their graphs.
      loops: the code of loops that are no part, by the id of the operation.
      reasons: why operations are in no part, by the id of the operation.
    """

    graph: Graph
    compiler: Compiler
    takes: Callable[[Operation], bool]
    in_loops: bool = False
    fewest: int = _FEWEST
    functions: dict[int, Code] = field(default_factory=dict)
    loops: dict[int, Code] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)


def has_no_effect(op: Operation) -> bool:
    """Return whether an operation has no effect, except that it may raise."""
    if op.subgraphs():
        return all(has_no_effect(inner) for graph in op.subgraphs() for inner in graph.operations)
    return op.definition.emit in _RAISING or op.definition.effect is Effect.NONE


def divided(
    graph: Graph,
    compiler: Compiler,
    takes: Callable[[Operation], bool] = has_no_effect,
    in_loops: bool = False,
) -> Divided:
    """Compile the parts of a graph, and replace them by calls.

    `takes` tells whether an operation without effect can be in a part; with `in_loops`, bodies of
    loops that do not compile have parts.
    """
    return _divide(Divided(graph, compiler, takes, in_loops))


def _divide(result: Divided) -> Divided:
    rewriting = Rewriting(result.graph)
    for members in _sequences(result.graph, result.takes):
        _compile(result, rewriting, members)
    result.graph = rewriting.finish()
    return result


# ---- candidates ----


def _sequences(graph: Graph, takes: Callable[[Operation], bool]) -> Iterator[list[Operation]]:
    """Yield the operations in an order that keeps candidates for a part together."""
    members: list[Operation] = []
    for op in _with_late_lists(graph):
        is_early = op.definition in (PLACEHOLDER, CONST) or op.effect is Effect.READ
        before = (*op.control_inputs, *(tensor.op for tensor in op.inputs))
        if is_early and not any(other in members for other in before):
            yield [op]
        elif takes(op):
            members.append(op)
        else:
            if members:
                yield members
            members = [op]
            if not takes(op):
                yield members
                members = []
    if members:
        yield members


def _with_late_lists(graph: Graph) -> Iterator[Operation]:
    """Yield the operations; those that make a list come right before the first that reads it."""
    lists = [op for op in graph.operations if op.definition.emit is Emit.NEW_LIST]
    made = {id(op.outputs[0]): op for op in lists}
    for op in graph.operations:
        if op in lists:
            continue
        for tensor in op.inputs:
            if id(tensor) in made:
                yield made.pop(id(tensor))
        yield op
    yield from made.values()


def _weight(op: Operation) -> int:
    """Return the weight of the computations; that of a loop is `_FEWEST`."""
    if op.definition.control is Control.WHILE:
        return _FEWEST
    if op.subgraphs():
        return sum(_weight(inner) for graph in op.subgraphs() for inner in graph.operations)
    if op.definition is PLACEHOLDER or op.definition.emit is Emit.CONSTANT:
        return 0
    moves = op.definition.emit in _VIEWS
    read = op.outputs if moves else (*op.inputs, *op.outputs)
    if all(tensor.spec.dims == () for tensor in read):
        return 1
    return 0 if moves else _OF_ARRAYS


# ---- parts ----


class Part:
    """A graph of some operations of another one.

    Attributes:
      graph: the graph.
      inputs: the tensors outside that it takes.
      outputs: those of its tensors that others read.
      origins: the operations, by the id of their copies.
    """

    def __init__(self, members: Sequence[Operation]) -> None:
        """Copy the operations, and small constants that they read."""
        inside = set(map(id, members))
        outside = {id(t): t for op in members for t in op.inputs if id(t.op) not in inside}
        graph = members[0].graph
        read = {
            id(tensor) for op in graph.operations if id(op) not in inside for tensor in op.inputs
        } | set(map(id, graph.outputs))
        self.inputs = [tensor for tensor in outside.values() if not _is_small_constant(tensor)]
        self.outputs = [t for op in members for t in op.outputs if id(t) in read]
        name = Graph(f"compiled_{members[-1].name}".replace("/", "_"))
        name.inputs, name.outputs = self.inputs, self.outputs
        rewriting = Rewriting(name)
        constants = [tensor.op for tensor in outside.values() if _is_small_constant(tensor)]
        for op in (*constants, *members):
            for earlier in op.control_inputs:
                if id(earlier) not in inside:
                    rewriting.leave_out(earlier)
        for op in constants:
            rewriting.keep(op)
        for tensor in self.inputs:
            rewriting.replace_tensor(tensor, rewriting.argument(tensor))
        self.origins = {id(rewriting.keep(op)): op for op in members}
        self.graph = rewriting.finish()


def _is_small_constant(tensor: SymbolicTensor) -> bool:
    if tensor.op.definition is not CONST:
        return False
    return bool(tensor.op.attrs["value"].size <= LARGEST_CONSTANT)


def _compile(result: Divided, rewriting: Rewriting, members: list[Operation]) -> None:
    """Compile as many operations as possible; keep the others."""
    waiting, reasons = [members], dict[int, str]()
    while waiting:
        now = waiting.pop()
        is_alone = id(now[0]) in reasons
        if is_alone or not result.takes(now[0]) or sum(map(_weight, now)) < result.fewest:
            for op in now:
                new = _kept(result, rewriting, op)
                if is_alone:
                    result.reasons[id(new)] = reasons[id(op)]
            continue
        part = Part(now)
        try:
            function = result.compiler(part.graph)
        except TooLong as reason:
            at = now.index(part.origins[id(reason.op)])
            waiting += [now[at:], now[:at]]
            continue
        except Unsupported as reason:
            failed = part.origins.get(id(reason.op), now[-1])
            reasons[id(failed)] = str(reason)
            at = now.index(failed)
            waiting += [rest for rest in (now[at + 1 :], [failed], now[:at]) if rest]
            continue
        _call(result, rewriting, now, part, function)


def _kept(result: Divided, rewriting: Rewriting, op: Operation) -> Operation:
    """Keep an operation; compile a loop, or the parts of its body."""
    if op.definition.control is not Control.WHILE or not result.in_loops:
        return rewriting.keep(op)
    try:
        code = result.compiler(Part([op]).graph)
    except Unsupported:
        return _with_divided_body(result, rewriting, op)
    new = rewriting.keep(op)
    result.loops[id(new)] = code
    return new


def _with_divided_body(result: Divided, rewriting: Rewriting, op: Operation) -> Operation:
    def takes(inner: Operation) -> bool:
        return inner.definition.fusable and bool(inner.outputs[0].spec.dims) and result.takes(inner)

    parts = Divided(
        op.attrs["body"], result.compiler, takes, in_loops=True, fewest=_FEWEST_IN_LOOPS
    )
    body = _divide(parts)
    if not body.functions and not body.loops:
        return rewriting.keep(op)
    result.functions.update(body.functions)
    result.loops.update(body.loops)
    return rewriting.keep(op, {**op.attrs, "body": body.graph})


def _call(
    result: Divided,
    rewriting: Rewriting,
    members: Sequence[Operation],
    part: Part,
    function: Code,
) -> None:
    """Replace operations by a call of their part."""
    arguments = [rewriting.of(tensor) for tensor in part.inputs]
    call = rewriting.add("PartitionedCall", arguments, {"f": part.graph}, members[-1])
    for op in members:
        rewriting.drop(op)
    for old, new in zip(part.outputs, call.outputs, strict=True):
        rewriting.replace_tensor(old, new)
    result.functions[id(part.graph)] = function
