"""Lists outside of a function that it appends to and never reads: histories and logs.

    class Model:
        @function
        def step(self, x):
            loss = ...                      the graph appends the loss to what the list holds at
            self.losses.append(loss)        each call

A graph of a function that reads a list depends on its length, so the next call, which finds a
longer one, needs another graph. A graph that only appends to a list serves for all lengths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.reach.places import MISSING, Cell, Contents, Entry, Member, Place, holder_of
from autograph.reach.reads import Reads
from autograph.reach.records import Item
from autograph.reach.walk import Reach
from autograph.writes import only_appends
from runtime.control_flow.values.growing import GrowingList
from runtime.functions.watched_arrays import WatchedArrays


class Appended(Place):
    """The end of a list, where a graph appends.

    Args:
      contents: the place of the items.
      count: the number of first items of what is written that the list has already.
    """

    def __init__(self, contents: Contents, count: int = 0) -> None:
        """Store the arguments."""
        super().__init__(contents.owner, contents.key, contents.label)
        self._count = count

    def read(self) -> Any:
        """Return `MISSING`: there is nothing yet."""
        return MISSING

    def write(self, value: Any) -> None:
        """Append the items."""
        self.owner.extend(value[self._count :])


def appended(
    place: Contents,
    before: list[Any],
    value: Any,
    arrays: WatchedArrays,
    values: dict[str, Any],
    reads: Callable[[], Reads],
) -> tuple[Appended, Any] | None:
    """Return the end of a list and what a function appends; None if it may read the list.

    Args:
      place: the place of the items.
      before: the former items.
      value: the items now, or the stand-in of the list.
      arrays: the large arrays that the function reaches.
      values: the function and its arguments, by name.
      reads: returns what they can read, one result for all lists.
    """
    if type(place.owner) not in (list, deque) or not _begins_with(value, before, arrays):
        return None
    name = _only_name(place.owner, arrays.reach, values)
    if name is None or reads().vocabulary.is_everything:
        return None
    if not only_appends(reads().functions, name):
        return None
    if type(value) is list:
        return Appended(place), value[len(before) :]
    return Appended(place, len(before)), value


def _begins_with(value: Any, before: list[Any], arrays: WatchedArrays) -> bool:
    if isinstance(value, GrowingList):
        return True  # as `append` and `extend` leave it
    is_longer = type(value) is list and len(value) > len(before)
    pairs = zip(before, value, strict=False)
    return is_longer and all(new is old or arrays.stands_for(old, new) for old, new in pairs)


def _only_name(owner: Any, reach: Reach, values: dict[str, Any]) -> str | None:
    """Return the variable or attribute through which alone a function reaches a list."""
    holders = reach.holders(owner)
    while holders and isinstance(holders[0], Item):
        holders = reach.holders(holders[0].owner)
    holder = holders[0] if holders else None
    if not isinstance(holder, (Entry, Member, Cell)):
        return None
    held = holder.read()
    holder.write(None)
    try:
        others = Reach([], values)
    finally:
        holder.write(held)
    if others.holds(owner) or others.holds(holder_of(owner)):
        return None
    name = holder.label if isinstance(holder, Cell) else holder.key
    return name if str.isidentifier(name) else None
