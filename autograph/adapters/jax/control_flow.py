"""Branches and loops of JAX: `lax.cond`, `lax.while_loop` and `lax.scan`.

A branch or a body is traced once to a jaxpr. What the variables look like afterwards is known
then, and the jaxpr is evaluated again, with conversions after it, inside JAX's own operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from autograph.adapters import layout
from autograph.adapters.failures import HasEffects
from autograph.adapters.forms import Leaf
from autograph.adapters.iterables import Items
from autograph.adapters.jax.arrays import (
    ARRAYS,
    FORMS,
    Spent,
    flag_with,
    is_array,
    row_of,
    spec,
    truth,
    weakened,
)
from autograph.adapters.jax.effects import FAILURES, refuse_waiting
from autograph.adapters.jax.gradients import derived_from, forwards_only, with_silent_derivative
from autograph.adapters.jax.rolling import check_iterations, integers
from autograph.adapters.layout import COUNTER, Layout, Values, leaves_of, with_arrays
from autograph.adapters.loops import Body, Test, Ways, known_limit, surely
from autograph.adapters.possibly import Guard, Held, Possibly, resolved
from autograph.operators.branches import Changes
from autograph.operators.state import Retrace
from autograph.staging import CannotRoll
from autograph.values import Array


def is_traced(value: object) -> bool:
    """Return whether the value is known only when the program runs."""
    return isinstance(value, (jax.core.Tracer, Held))


_ENDS_TRACE = (Changes, CannotRoll, HasEffects, Retrace)
"""What ends a trace that is then begun anew."""


class _Trace:
    """What a function does to arrays, as a jaxpr, and the values that it gives."""

    def __init__(self, function: Callable[..., Values], specs: Sequence[Any]) -> None:
        self.values: Values = ()
        outer = FAILURES.trace()
        ended: list[BaseException] = []
        unchecked = ExitStack()

        def run(*arrays: object) -> list[Any]:
            try:
                with FAILURES.trace_inside(outer):
                    values = resolved(function(*arrays))
            except _ENDS_TRACE as error:
                # JAX never frees what a trace took from outside if an exception ends it.
                ended.append(error.with_traceback(None))
                # Variables keep what they hold until the next trace: no leak.
                unchecked.enter_context(jax.check_tracer_leaks(False))
                return []
            arrays_of = [leaf for leaf in leaves_of(FORMS, values) if is_array(leaf)]
            known: dict[int, Spent] = {}
            self.values = _mapped(values, partial(_spent, known))
            return arrays_of

        with unchecked:
            self.jaxpr = jax.make_jaxpr(run)(*specs)
        if ended:
            raise ended[0]
        self.values = _mapped(self.values, _of_outer_trace)

    def __call__(self, *arrays: object) -> Values:
        """Return the values for other arrays."""
        outputs = iter(jax.core.eval_jaxpr(self.jaxpr.jaxpr, self.jaxpr.consts, *arrays))
        return tuple(with_arrays(FORMS, value, outputs) for value in self.values)


def _mapped(values: Values, function: Callable[[Any], Any]) -> Values:
    """Apply a function to all arrays, those of guards included."""
    return tuple(_mapped_value(value, function) for value in values)


def _mapped_value(value: object, function: Callable[[Any], Any]) -> Any:
    if isinstance(value, Possibly):
        guards = tuple(Guard(function(each.test), each.outcome) for each in value.guards)
        return type(value)(_mapped_value(value.held, function), value.name, guards)
    return FORMS.map(function, value)


def _spent(known: dict[int, Spent], leaf: object) -> Any:
    if not isinstance(leaf, jax.core.Tracer):
        return leaf
    return known.setdefault(id(leaf), Spent(leaf))


def _of_outer_trace(leaf: object) -> Any:
    """Return the array of an outer trace; one of the trace that has ended stays spent."""
    array = leaf.array() if type(leaf) is Spent else None
    return leaf if array is None else array


def _never(array: object) -> bool:
    return False


# ---- branches ----


def cond(
    test: object,
    if_fn: Callable[[], Values],
    else_fn: Callable[[], Values],
    names: tuple[str, ...],
) -> Values:
    """Return the outputs of one of two functions.

    Raises: StagingError that names the variable if no form covers both of its values.
    """
    if isinstance(test, Held):
        test = test.read()
    decides = truth(test)
    if not is_traced(decides):
        return if_fn() if decides else else_fn()
    with FAILURES.given(test, True):
        if_trace = _Trace(if_fn, ())
    with FAILURES.given(test, False):
        else_trace = _Trace(else_fn, ())
    refuse_waiting(jax.typeof(decides), if_trace.jaxpr.effects, else_trace.jaxpr.effects)
    joined = layout.of_branches(FORMS, names, test, if_trace.values, else_trace.values)
    if not (if_trace.jaxpr.eqns or else_trace.jaxpr.eqns) and all(
        leaf.shape == () and leaf.dtype == bool for leaf in joined.leaves()
    ):
        # Flags that are there anyway, as that of a `break`: a selection is faster. Of numbers it
        # is not: each iteration waits for it (2.5 times `cond` for the largest of 20,000).
        pairs = zip(joined.flat(if_trace()), joined.flat(else_trace()), strict=True)
        return joined.values([jnp.where(decides, *pair) for pair in pairs])
    arrays = lax.cond(decides, lambda: joined.flat(if_trace()), lambda: joined.flat(else_trace()))
    return joined.values(arrays)


# ---- loops ----


def while_loop(
    test_fn: Test,
    body_fn: Body,
    init: Values,
    names: tuple[str, ...],
    options: Mapping[str, Any],
) -> Values:
    """Return the state after a loop.

    With the option `maximum_iterations` it is a scan of that length, which stops to change the
    state when the test fails: JAX differentiates a scan backwards, but no other loop.

    Raises: StagingError that names the variable if its form does not settle.
    """
    limit = options.get("maximum_iterations")
    if limit is not None:
        steps = known_limit(limit, is_traced)
        return _scanned(steps, lambda _: body_fn, test_fn, init, names, ())
    carried, body = _settled(lambda _: body_fn, init, names, (), with_test=False)
    test = _TracedTest(test_fn, carried, body)

    def loop(*arrays: Array) -> list[Any]:
        return lax.while_loop(
            lambda arrays: test(*arrays),
            lambda arrays: carried.flat(body(*test.where_it_holds(arrays))),
            list(arrays),
        )

    start = carried.flat(init)
    arrays = with_silent_derivative(loop, start) if body.jaxpr.effects else loop(*start)
    return layout.once_ended(carried, test.ended).values(forwards_only(arrays))


class _TracedTest:
    """The test of a loop as a function of arrays.

    Args:
      test_fn: the test.
      carried: the layout of the state.
      body: the body of the loop.

    Attributes:
      ended: the flags of the state that are known where the test is false; see `layout.flags_of`.
    """

    def __init__(self, test_fn: Test, carried: Layout, body: _Trace) -> None:
        def tested(*arrays: object) -> Values:
            state = carried.values(arrays)
            test = test_fn(*state)
            self.ended = layout.flags_of(state, test, False)
            # `vmap` runs the body also where the loop has ended: effects ask for the flags.
            known = [] if body.jaxpr.effects else layout.flags_of(state, test, True)
            # Of a number the test tells only that it is not 0.
            self._going_on = [each for each in known if each[0] in carried.flags()]
            return (jnp.asarray(truth(test)),)

        self._carried = carried
        self._trace = _Trace(tested, [spec(leaf) for leaf in carried.leaves()])
        traced = self._trace.jaxpr
        refuse_waiting(traced.out_avals[0], traced.effects, body.jaxpr.effects)

    def __call__(self, *arrays: object) -> Any:
        """Return the outcome for a state."""
        return self._trace(*arrays)[0]

    def where_it_holds(self, arrays: Sequence[Any]) -> list[Any]:
        """Return the state of an iteration, with constants for the flags that are known in it."""
        given = list(arrays)
        leaves = self._carried.leaves()
        for variable, outcome in self._going_on:
            position = self._carried.position(variable)
            given[position] = ARRAYS.cast(outcome, leaves[position])
        return given


def _settled(
    body_of: Callable[[Sequence[Any]], Body],
    init: Values,
    names: tuple[str, ...],
    rows: Sequence[Leaf],
    with_test: bool,
    settle: Callable[..., tuple[Layout, _Trace]] = layout.of_loop,
) -> tuple[Layout, _Trace]:
    """Trace the body until the forms of the variables stay.

    Args:
      body_of: the body for the rows of an iteration.
      init, names: the state.
      rows: the leaves of a row of each column.
      with_test: whether the outcome of the test, which is true, comes after the rows.
      settle: as in `_scanned`.

    Returns: the layout of the state; from state, rows and test to the next state.
    """

    def iterate(carried: Layout) -> _Trace:
        count = len(carried.leaves())

        def step(*arrays: object) -> Values:
            state = carried.values(arrays[:count])
            if not with_test:
                return resolved(body_of(arrays[count:])(*state))
            with FAILURES.given(arrays[-1], True):
                return resolved(body_of(arrays[count:-1])(*state))

        leaves = [*carried.leaves(), *rows]
        flag = [flag_with(leaves)] if with_test else []
        return _Trace(step, list(map(spec, [*leaves, *flag])))

    return settle(FORMS, names, init, _never, iterate)


def _scanned(
    steps: int,
    body_of: Callable[[Sequence[Any]], Body],
    test_fn: Test | None,
    init: Values,
    names: tuple[str, ...],
    columns: Sequence[Any],
    settle: Callable[..., tuple[Layout, _Trace]] = layout.of_loop,
) -> Values:
    """A loop of at most a known number of steps, which ends when the test fails.

    Its derivative is that of a scan in which each step does nothing once the test has failed.

    Args:
      settle: finds the layout of the state; see `layout.of_loop`.
    """
    if steps == 0:
        return init
    rows = list(map(row_of, columns))
    with_test = test_fn is not None
    carried, body = _settled(body_of, init, names, rows, with_test, settle)
    test = None if test_fn is None else _TracedTest(test_fn, carried, body)
    flag = flag_with([*carried.leaves(), *rows])

    def step(state: list[Any], row: list[Any]) -> tuple[list[Any], None]:
        if test is None:
            return carried.flat(body(*state, *row)), None
        go_on = ARRAYS.cast(test(*state), flag)
        known = test.where_it_holds(state)
        after = lax.cond(
            go_on, lambda: carried.flat(body(*known, *row, go_on)), lambda: list(state)
        )
        return after, None

    def scanned(state: list[Any], columns: list[Any]) -> list[Any]:
        return lax.scan(step, state, columns, length=steps)[0]

    def until_stopped(state: list[Any], columns: list[Any]) -> list[Any]:
        def goes_on(carry: tuple[Any, list[Any]]) -> Any:
            return jnp.logical_and(carry[0] < steps, test(*carry[1]))  # type: ignore[misc]

        def iterate(carry: tuple[Any, list[Any]]) -> tuple[Any, list[Any]]:
            number, state = carry
            rows = [_row(column, number) for column in columns]
            go_on = ARRAYS.cast(True, flag)
            known = test.where_it_holds(state)  # type: ignore[union-attr]
            return number + 1, carried.flat(body(*known, *rows, go_on))

        return lax.while_loop(goes_on, iterate, (jnp.asarray(0), state))[1]

    start = carried.flat(init)
    if test is None or body.jaxpr.effects:
        arrays = scanned(start, list(columns))
    else:
        arrays = derived_from(scanned, until_stopped, start, list(columns))
    final = layout.once_run(carried, body.values) if surely(test_fn, init, is_traced) else carried
    return final.values(arrays)


def rolled(
    items: range,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
    numbers: Mapping[int, Sequence[Any]],
) -> Values:
    """See `Ways.rolled`."""
    order = [*numbers, *(position for position in range(len(init)) if position not in numbers)]
    changing = [integers(values) for values in (range(len(items) + 1), *numbers.values())]

    def ordered(state: Values) -> Values:
        return tuple(state[position] for position in order)

    def restored(state: Values) -> Values:
        return tuple(value for _, value in sorted(zip(order, state, strict=True), key=_first))

    def body_of(rows: Sequence[Any]) -> Body:
        return lambda number, *state: (
            number + 1,
            *ordered(body_fn(items.start + number * items.step, *restored(state))),
        )

    def settle(forms: Any, names: Any, init: Values, may_stay: Any, iterate: Any) -> Any:
        carried, body = layout.of_rolled_loop(forms, names, init, may_stay, iterate)
        if not all(map(is_array, body.values[: len(changing)])):
            raise CannotRoll
        check_iterations(body.jaxpr, changing, assigns=extra_test is not None)
        return carried, body

    test = None if extra_test is None else lambda _, *state: extra_test(*restored(state))
    named = (*[COUNTER] * len(changing), *ordered(names)[len(numbers) :])
    start = (0, *ordered(init))
    return restored(_scanned(len(items), body_of, test, start, named, (), settle)[1:])


def _first(pair: tuple[int, Any]) -> int:
    return pair[0]


def numbered(items: Sequence[Any]) -> Callable[[Any], Any] | None:
    """From a traced position to the item there.

    Args:
      items: of one class.

    Returns: a function; None unless they are floats, integers, or arrays of one shape and dtype.
    """
    kind = type(items[0])
    if kind in (int, float):
        table = integers(items) if kind is int else np.asarray(items)
        return lambda position: weakened(_row(jnp.asarray(table), position))
    if all(map(is_array, items)) and len({(each.shape, each.dtype) for each in items}) == 1:
        if any(FORMS.of(each).arrays[0].weak for each in items):
            return None
        rows = jnp.stack(items)
        return lambda position: _row(rows, position)
    return None


def _row(rows: object, position: object) -> Any:
    return lax.dynamic_index_in_dim(rows, position, keepdims=False)


def _over_rows(
    items: Items,
    start: int,
    stop: int,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
) -> Values:
    columns = [jnp.asarray(column)[start:stop] for column in items.columns]

    def body_of(rows: Sequence[Any]) -> Body:
        def body(index: Any, *state: Any) -> Values:
            return (index + 1, *body_fn(items.item(rows, index), *state))

        return body

    test = None if extra_test is None else lambda _, *state: extra_test(*state)
    named = (COUNTER, *names)
    return _scanned(stop - start, body_of, test, (start, *init), named, columns)[1:]


def _counted(
    items: Items,
    count: Any,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
    options: Mapping[str, Any],
) -> Values:
    columns = [jnp.asarray(column) for column in items.columns]

    def test(index: Any, *state: object) -> Any:
        more = index < count
        return more if extra_test is None else jnp.logical_and(more, truth(extra_test(*state)))

    def body(index: Any, *state: Any) -> Values:
        rows = [_row(column, index) for column in columns]
        with FAILURES.given(test(index, *state), True):
            return (index + 1, *body_fn(items.item(rows, index), *state))

    named = (COUNTER, *names)
    return while_loop(test, body, (0, *init), named, options)[1:]


WAYS = Ways(is_traced, cond, while_loop, _over_rows, _counted, rolled)
