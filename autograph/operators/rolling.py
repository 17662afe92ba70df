"""Rolling: most iterations of a Python loop become one staged loop.

A trace records each iteration of a Python loop separately. After a few iterations, the rest is
traced as a single iteration, with a staged loop variable. The result must be indistinguishable:
each variable keeps its type (a Python variable its value), there is no other side effect, and the
library proves that computations on the loop variable alone give Python's results. Otherwise the
attempt is undone and the loop continues as Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

from autograph.code_objects import names_in
from autograph.errors import StagingError, signals
from autograph.operators.branches import Attempt, Changes
from autograph.operators.frames import user_line
from autograph.operators.iterations import is_filled, tells_apart
from autograph.operators.progressions import progression
from autograph.operators.state import Retrace, State
from autograph.operators.variables import (
    GetState,
    SetState,
    assign_variables,
    is_generated,
    read_variables,
)
from autograph.reach.places import Place, own_attribute
from autograph.staging import (
    CannotRoll,
    StagingLibrary,
    library_among,
    optional,
    staged_block,
    trace,
)
from autograph.syntax.names import OPERATORS
from autograph.values import Value
from autograph.verbosity import log

Body = Callable[[], Any]

LONG = 128
"""Minimum number of iterations of a rolled loop with a known end.

Recording and optimizing an iteration takes a few milliseconds.
"""

_ATTEMPTS = (4, 16)
"""The iterations before which rolling is attempted; the first ones may change types."""

_FIRST = 2
"""Number of iterations after a staged `break` that are recorded separately, to observe changes."""


_MOST_RECORDED = 512
"""Number of iterations that are recorded one by one after a staged `break`.

Tracing as many takes some seconds, and compiling them grows faster than their number.
"""


class _Stale:
    """The value of the loop variable before its assignment in an iteration; never read."""

    def _refuse(self, *_: object) -> NoReturn:
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
"""Classes of iterables whose loops may be rolled."""

_ITERATORS = frozenset({enumerate, zip, *(type(iter(each)) for each in _SAMPLES)})


def may_be_rolled(iterable: object) -> bool:
    """Return whether to attempt rolling a loop over this iterable."""
    return type(iterable) in _ROLLED_KINDS


def remaining(iterator: Any) -> Sequence[Any] | None:
    """Return the remaining items of an iterator without advancing it; None if unknown.

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
        # An iterator that occurs twice advances twice.
        if any(each is None for each in columns) or len(set(map(id, parts[1]))) < len(columns):
            return None
        return list(zip(*columns, strict=False))
    (items,) = parts[1]
    return items[parts[2] if len(parts) > 2 and parts[2] else 0 :]  # type: ignore[no-any-return]


class Rolling:
    """A Python loop that may be rolled.

    Args:
      run: runs one iteration on an item.
      functions: the user functions, the body first.
      get_state, set_state, names: as in `for_stmt`.
    """

    def __init__(
        self,
        run: Callable[[Any], Any],
        functions: tuple[Callable[..., Any] | None, ...],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        self._run = run
        self._functions = functions
        self._get = get_state
        self._set = set_state
        self._names = names
        self._states: tuple[tuple[Any, ...], ...] = ()
        self._places: list[Place] = []

    def note_state(self) -> tuple[Any, ...]:
        """Record the state at the start of an iteration; keep the last three.

        It holds the variables, and the other places that an earlier attempt found changed.
        """
        now = read_variables(self._get) if self._get is not None else ()
        held = (place.read() for place in self._places)
        self._states = (*self._states[-2:], (*now, *held))
        return now

    def is_due(self, position: int) -> bool:
        """Return whether to attempt before this iteration; record the states that it compares."""
        if position in _WATCHED:
            self.note_state()
        return position in _ATTEMPTS

    def library(self) -> StagingLibrary | None:
        """Return the library of the first staged value that the loop carries or reads."""
        carried = library_among(_leaves(self._states[-1]))
        return carried or library_among(_leaves(_free_variables(self._functions)))

    def progressions(self) -> dict[int, Iterator[Any]]:
        """Return the future values of each number that iterations change, by position."""
        if len(set(map(len, self._states))) > 1 or len(self._states) < 3:
            return {}
        found = map(progression, *self._states)
        return {position: each for position, each in enumerate(found) if each is not None}

    def attempt(
        self,
        library: StagingLibrary,
        position: int,
        rest: Sequence[Any],
        label: str,
        last: tuple[Any, ...] | None = None,
        extra_test: Body | None = None,
        flags: Sequence[int] = (),
    ) -> int:
        """Stage remaining iterations as one loop; return their number, 0 if impossible.

        Args:
          library: stages the loop.
          position: the number of iterations before.
          rest: the remaining items.
          label: the iterable, for the log.
          last: the two items before `rest`, if the last iteration is left to Python.
          extra_test: whether the loop continues. None: until its end.
          flags: positions of false flags; the loop ends before one of them is set.
        """
        body = self._functions[0]
        state = State(self._get, self._set, self._names, self._functions)
        if not _may_roll(library, body, flags) or not state.can_be_undone():
            return 0
        before, now = self._last_two(state)
        state.rebind_tuples(before, now)
        numbered = _numbered_items(library, rest if last is None else rest[:-1])
        if numbered is None:
            return 0
        items, item_of = numbered
        stale = set() if last is None else _loop_variables(before, now, last)
        # The iteration that sets a flag, and its return value, is left to Python.
        ended = (i for i, each in enumerate(now) if flags and is_generated(each))
        iteration = _Iteration(
            self._run, state, item_of, frozenset(stale), extra_test, frozenset((*flags, *ended))
        )
        numbers = {
            each: tuple(islice(values, len(items) + 1))
            for each, values in self.progressions().items()
            if each not in stale and each < len(now)
        }
        loop = _StagedLoop(library, items, numbers, flags)
        outer, trace.rolling = trace.rolling, True
        mark = signals.mark()
        try:
            final = loop.stage(iteration)
            if signals.swallowed(mark):
                raise CannotRoll
        except _REFUSED:
            state.restore()
            signals.forget(mark)
            # Their numbers may be progressions, as those of variables.
            self._places = state.places
            return 0
        finally:
            trace.rolling = outer
        ends = {each: values[-1] for each, values in loop.numbers.items()}
        ends.update((each, now[each]) for each in stale)
        state.finish(tuple(ends.get(i, value) for i, value in enumerate(final)))
        code = body.__code__  # type: ignore[union-attr]
        place = f"(File {code.co_filename!r}, line {code.co_firstlineno})"
        log(1, f"the loop {label} {place} is one staged loop from iteration {position} on.")
        return len(loop.items)

    def _last_two(self, state: State) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the states before the last iteration and now, of the places that both know."""
        known = [each.identity for each in self._places]
        is_same = known == [each.identity for each in state.places]
        count = len(self._names) + (len(known) if is_same else 0)
        before, now = self._states[-2:]
        return before[:count], now[:count]

    def flags(self, test: Body) -> list[int]:
        """Return the positions of false flags in a test, such as that of a `break`."""
        mentioned = _mentioned(test)
        return [
            position
            for position, (name, value) in enumerate(
                zip(self._names, self._states[-1], strict=False)
            )
            if value is False and name in mentioned
        ]


@dataclass(frozen=True)
class _Iteration:
    """One iteration, as the functions that a library traces.

    Attributes:
      run: runs it on an item.
      state: the variables and places that it reads and changes.
      item_of: returns the item at a staged number; None: the number itself is the item.
      stale: positions of the loop variables, which each iteration assigns before it reads them.
      extra_test: whether the loop continues, if a staged `break` may end it.
      kept: positions of values that stay as they are until the loop ends.
    """

    run: Callable[[Any], Any]
    state: State
    item_of: Callable[[Any], Any] | None
    stale: frozenset[int]
    extra_test: Body | None
    kept: frozenset[int]

    def begin(self, values: tuple[Any, ...]) -> None:
        """Assign the values at the start of an iteration."""
        self.state.begin(_replaced(values, self.stale, _Stale()))

    def body(self, number: object, *values: object) -> tuple[Any, ...]:
        """Run the iteration; return the values at its end."""
        self.begin(values)
        self.run(number if self.item_of is None else self.item_of(number))
        found = self.state.read(repeats=True)
        self.state.leave()
        if any(type(found[each]) is _Stale for each in self.stale):
            raise CannotRoll
        return self.without_stale(found)

    def steady_body(self, number: object, *values: object) -> tuple[Any, ...]:
        """Run the iteration; return the values at its end, those of `kept` from before the loop."""
        found = self.body(number, *values)
        return tuple(self.state.init[i] if i in self.kept else each for i, each in enumerate(found))

    def test(self, *values: object) -> Any:
        """Return whether the loop continues."""
        assert self.extra_test is not None
        self.begin(values)
        found = self.extra_test()
        self.state.leave()
        return found

    def without_stale(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the values, None for those of loop variables."""
        return _replaced(values, self.stale, None)


class _StagedLoop:
    """The iterations of a loop while a library traces them as one.

    Args:
      library: stages the loop.
      items: the numbers of the iterations.
      numbers: the values of each variable that is a progression, by position: one for the start of
        each iteration, and one for the end.
      flags: positions of false flags; the loop ends before one of them is set.
    """

    def __init__(
        self,
        library: StagingLibrary,
        items: range,
        numbers: Mapping[int, tuple[Any, ...]],
        flags: Sequence[int],
    ) -> None:
        self.items = items
        self.numbers = numbers
        self._library: Any = library
        self._flags = flags

    def stage(self, iteration: _Iteration) -> tuple[Any, ...]:
        """Return the values after the loop.

        Raises: one of `_REFUSED` if it cannot be staged.
        """
        state = iteration.state
        attempt = Attempt(self._library, state)
        while attempt.goes_on:
            with attempt:
                init = state.init
                if self._flags:
                    self._end_before_flags(iteration)
                final: tuple[Any, ...] = self._library.roll_for(
                    self.items,
                    iteration.steady_body if self._flags else iteration.body,
                    iteration.test if iteration.extra_test else None,
                    iteration.without_stale(init),
                    state.names,
                    self.numbers,
                )
        return final

    def _end_before_flags(self, iteration: _Iteration) -> None:
        """Drop the iterations from the first one on that sets a flag."""
        start, names = iteration.without_stale(iteration.state.init), iteration.state.names
        steps = self._library.steady(
            self.items, iteration.body, start, names, self.numbers, self._flags
        )
        if steps < LONG:
            raise CannotRoll
        self.items = self.items[:steps]
        self.numbers = {each: known[: steps + 1] for each, known in self.numbers.items()}


def _may_roll(
    library: StagingLibrary, body: Callable[..., Any] | None, flags: Sequence[int]
) -> bool:
    """Return whether the library rolls such loops, and the body cannot tell the difference."""
    needed = ("roll_for", "steady") if flags else ("roll_for",)
    rolls = all(optional(library, name) is not None for name in needed)
    return rolls and not tells_apart(body)


_WATCHED = frozenset(each - back for each in _ATTEMPTS for back in range(3))
"""The iterations whose states an attempt compares."""

_REFUSED = (Exception, StagingError, CannotRoll, Changes, Retrace)
"""The exceptions that abort an attempt."""


def run_for(
    items: Sequence[Any],
    loop_body: Callable[[Any], Any],
    get_state: GetState | None,
    set_state: SetState | None,
    names: tuple[str, ...],
) -> None:
    """Run a `for` to its end: the first and last iterations as Python, the rest rolled.

    Args:
      items: the iterable.
      loop_body: runs one iteration on an item.
      get_state, set_state, names: as in `for_stmt`.
    """
    rolling = Rolling(loop_body, (loop_body,), get_state, set_state, names)
    last: tuple[Any, ...] = ()
    iterator = iter(items)
    for position, item in enumerate(iterator):
        if rolling.is_due(position):
            rest = _rest(items, iterator, item, position)
            library = rolling.library() if len(rest) > 1 else None
            if library and rolling.attempt(library, position, rest, _described(items), last):
                # Left to Python: the last item, and items that its iteration appends.
                item = next(islice(iterator, len(rest) - 2, None))
        loop_body(item)
        last = (*last[-1:], item)


def after_steady(
    rolling: Rolling,
    items: object,
    iterator: Iterator[Any],
    item: object,
    position: int,
    last: tuple[Any, ...],
    extra_test: Body,
) -> tuple[Any, int]:
    """Stage the iterations before the one that a `break` on Python numbers ends.

    Args:
      rolling: the loop.
      items: the iterable.
      iterator: yields the items after `item`.
      item: the item of the next iteration.
      position: the number of iterations before.
      last: the last two items before.
      extra_test: whether the loop goes on.

    Returns: the item to go on with, and the number of iterations that were staged.
    """
    if position < _ATTEMPTS[-1]:
        return item, 0  # record one iteration to find their number
    rest = _rest(items, iterator, item, position)
    flags = rolling.flags(extra_test)
    library = rolling.library() if flags and len(rest) > 1 else None
    if library is None:
        return item, 0
    count = rolling.attempt(library, position, rest, _described(items), last, flags=flags)
    return next(islice(iterator, count - 1, None)) if count else item, count


def _rest(items: object, iterator: Iterator[Any], item: object, position: int) -> Sequence[Any]:
    """Return the item and those after it; empty if the loop is too short."""
    if type(items) is range:
        rest: Sequence[Any] | None = items[position:]
    else:
        left = remaining(iterator)
        rest = None if left is None else [item, *left]
    return rest if rest is not None and position + len(rest) >= LONG else ()


def run_after_break(
    library: StagingLibrary,
    items: object,
    iterator: Iterator[Any],
    position: int,
    run: Callable[[Any], None],
    extra_test: Body,
    rolling: Rolling | None,
) -> None:
    """Run the rest of a `for` that a staged `break` may have ended.

    Args:
      library: stages it.
      items: the iterable.
      iterator: yields the remaining items.
      position: the number of iterations before.
      run: runs one iteration if the loop continues.
      extra_test: whether it continues.
      rolling: the loop. None: it is not one whose items are known.

    Raises:
      StagingError: if the iterator has no end in sight.
    """
    for later, item in enumerate(iterator):
        if later == _MOST_RECORDED and not hasattr(items, "__len__"):
            raise _endless(items)
        if rolling is None:
            pass
        elif later == _FIRST - 1:
            rolling.note_state()
        elif later == _FIRST:
            rolling.note_state()
            left = items[position + later + 1 :] if type(items) is range else remaining(iterator)
            if left is not None:
                first = position + later
                rest = items[first:] if type(items) is range else [item, *left]
                if rolling.attempt(library, first, rest, _described(items), extra_test=extra_test):
                    return
                if len(rest) > _MOST_RECORDED:
                    raise _too_long(items, len(rest))
        run(item)


def _endless(items: object) -> StagingError:
    return StagingError(
        f"an iterator of the type {type(items).__name__} yielded {_MOST_RECORDED} items after a "
        "`break` or `return` that is decided when the graph runs, and the trace does not know "
        "whether it ends.\n"
        f"  {user_line()}\n",
        remedy="Loop over a `range` or a list, or use `while`.",
    )


def _too_long(items: object, count: int) -> StagingError:
    return StagingError(
        "a `break` or `return` that is decided when the graph runs is in a loop "
        f"{_described(items)} whose iterations do not make one staged loop: Python may compute "
        "with its items, or a variable changes its type. "
        f"{count} iterations would be recorded one by one.\n"
        f"  {user_line()}\n",
        remedy="Loop over an array of the items, or use `while` with a counter that is an array.",
    )


class RollingWhile:
    """A `while` with a Python test on numbers that form progressions.

    Args:
      loop_test, loop_body, get_state, set_state, names: as in `while_stmt`.
    """

    def __init__(
        self,
        loop_test: Body,
        loop_body: Body,
        get_state: GetState,
        set_state: SetState,
        names: tuple[str, ...],
    ) -> None:
        self._test = loop_test
        self._get = get_state
        self._set = set_state
        self._names = names
        functions = (loop_body, loop_test)
        self._rolling = Rolling(lambda _: loop_body(), functions, get_state, set_state, names)
        self._position = -1

    def runs_ahead(self) -> bool:
        """Stage the remaining iterations if due and possible; return whether it did."""
        self._position += 1
        rolling = self._rolling
        if not rolling.is_due(self._position):
            return False
        flags = rolling.flags(self._test)
        if flags and self._position < _ATTEMPTS[-1]:
            return False  # record one iteration to find their number
        if not (self._counts() or (flags and rolling.progressions())):
            return False
        library = rolling.library()
        if library is None:
            return False
        only_flags = {self._names[each] for each in flags} == self._variables()
        count = _MOST if only_flags else self._iterations(library)
        if self._position + count < LONG:
            return False
        rest = range(count)
        return rolling.attempt(library, self._position, rest, "by `while`", flags=flags) > 0

    def _variables(self) -> set[str]:
        """Return the names in the test, without those of operators."""
        return _mentioned(self._test) - {"not_", "and_", *OPERATORS}

    def _counts(self) -> bool:
        """Return whether the test reads a variable that is a progression."""
        mentioned = _mentioned(self._test)
        return any(self._names[each] in mentioned for each in self._rolling.progressions())

    def _iterations(self, library: StagingLibrary) -> int:
        """Return the number of iterations until the test fails, at most `_MOST`; 0 if unknown."""
        now = read_variables(self._get)
        numbers = self._rolling.progressions()
        state = State(self._get, self._set, self._names, (self._test,))
        if not state.can_be_undone():
            return 0
        found = 0
        mark = signals.mark()
        try:
            with staged_block(library):
                for values in islice(zip(*numbers.values(), strict=True), _MOST):
                    current = dict(zip(numbers, values, strict=True))
                    updated = (current.get(i, value) for i, value in enumerate(now))
                    assign_variables(self._set, tuple(updated))
                    if self._test() is not True:
                        break
                    found += 1
                assign_variables(self._set, now)
                state.read()
        except _REFUSED:
            signals.forget(mark)
            return 0
        finally:
            state.restore()
        return found


_MOST = 100_000
"""Maximum number of iterations whose tests are evaluated in advance, in a fifth of a second."""


def _numbered_items(
    library: StagingLibrary, items: Sequence[Any]
) -> tuple[range, Callable[[Any], Any] | None] | None:
    """Return numbers and the item at a staged number: None for the number itself.

    Returns: None if items have different types.
    """
    if isinstance(items, range):
        return items, None
    item_of = _numbered(library, items)
    return None if item_of is None else (range(len(items)), item_of)


def _numbered(library: StagingLibrary, items: Sequence[Any]) -> Callable[[Any], Any] | None:
    """Return a function from a staged index to the item; None for items of different types."""
    first = items[0]
    if any(type(each) is not type(first) for each in items):
        return None
    if type(first) is not tuple:
        numbered = optional(library, "numbered")
        return None if numbered is None else numbered(items)
    if any(len(each) != len(first) for each in items):
        return None
    parts = [_numbered(library, column) for column in zip(*items, strict=True)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return lambda number: tuple(part(number) for part in known)


def _described(items: object) -> str:
    kind = type(items)
    return f"over {items}" if kind is range else f"over the items of `{kind.__name__}`"


def _mentioned(test: Any) -> set[str]:
    """Return the names in the code of a test."""
    code = test.__code__
    return {*names_in(code), *code.co_freevars}


def _loop_variables(
    before: tuple[Any, ...], now: tuple[Any, ...], last: tuple[Any, ...]
) -> set[int]:
    """Return the variables that were the item, or the same part of it, in two iterations."""
    pairs = list(zip(*map(_parts, last), strict=False))
    return {
        each
        for each, (one, other) in enumerate(zip(before, now, strict=True))
        if any(_is_item(one, first) and _is_item(other, second) for first, second in pairs)
    }


def _parts(item: object) -> list[Any]:
    """Return an item and, for a tuple, its elements."""
    inner = [part for each in item for part in _parts(each)] if type(item) is tuple else []
    return [item, *inner]


def _is_item(value: object, item: object) -> bool:
    return value is item or (type(value) is type(item) is int and value == item)


def _leaves(value: Value, depth: int = 4) -> Iterator[Any]:
    """Yield the leaves of nested tuples, lists and dicts."""
    kind = type(value)
    if depth and kind in (tuple, list, dict):
        for part in value.values() if kind is dict else value:
            yield from _leaves(part, depth - 1)
    else:
        yield value


def _free_variables(functions: Sequence[Callable[..., Any] | None]) -> list[Any]:
    """Return the values of free variables, and the attributes of those that have some."""
    cells = [cell for each in functions for cell in getattr(each, "__closure__", None) or ()]
    values = [cell.cell_contents for cell in cells if is_filled(cell)]
    attributes = (own_attribute(each, "__dict__") for each in values)
    return [*values, *(names for names in attributes if type(names) is dict)]


def _replaced(values: tuple[Any, ...], positions: Set[int], value: object) -> tuple[Any, ...]:
    return tuple(value if i in positions else each for i, each in enumerate(values))
