"""A staged `for`: a loop with a counter over items that a graph goes through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from runtime.control_flow.iterables import as_iterable, count_of
from runtime.control_flow.truth import truth
from runtime.control_flow.while_loop import State, staged_while
from runtime.core.tensor import Tensor
from runtime.ops.arithmetic import add
from runtime.ops.comparison import less, logical_and
from runtime.ops.convert import constant_of


def staged_for(
    iterable: Any,
    body_fn: Callable[..., State],
    extra_test: Callable[..., Any] | None,
    init: State,
    names: tuple[str, ...],
    options: Mapping[str, Any],
) -> State:
    """`for item in iterable: state = body_fn(item, *state)` while `extra_test(*state)` holds.

    Arguments are as in `staged_while`; `iterable` is anything that `as_iterable` takes.
    """
    items = as_iterable(iterable)
    count = count_of(items.length())

    def test(index: Tensor, *state: Any) -> Tensor:
        more = less(index, count)
        return more if extra_test is None else logical_and(more, truth(extra_test(*state)))

    def body(index: Tensor, *state: Any) -> State:
        return (add(index, 1), *body_fn(items.item(index), *state))

    start = constant_of(count.dtype.as_numpy_dtype(0))
    return staged_while(test, body, (start, *init), ("loop counter", *names), options)[1:]
