"""Lower a graph to calls of JAX while JAX traces them.

Kernels are functions of an array namespace, so most operations lower themselves: their kernels run
with `jax.numpy`. A kernel whose operands are known runs with NumPy instead, so shapes and indices
that the graph computes from shapes stay known.

A kernel that checks its operands asks whether `any` or `all` elements of an array have a property.
The answer is not known during the trace: the lowering assumes that the check passes, and the code
computes whether it does. If not, the plan runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from runtime.core.aliases import Array
from runtime.core.graph import Graph
from runtime.core.opdef import Control, Effect, Emit, Overflow, Reads
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.structural import PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.counting import counting
from runtime.engines.limits import LARGEST_CONSTANT, Unsupported
from runtime.engines.xla import lists, rules
from runtime.engines.xla.lists import Rows, pushes
from runtime.engines.xla.scope import Rule, Scope, Value


def is_known(value: Value) -> bool:
    """Return whether a value is known during the trace."""
    return isinstance(value, (np.ndarray, np.generic))


def as_array(value: Value, tensor: SymbolicTensor) -> Value:
    """Return a value as JAX carries it, in the dtype of its tensor."""
    if isinstance(value, Rows) or value is None:
        return value
    return jnp.asarray(value, dtype=tensor.spec.dtype.numpy_dtype)


class Lowering(Scope):
    """Lowers graphs to one function."""

    # ---- graphs ----

    def graph(self, graph: Graph, operands: Sequence[Value]) -> list[Value]:
        """Lower the operations of a graph; return its outputs. Raises Unsupported."""
        values = dict(zip(map(id, graph.inputs), operands, strict=True))
        self.values.append(values)
        try:
            for op in graph.operations:
                if op.definition is not PLACEHOLDER:
                    values.update(zip(map(id, op.outputs), self._results(op), strict=True))
            return [values[id(tensor)] for tensor in graph.outputs]
        finally:
            self.values.pop()

    def _results(self, op: Operation) -> Sequence[Value]:
        try:
            with jax.named_scope(op.type), np.errstate(all="ignore"):
                results = self._computed(op, [self.value(tensor) for tensor in op.inputs])
                several = op.definition.outputs != 1
                return [
                    self._checked(value, tensor)
                    for value, tensor in zip(
                        results if several else [results], op.outputs, strict=True
                    )
                ]
        except Exception as error:  # of a kernel that needs values, of JAX, or of the program
            raise _refusal(op, error) from error

    def _computed(self, op: Operation, values: Sequence[Value]) -> Any:
        definition = op.definition
        if definition.control is not None:
            if definition.control not in _CONTROL:
                raise Unsupported("it has no code")
            return _CONTROL[definition.control](self, op, values)
        rule = _rule_for(op)
        if rule is not None:
            return rule(self, op, values)
        if op.effect is not Effect.NONE or definition.boxed or any(v is None for v in values):
            raise Unsupported("it has an effect, or takes or returns what is no number")
        if definition.reads is not Reads.VALUES:
            values = [np.broadcast_to(np.zeros((), v.dtype), v.shape) for v in values]
        small = all((element_count(t.spec.dims) or 0) <= LARGEST_CONSTANT for t in op.outputs)
        xp = np if small and all(map(is_known, values)) else _Checking(self)
        return definition.kernel(xp, *values, **op.attrs)

    def _checked(self, value: Any, tensor: SymbolicTensor) -> Value:
        """Return a result; its dtype and rank must be those of the kernel with NumPy."""
        if isinstance(value, Rows):
            return value
        if isinstance(value, _Answer):
            value = value.array
        if not isinstance(value, (np.ndarray, np.generic, jax.Array)):
            raise Unsupported("its result is no array")
        if value.dtype != tensor.spec.dtype.numpy_dtype:
            raise Unsupported("JAX promotes its result")
        return value

    # ---- branches and loops ----

    def _apart(self, graph: Graph, operands: Sequence[Value]) -> tuple[list[Value], Any]:
        """Lower a graph; return its outputs as JAX carries them, and its failure."""
        outer, self.failed = self.failed, False
        try:
            outputs = self.graph(graph, operands)
            return list(map(as_array, outputs, graph.outputs)), self.failed
        finally:
            self.failed = outer

    def branch(self, op: Operation, values: Sequence[Value]) -> list[Value]:
        """Lower an `if`."""
        test, *captured = values
        if np.ndim(test) or test.dtype != bool:
            raise Unsupported("a condition that is no truth value")
        graphs: list[Graph] = [op.attrs["else_branch"], op.attrs["then_branch"]]
        if is_known(test):
            return self.graph(graphs[bool(test)], captured)
        return self._switch(test.astype("int32"), graphs, captured)

    def case(self, op: Operation, values: Sequence[Value]) -> list[Value]:
        """Lower a choice by number; one out of range is the last one."""
        index, *captured = values
        graphs = list(op.subgraphs())
        if np.ndim(index):
            raise Unsupported("a number of a branch that is no scalar")
        inside = (index >= 0) & (index < len(graphs))
        where = (np if is_known(index) else jnp).where(inside, index, len(graphs) - 1)
        if is_known(index):
            return self.graph(graphs[int(where)], captured)
        return self._switch(where.astype("int32"), graphs, captured)

    def _switch(
        self, index: Array, graphs: Sequence[Graph], captured: Sequence[Value]
    ) -> list[Value]:
        def function(graph: Graph) -> Callable[[], Any]:
            def run() -> Any:
                outputs, failed = self._apart(graph, captured)
                return outputs, jnp.asarray(failed)

            return run

        outputs, failed = lax.switch(index, list(map(function, graphs)))
        self.fail_if(failed)
        return list(outputs)

    def loop(self, op: Operation, values: Sequence[Value]) -> list[Value]:
        """Lower a loop. What may fail in its test runs at the end of an iteration."""
        count, test, body = op.attrs["count"], op.attrs["cond"], op.attrs["body"]
        captured = values[count:]
        state = list(map(as_array, values[:count], body.inputs[:count]))
        if any(value is None for value in state):
            raise Unsupported("a loop that carries a resource")
        sizes = self._grow(op, values, state)

        def holds(state: Sequence[Value]) -> tuple[Any, Any]:
            (result,), failed = self._apart(test, [*state, *captured])
            return result, failed

        def step(state: Sequence[Value]) -> tuple[list[Value], Any]:
            return self._apart(body, [*state, *captured])

        state, may_fail = self._probed(state, holds, step)
        if not may_fail:
            results = lax.while_loop(lambda s: holds(s)[0], lambda s: step(s)[0], state)
            return _with_sizes(results, sizes)

        def following(carried: Any) -> Any:
            state, failed = step(carried[0])
            again, wrong = holds(state)
            failed = jnp.asarray(failed) | wrong
            return state, again & ~failed, failed

        again, wrong = holds(state)
        begin = (state, again & ~jnp.asarray(wrong), jnp.asarray(wrong))
        results, _, failed = lax.while_loop(lambda carried: carried[1], following, begin)
        self.fail_if(failed)
        return _with_sizes(results, sizes)

    def _grow(self, op: Operation, values: Sequence[Value], state: list[Value]) -> dict[int, int]:
        """Make room in the lists to which a counted loop appends; return their final lengths."""
        sizes: dict[int, int] = {}
        counted = counting(op)
        if counted is None:
            return sizes
        start, limit = values[counted.place], counted.limit
        if not isinstance(limit, int):
            limit = self.value(limit)
        if not is_known(start) or not isinstance(limit, int | np.ndarray | np.generic):
            return sizes
        rounds = max(0, int(limit) - int(start))
        for place, value in enumerate(state):
            more = pushes(op.attrs["body"], place) if isinstance(value, Rows) else None
            if more:
                sizes[place] = value.known_size + more * rounds
                state[place] = value.growing(more * rounds)
        return sizes

    def _probed(
        self, state: list[Value], holds: Callable[..., Any], step: Callable[..., Any]
    ) -> tuple[list[Value], bool]:
        """Return the state with storage for the lists that the body fills, and whether a round may
        fail.
        """
        may_fail = False

        def probe(state: list[Value]) -> list[Value]:
            nonlocal may_fail
            _, wrong = holds(state)
            after: list[Value]
            after, failed = step(state)
            may_fail = wrong is not False or failed is not False
            return after

        while True:
            after = jax.eval_shape(probe, state)
            pairs = list(zip(state, after, strict=True))
            lacking = [isinstance(value, Rows) and value.lacks(end) for value, end in pairs]
            if not any(lacking):
                return state, may_fail
            state = [
                value.with_storage_of(end) if lacks else value
                for (value, end), lacks in zip(pairs, lacking, strict=True)
            ]

    def call(self, op: Operation, values: Sequence[Value]) -> list[Value]:
        """Lower a call."""
        graph: Graph = op.attrs["f"]
        return self.graph(graph, values)


def _refusal(op: Operation, error: Exception) -> Unsupported:
    """Return the reason why an operation has no code; the innermost one names its line."""
    if isinstance(error, Unsupported) and error.op is not None:
        error.op = op
        return error
    text = (str(error).strip() or type(error).__name__).splitlines()[0]
    reason = Unsupported(f"the operation {op.type}{f' at {op.place}' if op.place else ''}: {text}")
    reason.op = op
    return reason


def _rule_for(op: Operation) -> Rule | None:
    rule, python = RULES.get(op.definition.emit), op.definition.python
    if rule is not None or python is None:
        return rule
    usual = rules.checked_integers if python.overflow is Overflow.RAISES else None
    return rules.OPERATORS.get((python.text, python.undefined), usual)


def _with_sizes(results: Sequence[Value], sizes: Mapping[int, int]) -> list[Value]:
    """Return the results of a loop, where the lengths of some lists are known."""
    return [
        Rows(value.rows, value.room, sizes[place], value.inner) if place in sizes else value
        for place, value in enumerate(results)
    ]


class _Checking:
    """`jax.numpy`, whose `any`, `all` and `count_nonzero` may be asked for their truth."""

    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, name)

    def any(self, *args: Array, **words: object) -> Any:
        return _Answer(self._lowering, jnp.any(*args, **words), False)

    def all(self, *args: Array, **words: object) -> Any:
        return _Answer(self._lowering, jnp.all(*args, **words), True)

    def argsort(self, x: Array, axis: int = -1, kind: str = "stable") -> Any:
        return jnp.argsort(x, axis=axis, stable=True)

    def take(self, x: Array, indices: Array, axis: int | None = None) -> Any:
        return jnp.take(x, jnp.asarray(indices), axis=axis)

    def count_nonzero(self, *args: Array, **words: object) -> Any:
        return _Answer(self._lowering, jnp.count_nonzero(*args, **words), False)


class _Answer:
    """An array of which a kernel may ask whether it is true: the lowering assumes the usual answer.

    Attributes:
      array: the array.
    """

    def __init__(self, lowering: Lowering, array: Array, usual: bool) -> None:
        self.array = array
        self._lowering = lowering
        self._usual = usual

    def __bool__(self) -> bool:
        self._lowering.fail_if((self.array != 0) != self._usual)
        return self._usual

    def __jax_array__(self) -> Any:
        return self.array

    def __getattr__(self, name: str) -> Any:
        return getattr(self.array, name)


_CONTROL: dict[Control, Callable[[Lowering, Operation, Sequence[Value]], Sequence[Value]]] = {
    Control.IF: Lowering.branch,
    Control.CASE: Lowering.case,
    Control.WHILE: Lowering.loop,
    Control.CALL: Lowering.call,
}

RULES: dict[Emit | None, Rule] = {**rules.BY_EMIT, **lists.RULES}
