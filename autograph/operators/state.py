"""Reading and assigning the user's variables around staged control flow.

Tracing runs code that Python would run later, or not at all. Before each branch the variables
are put back to what they were, also what a list or a dict held that a variable names.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from autograph.errors import StagingError
from autograph.operators.heap import Heap
from autograph.operators.slots import (
    Slot,
    assign,
    contents,
    distinct,
    is_container,
    new_length,
    refill,
    value_or_undefined,
    within,
)
from autograph.staging import StagingLibrary, staged_block

GetState = Callable[[], tuple[Any, ...]]
SetState = Callable[[tuple[Any, ...]], None]

RETURN_VALUE = "return value"
"""The name of the extra output of a branch that returns a value."""


class State:
    """What one staged statement changes: variables, and other places that its blocks reach.

    The variables are known from the text. Other places are found when a block that is traced
    changes them, for instance an attribute that a method assigns: `read` raises `NewPlaces` then,
    and the statement is traced again with these as part of the state.

    User code changes lists and dicts in place, so for a variable that names one its contents
    are the state: they are read as a copy, and put back into the same object as long as the
    variable still names it.

    Args:
      get_state, set_state, names: read, assign and name the variables.
      functions: the blocks.
    """

    def __init__(
        self,
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
        functions: Iterable[Callable[..., Any] | None],
    ) -> None:
        self._variables = names
        self._get = get_state
        self._set = set_state
        self._containers = self._values()
        self._rebound: set[int] = set()
        self._slots: list[Slot] = []
        self.init = tuple(map(contents, self._containers))
        apart = chain.from_iterable(map(within, self._containers))
        self._heap = Heap(functions, apart)
        _states.add(self)

    def holds(self, value: Any) -> int:
        """How many references this has to a list."""
        return sum(value is each for each in self._containers) + self._heap.holds(value)

    @property
    def names(self) -> tuple[str, ...]:
        """The user's names: first of the variables, then of the other places."""
        return (*self._variables, *(slot.label for slot in self._slots))

    def outputs(self, entries: tuple[Any, ...], variables: int | None) -> tuple[Any, ...]:
        """The entries without those of variables from number `variables` on, which end here."""
        if variables is None:
            return entries
        return (*entries[:variables], *entries[len(self._variables) :])

    def entries(self, outputs: tuple[Any, ...], variables: int | None) -> tuple[Any, ...]:
        """The opposite of `outputs`: variables that are none are what they were."""
        if variables is None:
            return outputs
        ending = self.init[variables : len(self._variables)]
        return (*outputs[:variables], *ending, *outputs[variables:])

    def _values(self) -> tuple[Any, ...]:
        return () if self._get is None else self._get()

    def read(self) -> tuple[Any, ...]:
        """What is there now; a list or a dict as a copy.

        Raises: NewPlaces if something changed that is not part of the state yet.
        """
        self._check()
        values = self._values()
        for position, value in enumerate(values):
            if value is not self._containers[position]:
                self._rebound.add(position)
        return (*map(contents, values), *map(value_or_undefined, self._slots))

    def _check(self) -> None:
        known = {slot.key for slot in self._slots}
        named = set(self._variables)
        found = [
            slot
            for slot in distinct(self._heap.changed())
            if slot.key not in known and not (slot.variable and slot.label in named)
        ]
        if found:
            raise NewPlaces(found)

    def extend(self, found: NewPlaces) -> None:
        """Makes what a block changed part of the state, as it was at the beginning."""
        self.restore()
        self._slots += found.slots
        self.init = (*self.init, *map(value_or_undefined, found.slots))

    def restore(self) -> None:
        """Puts everything back to what it was at the beginning."""
        self._heap.restore()
        if self._set is None:
            return
        for container, items in zip(self._containers, self.init, strict=False):
            if is_container(container):
                refill(container, items)
        self._set(self._containers)

    def write(self, values: tuple[Any, ...]) -> None:
        """Assigns everything; what stayed the same list or dict gets new contents."""
        count = len(self._variables)
        if self._set is not None:
            self._set(tuple(self._kept(*entry) for entry in enumerate(values[:count])))
        for slot, value in zip(self._slots, values[count:], strict=True):
            assign(slot, value)

    def _kept(self, position: int, value: Any) -> Any:
        if position in self._rebound or not is_container(self._containers[position]):
            return value
        if type(self._containers[position]) is type(value):
            refill(self._containers[position], value)
            return self._containers[position]
        if self.other_references(position) > _OF_ONE_VARIABLE:
            raise new_length(self._variables[position])
        return value

    def other_references(self, position: int) -> int:
        """How many references there are to the list of a variable, besides those of states."""
        return sys.getrefcount(self._containers[position]) - sum(
            state.holds(self._containers[position]) for state in list(_states)
        )


class NewPlaces(BaseException):
    """Leaves a library when a block changed what is no part of the state yet."""

    def __init__(self, slots: list[Slot]) -> None:
        super().__init__([slot.label for slot in slots])
        self.slots = slots


def staged(library: StagingLibrary, state: State, stage: Callable[[], Any]) -> Any:
    """Runs what stages a statement, again as long as its blocks turn out to change more places."""
    while True:
        try:
            with staged_block(library):
                return stage()
        except NewPlaces as found:
            state.extend(found)
        except BaseException:
            state.restore()
            raise


def unchanging(
    library: StagingLibrary,
    operand: Callable[[], Any],
    *reached: Callable[[], Any],
    remedy: str = "Write an `if` statement.",
) -> Callable[[], Any]:
    """An operand that may be evaluated only; what it changes in place is an error.

    Args:
      library: stages the expression.
      operand: gives the value.
      reached: the functions in which the user's code stands.
      remedy: how to write it otherwise.
    """

    def evaluate() -> Any:
        heap = Heap(reached, ())
        with staged_block(library):
            value = operand()
        changed = list(distinct(heap.changed()))
        if changed:
            heap.restore()
            raise StagingError(
                f"`{changed[0].label}` is changed while an operand is evaluated of which only the "
                "running program knows whether it is.",
                remedy=remedy,
            )
        return value

    return evaluate


_states: weakref.WeakSet[State] = weakref.WeakSet()
"""All that are in use, in every thread."""


def _references_of_one_variable() -> int:
    variable: list[Any] = []
    state = State(lambda: (variable,), lambda values: None, ("variable",), ())
    return state.other_references(0)


_OF_ONE_VARIABLE = _references_of_one_variable()


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

    def traced(body: Callable[[], Any] | None, in_if: bool) -> Callable[[], tuple[Any, ...]]:
        def run() -> tuple[Any, ...]:
            state.restore()
            try:
                value = None if body is None else body()
            except Exception as error:
                raise BranchRaised(error, in_if) from error
            return (*state.outputs(state.read(), nouts), value)

        return run

    def stage() -> tuple[Any, ...]:
        names = state.outputs(state.names, nouts)
        branches = traced(if_body, True), traced(else_body, False)
        return library.cond(test, *branches, (*names, RETURN_VALUE))

    try:
        *outputs, value = staged(library, state, stage)
    except BranchRaised as stopped:
        state.restore()
        condition = test if stopped.in_if else library.not_(test)
        library.raise_when(condition, stopped.error)
        other = else_body if stopped.in_if else if_body
        return None if other is None else other()
    state.write(state.entries(tuple(outputs), nouts))
    return value


def branch_value(
    library: StagingLibrary,
    test: Any,
    if_value: Callable[[], Any],
    else_value: Callable[[], Any],
) -> Any:
    """The value of one of two expressions, as a staged test decides."""
    return run_branches(
        library, test, if_value, else_value, State(None, None, (), (if_value, else_value))
    )
