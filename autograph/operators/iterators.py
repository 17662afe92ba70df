"""Iterators that a staged statement advances, or leaves somewhere."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType, GeneratorType
from typing import Any

from autograph import staging
from autograph.code_objects import CONVERTED, is_read_once, names_in
from autograph.conversion.class_facts import is_static
from autograph.conversion.libraries import is_known_library
from autograph.errors import StagingError
from autograph.operators.frames import user_line
from autograph.operators.results import has_operators
from autograph.reach.record import Label, text_of
from autograph.reach.walk import Objects, Reach
from autograph.staging import begin_once, trace


def refuse_unseen(*values: object) -> None:
    """Refuse to advance an iterator in a staged block if it cannot be put back afterwards.

    Raises:
      StagingError: for an iterator of a library, made before the statement, whose position cannot
        be read. All others are compared after the block.
    """
    if trace.reach is None:
        return
    for value in values:
        label = trace.reach.unseen(value)
        if label is not None:
            raise StagingError(
                f"`{label}`, of type {type(value).__name__}, is advanced in a staged statement, "
                "which is traced whether or not it will run: the change cannot wait for that.\n"
                f"  {user_line()}\n",
                remedy=f"Make a list of the items of `{label}` before the statement.",
            )


def unmapped(
    iterable: Iterable[Any], body: Callable[[Any], Any]
) -> tuple[Iterable[Any], Callable[[Any], Any]]:
    """Move the function of a `map` from its iterator into the body of a loop over it.

    There the program may not come, after a staged `break`, and effects of the function are state.

    >>> items, body = unmapped(map(pow, [2, 3], [3, 2]), print)
    >>> for item in items:
    ...     body(item)
    8
    9
    >>> unmapped([1], print)
    ([1], <built-in function print>)
    """
    staged = getattr(type(iterable), "__autograph_mapped__", None)
    items: Iterable[Any]
    if staged is not None:
        begin_once(iterable)
        function, items = staged(iterable)
    elif type(iterable) is map:
        parts: Any = iterable.__reduce__()[1]
        function, *iterators = parts
        items = zip(*iterators, strict=False)
    else:
        return iterable, body
    return items, lambda arguments: body(function(*arguments))


@contextmanager
def items_by_library() -> Iterator[None]:
    """Surround what may compute items of a staged iterable apart from each other."""
    outer, trace.by_library = trace.by_library, True
    try:
        yield
    finally:
        trace.by_library = outer


def computed(converted: Callable[[Any], Any], function: object, *items: object) -> Any:
    """Call the function of a `map`, which must change nothing where the library calls it.

    Args:
      converted: returns what is called in place of the function: its list may have moved.
      function: the function.
      items: its arguments.
    """
    target = converted(function)
    return without_effects(target, *items) if trace.by_library else target(*items)


def without_effects(function: Callable[..., Any], *items: object) -> Any:
    """Call a function of an item.

    Raises:
      StagingError: if it changes an object or a variable, which it cannot do item by item.
    """
    before = Reach((partial(function, *items),))
    try:
        value = function(*items)
    finally:
        changed = before.changed()
        if changed:
            before.restore()
    for place in changed:
        raise StagingError(
            f"`{place.label}` is changed by the function of a `map` or `filter`, or a test of "
            "`any` or `all`: a graph computes all items, and carries no change from one to the "
            "next.\n"
            f"  {user_line()}\n",
            remedy="Write a `for` that calls the function.",
        )
    return value


A_LOOP = "a loop that a staged `break` or `return` may leave"


def left_by_break(iterable: object, iterator: Iterator[Any], where: str = A_LOOP) -> Iterator[Any]:
    """Return the rest of an iterator in a loop that a staged `break` may leave.

    The trace advances the iterator to its end, the program perhaps not.

    Args:
      iterable: what the loop goes through.
      iterator: its iterator.
      where: the loop, or the function that loops, in the words of an error.

    Raises:
      StagingError: if the program may read the iterator, or what it changes, elsewhere.
    """
    kind = type(iterable)
    if is_static(kind) and not hasattr(kind, "__next__"):
        return iterator
    advanced = _Advanced({"the iterator": iterator})
    elsewhere = Iterators(_variables(iterable, advanced))
    for number in (id(iterable), *advanced.labels):
        if number in elsewhere.labels:
            raise _read_elsewhere(text_of(elsewhere.labels[number]), where)
    return _watched(iterator, iterable, advanced, where) if advanced.run_program else iterator


def _read_elsewhere(label: str, where: str) -> StagingError:
    return StagingError(
        f"`{label}` is an iterator in {where}, and may be read elsewhere: how many items are left "
        f"for that is known only when the program runs.\n  {user_line()}\n",
        remedy="Loop over a list of its items, or make the iterator in the statement of the loop.",
    )


class Iterators(Objects):
    """The iterators reachable from values.

    Args:
      values: functions and other values, keyed by the user's names.

    Attributes:
      labels: the user's name for each iterator, by id.
      run_program: whether the program computes the items of one of them.

    >>> numbers = iter([1, 2])
    >>> list(Iterators({"pairs": enumerate(numbers)}).labels.values())
    ['pairs', 'pairs']
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.labels: dict[int, Label] = {}
        self.run_program = False
        super().__init__(values)

    def _wait(self, value: object, label: Label) -> None:
        kind = type(value)
        if hasattr(kind, "__next__") and not staging.takes_part(kind):
            self.labels.setdefault(id(value), label)
            self.run_program |= kind in _CALLING or not is_static(kind)
        super()._wait(value, label)

    def _look_at_iterator(self, value: object, label: Label) -> None:
        super()._look_at_iterator(value, label)
        for name, each in _locals(value).items():
            self._wait(each, name)


class _Advanced(Iterators):
    """The iterators that an iterator may advance; not those among the items that it yields."""

    def _look_at_iterator(self, value: object, label: Label) -> None:
        if type(value) in _YIELDING:
            parts = value.__reduce__()[1]
            self._wait_all((each for each in parts if hasattr(type(each), "__next__")), label)
        else:
            super()._look_at_iterator(value, label)


_OF_CONTAINERS: tuple[Any, ...] = ([], (), {}, {}.values(), {}.items())
_YIELDING = frozenset({enumerate, zip, *(type(iter(each)) for each in _OF_CONTAINERS)})
"""Iterators that run no code of the program."""


_CALLING = frozenset({GeneratorType, map, filter, type(iter(int, 1))}) | {
    vars(itertools)[name]
    for name in ("accumulate", "dropwhile", "filterfalse", "groupby", "starmap", "takewhile")
}
"""Static classes of iterators that run code of the program."""


def _mentioned(frame: FrameType) -> dict[str, Any]:
    """Return the global variables that a function mentions."""
    names = frame.f_globals
    return {name: names[name] for name in names_in(frame.f_code) if name in names}


def _locals(value: object) -> dict[str, Any]:
    """Return the variables of a generator."""
    frame = value.gi_frame if isinstance(value, GeneratorType) else None
    return {} if frame is None else frame.f_locals


def _watched(
    iterator: Iterator[Any], iterable: object, advanced: Iterators, where: str
) -> Iterator[Any]:
    """Yield the items; refuse changes of objects that the program may read elsewhere."""
    going_on = True
    while going_on:
        variables = _variables(iterable, advanced)
        before, raises = Reach([], variables), trace.raises
        try:
            item = next(iterator)
        except StopIteration:
            going_on = False
        now = _variables(iterable, advanced)
        rebound = [name for name, value in now.items() if value is not variables.get(name)]
        for label in (*rebound, *(place.label for place in before.changed())):
            raise StagingError(
                f"`{label}` is changed by an iterator in {where}: how often is known only when the "
                f"program runs.\n  {user_line()}\n",
                remedy="Loop over a list of its items.",
            )
        if trace.raises != raises:
            raise StagingError(
                f"an iterator may raise in {where}: whether it gets there is known only when the "
                f"program runs.\n  {user_line()}\n",
                remedy="Loop over a list of its items.",
            )
        if going_on:
            yield item


def _variables(iterable: object, advanced: Iterators) -> dict[str, Any]:
    """Return what the running functions can read after a loop, keyed by the user's names.

    The variable of the loop is left out where the function made the iterator for the loop alone.
    """
    found: dict[str, Any] = {}
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and _is_own(frame):
        frame = frame.f_back
    innermost = frame
    while frame is not None:
        if not _is_own(frame):
            for name, value in _roots(frame, advanced).items():
                alone = value is iterable and is_read_once(frame.f_code, name)
                if not (alone and frame is innermost):
                    _add(found, name, value)
        frame = frame.f_back
    return found


def _add(found: dict[str, Any], name: str, value: object) -> None:
    while found.get(name, value) is not value:
        name = f"{name} of a caller"
    found[name] = value


def _is_own(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).startswith("autograph.")


def _roots(frame: FrameType, advanced: Iterators) -> dict[str, Any]:
    """Return the variables of a function; of code that is not converted, the iterators alone."""
    if is_known_library(frame.f_globals):
        # It holds what the program gave it. Up to Python 3.12, reading the variables of a frame
        # keeps their values until it ends, which `jax.checking_leaks` finds.
        return {}
    names, code = frame.f_locals, frame.f_code
    if names is frame.f_globals or not (CONVERTED in code.co_consts or has_operators(code)):
        return {name: value for name, value in names.items() if id(value) in advanced.labels}
    return {**_mentioned(frame), **names}
