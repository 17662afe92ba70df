"""Reading and assigning the user's variables around staged control flow.

Tracing runs code that Python would run later, or not at all. Before each branch the variables
are put back to what they were, also what a list or a dict held that a variable names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.variables import Undefined
from autograph.staging import StagingLibrary

GetState = Callable[[], tuple[Any, ...]]
SetState = Callable[[tuple[Any, ...]], None]

RETURN_VALUE = "return value"
"""The name of the extra output of a branch that returns a value."""


class State:
    """The variables of one staged statement: names, reading, assigning.

    A list or a dict that a variable names is changed in place by user code, so its contents are
    part of the state, and are put back into the same object.
    """

    def __init__(
        self,
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        self.names = names
        self._get = get_state
        self._set = set_state
        self._containers: dict[int, Any] = {}

    def read(self) -> tuple[Any, ...]:
        """The values now, with copies of lists and dicts."""
        if self._get is None:
            return ()
        return tuple(self._copied(value) for value in self._get())

    def write(self, values: tuple[Any, ...]) -> None:
        """Assigns the variables; a copy made by `read` goes back into its original."""
        if self._set is not None:
            self._set(tuple(self._restored(value) for value in values))

    def _copied(self, value: Any) -> Any:
        if type(value) is not list and type(value) is not dict:
            return value
        copy = value.copy()
        self._containers[id(copy)] = (copy, value)
        return copy

    def _restored(self, value: Any) -> Any:
        known = self._containers.get(id(value))
        if known is None:
            return value
        copy, original = known
        if type(original) is list:
            original[:] = copy
        else:
            original.clear()
            original.update(copy)
        return original


class _Raised:
    """A branch that ended in an exception of the user's while it was traced."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def run_branches(
    library: StagingLibrary,
    test: Any,
    if_body: Callable[[], Any] | None,
    else_body: Callable[[], Any] | None,
    state: State,
    nouts: int | None,
    returns: bool,
) -> Any:
    """Stages an `if`: both branches from the same state, their outputs become the state.

    A branch that raises while it is traced raises when the program runs and takes it.
    """
    init = state.read()
    count = len(state.names) if nouts is None else nouts
    names = state.names[:count] + ((RETURN_VALUE,) if returns else ())
    raised: dict[bool, _Raised] = {}

    def traced(body: Callable[[], Any] | None, branch: bool) -> Callable[[], tuple[Any, ...]]:
        def run() -> tuple[Any, ...]:
            state.write(init)
            value = None
            if body is not None:
                try:
                    value = body()
                except Exception as error:
                    raised[branch] = _Raised(error)
                    raise BranchRaised(error) from error
            outputs = state.read()[:count]
            return (*outputs, value) if returns else outputs

        return run

    if_fn, else_fn = traced(if_body, True), traced(else_body, False)
    try:
        outputs = library.cond(test, if_fn, else_fn, names)
    except BranchRaised as stopped:
        state.write(init)
        return _run_other_branch(library, test, if_body, else_body, raised, stopped)
    except BaseException:
        state.write(init)
        raise
    state.write((*outputs[:count], *init[count:]))
    return outputs[-1] if returns else None


class BranchRaised(BaseException):
    """Leaves a library's `cond` when a branch raised; never seen outside this module."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


def _run_other_branch(
    library: StagingLibrary,
    test: Any,
    if_body: Callable[[], Any] | None,
    else_body: Callable[[], Any] | None,
    raised: dict[bool, _Raised],
    stopped: BranchRaised,
) -> Any:
    """The branch that does not raise runs unconditionally, behind a check that it is taken."""
    in_if = True in raised
    condition = test if in_if else library.not_(test)
    library.raise_when(condition, stopped.error)
    other = else_body if in_if else if_body
    return other() if other is not None else None


def branch_value(
    library: StagingLibrary,
    test: Any,
    if_value: Callable[[], Any],
    else_value: Callable[[], Any],
) -> Any:
    """The value of one of two expressions, as a staged test decides."""
    return run_branches(library, test, if_value, else_value, State(None, None, ()), None, True)


def is_undefined(value: Any) -> bool:
    """Whether a state entry stands for a variable without a value."""
    return type(value) is Undefined
