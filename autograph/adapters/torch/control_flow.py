"""Branches and loops of PyTorch: its operators `cond` and `while_loop`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial, wraps
from typing import Any

import torch

from autograph.adapters import layout
from autograph.adapters.failures import Failures
from autograph.adapters.forms import subject
from autograph.adapters.iterables import Items
from autograph.adapters.layout import COUNTER, Layout, Values
from autograph.adapters.loops import Body, Test, Ways, counting, limited, surely
from autograph.adapters.possibly import Held, assuming
from autograph.adapters.refusals import refusal
from autograph.adapters.torch import gradients
from autograph.adapters.torch.arrays import FORMS, apart, copied, truth, untraced
from autograph.adapters.torch.graphs import Found
from autograph.adapters.torch.indices import ROW, row_of
from autograph.adapters.torch.no_grad import drops_gradients, without_inference
from autograph.adapters.torch.numbers import is_loose, loosen
from autograph.adapters.torch.outside import (
    emitting,
    entangle,
    is_traced,
    note_made,
    note_statement,
    refuse_shared,
    retire,
    write_back,
)
from autograph.adapters.torch.rolling import Integers
from autograph.errors import StagingError, signals
from autograph.values import Value

FAILURES = Failures(torch.where, truth)

Settle = Callable[..., tuple[Layout, Any]]

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
    with assuming(test, True):
        if_found = Found(if_fn, ())
    with assuming(test, False):
        else_found = Found(else_fn, ())
    joined = layout.of_branches(FORMS, names, test, if_found.values, else_found.values)
    changes = {**if_found.changed, **else_found.changed}
    changed = list(changes.values())
    outside = list({**changes, **if_found.outside, **else_found.outside}.values())
    dtypes = [each.dtype for each in (*joined.leaves(), *changed)]
    if not dtypes:
        return joined.values(())
    gradients.refuse_transformations("a tensor `if`", "Vmap")

    def branch(found: Found) -> Callable[..., tuple[Any, ...]]:
        def run(*operands: object) -> tuple[Any, ...]:
            given = dict(zip(map(id, outside), operands, strict=True))
            values, changes = found.run((), given)
            afterwards = ({**given, **changes}[key] for key in map(id, changed))
            # Only of tuples does PyTorch take gradients.
            return (*joined.flat(values), *map(copied, afterwards))

        return run

    operator = gradients.of_branches(torch.ops.higher_order.cond, dtypes)
    with _keeping_gradients():
        # What is written back must not be what an operator has saved for the gradient.
        operands = [*map(copied, changed), *outside[len(changed) :]]
        with emitting([decides], operands) as ((test_,), given):
            arrays = operator(test_, branch(if_found), branch(else_found), tuple(apart(given)))
    note_made(arrays)
    write_back(changed, arrays[len(joined.leaves()) :])
    _entangle_branches(joined, arrays, (if_found, else_found))
    return joined.values(arrays)


def _keeping_gradients() -> AbstractContextManager[Any]:
    """Gradients go through an operator under `no_grad`, and its graphs switch them off."""
    return torch.enable_grad() if drops_gradients() else nullcontext()


# ---- other names of outputs ----


def _entangle_branches(joined: Layout, arrays: Sequence[Any], founds: Sequence[Found]) -> None:
    """Entangle the outputs with what, after a branch, may be the same tensor."""
    for found in founds:
        originals = joined.originals(found.values)
        for array, original, leaf in zip(arrays, originals, joined.leaves(), strict=False):
            if is_loose(original):
                loosen(array, leaf.weak)
        for tensor, error in found.retired:
            retire(tensor, error)
    for found in founds:
        _entangle(joined, arrays, found.sources(joined.originals(found.values), arrays))


def _entangle(joined: Layout, arrays: Sequence[Any], shared: Sequence[list[Any]]) -> None:
    for path, array, others in zip(joined.paths(), arrays, shared, strict=False):
        for other in others:
            if not (is_loose(array) or is_loose(other)):
                what = (
                    f"after a staged statement {subject(path)} may be the same tensor as another "
                    "one, or show elements of it, depending on what runs"
                )
                entangle(array, other, what)


# ---- loops ----


def while_loop(
    test_fn: Test,
    body_fn: Body,
    init: Values,
    names: tuple[str, ...],
    options: Mapping[str, Any],
    first_runs: bool = False,
    listed: Sequence[Any] = (),
    settle: Settle = layout.of_loop,
) -> Values:
    """Return the state after a loop.

    Args:
      test_fn, body_fn, init, names, options: as the staging library is given them.
      first_runs: whether the test is known to hold at first.
      listed: tensors of which the loop goes through copies.
      settle: finds the layout of the state; see `layout.of_loop`.

    Raises: StagingError that names the variable if its form does not settle.
    """
    limit = options.get("maximum_iterations")
    if limit is not None:
        test_fn, body_fn = limited(FAILURES, limit, is_traced, test_fn, body_fn)
        named = (COUNTER, *names)
        return while_loop(test_fn, body_fn, (0, *init), named, {}, False, listed)[1:]
    loop = _Loop(test_fn, body_fn, init, names, settle)
    loop.refuse_changes(listed)
    gradients.refuse_transformations("a staged loop")
    arrays = loop.run(first_runs)
    final = layout.once_ended(loop.carried, loop.flags)
    if first_runs:
        final = layout.once_run(final, loop.body.values)
    loop.entangle_outputs(arrays, first_runs)
    return final.values(arrays)


class _Loop:
    """A `while` with what its test and its body take from outside."""

    def __init__(
        self, test_fn: Test, body_fn: Body, init: Values, names: tuple[str, ...], settle: Settle
    ) -> None:
        self._test_fn = test_fn
        self._body_fn = body_fn
        self._init = init
        self._settle(settle, names)
        self._test = Found(self._tested, self._placeholders(self.carried))
        self._changed = list(self.body.changed.values())

    def _settle(self, settle: Settle, names: tuple[str, ...]) -> None:
        """Find the layout of the state: one iteration, if it assigns new tensors to all variables.

        Tensors that it leaves, or changes in place, are no part of the state afterwards.
        """
        staying: set[int] = set()
        mark = signals.mark()

        def may_stay(array: object) -> bool:
            return id(array) in staying

        try:
            while True:
                before = len(staying)
                self.carried, self.body = settle(FORMS, names, self._init, may_stay, self._iterate)
                staying |= self._left()
                if len(staying) == before:
                    break
        except (Exception, StagingError):
            signals.forget(mark)
            # The body may ask the tensors that it starts with what they are.
            self.carried, self.body = settle(
                FORMS, names, self._init, lambda array: not is_loose(array), self._iterate
            )
        for error in self.body.own_changed.values():
            raise error

    def _left(self) -> set[int]:
        """Return the tensors at first that an iteration leaves, or changes in place."""
        after = self.carried.originals(self.body.values)
        return {
            id(start)
            for start, own, value in zip(self._starts(), self._own, after, strict=True)
            if not is_loose(start) and (value is own or id(own) in self.body.own_changed)
        }

    def _iterate(self, carried: Layout) -> Found:
        self.carried = carried
        self._own = self._placeholders(carried)
        return Found(self._after, self._own)

    def _placeholders(self, carried: Layout) -> list[Any]:
        with untraced():
            return [FORMS.placeholder(leaf) for leaf in carried.leaves()]

    def _state(self, arrays: Sequence[Any]) -> Values:
        leaves = self.carried.leaves()
        for array, start, leaf in zip(arrays, self._starts(), leaves, strict=True):
            if is_loose(start):
                loosen(array, leaf.weak)
        return self.carried.values(arrays)

    def _starts(self) -> list[Any]:
        return self.carried.originals(self._init)

    def _tested(self, *arrays: object) -> Values:
        state = self._state(arrays)
        test = self._test_fn(*state)
        self.flags = layout.flags_of(state, test, False)
        return (_tensor(truth(test)).clone(),)

    def _after(self, *arrays: object) -> Values:
        return self._body_fn(*self._state(arrays))

    def run(self, first_runs: bool) -> list[Any]:
        """Make it part of the trace."""
        outside = list({**self.body.changed, **self.body.outside, **self._test.outside}.values())
        count, first = len(self._own), len(self._changed)

        def test(*arrays: object) -> Any:
            given = dict(zip(map(id, outside), arrays[count:], strict=True))
            return self._test.run(arrays[:count], given)[0][0]

        def body(*arrays: object) -> tuple[Any, ...]:
            given = dict(zip(map(id, outside), arrays[count:], strict=True))
            values, changes = self.body.run(arrays[:count], given)
            afterwards = (changes[id(each)] for each in self._changed)
            return (*self.carried.flat(values), *map(copied, afterwards))

        with _keeping_gradients():
            starts = [*self.carried.flat(self._init), *map(copied, self._changed)]
            with emitting(starts, outside[first:]) as (starts, operands):
                arrays = gradients.run_loop(
                    torch.ops.higher_order.while_loop,
                    test,
                    body,
                    starts,
                    tuple(apart(operands)),
                    first_runs,
                )
        note_made(arrays)
        write_back(self._changed, arrays[count:])
        return list(arrays[:count])

    def refuse_changes(self, listed: Sequence[Any]) -> None:
        """Raise StagingError for changes that cannot be written back."""
        if self._test.changed:
            raise refusal(
                "the test of a staged loop changes a tensor in place.",
                "Change it in the body of the loop.",
            )
        outside = (*self.body.outside.values(), *self._test.outside.values())
        refuse_shared(self._changed, outside)
        refuse_shared(self._changed, (*listed, *self._starts()), also_same=True)
        retired = {id(tensor) for tensor, _ in self.body.retired}
        others = self.body.sources(self.carried.originals(self.body.values), self._own)
        for path, own, shared in zip(self.carried.paths(), self._own, others, strict=True):
            if id(own) in retired and shared:
                raise refusal(
                    f"a staged loop changes {subject(path)} in place, which may be the same tensor "
                    "as another one after an iteration.",
                    "Make a new tensor and assign it to the variable, for instance by `x = x + y`.",
                )

    def entangle_outputs(self, arrays: Sequence[Any], first_runs: bool) -> None:
        """Entangle the outputs with what, after the loop, may be the same tensor."""
        starts = self._starts()
        originals = self.carried.originals(self.body.values)
        shared = self.body.sources(originals, arrays)
        leaves = self.carried.leaves()
        passed_on = {self.body.place(own) for own in self._own}
        retired = {id(tensor): error for tensor, error in self.body.retired}
        for position, (start, original) in enumerate(zip(starts, originals, strict=True)):
            if is_loose(start):
                loosen(arrays[position], leaves[position].weak)
            if not isinstance(start, torch.Tensor):
                continue
            if id(self._own[position]) in retired:
                retire(start, retired[id(self._own[position])])
            if isinstance(original, torch.Tensor) and self.body.place(original) in passed_on:
                shared[position] += filter(torch.is_tensor, starts)
            elif not first_runs:
                shared[position].append(start)
        _entangle(self.carried, arrays, shared)


def _tensor(value: object) -> Any:
    return value if isinstance(value, torch.Tensor) else torch.full((), value, dtype=torch.bool)


def _over_rows(
    items: Items,
    start: int,
    stop: int,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
) -> Values:
    runs = stop > start and surely(extra_test, init, is_traced)
    return _counting(items, start, stop, body_fn, extra_test, init, names, {}, runs)


def _counted(items: Items, count: object, *loop: object) -> Values:
    # A symbolic dimension cannot be an operand, a tensor can.
    stop = count if isinstance(count, torch.Tensor) else torch.full((), count)
    return _counting(items, 0, stop, *loop)


def _counting(items: Items, start: int, *loop: Any) -> Values:
    listing = partial(while_loop, listed=items.listed())
    # A number would be a tensor after the first iteration, which would run again for it.
    first = torch.full((), start)
    loosen(first)
    return counting(listing, _copied_row, FAILURES, items, first, *loop)


def _copied_row(column: torch.Tensor, index: object) -> Any:
    row = row_of(column, index)
    entangle(row, None, ROW)
    return row


def rolled(
    items: range,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
    numbers: Mapping[int, Sequence[Any]],
) -> Values:
    """See `Ways.rolled`."""
    integers = Integers()

    def test(index: Value, *state: object) -> Any:
        more = index < len(items)
        return more if extra_test is None else FAILURES.both(more, truth(extra_test(*state)))

    def body(index: Value, *state: object) -> Values:
        with integers:
            integers.follow(index, range(len(items)))
            for position, values in numbers.items():
                integers.follow(state[position], values[:-1])
            after = body_fn(index * items.step + items.start, *state)
            for position, values in numbers.items():
                integers.check(after[position], values[1:])
        return (index + 1, *after)

    kinds = [COUNTER if position in numbers else name for position, name in enumerate(names)]
    settle = layout.of_rolled_loop
    return while_loop(test, body, (0, *init), (COUNTER, *kinds), {}, settle=settle)[1:]


def _without_inference(way: Callable[..., Values]) -> Callable[..., Values]:
    @wraps(way)
    def staged(*args: object) -> Values:
        note_statement()
        with without_inference():
            return way(*args)

    return staged


WAYS = Ways(
    is_traced,
    _without_inference(cond),
    _without_inference(while_loop),
    _without_inference(_over_rows),
    _without_inference(_counted),
    _without_inference(rolled),
)
