"""The staged `for`: a counted loop over an iterable that a graph can index."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.control_flow.iterables import StagedIterable, as_iterable, count_of
from runtime.control_flow.truth import truth
from runtime.control_flow.while_loop import State, staged_while
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import constant_of
from runtime.ops.math.arithmetic import add
from runtime.ops.math.comparison import less, logical_and


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
    has_item, start = _counted(items)

    def test(index: Tensor, *state: object) -> Tensor:
        more = has_item(index)
        return more if extra_test is None else logical_and(more, truth(extra_test(*state)))

    def body(index: Tensor, *state: object) -> State:
        return (add(index, 1), *body_fn(items.item(index), *state))

    return staged_while(test, body, (start, *init), ("loop counter", *names), options)[1:]


def _counted(items: StagedIterable) -> tuple[Callable[[Tensor], Tensor], Tensor]:
    """Return the test for an item with a given number, and the first number."""
    if items.is_stream:
        return items.more, constant_of(np.int64(0))
    count = count_of(items.length())
    return lambda index: less(index, count), constant_of(count.dtype.as_numpy_dtype(0))
