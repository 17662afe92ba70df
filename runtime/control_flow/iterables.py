"""What a staged `for` goes through: how many items there are, and which is number `i`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.control_flow.growing import GrowingList
from runtime.core import dtypes
from runtime.core.errors import OperatorNotAllowedInGraphError, StagingError
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.arithmetic import add, floordiv, maximum, minimum, multiply, subtract
from runtime.ops.convert import cast_to, convert_to_tensor, one_dtype, weakened
from runtime.ops.dimensions import shape
from runtime.ops.elementwise import negative
from runtime.ops.indexing import getitem
from runtime.ops.joining import stack
from runtime.ops.output import Assert


class StagedIterable:
    """Items that a graph goes through; Python itself cannot iterate over them."""

    def length(self) -> TensorLike:
        """The number of items: an int, or an int32 scalar."""
        raise NotImplementedError

    def item(self, index: Any) -> Any:
        """Item number `index`."""
        raise NotImplementedError

    def __iter__(self) -> Any:
        """The items, where it is known how many there are; refuses otherwise."""
        length = self.length()
        if isinstance(length, int):
            return (self.item(row) for row in range(length))
        raise StagingError(
            f"a {type(self).__name__} of tensors is iterated over by Python, but its items are "
            "known only when the graph runs.",
            public=OperatorNotAllowedInGraphError,
            remedy="Write the `for` in code that is converted.",
        )


class Rows(StagedIterable):
    """The rows of a tensor."""

    def __init__(self, tensor: Tensor) -> None:
        """Takes a tensor of at least one dimension. Raises StagingError for a scalar."""
        if tensor.shape.rank == 0:
            raise StagingError(
                f"a `for` goes over the rows of a tensor, but {tensor.spec} is a scalar. Use "
                "range(n) to count.",
                public=TypeError,
            )
        self._tensor = tensor

    def length(self) -> TensorLike:
        """The first dimension."""
        dims = self._tensor.spec.dims
        known = None if dims is None else dims[0]
        return getitem(shape(self._tensor), 0) if known is None else known

    def item(self, index: Any) -> Any:
        """One row."""
        return getitem(self._tensor, index)


class Range(StagedIterable):
    """`range(start, stop, step)` with tensors; the items stand for Python ints."""

    def __init__(self, start: TensorLike, stop: TensorLike, step: TensorLike = 1) -> None:
        """Takes integer scalars."""
        entries = [("start", start), ("stop", stop), ("step", step)]
        for _, value in entries:
            if not convert_to_tensor(value).dtype.is_integer:
                raise TypeError(f"range takes integers, not {convert_to_tensor(value).spec}")
        bounds, _ = one_dtype("range", entries)
        self._start, self._stop, self._step = bounds
        if not isinstance(step, int):
            Assert(self._step != 0, ["range() arg 3 must not be zero"])

    def length(self) -> TensorLike:
        """How often `step` fits between the bounds."""
        span = subtract(self._stop, self._start)
        steps = negative(floordiv(negative(span), self._step))
        return cast_to(maximum(steps, 0), dtypes.int32)

    def item(self, index: Any) -> Any:
        """`start + index * step`."""
        position = cast_to(convert_to_tensor(index), self._start.dtype)
        value = add(self._start, multiply(position, self._step))
        return weakened(value)


class Enumerate(StagedIterable):
    """`enumerate(items, start)`."""

    def __init__(self, items: StagedIterable, start: TensorLike = 0) -> None:
        """Takes other items."""
        self._items = items
        self._start = start

    def length(self) -> TensorLike:
        """The number of items."""
        return self._items.length()

    def item(self, index: Any) -> Any:
        """The number of an item and the item."""
        return weakened(add(index, self._start)), self._items.item(index)


class Zip(StagedIterable):
    """`zip(*iterables)`."""

    def __init__(self, *iterables: StagedIterable) -> None:
        """Takes other items."""
        self._iterables = iterables

    def length(self) -> TensorLike:
        """The number of items of the shortest."""
        lengths = [items.length() for items in self._iterables]
        if all(isinstance(length, int) for length in lengths):
            return min(lengths)
        shortest = lengths[0]
        for length in lengths[1:]:
            shortest = minimum(shortest, length)
        return shortest

    def item(self, index: Any) -> Any:
        """One item of each."""
        return tuple(items.item(index) for items in self._iterables)


class Map(StagedIterable):
    """`map(function, *iterables)`."""

    def __init__(self, function: Callable[..., Any], *iterables: StagedIterable) -> None:
        """Takes a function and other items."""
        self._function = function
        self._items = Zip(*iterables)

    def length(self) -> TensorLike:
        """The number of items of the shortest."""
        return self._items.length()

    def item(self, index: Any) -> Any:
        """The function of one item of each."""
        return self._function(*self._items.item(index))


class Reversed(StagedIterable):
    """`reversed(items)`."""

    def __init__(self, items: StagedIterable) -> None:
        """Takes other items."""
        self._items = items

    def length(self) -> TensorLike:
        """The number of items."""
        return self._items.length()

    def item(self, index: Any) -> Any:
        """The item as far from the end."""
        return self._items.item(subtract(subtract(self.length(), 1), index))


class Elements(StagedIterable):
    """The elements of a list that grew in a staged loop."""

    def __init__(self, growing: GrowingList) -> None:
        """Takes the list as it is now."""
        self._list = growing.copy()

    def length(self) -> TensorLike:
        """The number of elements."""
        return self._list.size()

    def item(self, index: Any) -> Any:
        """One element."""
        return self._list.item(index)


def as_iterable(value: Any) -> StagedIterable:
    """The items of a tensor, a list, a range, or what `enumerate`, `zip`, ... made of them.

    Raises: StagingError if a Python value among them has items that no tensor can hold.
    """
    if isinstance(value, StagedIterable):
        return value
    if isinstance(value, GrowingList):
        return Elements(value)
    if isinstance(value, Tensor) or hasattr(type(value), "__tf_tensor__"):
        return Rows(convert_to_tensor(value))
    if isinstance(value, range):
        return Range(value.start, value.stop, value.step)
    if isinstance(value, (list, tuple, np.ndarray)):
        return Rows(stack(list(value)))
    raise StagingError(
        f"a {type(value).__name__} goes together with tensors in one `for`, but its items cannot "
        "be put into a tensor. Make a list or an array of it.",
        public=TypeError,
    )
