"""The ways to stage a `for`, and which one to take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from autograph.adapters.failures import Failures
from autograph.adapters.iterables import Items
from autograph.adapters.layout import COUNTER, Values
from autograph.adapters.refusals import Unsettled, refusal
from autograph.errors import signals

_MOST_UNROLLED = 1000

Test = Callable[..., Any]
Body = Callable[..., Values]


class Ways(NamedTuple):
    """What a library offers.

    Attributes:
      is_traced: whether a value is known only when the program runs.
      cond: one of two functions.
      while_loop: a loop as long as a test holds.
      over_rows: a loop over the items from one number to another.
      counted: a loop over as many items as a traced number says.
      rolled: a loop over Python's integers, of which one iteration is traced; None: never. A
        function of the integers; the body, the extra test, the state and the names; and for
        positions of Python numbers that the loop changes, the number before each iteration and
        after the last. Raises CannotRoll unless it does what Python's loop would do.
    """

    is_traced: Callable[[Any], bool]
    cond: Callable[..., Values]
    while_loop: Callable[..., Values]
    over_rows: Callable[[Items, int, int, Body, Test | None, Values, tuple[str, ...]], Values]
    counted: Callable[..., Values]
    rolled: Callable[..., Values] | None = None


def known_limit(limit: Any, is_traced: Callable[[Any], bool]) -> int:
    """Return the number of iterations that `maximum_iterations` allows. Raises StagingError."""
    if is_traced(limit):
        raise refusal(
            "maximum_iterations is a traced value, but the loop needs its length in advance.",
            "Give a Python int.",
        )
    return max(int(limit), 0)


def limited(
    failures: Failures,
    limit: object,
    is_traced: Callable[[Any], bool],
    test_fn: Test,
    body_fn: Body,
) -> tuple[Test, Body]:
    """Return test and body of a loop that counts its iterations, up to `maximum_iterations`.

    Args:
      failures: of the library.
      limit: the option.
      is_traced: whether a value is known only when the program runs.
      test_fn, body_fn: of the loop without a limit.
    """
    most = known_limit(limit, is_traced)

    def test(done: Any, *state: Any) -> Any:
        return failures.both(done < most, failures.truth(test_fn(*state)))

    def body(done: Any, *state: Any) -> Values:
        return (done + 1, *body_fn(*state))

    return test, body


def surely(test_fn: Test | None, state: Values, is_traced: Callable[[Any], bool]) -> bool:
    """Return whether the test of a loop is known to hold."""
    if test_fn is None:
        return True
    test = test_fn(*state)
    return not is_traced(test) and bool(test)


def counting(
    while_loop: Callable[..., Values],
    row: Callable[[Any, Any], Any],
    failures: Failures,
    items: Items,
    start: object,
    stop: Any,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
    options: Mapping[str, Any],
    first_runs: bool = False,
) -> Values:
    """Return the state after a loop over the items from one number to another.

    Args:
      while_loop: of the library; `first_runs` says that the first test is known to hold.
      row: the row of a column at a position.
      failures: of the library.
      items, start, stop, body_fn, extra_test, init, names, options: the loop.
      first_runs: whether the first iteration surely runs.
    """
    columns = list(items.columns)

    def test(index: Any, *state: object) -> Any:
        more = index < stop
        return (
            more if extra_test is None else failures.both(more, failures.truth(extra_test(*state)))
        )

    def body(index: Any, *state: Any) -> Values:
        rows = [row(column, index) for column in columns]
        return (index + 1, *body_fn(items.item(rows, index), *state))

    named = (COUNTER, *names)
    return while_loop(test, body, (start, *init), named, options, first_runs)[1:]


def for_loop(
    ways: Ways,
    items: Items,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
    options: Mapping[str, Any],
    rest: Callable[[Items, int, int, Values], Values] | None = None,
) -> Values:
    """Return the state after a loop over items.

    Where their number is known and the variables look different after the first iteration, that
    iteration runs before the loop; and the loop is unrolled if they do so after each, for instance
    because a list grows.

    Args:
      ways: of the library.
      items, body_fn, extra_test, init, names, options: the loop.
      rest: runs the items from one number to another one by one; None: as `unrolled` does.

    Raises: Unsettled, naming the variable, if no way will do.
    """
    limit = options.get("maximum_iterations")
    count = items.length()
    if not isinstance(count, int):
        return ways.counted(items, count, body_fn, extra_test, init, names, options)
    if limit is not None:
        count = min(count, known_limit(limit, ways.is_traced))
    if count == 0:
        return init
    mark = signals.mark()
    try:
        return ways.over_rows(items, 0, count, body_fn, extra_test, init, names)
    except Unsettled as error:
        if not surely(extra_test, init, ways.is_traced):
            raise
        unsettled = error
        signals.forget(mark)
    state = body_fn(items.at(0), *init)
    try:
        return ways.over_rows(items, 1, count, body_fn, extra_test, state, names)
    except Unsettled:
        if count > _MOST_UNROLLED:
            raise unsettled from None
        signals.forget(mark)
    if rest is not None:
        return rest(items, 1, count, state)
    return unrolled(ways, items, 1, count, body_fn, extra_test, state, names)


def unrolled(
    ways: Ways,
    items: Items,
    start: int,
    stop: int,
    body_fn: Body,
    extra_test: Test | None,
    state: Values,
    names: tuple[str, ...],
) -> Values:
    """Return the state after a loop over the items from one number to another, one by one."""
    for index in range(start, stop):
        go_on = True if extra_test is None else extra_test(*state)
        if not ways.is_traced(go_on) and not go_on:
            break
        state = once(ways, go_on, partial(body_fn, items.at(index), *state), state, names)
    return state


def once(
    ways: Ways,
    go_on: object,
    iteration: Callable[[], Values],
    state: Values,
    names: tuple[str, ...],
) -> Values:
    """Return the state after an iteration if `go_on` is true; else the state."""
    if ways.is_traced(go_on):
        return ways.cond(go_on, iteration, partial(_unchanged, state), names)
    return iteration() if go_on else state


def _unchanged(state: Values) -> Values:
    return state
