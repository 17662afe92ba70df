"""`heapq`, `bisect` and `Counter.most_common` in Python, converted like user code.

The originals are written in C and need the truth value of each comparison. These follow CPython's
Python versions step by step, so that a list gets the same items in the same order. Comparisons may
be staged, and so may the length of the list.
"""

from __future__ import annotations

import bisect
import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from autograph.values import Value


def less(a: Value, b: Value) -> Any:
    """Return `a < b`, for tuples item by item."""
    if _are_tuples(a, b):
        return less_tuple(a, b, 0)
    return a < b


def greater(a: Value, b: Value) -> Any:
    """Return `a > b`, for tuples item by item."""
    if _are_tuples(a, b):
        return less_tuple(b, a, 0)
    return a > b


def _are_tuples(a: Value, b: Value) -> Any:
    """Return whether both values are tuples that Python compares by their items."""
    return isinstance(a, tuple) and isinstance(b, tuple) and type(a).__lt__ == tuple.__lt__


def compares_as_tuple(kind: type) -> bool:
    """Return whether values of a class compare as tuples do: of `tuple` itself, or named tuples.

    >>> compares_as_tuple(tuple), compares_as_tuple(list)
    (True, False)
    """
    if not issubclass(kind, tuple):
        return False
    return kind.__lt__ == tuple.__lt__ and kind.__eq__ == tuple.__eq__


def less_tuple(a: Value, b: Value, position: int) -> Any:
    """Return `a < b` for two tuples that are equal up to a position."""
    if position >= len(a) or position >= len(b):
        return len(a) < len(b)
    if position == len(a) - 1 and len(a) == len(b):
        return less(a[position], b[position])
    return less(a[position], b[position]) or (
        a[position] == b[position] and less_tuple(a, b, position + 1)
    )


def heappush(heap: list[Any], item: Value, /) -> None:
    """`heapq.heappush`."""
    heap.append(item)
    _towards_root(heap, 0, len(heap) - 1)


def heappop(heap: list[Any], /) -> Any:
    """`heapq.heappop`."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    item = heap.pop()
    if len(heap) > 0:
        last = item
        item = heap[0]
        heap[0] = last
        _towards_leaf(heap, 0)
    return item


def heapreplace(heap: list[Any], item: Value, /) -> Any:
    """`heapq.heapreplace`."""
    smallest = heap[0]
    heap[0] = item
    _towards_leaf(heap, 0)
    return smallest


def heappushpop(heap: list[Any], item: Value, /) -> Any:
    """`heapq.heappushpop`."""
    if len(heap) > 0 and less(heap[0], item):
        smallest = heap[0]
        heap[0] = item
        item = smallest
        _towards_leaf(heap, 0)
    return item


def heapify(heap: list[Any], /) -> None:
    """`heapq.heapify`."""
    position = len(heap) // 2 - 1
    while position >= 0:
        _towards_leaf(heap, position)
        position -= 1


def _towards_root(heap: list[Any], root: Value, position: Value) -> None:
    item = heap[position]
    parent = (position - 1) // 2
    while position > root and less(item, heap[parent]):
        heap[position] = heap[parent]
        position = parent
        parent = (position - 1) // 2
    heap[position] = item


def _towards_leaf(heap: list[Any], root: Value) -> None:
    end = len(heap)
    item = heap[root]
    position = root
    child = 2 * position + 1
    while child < end:
        right = child + 1
        if right < end and not less(heap[child], heap[right]):
            child = right
        heap[position] = heap[child]
        position = child
        child = 2 * position + 1
    heap[position] = item
    _towards_root(heap, root, position)


def nsmallest(n: Value, iterable: Iterable[Any], key: Callable[[Any], Any] | None = None) -> Any:
    """`heapq.nsmallest`."""
    return sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n: Value, iterable: Iterable[Any], key: Callable[[Any], Any] | None = None) -> Any:
    """`heapq.nlargest`."""
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def most_common(self: Counter[Any], n: Value = None) -> Any:
    """`Counter.most_common`."""
    items = sorted(self.items(), key=itemgetter(1), reverse=True)
    return items if n is None else items[: max(n, 0)]


def bisect_left(
    a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Callable[[Any], Any] | None = None
) -> Any:
    """`bisect.bisect_left`."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        item = a[middle] if key is None else key(a[middle])
        if less(item, x):
            lo = middle + 1
        else:
            end = middle
    return lo


def bisect_right(
    a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Callable[[Any], Any] | None = None
) -> Any:
    """`bisect.bisect_right`."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        item = a[middle] if key is None else key(a[middle])
        if less(x, item):
            end = middle
        else:
            lo = middle + 1
    return lo


def insort_left(
    a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Callable[[Any], Any] | None = None
) -> None:
    """`bisect.insort_left`."""
    by = x if key is None else key(x)
    a.insert(bisect_left(a, by, lo, hi, key=key), x)


def insort_right(
    a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Callable[[Any], Any] | None = None
) -> None:
    """`bisect.insort_right`."""
    by = x if key is None else key(x)
    a.insert(bisect_right(a, by, lo, hi, key=key), x)


MODULES = (heapq, bisect)
PROGRAMS: dict[Callable[..., Any], Callable[..., Any]] = {
    Counter.most_common: most_common,
    **{
        getattr(module, program.__name__): program
        for module, programs in (
            (heapq, (heappush, heappop, heapreplace, heappushpop, heapify, nsmallest, nlargest)),
            (bisect, (bisect_left, bisect_right, insort_left, insort_right)),
        )
        for program in programs
    },
}
"""From functions to their converted replacements."""

PARTS: frozenset[Any] = frozenset(
    {*PROGRAMS.values(), _are_tuples, greater, less, less_tuple, _towards_root, _towards_leaf}
)
"""The functions of this package that are converted."""
