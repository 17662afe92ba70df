"""Python values that a recording reads besides its arguments: when one changes, so must the graph.

What a function reads from outside (see `runtime.function.reach`) is frozen in the graph. So each
graph remembers what these places held, and serves a call only while they hold the same.

A place that the function itself changes is a side effect of recording, and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import CellType
from typing import Any

from autograph.reach import MISSING
from runtime.function.outside import Written
from runtime.function.reach import Place, Read, places_read, reference
from runtime.function.snapshots import Same, Snapshot, first_difference, snapshot
from runtime.function.watched_arrays import ArraySpec


class Guards:
    """All places that one graph depends on, and what they held when it was recorded."""

    __slots__ = ("_held", "_objects", "_places")

    def __init__(self, held: Iterable[tuple[Place, Snapshot]]) -> None:
        """Takes pairs of a place and what it holds."""
        self._places = list(held)
        self._objects: list[tuple[Read, Any]] = []
        self._held: list[tuple[Read, Callable[[Any], bool]]] = []
        for place, before in self._places:
            if isinstance(before, Same) and before.reference is not None:
                self._objects.append((place.read, before.reference))
            else:
                self._held.append((place.read, before.matches))

    def __len__(self) -> int:
        """How many places there are."""
        return len(self._places)

    def hold(self) -> bool:
        """Whether every place holds what it held."""
        for read, referred in self._objects:
            if read() is not referred():
                return False
        return all(matches(read()) for read, matches in self._held)

    def changes(self) -> list[str]:
        """What changed, a text for each place."""
        return [
            f"`{place.name}`: {_in_words(before, value)} (read from outside; pass it as a tensor, "
            "or keep it in a tf.Variable)"
            for place, before in self._places
            for value in [place.read()]
            if not before.matches(value)
        ]


def _place_of(written: Written) -> Place:
    place = written.place
    key = id(place.owner) if isinstance(place.owner, CellType) else place.identity
    return Place(place.label, key, place.read)


def _in_words(before: Snapshot, value: Any) -> str:
    if before.matches(MISSING):
        return f"nothing -> {snapshot(value)}"
    return f"{before} -> nothing" if value is MISSING else first_difference(before, value)


class Watch:
    """Looks at the places before and after a recording.

    Args:
      function: the function that is recorded.
      arguments: the objects among its arguments.
    """

    def __init__(self, function: Callable[..., Any], arguments: Iterable[Any]) -> None:
        """Remembers what the places hold now."""
        self._function = function
        self._arguments = [reference(argument) for argument in arguments]
        self._before = {place.key: snapshot(place.read()) for place in self._places()}

    def guards(self, written: Sequence[Written], arrays: Iterable[Any]) -> Guards:
        """The places with what they hold now, without those that the recording changed.

        Args:
          written: places that the graph writes, with what they have to hold.
          arrays: those that the graph reads by reference.
        """
        held = [(place, place.read()) for place in self._places()]
        referred = frozenset(map(id, arrays))
        apart = referred | {id(each.place.owner) for each in written}
        steady = [
            (p, ArraySpec(value) if id(value) in referred else snapshot(value, apart))
            for p, value in held
            if self._is_steady(p, value)
        ]
        own = [(_place_of(each), each.before) for each in written]
        replaced = {place.key for place, _ in own}
        return Guards([*(each for each in steady if each[0].key not in replaced), *own])

    def _is_steady(self, place: Place, value: Any) -> bool:
        before = self._before.get(place.key)
        return before is None or before.matches(value)

    def _places(self) -> list[Place]:
        return places_read(self._function, [argument() for argument in self._arguments])
