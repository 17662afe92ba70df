"""Tables: lists that are the items of one list, carried as one tensor.

Before:  g[0], g[1], g[2] = While(...: whole = stack(g[0], g[1], g[2]); whole[i, j] = x; unstack)
After:   whole = While(...: whole[i, j] = x); g[0], g[1], g[2] = unstack(whole)

A program that computes both indices of `g[i][j]` changes each list of `g`. The lists are variables
of their own, because the program may know one of them by another name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from runtime.control_flow.values.forms import Form, Stack

_ITEM = re.compile(r"(.+)\[(\d+)\]")


class Tables:
    """The tables among some variables.

    Args:
      names: the names of the variables; those of lists in a list are `g[0]`, `g[1]`, ...
      forms: their forms.
    """

    def __init__(self, names: Sequence[str], forms: Sequence[Form]) -> None:
        self._count = len(names)
        self._tables = {
            name: places for name, places in _lists(names).items() if _are_rows(places, forms)
        }
        used = {place for places in self._tables.values() for place in places}
        self._others = [place for place in range(self._count) if place not in used]

    def __len__(self) -> int:
        return len(self._tables)

    def names(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the tables and of the other variables."""
        tables = (f"{name}[...]" for name in self._tables)
        return (*tables, *(names[place] for place in self._others))

    def forms(self, forms: Sequence[Form]) -> list[Form]:
        """Return the forms of the tables and of the other variables."""
        tables = (_table([forms[place] for place in each]) for each in self._tables.values())
        return [*tables, *(forms[place] for place in self._others)]

    def joined(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return a list of lists for each table, and the values of the other variables."""
        tables = ([values[place] for place in each] for each in self._tables.values())
        return (*tables, *(values[place] for place in self._others))

    def parted(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the values of all variables."""
        found: list[Any] = [None] * self._count
        count = len(self._tables)
        for places, rows in zip(self._tables.values(), values[:count], strict=True):
            for place, row in zip(places, rows, strict=True):
                found[place] = row
        for place, value in zip(self._others, values[count:], strict=True):
            found[place] = value
        return tuple(found)


def _lists(names: Sequence[str]) -> dict[str, list[int]]:
    """Return for each list all of whose items are variables their places, in order.

    >>> _lists(["n", "g[1]", "g[0]", "h[1]"])
    {'g': [2, 1]}
    """
    found: dict[str, dict[int, int]] = {}
    for place, name in enumerate(names):
        item = _ITEM.fullmatch(name)
        if item is not None:
            found.setdefault(item[1], {})[int(item[2])] = place
    return {
        name: [items[i] for i in range(len(items))]
        for name, items in found.items()
        if len(items) > 1 and sorted(items) == list(range(len(items)))
    }


def _are_rows(places: Sequence[int], forms: Sequence[Form]) -> bool:
    first = forms[places[0]]
    return isinstance(first, Stack) and all(forms[place] == first for place in places)


def _table(rows: Sequence[Form]) -> Stack:
    first = rows[0]
    assert isinstance(first, Stack)
    return Stack(first, len(rows))
