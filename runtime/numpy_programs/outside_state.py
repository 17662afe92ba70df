"""Arrays and numbers outside of a NumPy program that it changes: objects, closures, globals.

    class Heat:
        @function(numpy=True)
        def step(self, dt):                 step(heat, dt): reads heat.grid and heat.time at each
            self.grid[1:-1] += dt * ...     call, changes the array in place, and leaves the number
            self.time += dt

A trace finds what the program changes, and is undone. The next trace takes these arrays as further
arguments, and these numbers as tensors that the graph reads and writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.operators.aliases import alternatives_of
from autograph.reach.places import Contents, Place
from autograph.reach.reads import Reads
from autograph.reach.records import Item
from autograph.reach.walk import Reach
from autograph.staging import is_one_of
from runtime.core.structure import children
from runtime.core.tensor import Tensor
from runtime.functions.effects import items_of_both
from runtime.functions.outside_ops import RUNNING, Written, form_before, held_in
from runtime.functions.snapshots import snapshot
from runtime.numpy_programs.attempts import Attempt
from runtime.numpy_programs.values import Array

_NUMBERS = (int, float, complex, np.generic)


class OutsideState:
    """What a program changes outside.

    Attributes:
      arrays: the places of arrays.
      numbers: the places of numbers, and lists and dicts of them, that the graph reads and writes.
    """

    def __init__(self) -> None:
        """Know of nothing."""
        self.arrays: dict[Any, Place] = {}
        self.numbers: dict[Any, Written] = {}

    def attempt(self) -> Attempt:
        """Return the next trace."""
        return Attempt(tuple(self.arrays.values()))

    def extend(self, attempt: Attempt) -> bool:
        """Undo what a trace changed; return whether it changed anything new."""
        reach = attempt.reach
        if reach is None:  # it ended before the program began
            return False
        arrays = [*attempt.changed, *(each.owner for each in reach.sealed_changes())]
        known = len(self.arrays) + len(self.numbers)
        for place, before in reach.changes(sealed=False):
            replaced = _replaced(place, before)
            if replaced and all(isinstance(each, _NUMBERS) for each in replaced):
                written = Written(place, form_before(before), snapshot(before))
                self.numbers[place.identity] = written
            arrays += [each for each in replaced if isinstance(each, np.ndarray)]
        self._add(reach, arrays)
        reach.restore()
        return len(self.arrays) + len(self.numbers) > known

    def extend_after_refusal(self, attempt: Attempt) -> bool:
        """Do the same after a trace that was refused, perhaps at a change of an array.

        If it is not known which array that is, each may be that the code of the program mentions.
        """
        if self.extend(attempt):
            return True
        if attempt.reach is None:
            return False
        known = len(self.arrays)
        mentioned = Reads(attempt.values).objects()
        self._add(attempt.reach, [each for each in mentioned if isinstance(each, np.ndarray)])
        return len(self.arrays) > known

    def _add(self, reach: Reach, arrays: Iterable[Any]) -> None:
        for array in arrays:
            self.arrays.update((place.identity, place) for place in reach.holders(array))


def _replaced(place: Place, before: object) -> list[Any]:
    """Return the former value of a changed place, or the replaced items of a list or dict."""
    if not isinstance(place, Contents):
        return [before]
    return [old for _, old, new in items_of_both(before, place.read()) if old is not new]


class OutsideArrays:
    """The arrays outside of a program during a trace.

    Attributes:
      places: where the array of each further argument of the graph is.
    """

    def __init__(self, attempt: Attempt, traced: Callable[[Tensor], Any]) -> None:
        """Replace the arrays that the program is known to change by traced ones."""
        self._attempt = attempt
        outside = RUNNING.traces[-1]
        attempt.values, attempt.reach = outside.values, outside.reach
        self._watches = outside.replace_arrays(attempt.places, traced)
        self.places = [watch.places[0] for watch in self._watches]

    def read(self) -> list[Place]:
        """Return the places of the other arrays that the program may read."""
        own = {place.identity for watch in self._watches for place in watch.places}
        return [p for p in RUNNING.traces[-1].read_arrays() if p.identity not in own]

    def taken(self) -> list[tuple[Place, Any]]:
        """Return the places in which the program left other arrays, with these; restore them.

        What it appends to lists that it does not read is among them.
        """
        changes = list(RUNNING.traces[-1].changes())
        found = self._appended(changes)
        for place, before in RUNNING.traces[-1].changes() if found else changes:
            for spot, old, new in list(_spots(place, before)):
                is_new = self._has_new_array(new)
                if is_new and not RUNNING.traces[-1].arrays.stands_for(old, new):
                    found.append((spot, new))
                    spot.write(old)
                    if isinstance(old, np.ndarray) and not self._is_traced(old):
                        self._attempt.changed.append(old)
        return found

    def _appended(self, changes: Sequence[tuple[Place, Any]]) -> list[tuple[Place, Any]]:
        """Return the ends of lists, with what the program appends; restore the lists."""
        found: list[tuple[Place, Any]] = []
        for place, before in changes:
            end = RUNNING.traces[-1].end_of(place, before)
            if end is not None:
                found.append(end)
                place.write(before)
        values = {id(value) for _, value in found}
        for place, before in changes:
            if values and id(held_in(place)) in values:  # a list that grew in a staged statement
                place.write(before)
        return found

    def existed(self, array: Any) -> bool:
        """Return whether an array, or the one that it is a view of, was there before the call."""
        while isinstance(array, np.ndarray):
            if RUNNING.traces[-1].reach.holds(array):
                return True
            array = array.base
        return False

    def _has_new_array(self, value: object) -> bool:
        """Return whether a value is an array of the call, or a structure with one."""
        if isinstance(value, np.ndarray):
            return not self.existed(value)
        if isinstance(value, Array):
            return True
        if is_one_of(value):
            return any(map(self._has_new_array, alternatives_of(value)))
        level = children(value) if isinstance(value, (list, tuple, dict)) else None
        return level is not None and any(map(self._has_new_array, level[1]))

    def _is_traced(self, array: object) -> bool:
        return any(array is watch.array for watch in self._watches)


def _spots(place: Place, before: object) -> Iterator[tuple[Place, Any, Any]]:
    """Yield a changed place, or those of the items of a list or dict, with old and new value."""
    value = held_in(place)
    if not isinstance(place, Contents):
        yield place, before, value
        return
    for key, old, new in items_of_both(before, value):
        if old is not new:
            yield Item(place.owner, key, f"{place.label}[{key!r}]"), old, new
