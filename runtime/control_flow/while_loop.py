"""`while_loop`: apply a function to a state while a test holds.

Equals `state = init; while test(*state): state = body(*state)`.

The form of a variable may change in the first iterations: `acc = 0; acc += 0.5` makes it a float,
`x = concat([x, row], 0)` makes a dimension unknown. So the body is traced again with the join of
the forms before and after, until a fixpoint.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from autograph.staging import OptionalName
from runtime.control_flow.branches import join_variable
from runtime.control_flow.cond import staged_cond
from runtime.control_flow.gradients.loop_gradients import loop_backward
from runtime.control_flow.loop_variables import (
    as_growing,
    before_loop,
    grown,
    none_before,
    refusal,
    unsettled,
    with_invariants,
)
from runtime.control_flow.tracing import (
    Unsettled,
    as_now,
    control_op,
    inner_graph,
    is_seen,
    share_captures,
    surfacing,
)
from runtime.control_flow.truth import truth
from runtime.control_flow.values import forms, joins, layouts
from runtime.control_flow.values.forms import Form, Leaf, Stack
from runtime.control_flow.values.joins import Mismatch
from runtime.control_flow.values.tables import Tables
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.core.opdef import MIXED, Control
from runtime.core.places import user_line
from runtime.core.spec import Mixed, TensorSpec
from runtime.core.static import static_value
from runtime.core.structure import children, map_structure, ordered_like, rebuild
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.values import NUMBERS
from runtime.ops.effects.output import raise_when
from runtime.ops.items.selecting import where
from runtime.ops.math.arithmetic import add
from runtime.ops.math.elementwise import logical_not
from runtime.ops.math.logic import less, logical_and

State = tuple[Any, ...]

_ROUNDS = 8
_MOST_AHEAD = 3


def _infer(*inputs: Tensor, cond: Graph, body: Graph, count: int) -> tuple[TensorSpec, ...]:
    return tuple(tensor.spec for tensor in body.inputs[:count])


def _run(
    xp: object, *inputs: object, cond: Callable[..., Any], body: Callable[..., Any], count: int
) -> Any:
    state, captured = inputs[:count], inputs[count:]
    while cond(*state, *captured)[0]:
        state = body(*state, *captured)
    return state


WHILE, STATELESS_WHILE = (
    control_op(name, {"*input": MIXED}, _infer, _run, loop_backward, Control.WHILE)
    for name in ("While", "StatelessWhile")
)


@surfacing
def staged_while(
    test_fn: Callable[..., Any],
    body_fn: Callable[..., State],
    init: State,
    names: tuple[str, ...],
    options: Mapping[str, Any],
    ahead: int = 0,
    runs: bool = False,
) -> State:
    """Trace a loop and return the state after it.

    A variable may be None before the loop and a tensor after an iteration. It gets its value in an
    iteration peeled off the loop. A check ensures that the loop runs; or, if the program tests the
    variable for None, a branch selects between the iterations and none.

    Args:
      test_fn: maps the state to a value whose truth decides.
      body_fn: maps the state to the next state.
      init: the state before the loop: tensors, Python values, structures.
      names: the user's names of the entries.
      options: `maximum_iterations`, and `shape_invariants` as (value, shape) pairs or as a mapping
        from names to shapes; `accept`, a function that gets the inputs of the loop before it is
        recorded, and may raise; others are ignored.
      ahead: the number of peeled iterations.
      runs: whether it is known that there is an iteration.

    Raises:
      StagingError: if the form of a variable does not converge; names the variable.
    """
    limit = options.get("maximum_iterations")
    if limit is not None:
        return _limited(test_fn, body_fn, init, names, options, limit)
    carried = [before_loop(value) for value in init]
    carried = with_invariants(carried, init, names, options.get("shape_invariants"))
    loop = _Loop(test_fn, body_fn, init, names, options, ahead == _MOST_AHEAD, runs)
    try:
        return loop.recorded(carried)
    except Unsettled:
        return init
    except _NoneBefore as found:
        if ahead == _MOST_AHEAD:
            raise refusal(found.mismatch) from None
        none, grown_forms = found.mismatch.path, found.grown_forms
        joined = joins.join_or_none(none, found.mismatch.left, found.mismatch.right)
        decides = isinstance(none, OptionalName) or joined is not None
    # Lists that grow in the loop also grow in the peeled iteration.
    state = tuple(map(as_growing, grown_forms, init))
    if decides:

        def iterate() -> State:
            first = body_fn(*state)
            return staged_while(test_fn, body_fn, first, names, options, ahead + 1)

        return staged_cond(test_fn(*state), iterate, lambda: state, names, "while")
    first = _iteration_ahead(none, test_fn, body_fn, state)
    if first is None:
        return init
    return staged_while(test_fn, body_fn, first, names, options, ahead + 1)


class _NoneBefore(Exception):
    """A variable is None before the loop and something else after an iteration."""

    def __init__(self, mismatch: Mismatch, grown_forms: list[Form | None]) -> None:
        super().__init__(mismatch.path)
        self.mismatch = mismatch
        self.grown_forms = grown_forms


@dataclass(frozen=True)
class _Loop:
    """A loop; see `staged_while`.

    Attributes:
      settles: whether a variable that the program tests for None may be carried with a flag.
      tables: the number of variables, the first ones, that are `Tables`.
    """

    test: Callable[..., Any]
    body: Callable[..., State]
    init: State
    names: tuple[str, ...]
    options: Mapping[str, Any]
    settles: bool
    runs: bool
    tables: int = 0

    def recorded(self, carried: list[Form]) -> State:
        """Trace the body until the forms of the variables reach a fixpoint, from these on.

        Lists in a list are carried as one tensor if each iteration leaves them of one form.

        Raises: StagingError if there is no fixpoint.
        """
        try:
            return self._recorded_with(Tables(self.names, carried), carried)
        except _NoTables:
            pass
        before = carried
        for _ in range(_ROUNDS):
            body, values = self._traced(carried)
            with recording(body):
                after = [forms.form_of(value) for value in values]
            self._require_tables(carried, after)
            none = none_before(self.names, carried, after, self.settles)
            if none is not None:
                raise _NoneBefore(none, list(map(grown, carried, after)))
            settled = list(map(_joined, self.names, carried, after))
            try:
                return self._recorded_with(Tables(self.names, settled), settled)
            except _NoTables:
                pass
            if settled == carried:
                accept = self.options.get("accept")
                found = _recorded(self.test, body, carried, values, self.init, self.names, accept)
                if self.runs:
                    _unmix(found, after)
                return found
            before, carried = carried, settled
        raise unsettled(self.names, before, carried)

    def _traced(self, carried: list[Form]) -> tuple[Graph, State]:
        with inner_graph("while_body") as body:
            state = tuple(map(partial(layouts.loop_variable, body), self.names, carried))
            body.initial = _initial(state, self.init)
            return body, as_now(self.body(*state))

    def _recorded_with(self, tables: Tables, carried: list[Form]) -> State:
        """Record the loop with tables. Raises _NoTables if there are none."""
        if not tables:
            raise _NoTables
        loop = replace(
            self,
            test=lambda *state: self.test(*tables.parted(state)),
            body=lambda *state: tables.joined(as_now(self.body(*tables.parted(state)))),
            init=tables.joined(self.init),
            names=tables.names(self.names),
            tables=len(tables),
        )
        return tables.parted(loop.recorded(tables.forms(carried)))

    def _require_tables(self, carried: list[Form], after: list[Form]) -> None:
        for each in zip(self.names[: self.tables], carried, after, strict=False):
            if not isinstance(joins.join_or_none(*each), Stack):
                raise _NoTables


class _NoTables(Exception):
    """The loop has no tables: none of its lists are, or an iteration makes others of them."""


def _initial(arguments: State, init: State) -> dict[int, Tensor]:
    """Return the tensor before the loop of each argument of its body that is a tensor, by id."""
    pairs = zip(arguments, init, strict=True)
    return {id(own): value for own, value in pairs if issubclass(type(value), Tensor)}


def _unmix(state: State, after: list[Form]) -> None:
    """Mark variables as floats that are ints before the loop and floats after an iteration."""
    for value, form in zip(state, after, strict=True):
        # A value that must not be used refuses to be asked for its class.
        if not issubclass(type(value), SymbolicTensor) or type(value.weak) is not Mixed:
            continue
        if isinstance(form, Leaf) and form.spec.dtype.is_floating and type(form.weak) is not Mixed:
            value.weak = value.weak.value


def _joined(name: str, before: Form, after: Form) -> Form:
    """Return the form of a variable that a loop carries."""
    return join_variable(name, (before, after), refusal, "a staged loop")


def _recorded(
    test_fn: Callable[..., Any],
    body: Graph,
    carried: list[Form],
    values: State,
    init: State,
    names: tuple[str, ...],
    accept: Callable[[Sequence[Tensor]], None] | None,
) -> State:
    with recording(body):
        body.outputs = list(map(body.capture, layouts.all_tensors(carried, values)))
    body.following = dict(zip(map(id, body.inputs), body.outputs, strict=False))
    checks, body.awaiting = body.awaiting, []
    for check in checks:
        check()
    with inner_graph("while_cond") as test:
        state = map(partial(layouts.loop_variable, test), names, carried)
        (test_value,) = as_now((test_fn(*state),))
        test.outputs = [test.capture(truth(test_value))]
    captured = share_captures((test, body))
    start = layouts.all_tensors(carried, init)
    if accept is not None:
        accept((*start, *captured))
    seen = any(is_seen(op) for graph in (test, body) for op in graph.operations)
    definition = WHILE if seen else STATELESS_WHILE
    attrs = {"cond": test, "body": body, "count": len(start)}
    outputs = STATE.graph.record(definition, (*start, *captured), attrs, "while")
    return layouts.results(carried, outputs, init)


def _iteration_ahead(
    none: str, test_fn: Callable[..., Any], body_fn: Callable[..., State], init: State
) -> State | None:
    """Return the state after one peeled iteration; None if it is known that there is none."""
    test = truth(test_fn(*init))
    runs = static_value(test)
    if runs is not None:
        return body_fn(*init) if runs else None
    raise_when(
        logical_not(test),
        TypeError(
            f"`{none}` is still None after a loop that did not run once.{user_line()}\n"
            "A graph holds a tensor there, never None. Start with a tensor, or test before the "
            "loop whether there is anything to loop over."
        ),
    )
    graph: Graph = STATE.graph
    with graph.control_dependencies([graph.operations[-1]]):
        return body_fn(*init)


def _limited(
    test_fn: Callable[..., Any],
    body_fn: Callable[..., State],
    init: State,
    names: tuple[str, ...],
    options: Mapping[str, Any],
    limit: TensorLike,
) -> State:
    """Stage the loop with an iteration counter as an additional variable."""
    most = convert_to_tensor(limit)

    def test(count: object, *state: object) -> Tensor:
        return logical_and(less(count, most), truth(test_fn(*state)))

    def body(count: object, *state: object) -> State:
        return (add(count, 1), *body_fn(*state))

    rest = {key: value for key, value in options.items() if key != "maximum_iterations"}
    zero = where(less(most, 0), most, 0)
    return staged_while(test, body, (zero, *init), ("iteration", *names), rest)[1:]


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: object,
    shape_invariants: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: TensorLike | None = None,
    name: str | None = None,
) -> Any:
    """Repeat `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` holds.

    Args:
      cond: maps the variables to a bool scalar.
      body: maps the variables to their next values, in the same structure.
      loop_vars: a list, tuple or dict of tensors, TensorArrays and structures of them.
      shape_invariants: for each variable a shape that covers all its values; None: inferred.
      parallel_iterations, back_prop, swap_memory, name: ignored.
      maximum_iterations: int scalar, the maximum number of iterations.

    Returns: The variables after the loop, in the structure of `loop_vars`.

    Raises:
      TypeError: if the type of a variable changes; names the parameter of `body`.

    >>> i, total = while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + i), (0, 0))
    >>> print(total)
    tf.Tensor(3, shape=(), dtype=int32)
    """
    _check_arguments(cond, body, loop_vars, parallel_iterations, maximum_iterations)
    if isinstance(loop_vars, Tensor):
        return while_loop(
            cond, body, (loop_vars,), shape_invariants, maximum_iterations=maximum_iterations
        )[0]
    level = children(loop_vars)
    assert level is not None
    init = tuple(map_structure(_strong, value) for value in level[1])

    def next_state(*state: object) -> State:
        return ordered_like(init, _as_state(body(*state), init))  # type: ignore[no-any-return]

    def test(*state: object) -> Any:
        holds = cond(*state)
        return convert_to_tensor(holds) if isinstance(holds, (list, tuple)) else holds

    if STATE.graph is None:
        final = _run_eagerly(test, next_state, init, maximum_iterations)
    else:
        shapes = None
        if shape_invariants is not None:
            invariants = children(shape_invariants)
            if invariants is None or len(invariants[1]) != len(init):
                raise ValueError(
                    "The two structures don't have the same number of elements: "
                    f"shape_invariants is {shape_invariants} for {len(init)} loop variables."
                )
            shapes = dict(zip(_names(body, len(init)), invariants[1], strict=True))
        options = {"maximum_iterations": maximum_iterations, "shape_invariants": shapes}
        final = staged_while(test, next_state, init, _names(body, len(init)), options)
        for value in final:
            forms.refuse_conflicts(forms.form_of(value), "It is a result of while_loop.")
    return rebuild(type(loop_vars), level[0], final, loop_vars)


def _check_arguments(
    cond: object,
    body: object,
    loop_vars: object,
    parallel_iterations: object,
    maximum_iterations: object,
) -> None:
    for name, function in (("cond", cond), ("body", body)):
        if not callable(function):
            raise TypeError(f"'{name}' must be callable.")
    if not isinstance(parallel_iterations, int) or parallel_iterations < 1:
        raise TypeError("'parallel_iterations' must be a positive integer.")
    if isinstance(loop_vars, (list, tuple, dict)) and not loop_vars and STATE.graph is None:
        raise ValueError("'loop_vars' must be provided.")
    if children(loop_vars) is None and not isinstance(loop_vars, Tensor):
        raise TypeError(f"loop_vars is a list, tuple or dict, not {type(loop_vars).__name__}")
    if maximum_iterations is not None:
        limit = convert_to_tensor(maximum_iterations)
        if limit.shape.rank not in (0, None):
            raise ValueError(
                f"'maximum_iterations' must be a scalar. Received shape: {limit.shape}"
            )


def _strong(value: object) -> Any:
    return convert_to_tensor(value) if type(value) in NUMBERS else value


def _as_state(value: Any, init: State) -> State:
    if isinstance(value, dict):
        return tuple(value.values())
    several = isinstance(value, (list, tuple))
    if several and len(value) == len(init):
        return tuple(value)
    if len(init) == 1 and not (several and isinstance(init[0], Tensor)):
        return (value,)
    variables = "1 variable" if len(init) == 1 else f"{len(init)} variables"
    raise ValueError(
        "The two structures don't have the same nested structure: the body of a loop with "
        f"{variables} returned {value!r}. Return one value for each."
    )


def _names(body: Callable[..., Any], count: int) -> tuple[str, ...]:
    try:
        found = [
            parameter.name
            for parameter in inspect.signature(body).parameters.values()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        found = []
    return tuple(found[i] if i < len(found) else f"loop_vars[{i}]" for i in range(count))


def _run_eagerly(
    cond: Callable[..., Any],
    next_state: Callable[..., State],
    state: State,
    limit: TensorLike | None,
) -> State:
    done = 0
    while (limit is None or done < int(limit)) and bool(truth(cond(*state))):
        state = next_state(*state)
        done += 1
    return state
