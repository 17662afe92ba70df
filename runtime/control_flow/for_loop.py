"""The staged `for`: a counted loop over an iterable that a graph can index, or a rolled one.

A rolled loop is one staged loop instead of an unrolled Python loop. It is first recorded in a trial
graph. Each variable must keep its type. Numbers that Python would compute from the loop variable
must equal those of the graph: all of them are computed for every iteration in both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.staging import CannotRoll
from runtime.control_flow.iterables import as_iterable
from runtime.control_flow.tracing import trial_graph
from runtime.control_flow.truth import truth
from runtime.control_flow.values import forms
from runtime.control_flow.values.forms import Fixed
from runtime.control_flow.values.staged_iterable import StagedIterable, count_of
from runtime.control_flow.while_loop import State, staged_while
from runtime.core import dtypes
from runtime.core.context import creating_variables
from runtime.core.graph import Graph
from runtime.core.opdef import Control, Emit
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.static import static_value
from runtime.core.structural import CONST
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.ops.array.joining import stack
from runtime.ops.base.convert import CAST, PACK, constant_of, is_weak, weakened
from runtime.ops.items.gathering import gather
from runtime.ops.math.arithmetic import add
from runtime.ops.math.logic import less, logical_and
from runtime.passes.safety import cannot_fail


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


Known = dict[int, Any]
"""For the `id` of a tensor that depends only on constants and the iteration: the Python number in
each iteration, or None if Python would have a tensor.
"""


def rolled(
    items: range,
    body_fn: Callable[..., State],
    extra_test: Callable[..., Any] | None,
    before: State,
    init: State,
    names: tuple[str, ...],
    numbers: Mapping[int, Sequence[Any]],
) -> State:
    """Return the state after a loop over integers, tracing one iteration.

    Args:
      items: the range.
      body_fn, extra_test, init, names: as in `staged_for`.
      before: the state one iteration ago.
      numbers: for the index of each Python number that the loop changes: its value before each
        iteration and after the last.

    Raises: CannotRoll if the staged loop may differ from the Python loop.
    """
    kinds = [_form(each, position in numbers) for position, each in enumerate(init)]
    if kinds != [_form(each, position in numbers) for position, each in enumerate(before)]:
        raise CannotRoll
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
        if list(map(forms.form_of, after)) != kinds:
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
        known: Known = dict(zip(map(id, inputs), map(list, changing), strict=True))
        for own, tensor in zip(graph.inputs[len(inputs) :], graph.captures, strict=True):
            if (value := _constant(tensor)) is not None:
                known[id(own)] = _of_constant(value, size)
        _check_graph(graph, known, size)
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
    return forms.as_leaf(form) if changes else form


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
    constants = [_constant(tensor) for tensor in loop.inputs[loop.attrs["count"] :]]
    for part in loop.subgraphs():
        captured = zip(part.inputs[loop.attrs["count"] :], constants, strict=True)
        known = {id(own): _of_constant(v, count) for own, v in captured if v is not None}
        changing = (range(count), *(values[:-1] for values in numbers))
        known.update(zip(map(id, part.inputs), map(list, changing), strict=False))
        _check_graph(part, known, count)
        if part is loop.attrs["body"]:
            outputs = part.outputs[1 : len(numbers) + 1]
            for tensor, values in zip(outputs, numbers, strict=True):
                found = known.get(id(tensor))
                if found is None or list(map(repr, found)) != list(map(repr, values[1:])):
                    raise CannotRoll


def _constant(tensor: Tensor) -> Any:
    """Return the array of a constant or captured constant; None for other tensors."""
    if not isinstance(tensor, SymbolicTensor):
        return None if tensor.dtype in _BOXED else np.asarray(tensor)
    graph = tensor.graph
    arguments = len(graph.arguments)
    for own, outer in zip(graph.inputs[arguments:], graph.captures, strict=True):
        if own is tensor:
            return _constant(outer)
    return tensor.op.attrs["value"] if tensor.op.definition is CONST else None


def _of_constant(value: Any, count: int) -> list[Any] | None:
    return None if value.ndim else [value.item()] * count


def _check_graph(graph: Graph, known: Known, count: int) -> None:
    positions = _positions(graph)
    for op in graph.operations:
        if op.definition.random:
            raise CannotRoll  # each random operation of an unrolled loop has a seed of its own
        if op.definition is CONST:
            known[id(op.outputs[0])] = _of_constant(op.attrs["value"], count)
        elif op.subgraphs():
            _check_carried(op, known, count)
        elif op.definition.emit is Emit.ROW and _is_within(op, known):
            known[id(op.outputs[0])] = _rows(op, known)
        elif op.definition is PACK and (id(op.outputs[0]) in positions or _is_table(op, known)):
            known[id(op.outputs[0])] = None
        elif op.definition.emit is Emit.SLICE and _takes_items(op, known):
            if id(op.inputs[0]) in known:
                known[id(op.outputs[0])] = None
        elif op.inputs and all(id(tensor) in known for tensor in op.inputs):
            values = _values(op, [known[id(tensor)] for tensor in op.inputs])
            if values is None and not cannot_fail(op):
                raise CannotRoll  # Python would know while it traces, and may catch the error
            known.update((id(tensor), None) for tensor in op.outputs)
            known[id(op.outputs[0])] = values


def _is_table(op: Operation, known: Known) -> bool:
    """Return whether it stacks the same numbers or strings of Python in each iteration."""
    columns = [known.get(id(tensor)) for tensor in op.inputs]
    return all(each is not None and each == each[:1] * len(each) for each in columns)


def _is_within(op: Operation, known: Known) -> bool:
    """Return whether it gathers rows of a known table at known indices in range."""
    rows, numbers = op.inputs[0].spec.dims, known.get(id(op.inputs[1]))
    if op.attrs.get("axis") != 0 or not rows or rows[0] is None or numbers is None:
        return False
    return all(type(each) is int and 0 <= each < rows[0] for each in numbers)


def _positions(graph: Graph) -> set[int]:
    """Return the ids of tensors used only as bounds of a `StridedSlice`."""
    slices: set[int] = set()
    others = set(map(id, graph.outputs))
    for op in graph.operations:
        kept = op.definition.emit is Emit.SLICE
        others.update(map(id, op.inputs[:1] if kept else op.inputs))
        slices.update(map(id, op.inputs[1:] if kept else ()))
    return slices - others


def _takes_items(op: Operation, known: Known) -> bool:
    """Return whether known positions select single items.

    Raises: CannotRoll for slices between such positions, and if an item may be out of range.
    """
    packs = [tensor.op for tensor in op.inputs[1:]]
    if not any(id(pack.outputs[0]) in known for pack in packs):
        return False
    dims, masks = op.inputs[0].spec.dims, op.attrs
    if all(pack.definition is CONST for pack in packs) and element_count(dims) is not None:
        return True  # checked when it was recorded
    if dims is None or masks["ellipsis_mask"] or masks["new_axis_mask"]:
        raise CannotRoll
    if any(pack.definition is not PACK for pack in packs):
        raise CannotRoll
    for axis, tensors in enumerate(zip(*(pack.inputs for pack in packs), strict=True)):
        if masks["shrink_axis_mask"] & 1 << axis:
            if id(tensors[0]) in known and not _are_within(known[id(tensors[0])], dims[axis]):
                raise CannotRoll
        elif any(tensor.op.definition is not CONST for tensor in tensors):
            raise CannotRoll  # Python knows the length of the slice
    return True


def _are_within(numbers: list[Any] | None, size: int | None) -> bool:
    if numbers is None or size is None:
        return False
    return all(type(each) is int and -size <= each < size for each in numbers)


def _rows(op: Operation, known: Known) -> list[Any] | None:
    """Return the Python numbers gathered from a constant; None if the result is a tensor."""
    made, numbers = op.inputs[0].op, known[id(op.inputs[1])]
    if not op.outputs[0].weak:
        return None
    if made.definition is not CONST or made.attrs["value"].ndim != 1:
        raise CannotRoll
    values = made.attrs["value"].tolist()
    return [values[each] for each in numbers]


def _check_carried(op: Operation, known: Known, count: int) -> None:
    """Check the graphs that an operation carries, given known inputs."""
    carried = op.attrs.get("count", 0)
    outputs = {}
    for part in op.subgraphs():
        pairs = list(zip(reversed(part.inputs), reversed(op.inputs), strict=False))
        fixed = pairs[: len(part.inputs) - carried]
        inner = {id(own): known[id(outer)] for own, outer in fixed if id(outer) in known}
        _check_graph(part, inner, count)
        outputs[id(part)] = [inner.get(id(tensor)) for tensor in part.outputs]
    if op.definition.control not in (Control.IF, Control.CASE) or id(op.inputs[0]) not in known:
        return
    tests = known[id(op.inputs[0])]
    for position, tensor in enumerate(op.outputs):
        if not tensor.weak:
            continue
        if tests is None or "then_branch" not in op.attrs:
            raise CannotRoll  # Python would choose one of several numbers
        one, other = (outputs[id(op.attrs[arm])][position] for arm in _ARMS)
        if one is None or other is None:
            raise CannotRoll
        known[id(tensor)] = [a if test else b for test, a, b in zip(tests, one, other, strict=True)]


def _values(op: Operation, operands: list[list[Any] | None]) -> list[Any] | None:
    """Return the Python number of the output in each iteration; None if Python has a tensor.

    Raises: CannotRoll if Python has a number that may differ.
    """
    weak = any(tensor.weak for tensor in op.outputs)
    numbers = [each for each in operands if each is not None]
    python = op.definition.python
    if len(numbers) < len(operands) or (python is None and op.definition is not CAST):
        if weak:
            raise CannotRoll
        return None
    if python is None:
        return _cast_values(op, numbers[0])
    try:
        expected = [python.apply(*each) for each in zip(*numbers, strict=True)]
        found = _computed(op, numbers)
    except (ArithmeticError, TypeError, ValueError):
        expected, found = [], None
    if found is not None and list(map(repr, found)) == list(map(repr, expected)):
        return expected
    if weak:
        raise CannotRoll
    return None


def _cast_values(op: Operation, numbers: list[Any]) -> list[Any] | None:
    """Return the numbers in another dtype, which must represent them exactly, as for constants."""
    target = op.outputs[0].spec.dtype
    if target.is_integer:
        if any(type(each) is not int or not target.min <= each <= target.max for each in numbers):
            raise CannotRoll
        return numbers
    return list(map(float, numbers)) if target is dtypes.float64 else None


def _computed(op: Operation, operands: list[list[Any]]) -> list[Any]:
    """Return the kernel's results in each iteration. Raises FloatingPointError for nonfinite
    ones.
    """
    arrays = [
        np.array(numbers, tensor.spec.dtype.numpy_dtype)
        for numbers, tensor in zip(operands, op.inputs, strict=True)
    ]
    kernel = op.definition.kernel
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        python = op.definition.python
        if python is not None and not python.vector:
            rows = zip(*arrays, strict=True)
            return [np.asarray(kernel(np, *row, **op.attrs)).item() for row in rows]
        found: list[Any] = np.asarray(kernel(np, *arrays, **op.attrs)).tolist()
        return found


_BOXED = (dtypes.resource, dtypes.variant)
_ARMS = ("then_branch", "else_branch")
