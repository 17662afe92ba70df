"""What a staged `for` goes through: how many items there are, and which is number `i`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.adapters.refusals import refusal
from autograph.staging import ReadOnce, begin_once
from autograph.values import Value


class Items:
    """Items that a traced program goes through.

    A loop takes row `i` of each of the `columns`, and `item` makes the item of the rows.
    """

    columns: Sequence[Any] = ()

    @staticmethod
    def row(column: Any, position: int) -> Any:
        """Return a row of a column."""
        return column[position]

    def length(self) -> Any:
        """Return the number of items: an int where it is known."""
        raise NotImplementedError

    def item(self, rows: Sequence[Any], index: Value) -> Any:
        """Item number `index`, of which these are the rows."""
        raise NotImplementedError

    def listed(self) -> Sequence[Any]:
        """Return the items that are no rows of an array, which the columns have copies of."""
        return ()

    def at(self, index: int) -> Any:
        """Item number `index`, which is known."""
        return self.item([self.row(column, index) for column in self.columns], index)

    def __iter__(self) -> Iterator[Any]:
        """Yield the items, if their number is known. Raises StagingError otherwise."""
        count = self.length()
        if not isinstance(count, int):
            raise refusal(
                f"Python iterates over a staged {type(self).__name__.lower()}, the length of "
                "which is known only when the program runs.",
                "Write the `for` in code that is converted.",
            )
        return map(self.at, range(count))


class Rows(Items):
    """The rows of an array."""

    def __init__(self, array: Any, shape: Sequence[Any]) -> None:
        """Take an array of at least one dimension. Raises StagingError for a scalar."""
        if not shape:
            raise refusal(
                "a `for` goes over the rows of an array, but this one is a scalar.",
                "Use range(n) to count.",
            )
        self.columns = (array,)
        self._count = shape[0]

    def length(self) -> Any:
        """Return the first dimension."""
        return self._count

    def item(self, rows: Sequence[Any], index: Value) -> Any:
        """Return the row."""
        return rows[0]


class Listed(Items):
    """The items of a Python sequence; as rows of one array where a loop needs them so."""

    def __init__(self, items: Sequence[Any], stack: Callable[[Sequence[Any]], Any]) -> None:
        """Take the items, and what makes one array of them or raises Unsettled."""
        self._items = items
        self._stack = stack

    @property
    def columns(self) -> Sequence[Any]:  # type: ignore[override]
        """All items as one array."""
        return (self._stack(self._items),)

    def listed(self) -> Sequence[Any]:
        """Return the items."""
        return self._items

    def length(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def item(self, rows: Sequence[Any], index: Value) -> Any:
        """Return the row."""
        return rows[0]

    def at(self, index: int) -> Any:
        """Return the item itself."""
        return self._items[index]


class Range(Items):
    """`range(start, stop, step)` with arrays."""

    def __init__(
        self, start: Value, stop: Value, step: Value, count: Callable[[Any, Any, Any], Any]
    ) -> None:
        """Take integer scalars, and what computes the number of items."""
        self._start = start
        self._step = step
        self._count = count(start, stop, step)

    def length(self) -> Any:
        """How often `step` fits between the bounds."""
        return self._count

    def item(self, rows: Sequence[Any], index: Value) -> Any:
        """`start + index * step`."""
        return self._start + index * self._step


class ItemsOnce(ReadOnce, Items):
    """Items that Python goes through once."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the items, if their number is known. Raises StagingError otherwise."""
        begin_once(self)
        return super().__iter__()


class Enumerate(ItemsOnce):
    """`enumerate(items, start)`."""

    def __init__(self, items: Items, start: Value) -> None:
        """Take other items."""
        super().__init__(items)
        self._items = items
        self._start = start

    @property
    def columns(self) -> Sequence[Any]:  # type: ignore[override]
        """Those of the items."""
        return self._items.columns

    def listed(self) -> Sequence[Any]:
        """Those of the items."""
        return self._items.listed()

    def length(self) -> Any:
        """Return the number of items."""
        return self._items.length()

    def item(self, rows: Sequence[Any], index: Value) -> Any:
        """Return the number of an item and the item."""
        return self._start + index, self._items.item(rows, index)

    def at(self, index: int) -> Any:
        """Return the number of an item and the item."""
        return self._start + index, self._items.at(index)


class Zip(ItemsOnce):
    """`zip(*parts)`."""

    def __init__(self, parts: Sequence[Items], shortest: Callable[[list[Any]], Any]) -> None:
        """Take other items, and what finds the least of several lengths."""
        super().__init__(*parts)
        self._parts = parts
        self._length = shortest([part.length() for part in parts])

    @property
    def columns(self) -> Sequence[Any]:  # type: ignore[override]
        """Those of all parts."""
        return [column for part in self._parts for column in part.columns]

    def listed(self) -> Sequence[Any]:
        """Those of all parts."""
        return [item for part in self._parts for item in part.listed()]

    def length(self) -> Any:
        """Return the number of items of the shortest part."""
        return self._length

    def item(self, rows: Sequence[Any], index: Value) -> Any:
        """One item of each part."""
        items = []
        for part in self._parts:
            count = len(part.columns)
            items.append(part.item(rows[:count], index))
            rows = rows[count:]
        return tuple(items)

    def at(self, index: int) -> Any:
        """One item of each part."""
        return tuple(part.at(index) for part in self._parts)


class Map(ItemsOnce):
    """`map(function, *parts)`, as the zip of the parts."""

    def __init__(self, function: Callable[..., Any], parts: Zip) -> None:
        """Take a function and the items of its arguments."""
        super().__init__()
        self._function = function
        self._parts = parts

    def __autograph_mapped__(self) -> tuple[Callable[..., Any], Zip]:
        """Return the function and the items of its arguments."""
        return self._function, self._parts

    @property
    def columns(self) -> Sequence[Any]:  # type: ignore[override]
        """Those of all parts."""
        return self._parts.columns

    def listed(self) -> Sequence[Any]:
        """Those of all parts."""
        return self._parts.listed()

    def length(self) -> Any:
        """Return the number of items of the shortest part."""
        return self._parts.length()

    def item(self, rows: Sequence[Any], index: Value) -> Any:
        """Return the function of one item of each part."""
        return self._function(*self._parts.item(rows, index))

    def at(self, index: int) -> Any:
        """Return the function of one item of each part."""
        return self._function(*self._parts.at(index))


class Reversed(ItemsOnce):
    """`reversed(items)`."""

    def __init__(self, items: Items, flip: Callable[[Any], Any]) -> None:
        """Take other items, and what turns an array around."""
        super().__init__(items)
        self._items = items
        self.columns = [flip(column) for column in items.columns]

    def listed(self) -> Sequence[Any]:
        """Those of the items."""
        return self._items.listed()

    def length(self) -> Any:
        """Return the number of items."""
        return self._items.length()

    def item(self, rows: Sequence[Any], index: Value) -> Any:
        """Return the item as far from the end."""
        return self._items.item(rows, self.length() - 1 - index)
