"""Reading and assigning the user's variables around staged control flow.

Tracing runs code that Python would run later, or not at all. Before each branch the variables
are put back to what they were, also what a list or a dict held that a variable names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.staging import StagingLibrary

GetState = Callable[[], tuple[Any, ...]]
SetState = Callable[[tuple[Any, ...]], None]

RETURN_VALUE = "return value"
"""The name of the extra output of a branch that returns a value."""


class State:
    """The variables of one staged statement: names, reading, assigning.

    User code changes lists and dicts in place, so for a variable that names one its contents
    are the state: they are read as a copy, and put back into the same object as long as the
    variable still names it.
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
        self._containers = self._values()
        self._rebound: set[int] = set()
        self.init = tuple(map(_contents, self._containers))

    def _values(self) -> tuple[Any, ...]:
        return () if self._get is None else self._get()

    def read(self) -> tuple[Any, ...]:
        """The values now; a list or a dict as a copy."""
        values = self._values()
        for position, value in enumerate(values):
            if value is not self._containers[position]:
                self._rebound.add(position)
        return tuple(map(_contents, values))

    def restore(self) -> None:
        """Puts every variable back to its value at the beginning."""
        if self._set is None:
            return
        for container, contents in zip(self._containers, self.init, strict=True):
            _refill(container, contents)
        self._set(self._containers)

    def write(self, values: tuple[Any, ...]) -> None:
        """Assigns the variables; what stayed the same list or dict gets new contents."""
        if self._set is None:
            return
        self._set(tuple(self._kept(*entry) for entry in enumerate(values)))

    def _kept(self, position: int, value: Any) -> Any:
        container = self._containers[position]
        if position not in self._rebound and _refill(container, value):
            return container
        return value


def _contents(value: Any) -> Any:
    return value.copy() if type(value) is list or type(value) is dict else value


def _refill(container: Any, contents: Any) -> bool:
    """Makes a list or dict hold the contents of another; False where there is none to fill."""
    if container is contents or type(container) is not type(contents):
        return False
    if type(container) is list:
        container[:] = contents
    elif type(container) is dict:
        container.clear()
        container.update(contents)
    else:
        return False
    return True


class BranchRaised(BaseException):
    """Leaves a library's `cond` when a branch raised; never seen outside this module."""

    def __init__(self, error: Exception, in_if: bool) -> None:
        super().__init__(error)
        self.error = error
        self.in_if = in_if


def run_branches(
    library: StagingLibrary,
    test: Any,
    if_body: Callable[[], Any] | None,
    else_body: Callable[[], Any] | None,
    state: State,
    nouts: int | None = None,
) -> Any:
    """Stages an `if`: both branches start from the same state, their outputs become the state.

    A branch that raises while it is traced raises when the program runs and takes it.

    Returns: what the branches returned.
    """
    count = len(state.names) if nouts is None else nouts

    def traced(body: Callable[[], Any] | None, in_if: bool) -> Callable[[], tuple[Any, ...]]:
        def run() -> tuple[Any, ...]:
            state.restore()
            try:
                value = None if body is None else body()
            except Exception as error:
                raise BranchRaised(error, in_if) from error
            return (*state.read()[:count], value)

        return run

    try:
        outputs = library.cond(
            test,
            traced(if_body, True),
            traced(else_body, False),
            (*state.names[:count], RETURN_VALUE),
        )
    except BranchRaised as stopped:
        state.restore()
        condition = test if stopped.in_if else library.not_(test)
        library.raise_when(condition, stopped.error)
        other = else_body if stopped.in_if else if_body
        return None if other is None else other()
    except BaseException:
        state.restore()
        raise
    state.write((*outputs[:count], *state.init[count:]))
    return outputs[count]


def branch_value(
    library: StagingLibrary,
    test: Any,
    if_value: Callable[[], Any],
    else_value: Callable[[], Any],
) -> Any:
    """The value of one of two expressions, as a staged test decides."""
    return run_branches(library, test, if_value, else_value, State(None, None, ()))
