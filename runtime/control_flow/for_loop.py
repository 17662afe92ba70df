"""The staged `for`: a counted loop over an iterable that a graph can index, or a rolled one.

A rolled loop is one staged loop instead of an unrolled Python loop. It is first recorded in a trial
graph. Each variable must keep its type. Numbers that Python would compute from the loop variable
must equal those of the graph; see `known_numbers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.staging import CannotRoll
from runtime.control_flow.iterables import as_iterable
from runtime.control_flow.known_numbers import constants, propagate
from runtime.control_flow.tracing import trial_graph
from runtime.control_flow.truth import truth
from runtime.control_flow.values import forms
from runtime.control_flow.values.forms import Fixed, Leaf, Nest, Stack
from runtime.control_flow.values.staged_iterable import StagedIterable, count_of
from runtime.control_flow.while_loop import State, staged_while
from runtime.core import dtypes
from runtime.core.context import creating_variables
from runtime.core.graph import Graph
from runtime.core.opdef import Control, Emit
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.ops.array.joining import stack
from runtime.ops.base.convert import constant_of, is_weak, weakened
from runtime.ops.items.gathering import gather
from runtime.ops.math.arithmetic import add
from runtime.ops.math.logic import less, logical_and


def staged_for(
    iterable: object,
    body_fn: Callable[..., State],
    extra_test: Callable[..., Any] | None,
    init: State,
    names: tuple[str, ...],
    options: Mapping[str, Any],
) -> State:
    """Stage `for item in iterable: state = body_fn(item, *state)` while `extra_test(*state)` holds.

    Arguments are as in `staged_while`; `iterable` is anything that `as_iterable` accepts.
    """
    items = as_iterable(iterable).begin()
    has_item, start, has_first = _counted(items)

    def test(index: Tensor, *state: object) -> Tensor:
        more = has_item(index)
        return more if extra_test is None else logical_and(more, truth(extra_test(*state)))

    def body(index: Tensor, *state: object) -> State:
        return (add(index, 1), *body_fn(items.item(index), *state))

    state = (start, *init)
    labels = ("loop counter", *names)
    runs = extra_test is None and has_first
    return staged_while(test, body, state, labels, options, runs=runs)[1:]


def _counted(items: StagedIterable) -> tuple[Callable[[Tensor], Tensor], Tensor, bool]:
    """Return the test for an item with a given number, the first number, and whether it is known
    that there is an item.
    """
    if items.is_stream:
        return items.more, constant_of(np.int64(0)), False
    count = count_of(items.length())
    known = static_value(count)
    start = constant_of(count.dtype.as_numpy_dtype(0))
    return lambda index: less(index, count), start, known is not None and bool(known > 0)


def rolled(
    items: range,
    body_fn: Callable[..., State],
    extra_test: Callable[..., Any] | None,
    init: State,
    names: tuple[str, ...],
    numbers: Mapping[int, Sequence[Any]],
) -> State:
    """Return the state after a loop over integers, tracing one iteration.

    Args:
      items: the range.
      body_fn, extra_test, init, names: as in `staged_for`.
      numbers: for the index of each Python number that the loop changes: its value before each
        iteration and after the last.

    Raises: CannotRoll if the staged loop may differ from the Python loop.
    """
    kinds = [_form(each, position in numbers) for position, each in enumerate(init)]
    bounds = (items.start, items.stop, items.step)
    if not all(map(_fits_int32, (bounds, *numbers.values()))):
        raise CannotRoll
    staged = (i for i, form in enumerate(kinds) if i not in numbers and not isinstance(form, Fixed))
    carried = [*numbers, *staged]

    def whole(values: State) -> State:
        state = list(init)
        for position, value in zip(carried, values, strict=True):
            state[position] = value
        return tuple(state)

    def body(item: object, *values: object) -> State:
        after = body_fn(item, *whole(values))
        if [_form(each, False) for each in after] != kinds:
            raise CannotRoll
        return tuple(after[position] for position in carried)

    def test(*values: object) -> Any:
        assert extra_test is not None
        return extra_test(*whole(values))

    def record() -> State:
        start = tuple(init[position] for position in carried)
        labels = tuple(names[position] for position in carried)
        go_on = None if extra_test is None else test
        with creating_variables(None):
            return staged_for(items, body, go_on, start, labels, {})

    with trial_graph("rolled") as trial:
        record()
    _check(_loop_in(trial), len(items), list(numbers.values()))
    return whole(record())


def steady(
    items: range,
    body_fn: Callable[..., State],
    init: State,
    names: tuple[str, ...],
    numbers: Mapping[int, Sequence[Any]],
    flags: Sequence[int],
) -> int:
    """Return the number of iterations before the first one that sets a Python flag.

    Args:
      items, body_fn, init, names, numbers: as in `rolled`.
      flags: indices of bool variables, all False.

    Raises: CannotRoll unless the flags depend on the iteration only.
    """
    if not all(map(_fits_int32, ((items.start, items.stop, items.step), *numbers.values()))):
        raise CannotRoll
    with trial_graph("steady") as graph:
        inputs = [_input(graph, "item", items.start)]
        state = list(init)
        for position, values in numbers.items():
            inputs.append(_input(graph, names[position], values[0]))
            state[position] = inputs[-1]
        with creating_variables(None):
            after = body_fn(inputs[0], *state)
    found = [after[flag] for flag in flags if after[flag] is not False]
    size = _FEWEST
    while True:
        size = min(size, len(items))
        changing = (items[:size], *(values[:size] for values in numbers.values()))
        known = constants(zip(graph.inputs[len(inputs) :], graph.captures, strict=True), size)
        known.update(zip(map(id, inputs), map(list, changing), strict=True))
        propagate(graph, known, size)
        count = min([size, *(_first_true(known.get(id(tensor))) for tensor in found)])
        if count < size or size == len(items):
            return count
        size *= 8


_FEWEST = 1024
"""Number of iterations that `steady` computes first; it grows by a factor of 8 until a flag is set.
"""


def _input(graph: Graph, name: str, number: object) -> SymbolicTensor:
    form = forms.as_leaf(forms.form_of(number))
    assert isinstance(form, forms.Leaf)
    return graph.add_input(form.spec, name, weak=form.weak)


def _first_true(values: list[Any] | None) -> int:
    if values is None or any(type(each) is not bool for each in values):
        raise CannotRoll
    return next((position for position, value in enumerate(values) if value), len(values))


def numbered(items: Sequence[Any]) -> Callable[[Any], Any] | None:
    """Return a function from a tensor to the item with this index.

    None unless the items are floats, integers, or tensors of one spec.
    """
    first = items[0]
    if type(first) is float or (type(first) is int and _fits_int32(items)):
        table = np.array(items, np.float64 if type(first) is float else np.int32)
        return lambda number: weakened(gather(constant_of(table), number))
    if isinstance(first, Tensor) and _is_plain(first, items):
        rows = stack(items)
        return lambda number: gather(rows, number)
    return None


def _is_plain(first: Tensor, tensors: Sequence[Tensor]) -> bool:
    """Return whether tensors can be stacked so that each row equals its tensor."""
    spec = first.spec
    alike = all(each.spec == spec and not is_weak(each) for each in tensors)
    return alike and element_count(spec.dims) is not None and spec.dtype.is_numeric


def _fits_int32(items: Sequence[Any]) -> bool:
    """Return whether all integers among these numbers fit int32."""
    return all(dtypes.int32.min <= each <= dtypes.int32.max for each in items if type(each) is int)


def _form(value: object, changes: bool) -> forms.Form:
    form = forms.form_of(value)
    return forms.as_leaf(form) if changes else _as_stack(form)


def _as_stack(form: forms.Form) -> forms.Form:
    """Return the form of a list of tensors of one spec, as that of rows; other forms unchanged."""
    if not isinstance(form, Nest) or form.kind is not list or not form.parts:
        return form
    leaf = form.parts[0]
    are_rows = isinstance(leaf, Leaf) and leaf.spec.shape.is_fully_defined()
    alike = are_rows and all(part == leaf for part in form.parts)
    return Stack(leaf, len(form.parts)) if alike else form


def _loop_in(trial: Graph) -> Operation:
    """Return the loop, after which lists of scalars in one tensor are taken apart."""
    operations = trial.operations
    return next(op for op in reversed(operations) if op.definition.emit is not Emit.ROWS)


def _check(loop: Operation, count: int, numbers: Sequence[Sequence[Any]]) -> None:
    """Raise CannotRoll if the loop computes a number differently from Python.

    `numbers` are the carried numbers after the counter, before each iteration and after the last.
    """
    if loop.definition.control is not Control.WHILE:
        raise CannotRoll
    carried = loop.attrs["count"]
    for part in loop.subgraphs():
        known = constants(zip(part.inputs[carried:], loop.inputs[carried:], strict=True), count)
        changing = (range(count), *(values[:-1] for values in numbers))
        known.update(zip(map(id, part.inputs), map(list, changing), strict=False))
        propagate(part, known, count)
        if part is loop.attrs["body"]:
            outputs = part.outputs[1 : len(numbers) + 1]
            for tensor, values in zip(outputs, numbers, strict=True):
                found = known.get(id(tensor))
                if found is None or list(map(repr, found)) != list(map(repr, values[1:])):
                    raise CannotRoll
