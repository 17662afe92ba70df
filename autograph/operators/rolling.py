"""Loops over Python's ranges and lists of which most iterations become one staged loop.

Python runs such a loop while it is traced, so each iteration is recorded anew. After a few of them
the rest is traced as one iteration for all, with a staged value for the loop variable. That is
done only if nobody can tell the difference: each variable keeps its type, or its value if it is
one of Python; nothing else changes; nothing is printed; and the library finds that what is
computed from the loop variable alone is what Python computes, for every value. Otherwise the
attempt is undone and the loop goes on as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from types import CellType, FunctionType, MethodType
from typing import Any, NoReturn

from autograph.errors import StagingError
from autograph.operators.calls import is_known_library
from autograph.operators.state import Changes, GetState, Retrace, SetState, State
from autograph.reach import names_in
from autograph.staging import (
    CannotRoll,
    StagingLibrary,
    call_watchers,
    library_among,
    staged_block,
    trace,
)
from autograph.verbosity import log

Body = Callable[[], Any]

LONG = 128
"""The least number of iterations of a loop that is rolled though Python knows when it ends.

Recording and optimizing an iteration takes a few milliseconds.
"""

_ATTEMPTS = (4, 16)
"""Before these iterations of a long loop it is tried: the first ones may change types."""

_FIRST = 2
"""Iterations after a staged `break` that are recorded one by one, to see what changes."""


class _Stale:
    """The value of the loop variable before it is assigned in an iteration; nobody reads it."""

    def _refuse(self, *_: Any) -> NoReturn:
        raise CannotRoll

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _refuse
    __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = _refuse
    __rpow__ = __neg__ = __pos__ = __abs__ = __int__ = __float__ = __index__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = _refuse
    __rlshift__ = __rshift__ = __rrshift__ = __invert__ = __str__ = __repr__ = _refuse
    __format__ = __getattr__ = __matmul__ = __rmatmul__ = __round__ = _refuse


_SAMPLES: tuple[Any, ...] = ([], (), range(0), {}.keys(), {}.values(), {}.items())
_ROLLED_KINDS = frozenset({enumerate, zip, *map(type, _SAMPLES)})
"""Classes of what a loop goes over."""

_ITERATORS = frozenset({enumerate, zip, *(type(iter(each)) for each in _SAMPLES)})


def may_be_rolled(iterable: Any) -> bool:
    """Whether a loop over this is tried to be rolled though Python knows when it ends."""
    return type(iterable) in _ROLLED_KINDS


def remaining(iterator: Any) -> Sequence[Any] | None:
    """The items that are left in an iterator, which stays where it is; None: not known.

    >>> numbers = iter([1, 2, 3])
    >>> next(numbers), remaining(enumerate(numbers, 5)), next(numbers)
    (1, [(5, 2), (6, 3)], 2)
    """
    kind = type(iterator)
    if kind not in _ITERATORS:
        return None
    parts = iterator.__reduce__()
    if kind is enumerate:
        inner, start = parts[1]
        items = remaining(inner)
        return None if items is None else list(enumerate(items, start))
    if kind is zip:
        columns = [remaining(each) for each in parts[1]]
        # One iterator in two places goes ahead twice.
        if any(each is None for each in columns) or len(set(map(id, parts[1]))) < len(columns):
            return None
        return list(zip(*columns, strict=False))
    (items,) = parts[1]
    return items[parts[2] if len(parts) > 2 and parts[2] else 0 :]  # type: ignore[no-any-return]


class Rolling:
    """A loop that may be rolled.

    Args:
      items: what it goes over.
      loop_body: takes an item.
      get_state, set_state, names: as in `for_stmt`.
      extra_test: whether the loop goes on; None: to its end.
    """

    def __init__(
        self,
        items: Any,
        loop_body: Callable[[Any], Any],
        get_state: GetState,
        set_state: SetState,
        names: tuple[str, ...],
        extra_test: Body | None = None,
    ) -> None:
        self._items = items
        self._body = loop_body
        self._get = get_state
        self._set = set_state
        self._names = names
        self._test = extra_test

    def run(self) -> None:
        """Runs a loop to its end: the first iterations and the last one as Python, if it can be."""
        before: tuple[Any, ...] = ()
        last: tuple[Any, ...] = ()
        iterator = iter(self._items)
        for position, item in enumerate(iterator):
            if position + 1 in _ATTEMPTS:
                before = self._get()
            elif position in _ATTEMPTS:
                rest = self._rest(iterator, item, position)
                library = library_among(_leaves(self._get())) if len(rest) > 1 else None
                if library is not None and self._attempt(library, before, position, rest, last):
                    # The last item is left, and those that its iteration appends to the list.
                    item = next(islice(iterator, len(rest) - 2, None))
            self._body(item)
            last = (*last[-1:], item)

    def _rest(self, iterator: Iterator[Any], item: Any, position: int) -> Sequence[Any]:
        """The item and those after it; empty for a loop that is too short."""
        if type(self._items) is range:
            rest: Sequence[Any] | None = self._items[position:]
        else:
            left = remaining(iterator)
            rest = None if left is None else [item, *left]
        return rest if rest is not None and position + len(rest) >= LONG else ()

    def run_behind_break(
        self, library: StagingLibrary, run: Callable[[Any], None], position: int
    ) -> None:
        """Runs the rest of a loop that a staged `break` may have left.

        Args:
          library: stages it.
          run: runs one iteration.
          position: how many iterations there were.
        """
        before: tuple[Any, ...] = ()
        for later, item in enumerate(self._items[position:]):
            if later == _FIRST - 1:
                before = self._get()
            elif later == _FIRST:
                rest = self._items[position + later :]
                if self._attempt(library, before, position + later, rest, None):
                    return
            run(item)

    def _attempt(
        self,
        library: StagingLibrary,
        before: tuple[Any, ...],
        position: int,
        rest: Sequence[Any],
        last: tuple[Any, ...] | None,
    ) -> bool:
        """Makes the iterations that are left one loop. False: it cannot be.

        Args:
          library: stages the loop.
          before: what the variables were one iteration ago.
          position: the number of iterations before.
          rest: the items that are left.
          last: the last two items before them, if the last item of all is left to Python.
        """
        roll_for = getattr(library, "roll_for", None)
        if roll_for is None or _tells_iterations_apart(self._body):
            return False
        now = self._get()
        stale = set() if last is None else _loop_variables(before, now, last)
        rolled = rest if last is None else rest[:-1]
        item_of: Callable[[Any], Any] | None = None
        if not isinstance(rolled, range):
            if not hasattr(library, "numbered"):
                return False
            item_of = library.numbered(rolled)
            if item_of is None:
                return False
            rolled = range(len(rolled))
        state = State(self._get, self._set, self._names, (self._body, self._test))
        if not state.can_be_undone():
            return False
        init = state.init
        earlier = tuple(
            after if one is other else one
            for one, other, after in zip(before, now, init, strict=True)
        )

        def body_fn(item: Any, *values: Any) -> tuple[Any, ...]:
            state.begin(_replaced(values, stale, _Stale()))
            self._body(item if item_of is None else item_of(item))
            found = state.read(repeats=True)
            if any(type(found[each]) is _Stale for each in stale):
                raise CannotRoll
            return _replaced(found, stale, None)

        def test_fn(*values: Any) -> Any:
            state.begin(_replaced(values, stale, _Stale()))
            assert self._test is not None
            return self._test()

        outer, trace.rolling = trace.rolling, True
        try:
            with staged_block(library):
                final = roll_for(
                    rolled,
                    body_fn,
                    None if self._test is None else test_fn,
                    _replaced(earlier, stale, None),
                    _replaced(init, stale, None),
                    self._names,
                )
        except (Exception, StagingError, CannotRoll, Changes, Retrace):
            state.restore()
            return False
        finally:
            trace.rolling = outer
        state.finish(tuple(now[i] if i in stale else value for i, value in enumerate(final)))
        code = self._body.__code__
        place = f"(File {code.co_filename!r}, line {code.co_firstlineno})"
        items = _described(self._items)
        log(1, f"the loop over {items} {place} is one staged loop from iteration {position} on.")
        return True


def _described(items: Any) -> str:
    return str(items) if type(items) is range else f"the items of `{type(items).__name__}`"


def _loop_variables(
    before: tuple[Any, ...], now: tuple[Any, ...], last: tuple[Any, ...]
) -> set[int]:
    """The variables that were the item, or the same part of it, in the last two iterations."""
    pairs = list(zip(*map(_parts, last), strict=False))
    return {
        each
        for each, (one, other) in enumerate(zip(before, now, strict=True))
        if any(_is_item(one, first) and _is_item(other, second) for first, second in pairs)
    }


def _parts(item: Any) -> list[Any]:
    """An item, and what it consists of where it is a tuple."""
    inner = [part for each in item for part in _parts(each)] if type(item) is tuple else []
    return [item, *inner]


def _is_item(value: Any, item: Any) -> bool:
    return value is item or (type(value) is type(item) is int and value == item)


def _leaves(value: Any, depth: int = 4) -> Iterator[Any]:
    """The values in nested tuples, lists and dicts."""
    kind = type(value)
    if depth and kind in (tuple, list, dict):
        for part in value.values() if kind is dict else value:
            yield from _leaves(part, depth - 1)
    else:
        yield value


def _tells_iterations_apart(function: Any) -> bool:
    """Whether code of a function can tell a staged value from a number, or writes messages.

    Looked at are the function, those in its variables, and those that it names.
    """
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        each = waiting.pop()
        if type(each) is MethodType:
            each = each.__func__
        if type(each) is not FunctionType or id(each) in seen or is_known_library(each.__globals__):
            continue
        seen.add(id(each))
        mentioned = names_in(each.__code__)
        if not (_TYPE_TESTS | _LOGS).isdisjoint(mentioned):
            return True
        waiting += [each.__globals__[name] for name in mentioned if name in each.__globals__]
        waiting += [cell.cell_contents for cell in each.__closure__ or () if _is_filled(cell)]
    return False


_TYPE_TESTS = frozenset({"isinstance", "issubclass", "type", "__class__", "hasattr", "id"})
_LOGS = frozenset({"logging", "debug", "info", "warn", "warning", "warnings", "critical"})
"""Names of what writes messages while Python traces, one for each iteration."""


def _is_filled(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def end_attempt(function: FunctionType, target: Any) -> Any:
    """Ends an attempt where it comes to a function that can tell iterations apart."""
    if trace.rolling and _tells_iterations_apart(function):
        raise CannotRoll
    return target


call_watchers.append(end_attempt)


def _replaced(values: tuple[Any, ...], positions: set[int], value: Any) -> tuple[Any, ...]:
    return tuple(value if i in positions else each for i, each in enumerate(values))
