"""`filter`, `takewhile` and `dropwhile` with staged conditions.

Like Python's, each asks its condition of an item when that item is due: the loop over it may change
what the condition reads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from autograph.errors import StagingError
from autograph.operators.control_flow import for_stmt, if_stmt
from autograph.operators.frames import user_line
from autograph.operators.logic import and_
from autograph.operators.variables import GetState, SetState
from autograph.staging import library_of

Test = Callable[[Any], Any]
Loop = Callable[..., None]


class Filtered(Iterator[Any]):
    """The items of an iterable that a condition selects, computed as they are read.

    Args:
      original: `filter`, `takewhile` or `dropwhile`, on Python values.
      condition: the condition of an item.
      iterable: the items.
    """

    def __init__(
        self, original: Callable[..., Iterator[Any]], condition: Test, iterable: Iterable[Any]
    ) -> None:
        self._original = original
        self._condition = condition
        self._iterable = iterable
        self._iterator: Iterator[Any] | None = None

    @property
    def reached(self) -> tuple[object, ...]:
        """The functions that choose the items, and the iterable that they come from."""
        inner = self._iterable
        return (self._condition, *(inner.reached if isinstance(inner, Filtered) else (inner,)))

    def __next__(self) -> Any:
        """Return the next item. Raises StagingError if the running program decides which it is."""
        if self._iterator is None:
            self._iterator = self._original(self._known, self._iterable)
        return next(self._iterator)

    def _known(self, item: object) -> Any:
        test = self._condition(item)
        if library_of(test) is not None:
            raise self._unknown()
        return test

    def __autograph_for__(self, loop_body: Test, *rest: Any) -> None:
        """Run a `for` over the items, as `for_stmt`."""
        if self._iterator is not None:
            for_stmt(self._iterator, loop_body, *rest)
            return
        _LOOPS[self._original](self._iterable, self._condition, loop_body, *rest)
        has_break = len(rest) > 3 and rest[3] is not None
        self._iterator = self._refused() if has_break else iter(())

    def __autograph_items__(self) -> Any:
        """Return a list of the items that are left; a staged list if a condition is staged."""
        items: list[Any] = []

        def get() -> tuple[Any, ...]:
            return (items,)

        def put(values: tuple[Any, ...]) -> None:
            nonlocal items
            (items,) = values

        names = (f"the items of `{self._original.__name__}`",)
        for_stmt(self, lambda item: items.append(item), get, put, names)
        return items

    def _refused(self) -> Iterator[Any]:
        """Refuse the items that a loop with a `break` has left."""
        raise self._unknown()
        yield

    def _unknown(self) -> StagingError:
        name = self._original.__name__
        return StagingError(
            f"which items `{name}` has left is known only when the program runs, and Python asks "
            f"for the next one.\n  {user_line()}\n",
            remedy=f"Loop over `list({name}(...))`, or write a `for` with an `if`.",
        )


def _filter_loop(
    iterable: object,
    condition: Test,
    loop_body: Test,
    get_state: Any = None,
    set_state: Any = None,
    names: tuple[str, ...] = (),
    *rest: Any,
) -> None:
    def body(item: object) -> None:
        if_stmt(condition(item), partial(loop_body, item), None, get_state, set_state, names)

    for_stmt(iterable, body, get_state, set_state, names, *rest)


def _flag(
    get_state: GetState | None, set_state: SetState | None
) -> tuple[Callable[[], Any], Callable[[Any], None], GetState, SetState]:
    """Return a variable that is true at first, which a loop carries before its own.

    Returns:
      Functions that read and assign it, and those that read and assign all variables.
    """
    flag: Any = True

    def read() -> Any:
        return flag

    def assign(value: object) -> None:
        nonlocal flag
        flag = value

    def get() -> tuple[Any, ...]:
        return (flag, *(get_state() if get_state else ()))

    def put(values: tuple[Any, ...]) -> None:
        nonlocal flag
        flag, *others = values
        if set_state:
            set_state(tuple(others))

    return read, assign, get, put


def _take_loop(
    iterable: object,
    condition: Test,
    loop_body: Test,
    get_state: Any = None,
    set_state: Any = None,
    names: tuple[str, ...] = (),
    extra_test: Callable[[], Any] | None = None,
    *rest: Any,
) -> None:
    takes, take, get, put = _flag(get_state, set_state)

    def body(item: object) -> None:
        take(condition(item))
        if_stmt(takes(), partial(loop_body, item), None, get, put, names)

    def test() -> Any:
        return takes() if extra_test is None else and_(takes(), extra_test)

    names = ("whether `takewhile` goes on", *names)
    for_stmt(iterable, body, get, put, names, test, *rest)


def _drop_loop(
    iterable: object,
    condition: Test,
    loop_body: Test,
    get_state: Any = None,
    set_state: Any = None,
    names: tuple[str, ...] = (),
    *rest: Any,
) -> None:
    drops, drop, get, put = _flag(get_state, set_state)

    def body(item: object) -> None:
        if_stmt(drops(), lambda: drop(condition(item)), None, get, put, names)
        if_stmt(drops(), None, partial(loop_body, item), get, put, names)

    names = ("whether `dropwhile` drops items", *names)
    for_stmt(iterable, body, get, put, names, *rest)


_LOOPS: dict[Any, Loop] = {
    filter: _filter_loop,
    itertools.takewhile: _take_loop,
    itertools.dropwhile: _drop_loop,
}
