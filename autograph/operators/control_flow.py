"""The operators for `if`, `while`, `for` and `assert`.

On Python values each does what the statement does. On a value of a tensor library the statement
becomes an operation of that library.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import GeneratorType
from typing import Any

from autograph import staging
from autograph.errors import NOT_OF_PROGRAM, StagingError, signals
from autograph.operators.alternatives import checked, truth
from autograph.operators.branches import Attempt, Changes, branch_steps, run_iteration, unchanging
from autograph.operators.frames import leave_out
from autograph.operators.iterators import items_by_library, left_by_break, refuse_unseen, unmapped
from autograph.operators.moved import resolve
from autograph.operators.results import takes_alternatives
from autograph.operators.rolling import (
    Rolling,
    RollingWhile,
    after_steady,
    may_be_rolled,
    run_after_break,
    run_for,
)
from autograph.operators.state import State
from autograph.operators.variables import GetState, SetState, forget_results, read_variables
from autograph.staging import (
    PLAIN,
    CannotRoll,
    StagingLibrary,
    begin_once,
    library_of,
    ongoing,
    optional,
    trace,
)
from autograph.steps import Stepping
from autograph.values import Value

Body = Callable[[], Any]


def if_stmt(
    test: object,
    if_body: Body | None,
    else_body: Body | None = None,
    get_state: GetState | None = None,
    set_state: SetState | None = None,
    names: tuple[str, ...] = (),
    nouts: int | None = None,
) -> Any:
    """Run one of two branches and return its result.

    Args:
      test: the test of the `if`.
      if_body, else_body: the branches; None: an empty one.
      get_state, set_state: read and assign the variables that the branches assign.
      names: the user's names for these variables.
      nouts: how many of them, from the left, are read afterwards; None: all.

    >>> if_stmt(3 > 2, lambda: "yes", lambda: "no")
    'yes'
    """
    try:
        if test is not True and test is not False and type(test) not in staging.by_python:
            test = truth(resolve(test))
            library = library_of(test)
            if library is not None:
                state = State(get_state, set_state, names, (if_body, else_body))
                optional = takes_alternatives(sys._getframe(1))
                branches = (if_body, else_body, state, nouts, optional)
                stepping = Stepping(branch_steps(library, test, *branches))
                while stepping.goes_on:
                    with stepping:
                        stepping.value = stepping.function()
                return stepping.result
        body = if_body if test else else_body
        return None if body is None else body()
    except BaseException as error:
        leave_out(error)
        raise


def if_chain(
    arms: tuple[tuple[Body, Body | None], ...],
    else_body: Body | None = None,
    get_state: GetState | None = None,
    set_state: SetState | None = None,
    names: tuple[str, ...] = (),
    nouts: int | None = None,
) -> Any:
    """Run `if`, `elif`, ..., `else`: each arm is a test and its branch.

    >>> if_chain(((lambda: False, lambda: 1), (lambda: True, lambda: 2)), lambda: 3)
    2
    """
    try:
        for position, (test_fn, body) in enumerate(arms):
            test = test_fn()
            if test is True:
                return None if body is None else body()
            if test is False:
                continue
            if type(test) in staging.by_python:
                if test:
                    return None if body is None else body()
                continue
            test = truth(resolve(test))
            library = library_of(test)
            if library is not None:
                functions = (*(each for arm in arms[position:] for each in arm), else_body)
                state = State(get_state, set_state, names, functions)
                rest = (arms[position + 1 :], else_body, get_state, set_state, names, nouts)
                remaining = partial(if_chain, *rest) if rest[0] else else_body
                optional = takes_alternatives(sys._getframe(1))
                branches = (body, remaining, state, nouts, optional)
                stepping = Stepping(branch_steps(library, test, *branches))
                while stepping.goes_on:
                    with stepping:
                        stepping.value = stepping.function()
                return stepping.result
            if test:
                return None if body is None else body()
        return None if else_body is None else else_body()
    except BaseException as error:
        leave_out(error)
        raise


def while_stmt(
    loop_test: Body,
    loop_body: Body,
    get_state: GetState | None = None,
    set_state: SetState | None = None,
    names: tuple[str, ...] = (),
    options: Mapping[str, Any] | None = None,
    test_assigns: bool = False,
) -> None:
    """Run a `while`; it is staged from the iteration in which its test becomes a staged value.

    Args:
      loop_test, loop_body: the test and the body.
      get_state, set_state: read and assign the variables that the loop carries.
      names: the user's names for these variables.
      options: the arguments of `set_loop_options`.
      test_assigns: whether the test assigns variables by `:=`. Then it is evaluated exactly as
        often as in Python.

    >>> left = [1, 2, 3]
    >>> while_stmt(lambda: left, lambda: print(left.pop()))
    3
    2
    1
    """
    try:
        rolling = None
        if ongoing and get_state and set_state and not test_assigns:
            library = _stages_counts()
            if library is not None:
                state = State(get_state, set_state, names, (loop_test, loop_body))
                stage = partial(_staged_while, library, loop_test, _or_give_up(loop_body))
                if _is_staged_at_once(state, partial(stage, state, options or {})):
                    return
            rolling = RollingWhile(loop_test, loop_body, get_state, set_state, names)
        while True:
            test = loop_test()
            if test is not True and test is not False and type(test) not in staging.by_python:
                test = truth(resolve(test))
                library = library_of(test)
                if library is not None:
                    break
            if not test:
                return
            if rolling is None or not rolling.runs_ahead():
                loop_body()
        state = State(get_state, set_state, names, (loop_test, loop_body))
        if not test_assigns:
            try:
                return _staged_while(library, loop_test, loop_body, state, options or {})
            except Changes:
                state.restore()
        _staged_by_last_test(library, test, loop_test, loop_body, state, options or {})
    except BaseException as error:
        leave_out(error)
        raise


def _staged_while(
    library: StagingLibrary,
    loop_test: Body,
    loop_body: Body,
    state: State,
    options: Mapping[str, Any],
) -> None:
    def test_fn(*values: object) -> Any:
        state.begin(values)
        decided = unchanging(library, lambda: truth(resolve(loop_test())), loop_test)
        return _test_of(library, state, decided())

    def body_fn(*values: object) -> tuple[Any, ...]:
        run_iteration(library, state, values, loop_body)
        return _end_of(state)

    attempt = Attempt(library, state)
    while attempt.goes_on:
        with attempt:
            final = library.while_loop(test_fn, body_fn, state.init, state.names, options)
    state.finish(final)


def _staged_by_last_test(
    library: StagingLibrary,
    test: object,
    loop_test: Body,
    loop_body: Body,
    state: State,
    options: Mapping[str, Any],
) -> None:
    """Stage a loop that carries the value of its test, evaluated once per iteration."""

    def body_fn(held: object, *values: object) -> tuple[Any, ...]:
        go_on = held

        def iteration() -> None:
            nonlocal go_on
            loop_body()
            go_on = truth(resolve(loop_test()))

        run_iteration(library, state, values, iteration)
        return (go_on, *_end_of(state))

    attempt = Attempt(library, state)
    while attempt.goes_on:
        with attempt:
            names = ("loop test", *state.names)
            final = library.while_loop(_first, body_fn, (test, *state.init), names, options)
    state.finish(final[1:])


def _first(value: object, *_: object) -> Any:
    return value


def _test_of(library: StagingLibrary, state: State, test: object) -> Any:
    """Return a test; if the library reports leaks, no variable keeps what the test has traced."""
    if optional(library, "reports_leaks", False):
        state.leave()
    return test


def _end_of(state: State) -> tuple[Any, ...]:
    """Return the entries after an iteration; nothing else refers to what it traced."""
    entries = state.read(repeats=True)
    state.leave()
    return entries


_OF_PYTHON = PLAIN | {GeneratorType, enumerate, zip, map, *map(type, ({}.keys(), {}.values()))}
_OF_PYTHON |= {type({}.items()), reversed, filter}
"""Iterables that Python itself goes through while nothing is traced."""


def for_stmt(
    iterable: Value,
    loop_body: Callable[[Any], Any],
    get_state: GetState | None = None,
    set_state: SetState | None = None,
    names: tuple[str, ...] = (),
    extra_test: Body | None = None,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Run `loop_body` for each item while `extra_test` is true (it implements `break`).

    >>> for_stmt("ab", print)
    a
    b
    """
    try:
        library = None
        if type(iterable) not in _OF_PYTHON or ongoing or trace.moved:
            own_loop = getattr(type(iterable), "__autograph_for__", None)
            if own_loop is not None:
                own_loop(iterable, loop_body, get_state, set_state, names, extra_test, options)
                return
            iterable = checked(resolve(iterable), "iterated over")
            refuse_unseen(iterable)
            library = library_of(iterable)
        if library is not None:
            iterable, loop_body = unmapped(iterable, loop_body)
            begin_once(iterable)
            # The items of a live iterable may be views of objects that the body changes.
            owners = partial(loop_body, *getattr(iterable, "owners", ()))
            state = State(get_state, set_state, names, (loop_body, extra_test, owners))
            _staged_for(library, iterable, loop_body, extra_test, state, options or {})
        elif ongoing and _is_staged_range(
            iterable, loop_body, get_state, set_state, names, extra_test, options
        ):
            pass
        elif extra_test is not None:
            _for_with_break(iterable, loop_body, get_state, set_state, names, extra_test)
        elif ongoing and may_be_rolled(iterable):
            run_for(iterable, loop_body, get_state, set_state, names)
        else:
            for item in iterable:
                loop_body(item)
    except BaseException as error:
        leave_out(error)
        raise


def _stages_counts() -> StagingLibrary | None:
    """Return the tracing library if it stages loops over numbers of Python."""
    library = trace.library
    return library if optional(library, "stages_counts", False) else None


FEW = 3
"""Largest number of iterations of a loop over a `range` that is traced one by one.

A 3 x 3 window is 9 iterations; a search on a 4 x 4 grid would be hundreds, which take seconds.
"""


def _is_staged_range(
    iterable: object,
    loop_body: Callable[[Any], Any],
    get_state: GetState | None,
    set_state: SetState | None,
    names: tuple[str, ...],
    extra_test: Body | None,
    options: Mapping[str, Any] | None,
) -> bool:
    """Stage a loop over a `range` of Python if the tracing library does; return whether it did."""
    library = _stages_counts()
    if library is None or type(iterable) is not range or len(iterable) <= FEW:
        return False
    state = State(get_state, set_state, names, (loop_body, extra_test))
    body = _or_give_up(loop_body)
    stage = partial(_staged_for, library, iterable, body, extra_test, state, options or {})
    return _is_staged_at_once(state, stage)


def _or_give_up(loop_body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the body of a loop that is staged at once: an exception in it ends the attempt."""

    def body(*items: object) -> Any:
        try:
            return loop_body(*items)
        except NOT_OF_PROGRAM:
            raise
        except BaseException as error:
            raise CannotRoll from error

    return body


def _is_staged_at_once(state: State, stage: Callable[[], Any]) -> bool:
    """Stage a loop from its first iteration on; return False, after undoing it, if it cannot be.

    The loop then runs as Python until a staged value decides. Inside of another loop that Python
    runs, it is tried again after 1, 3, 7, ... iterations more: an attempt records the body, which
    takes milliseconds.
    """
    failures = trace.unrolled[state.code]
    if failures & (failures + 1) or not state.can_be_undone():
        trace.unrolled[state.code] += 1
        return False
    mark = signals.mark()
    try:
        stage()
        if signals.swallowed(mark):
            raise CannotRoll
    except (StagingError, CannotRoll, Changes):
        state.restore()
        signals.forget(mark)
        trace.unrolled[state.code] += 1
        return False
    trace.unrolled[state.code] = 0
    return True


def _for_with_break(
    iterable: Iterable[Any],
    loop_body: Callable[[Any], Any],
    get_state: GetState | None,
    set_state: SetState | None,
    names: tuple[str, ...],
    extra_test: Body,
) -> None:
    """Run a loop over Python items to its end or its `break`."""

    start = () if get_state is None else read_variables(get_state)

    def iterate(item: object) -> Any:
        if set_state is not None and optional(trace.library, "returns_once", False):
            forget_results(start, get_state, set_state)
        return loop_body(item)

    def run(item: object) -> None:
        if_stmt(extra_test(), partial(iterate, item), None, get_state, set_state, names)

    def rolling() -> Rolling | None:
        if not (ongoing and may_be_rolled(iterable)):
            return None
        return Rolling(loop_body, (loop_body, extra_test), get_state, set_state, names)

    source, loop_body = unmapped(iterable, loop_body)
    items = iter(source)
    steady = rolling()
    position = 0
    last: tuple[Any, ...] = ()
    for item in items:
        if steady is not None:
            if steady.is_due(position):
                where = iterable, items, item, position, last
                item, staged = after_steady(steady, *where, extra_test)
                position += staged
            last = (*last[-1:], item)
        loop_body(item)
        position += 1
        go_on = extra_test()
        if go_on is True:
            continue
        library = library_of(go_on)
        if library is not None:
            left = left_by_break(iterable, items)
            run_after_break(library, iterable, left, position, run, extra_test, rolling())
            return
        elif not go_on:
            return


def _staged_for(
    library: StagingLibrary,
    iterable: object,
    loop_body: Callable[[Any], Any],
    extra_test: Body | None,
    state: State,
    options: Mapping[str, Any],
) -> None:
    def body_fn(item: object, *values: object) -> tuple[Any, ...]:
        run_iteration(library, state, values, partial(loop_body, item))
        return _end_of(state)

    def test_fn(*values: object) -> Any:
        state.begin(values)
        return _test_of(library, state, True if extra_test is None else extra_test())

    test = None if extra_test is None else test_fn

    if getattr(iterable, "is_live", False):
        if getattr(iterable, "is_empty", False):
            return None
        return _staged_by_number(library, iterable, loop_body, extra_test, state, options)
    attempt = Attempt(library, state)
    while attempt.goes_on:
        with attempt, items_by_library():
            final = library.for_loop(iterable, body_fn, test, state.init, state.names, options)
    state.finish(final)


def _staged_by_number(
    library: StagingLibrary,
    items: Any,
    loop_body: Callable[[Any], Any],
    extra_test: Body | None,
    state: State,
    options: Mapping[str, Any],
) -> None:
    """Stage a loop over a mutable sequence: each iteration reads its item when it starts."""
    items = items.begin()

    def test_fn(number: Any, *values: object) -> Any:
        state.begin(values)
        more = items.more(number)
        return more if extra_test is None else library.and_(extra_test(), lambda: more)

    def body_fn(number: Any, *values: Any) -> tuple[Any, ...]:
        run_iteration(library, state, values, lambda: loop_body(items.item(number)))
        return (number + 1, *_end_of(state))

    attempt = Attempt(library, state)
    while attempt.goes_on:
        with attempt:
            names = ("loop counter", *state.names)
            final = library.while_loop(test_fn, body_fn, (0, *state.init), names, options)
    state.finish(final[1:])


def assert_stmt(test: Body, message: Body | None = None) -> None:
    """Do `assert test(), message()`.

    Raises: AssertionError where the test does not hold; a staged test is checked, and fails,
      when the program runs.

    >>> assert_stmt(lambda: 1 > 2, lambda: "too small")
    Traceback (most recent call last):
    ...
    AssertionError: too small
    """
    if not __debug__:
        return
    try:
        value = test()
        library = library_of(value)
        if library is not None:
            trace.raises += 1
            library.assert_(value, message or (lambda: "assertion failed"))
        elif not value:
            raise AssertionError if message is None else AssertionError(message())
    except BaseException as error:
        leave_out(error)
        raise
