"""Python loops of which most iterations become one staged loop.

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

from autograph.code_objects import names_in
from autograph.errors import StagingError
from autograph.libraries import is_known_library
from autograph.names import OPERATORS
from autograph.operators.progressions import progression
from autograph.operators.state import Changes, Retrace, State
from autograph.operators.variables import (
    GetState,
    SetState,
    assign_variables,
    is_generated,
    read_variables,
)
from autograph.staging import (
    CannotRoll,
    StagingLibrary,
    call_watchers,
    library_among,
    optional,
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
    """A Python loop of which one iteration may be traced for all.

    Args:
      run: runs one iteration; takes an item.
      functions: those with the user's code, the body first.
      get_state, set_state, names: as in `for_stmt`.
    """

    def __init__(
        self,
        run: Callable[[Any], Any],
        functions: tuple[Callable[..., Any] | None, ...],
        get_state: GetState,
        set_state: SetState,
        names: tuple[str, ...],
    ) -> None:
        self._run = run
        self._functions = functions
        self._get = get_state
        self._set = set_state
        self._names = names
        self._states: tuple[tuple[Any, ...], ...] = ()

    def note_state(self) -> tuple[Any, ...]:
        """Record the variables at the start of an iteration; the last three states are kept."""
        now = read_variables(self._get)
        self._states = (*self._states[-2:], now)
        return now

    def is_due(self, position: int) -> bool:
        """Whether to try before this iteration; records the states that the attempt compares."""
        if position in _WATCHED:
            self.note_state()
        return position in _ATTEMPTS

    def library(self) -> StagingLibrary | None:
        """The library of the first staged value among the variables."""
        return library_among(_leaves(self._states[-1]))

    def progressions(self) -> dict[int, Iterator[Any]]:
        """For each position of a number that other iterations change, its values from now on."""
        if len(self._states) < 3:
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
        """Make iterations that are left one loop; return how many, 0 if it cannot be.

        Args:
          library: stages the loop.
          position: the number of iterations before.
          rest: the items that are left.
          label: what the loop goes over, for the log.
          last: the last two items before them, if the last item of all is left to Python.
          extra_test: whether the loop goes on; None: to its end.
          flags: positions of false truth values; the loop ends before one of them is set.
        """
        roll_for = optional(library, "roll_for")
        body = self._functions[0]
        steady = optional(library, "steady")
        if roll_for is None or (flags and steady is None) or _tells_iterations_apart(body):
            return 0
        before, now = self._states[-2:]
        stale = set() if last is None else _loop_variables(before, now, last)
        rolled = rest if last is None else rest[:-1]
        item_of: Callable[[Any], Any] | None = None
        if not isinstance(rolled, range):
            item_of = _numbered(library, rolled)
            if item_of is None:
                return 0
            rolled = range(len(rolled))
        numbers = {
            each: tuple(islice(values, len(rolled) + 1))
            for each, values in self.progressions().items()
            if each not in stale
        }
        state = State(self._get, self._set, self._names, self._functions)
        if not state.can_be_undone():
            return 0
        init = state.init
        earlier = tuple(
            after if one is other else one
            for one, other, after in zip(before, now, init, strict=True)
        )

        def body_fn(item: Any, *values: Any) -> tuple[Any, ...]:
            state.begin(_replaced(values, stale, _Stale()))
            self._run(item if item_of is None else item_of(item))
            found = state.read(repeats=True)
            if any(type(found[each]) is _Stale for each in stale):
                raise CannotRoll
            return _replaced(found, stale, None)

        def steady_body_fn(item: Any, *values: Any) -> tuple[Any, ...]:
            found = body_fn(item, *values)
            return tuple(init[i] if i in kept else value for i, value in enumerate(found))

        def test_fn(*values: Any) -> Any:
            state.begin(_replaced(values, stale, _Stale()))
            assert extra_test is not None
            return extra_test()

        # The iteration that sets a flag is left to Python, and with it what it returns.
        kept = {*flags, *(i for i, each in enumerate(init) if flags and is_generated(each))}
        outer, trace.rolling = trace.rolling, True
        try:
            with staged_block(library):
                if flags and steady is not None:
                    start = _replaced(init, stale, None)
                    count = steady(rolled, body_fn, start, self._names, numbers, flags)
                    if count < LONG:
                        raise CannotRoll
                    rolled = rolled[:count]
                    numbers = {each: values[: count + 1] for each, values in numbers.items()}
                final = roll_for(
                    rolled,
                    steady_body_fn if flags else body_fn,
                    None if extra_test is None else test_fn,
                    _replaced(earlier, stale, None),
                    _replaced(init, stale, None),
                    self._names,
                    numbers,
                )
        except _REFUSED:
            state.restore()
            return 0
        finally:
            trace.rolling = outer
        ends = {each: values[-1] for each, values in numbers.items()}
        ends.update((each, now[each]) for each in stale)
        state.finish(tuple(ends.get(i, value) for i, value in enumerate(final)))
        code = body.__code__  # type: ignore[union-attr]
        place = f"(File {code.co_filename!r}, line {code.co_firstlineno})"
        log(1, f"the loop {label} {place} is one staged loop from iteration {position} on.")
        return len(rolled)

    def flags(self, test: Body) -> list[int]:
        """The positions of false truth values that a test names, such as that of a `break`."""
        mentioned = _mentioned(test)
        return [
            position
            for position, (name, value) in enumerate(
                zip(self._names, self._states[-1], strict=True)
            )
            if value is False and name in mentioned
        ]


_WATCHED = frozenset(each - back for each in _ATTEMPTS for back in range(3))
"""The iterations whose states attempts compare."""

_REFUSED = (Exception, StagingError, CannotRoll, Changes, Retrace)
"""What ends an attempt."""


def run_for(
    items: Any,
    loop_body: Callable[[Any], Any],
    get_state: GetState,
    set_state: SetState,
    names: tuple[str, ...],
) -> None:
    """Run a `for` to its end: the first iterations and the last one as Python, if it can be.

    Args:
      items: what it goes over.
      loop_body: takes an item.
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
                # The last item is left, and those that its iteration appends to the list.
                item = next(islice(iterator, len(rest) - 2, None))
        loop_body(item)
        last = (*last[-1:], item)


def after_steady(
    rolling: Rolling,
    items: Any,
    iterator: Iterator[Any],
    item: Any,
    position: int,
    last: tuple[Any, ...],
    extra_test: Body,
) -> tuple[Any, int]:
    """Stage iterations that no `break` by a number ends.

    Args:
      rolling: the loop.
      items: what it goes over.
      iterator: gives the items after `item`.
      item: that of the next iteration.
      position: the number of iterations before.
      last: the last two items before.
      extra_test: whether the loop goes on.

    Returns: the item to go on with, and the number of iterations that were staged.
    """
    if position < _ATTEMPTS[-1]:
        return item, 0  # One iteration is recorded to find out how many there are.
    rest = _rest(items, iterator, item, position)
    flags = rolling.flags(extra_test)
    library = rolling.library() if flags and len(rest) > 1 else None
    if library is None:
        return item, 0
    count = rolling.attempt(library, position, rest, _described(items), last, flags=flags)
    return next(islice(iterator, count - 1, None)) if count else item, count


def _rest(items: Any, iterator: Iterator[Any], item: Any, position: int) -> Sequence[Any]:
    """The item and those after it; empty for a loop that is too short."""
    if type(items) is range:
        rest: Sequence[Any] | None = items[position:]
    else:
        left = remaining(iterator)
        rest = None if left is None else [item, *left]
    return rest if rest is not None and position + len(rest) >= LONG else ()


def run_after_break(
    library: StagingLibrary,
    items: Any,
    iterator: Iterator[Any],
    position: int,
    run: Callable[[Any], None],
    extra_test: Body,
    rolling: Rolling,
) -> None:
    """Run the rest of a `for` that a staged `break` may have left.

    Args:
      library: stages it.
      items: what the loop goes over.
      iterator: gives the items that are left.
      position: the number of iterations before.
      run: runs one iteration if the loop goes on.
      extra_test: whether it goes on.
      rolling: the loop.
    """
    for later, item in enumerate(iterator):
        if later == _FIRST - 1:
            rolling.note_state()
        elif later == _FIRST:
            rolling.note_state()
            left = items[position + later + 1 :] if type(items) is range else remaining(iterator)
            if left is not None:
                first = position + later
                rest = items[first:] if type(items) is range else [item, *left]
                if rolling.attempt(library, first, rest, _described(items), extra_test=extra_test):
                    return
        run(item)


class RollingWhile:
    """A `while` whose test Python knows, and whose variables are numbers that count.

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
        """Stage the iterations that are left, if that is due and can be; whether it was done."""
        self._position += 1
        rolling = self._rolling
        if not rolling.is_due(self._position):
            return False
        flags = rolling.flags(self._test)
        if flags and self._position < _ATTEMPTS[-1]:
            return False  # One iteration is recorded to find out how many there are.
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
        """The names in the test, without those of operators."""
        return _mentioned(self._test) - {"not_", "and_", *OPERATORS}

    def _counts(self) -> bool:
        """Whether the test names a variable that counts."""
        mentioned = _mentioned(self._test)
        return any(self._names[each] in mentioned for each in self._rolling.progressions())

    def _iterations(self, library: StagingLibrary) -> int:
        """The number of iterations until the test fails, or `_MOST`; 0 if it is not known."""
        now = read_variables(self._get)
        numbers = self._rolling.progressions()
        state = State(self._get, self._set, self._names, (self._test,))
        if not state.can_be_undone():
            return 0
        found = 0
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
            return 0
        finally:
            state.restore()
        return found


_MOST = 100_000
"""Maximum number of iterations whose tests are evaluated in advance, in a fifth of a second."""


def _numbered(library: StagingLibrary, items: Sequence[Any]) -> Callable[[Any], Any] | None:
    """From a staged number to the item of that number; None for items that are unlike."""
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


def _described(items: Any) -> str:
    kind = type(items)
    return f"over {items}" if kind is range else f"over the items of `{kind.__name__}`"


def _mentioned(test: Any) -> set[str]:
    """The names in the code of a test."""
    code = test.__code__
    return {*names_in(code), *code.co_freevars}


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
