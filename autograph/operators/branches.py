"""Staging one statement: its branches or its body are traced until the state no longer grows.

A block that raises during the trace becomes one that raises at run time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from types import TracebackType
from typing import Any

from autograph.errors import ENDS_TRACE, StagingError, Unwinding
from autograph.operators.frames import user_line
from autograph.operators.results import settled
from autograph.operators.state import Retrace, State
from autograph.operators.variables import RETURN_VALUE
from autograph.reach.walk import Reach
from autograph.staging import CannotRoll, ProgramName, StagingLibrary, optional, staged_block, trace
from autograph.steps import Steps, run

MOST_NESTED = 100
"""Maximum nesting depth of staged statements of one function, for libraries that do not detect
recursion: each level costs some milliseconds."""

_DEEP = 32
"""Nesting depth from which a lack of stack is due to staged statements: each takes 8 frames, and
CPython 3.12 limits nested calls of C whatever the recursion limit."""


class Attempt:
    """A context manager that stages a statement again as long as its state grows.

        attempt = Attempt(library, state)
        while attempt.goes_on:
            with attempt:
                outputs = library.cond(...)

    It takes no stack frame, so that statements can be nested deeply.
    """

    __slots__ = ("_block", "_library", "_state", "goes_on")

    def __init__(self, library: StagingLibrary, state: State) -> None:
        state.for_library(library)
        self._library = library
        self._state = state
        self._block = staged_block(library)
        self.goes_on = True

    def __enter__(self) -> None:
        code = self._state.code
        notices = optional(self._library, "notices_recursion", False)
        if trace.nested[code] >= MOST_NESTED and not notices:
            self._state.restore()
            raise StagingError(
                f"staged statements of one function are nested {MOST_NESTED} deep: it calls "
                "itself, or closures of one function call each other, in a branch or loop that "
                "is traced whether or not it runs.",
                public=RecursionError,
                remedy="Write the recursion as a loop.",
            )
        self._block = staged_block(self._library)
        self._block.__enter__()
        trace.reach = self._state.reach
        trace.found = self._state.found
        trace.nested[code] += 1
        trace.depth += 1
        self.goes_on = False

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        depth = trace.depth
        self._block.__exit__(None, None, None)
        trace.reach = self._state.outer_reach
        trace.found = self._state.outer_found
        trace.depth -= 1
        trace.nested[self._state.code] -= 1
        if isinstance(error, Retrace):
            self._state.extend(error)
            self.goes_on = True
            return True
        if error is not None:
            self._state.restore()
        if type(error) is RecursionError and depth >= _DEEP:
            raise _too_deep(depth, sys.getrecursionlimit()) from None
        return False


def _too_deep(depth: int, limit: int) -> StagingError:
    return StagingError(
        f"{depth} staged statements are nested here, since functions call each other in branches "
        f"or loops: tracing them needs more stack than Python's limit of "
        f"{limit} frames.\n  {user_line()}\n",
        public=RecursionError,
        remedy=f"Raise the limit by `sys.setrecursionlimit({max(2 * limit, 20_000)})`, or "
        "write the calls as a loop.",
    )


class Changes(Unwinding):
    """Aborts the trace of an operand with a side effect; contains the changed place."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


def unchanging(
    library: StagingLibrary, operand: Callable[[], Any], *reached: Callable[[], Any]
) -> Callable[[], Any]:
    """Wrap an operand to raise `Changes`, after undoing the change, if it has a side effect.

    Args:
      library: stages the expression.
      operand: returns the value.
      reached: the user functions that it calls.
    """

    def evaluate() -> Any:
        reach = Reach(reached)
        try:
            with staged_block(library):
                value = operand()
        except BaseException:  # `Changes` of a later operand of the chain is one
            reach.restore()
            raise
        changed = reach.changed()
        if changed:
            reach.restore()
            raise Changes(changed[0].label)
        return value

    return evaluate


class BranchRaised(Unwinding):
    """Aborts a library's `cond` when a branch raised; caught in this module."""

    def __init__(self, error: BaseException, in_if: bool) -> None:
        super().__init__(error)
        self.error = error
        self.in_if = in_if


def branch_steps(
    library: StagingLibrary,
    test: object,
    if_body: Callable[[], Any] | None,
    else_body: Callable[[], Any] | None,
    state: State,
    nouts: int | None = None,
    optional: bool = False,
) -> Steps[Any]:
    """Stage an `if`: both branches start from the same state, their outputs become the state.

    A branch that raises during the trace becomes a branch that raises at run time.

    Args:
      library: stages it.
      test: the staged test.
      if_body, else_body: the branches; None: an empty one.
      state: the state that they change.
      nouts: number of variables that are live afterwards. None: all.
      optional: whether the reader of the result tests it for None by operators.

    Returns:
      The result of the branches.
    """
    returned = ProgramName(RETURN_VALUE) if optional else RETURN_VALUE

    def traced(body: Callable[[], Any] | None, in_if: bool) -> Steps[tuple[Any, ...]]:
        state.begin(block=in_if)
        try:
            value = None if body is None else (yield body)
        except ENDS_TRACE:
            # Too deep a trace ends: tracing the other branch at each level would be exponential.
            raise
        except BaseException as error:
            if trace.rolling:
                raise CannotRoll from error
            _refuse_end_of_iteration(error)
            raise BranchRaised(error, in_if) from error
        entries = state.read(nouts, value)
        outputs = (*state.outputs(entries, nouts), state.result(value))
        state.leave()
        return outputs

    attempt = Attempt(library, state)
    branches = partial(traced, if_body, True), partial(traced, else_body, False)
    try:
        while attempt.goes_on:
            with attempt:
                names = (*state.outputs(state.names, nouts), returned)
                *outputs, value = yield from _cond_steps(library, test, *branches, names)
    except BranchRaised as stopped:
        state.restore()
        _stage_raise(library, test, if_body if stopped.in_if else else_body, stopped)
        state.restore()
        other = else_body if stopped.in_if else if_body
        try:
            result = None if other is None else (yield other)
        except ENDS_TRACE:
            raise
        except BaseException as error:
            if _raises_at_run_time(library):
                raise
            raise _both_raise(stopped.error, error) from error
    else:
        result = state.finish(state.entries(tuple(outputs), nouts), value)
    return result if optional else settled(result)


def _raises_at_run_time(library: StagingLibrary) -> bool:
    """Return whether an error after a staged one is staged, too."""
    return trace.block is not None or not optional(library, "needs_result", False)


def _both_raise(one: BaseException, other: BaseException) -> StagingError:
    """Create the error for two branches that raise, for libraries whose trace needs a result."""
    return StagingError(
        f"both branches raise, `{type(one).__name__}` and `{type(other).__name__}`: which of them "
        "is known when the program runs, and the trace needs a result.",
        remedy="Return a value in one of the branches.",
    )


def _cond_steps(
    library: StagingLibrary,
    test: object,
    if_steps: Callable[[], Steps[tuple[Any, ...]]],
    else_steps: Callable[[], Steps[tuple[Any, ...]]],
    names: tuple[str, ...],
) -> Steps[tuple[Any, ...]]:
    steps = optional(library, "cond_steps")
    outputs: tuple[Any, ...]
    if steps is None:
        branches = partial(run, if_steps), partial(run, else_steps)
        outputs = yield partial(library.cond, test, *branches, names)
    else:
        outputs = yield from steps(test, if_steps, else_steps, names)
    return outputs


def _refuse_end_of_iteration(error: BaseException) -> None:
    """Raise if the end of an iteration by Python itself is decided at run time.

    The iteration would never end during the trace.
    """
    if isinstance(error, (StopIteration, StopAsyncIteration)):
        raise StagingError(
            f"`{type(error).__name__}` is raised in a staged statement: Python itself iterates "
            "while the function is traced, and cannot wait for what the running program decides.",
            remedy="Write the loop as a `while` over the same condition.",
        ) from error
    if isinstance(error, IndexError) and error.__traceback__ is not None:
        _count_end_of_items(error, error.__traceback__)


MOST_ITEMS = 1000
"""Maximum number of times that a trace stages an IndexError of one `__getitem__`. Python iterates
by `__getitem__` until IndexError, so the trace would never end."""


def _count_end_of_items(error: IndexError, traceback: TracebackType) -> None:
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    if "__getitem__" not in code.co_qualname.split("."):
        return
    key = code.co_filename, code.co_firstlineno
    trace.ends[key] = trace.ends.get(key, 0) + 1
    if trace.ends[key] > MOST_ITEMS:
        raise StagingError(
            f"`__getitem__` raises `IndexError` in a staged statement, and was asked for "
            f"{MOST_ITEMS} items: Python itself iterates while the function is traced, and cannot "
            "wait for what the running program decides.",
            remedy="Write the loop as a `while` over the same condition.",
        ) from error


def _stage_raise(
    library: StagingLibrary, test: object, body: Callable[[], Any] | None, stopped: BranchRaised
) -> None:
    """Stage a branch that raises, with its side effects before, and without outputs."""
    trace.raises += 1
    if optional(library, "raise_here") is None:
        library.raise_when(test if stopped.in_if else library.not_(test), stopped.error)
        return

    def raises() -> tuple[Any, ...]:
        try:
            if body is not None:
                body()
        except ENDS_TRACE:
            raise
        except BaseException as error:
            library.raise_here(error)
        else:
            library.raise_here(stopped.error)
        return ()

    if_fn, else_fn = (raises, tuple) if stopped.in_if else (tuple, raises)
    with staged_block(library):
        library.cond(test, if_fn, else_fn, ())


def run_iteration(
    library: StagingLibrary,
    state: State,
    values: tuple[Any, ...],
    body: Callable[[], Any],
) -> None:
    """Run the body of a staged loop on the given values of its state.

    A body that raises during the trace becomes one that raises at run time. The state then keeps
    the values before the iteration.
    """
    # An earlier trace of the body may have changed more than the state: a cached property.
    state.restore()
    state.begin(values)
    by_library, trace.by_library = trace.by_library, False
    try:
        body()
    except ENDS_TRACE:
        raise
    except BaseException as error:
        if trace.rolling:
            raise CannotRoll from error
        if optional(library, "raise_here") is None:
            raise
        _refuse_end_of_iteration(error)
        trace.raises += 1
        library.raise_here(error)
        state.restore()
        state.begin(values)
    finally:
        trace.by_library = by_library


def value_steps(
    library: StagingLibrary,
    test: object,
    if_value: Callable[[], Any],
    else_value: Callable[[], Any],
    reached: Iterable[Any] = (),
) -> Steps[Any]:
    """Stage a conditional expression.

    Args:
      library: stages it.
      test: the staged test.
      if_value, else_value: return the values.
      reached: other user functions that these call.
    """
    state = State(None, None, (), (if_value, else_value, *reached))
    return branch_steps(library, test, if_value, else_value, state, optional=True)
