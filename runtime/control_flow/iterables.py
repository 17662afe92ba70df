"""Iterables of staged `for` statements: their length, and item number `i`."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.staging import ReadOnce, begin_once
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.partial_dicts import PartialDict
from runtime.control_flow.values.staged_iterable import StagedIterable, count_of
from runtime.core import dtypes
from runtime.core.errors import StagingError
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Staged, Tensor, TensorLike, is_operand
from runtime.core.thread import STATE
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import stack
from runtime.ops.array.ranges import range as range_
from runtime.ops.array.ranges import range_size
from runtime.ops.base.convert import (
    cast_to,
    convert_to_tensor,
    one_dtype,
    weakened,
    weakness,
)
from runtime.ops.effects.output import raise_when
from runtime.ops.items.indexing import getitem
from runtime.ops.math.arithmetic import add, minimum, multiply, subtract
from runtime.ops.math.logic import equal, logical_and
from runtime.ops.strings.texts import characters, is_text


class Rows(StagedIterable):
    """The rows of a tensor."""

    def __init__(self, tensor: Tensor) -> None:
        """Store a tensor of rank >= 1. Raises StagingError for a scalar."""
        if tensor.shape.rank == 0:
            raise StagingError(
                f"a `for` goes over the rows of a tensor, but {tensor.spec} is a scalar. Use "
                "range(n) to count.",
                public=TypeError,
            )
        self._tensor = tensor

    def length(self) -> TensorLike:
        """Return the first dimension."""
        dims = self._tensor.spec.dims
        known = None if dims is None else dims[0]
        return getitem(shape(self._tensor), 0) if known is None else known

    def item(self, index: object) -> Any:
        """Return one row; weak if the tensor is weak."""
        return weakened(getitem(self._tensor, index), weakness(self._tensor))


class Items(Rows):
    """The items of a list, tuple or string; Python itself gets them as they are."""

    def __init__(self, items: Sequence[Any]) -> None:
        super().__init__(stack(list(items)))
        self._items = tuple(items)

    def item(self, index: object) -> Any:
        """Return one item; a tensor at an index that is a tensor."""
        return self._items[index] if isinstance(index, int) else super().item(index)


class Range(StagedIterable):
    """The items `start + index * step` of a range, without an array.

    With `python` the items represent Python ints, and the range is empty if the step leads away
    from the limit.
    """

    def __init__(self, bounds: Sequence[Tensor], python: bool = False) -> None:
        self._start, limit, self._step = bounds
        self._python = python
        size = range_size(self._start, limit, self._step, self._counter_dtype(), python)
        known = static_value(size)
        self._length = size if known is None else int(known)

    @classmethod
    def of_python(cls, start: TensorLike, stop: TensorLike, step: TensorLike = 1) -> Range:
        """Return `range(start, stop, step)` with tensors. Raises TypeError unless they are
        integers.
        """
        entries = [("start", start), ("stop", stop), ("step", step)]
        for _, value in entries:
            if not convert_to_tensor(value).dtype.is_integer:
                raise TypeError(f"range takes integers, not {convert_to_tensor(value).spec}")
        wide = dtypes.int64 if STATE.symbolic is not None else None
        if wide is not None:
            entries = [(name, cast_to(convert_to_tensor(v), wide)) for name, v in entries]
        bounds, _ = one_dtype("range", entries, wide)
        if not isinstance(step, int):
            raise_when(equal(bounds[2], 0), ValueError("range() arg 3 must not be zero"))
        return cls(bounds, python=True)

    def _counter_dtype(self) -> dtypes.DType:
        """Return int32 if the number of items certainly fits, else int64."""
        dtype = self._start.dtype
        if dtype.is_integer and dtype.size < 4:
            return dtypes.int32
        start, step = static_value(self._start), static_value(self._step)
        upwards = start is not None and start >= 0 and step is not None and step > 0
        return dtypes.int32 if dtype is dtypes.int32 and upwards else dtypes.int64

    def length(self) -> TensorLike:
        """Return the number of steps between the bounds."""
        return self._length

    def item(self, index: object) -> Any:
        """Return `start + index * step`; floats are computed in double precision, as in the op."""
        dtype = self._start.dtype
        wide = dtypes.float64 if dtype.is_floating else dtype
        value = cast_to(convert_to_tensor(index), wide)
        start, step = static_value(self._start), static_value(self._step)
        if self._python and isinstance(index, int) and None not in (start, step):
            return int(start) + index * int(step)
        if step != 1:
            value = multiply(value, cast_to(self._step, wide))
        if start != 0:
            value = add(cast_to(self._start, wide), value)
        return weakened(cast_to(value, dtype), self._python)


class Iterated(Staged):
    """An object that a staged `for` asks for its items by `staged_items()`."""


class Stream(StagedIterable):
    """Sequential items; a subclass implements `more` and `item`."""

    @property
    def is_stream(self) -> bool:
        """True."""
        return True

    def length(self) -> TensorLike:
        """Raise: the length is unknown before the end."""
        raise StagingError(
            f"how many items a {type(self).__name__} has is known only at its end.",
            public=TypeError,
            remedy="Go through it with a `for` that is converted.",
        )


class ItemsOnce(ReadOnce, StagedIterable):
    """An iterator of Python's over staged items."""

    def __iter__(self) -> Any:
        """Iterate over the items if their number is known; raise otherwise."""
        begin_once(self)
        return super().__iter__()


class Derived(ItemsOnce):
    """Items that are computed from those of another iterable, one from one."""

    def __init__(self, items: StagedIterable) -> None:
        super().__init__(items)
        self._items = items

    @property
    def parts(self) -> tuple[StagedIterable, ...]:
        """The other iterable."""
        return (self._items,)

    def length(self) -> TensorLike:
        """Return the number of items."""
        return self._items.length()

    @property
    def is_stream(self) -> bool:
        """True if the items are a stream."""
        return self._items.is_stream

    def more(self, index: object) -> Tensor:
        """Return whether there is another item."""
        return self._items.more(index)

    def begin(self) -> StagedIterable:
        """Return the same for restarted items."""
        begun = copy.copy(self)
        begun._items = self._items.begin()
        return begun


class Enumerate(Derived):
    """`enumerate(items, start)`."""

    def __init__(self, items: StagedIterable, start: TensorLike = 0) -> None:
        super().__init__(items)
        self._start = start

    def item(self, index: object) -> Any:
        """Return the number of an item and the item."""
        first = self._start
        if isinstance(first, int) and isinstance(index, int):
            return first + index, self._items.item(index)
        if not isinstance(first, int):
            index, first = _widened(convert_to_tensor(index), convert_to_tensor(first))
        return weakened(add(index, first)), self._items.item(index)


class Zip(ItemsOnce):
    """`zip(*iterables)`."""

    def __init__(self, *iterables: StagedIterable) -> None:
        super().__init__(*iterables)
        self._iterables = iterables

    @property
    def parts(self) -> tuple[StagedIterable, ...]:
        """The iterables."""
        return self._iterables

    def length(self) -> TensorLike:
        """Return the number of items of the shortest iterable."""
        lengths = [items.length() for items in self._iterables]
        if all(isinstance(length, int) for length in lengths):
            return min(lengths)
        return functools.reduce(lambda a, b: minimum(*_widened(a, b)), map(count_of, lengths))

    def item(self, index: object) -> Any:
        """Return one item of each iterable."""
        return tuple(items.item(index) for items in self._iterables)

    @property
    def is_stream(self) -> bool:
        """True if one of the iterables is a stream."""
        return any(items.is_stream for items in self._iterables)

    def begin(self) -> StagedIterable:
        """Return a `zip` of restarted items."""
        begun = copy.copy(self)
        begun._iterables = tuple(items.begin() for items in self._iterables)
        return begun

    def more(self, index: object) -> Tensor:
        """Return whether each iterable has another item."""
        return functools.reduce(logical_and, [items.more(index) for items in self._iterables])


class Map(Derived):
    """`map(function, *iterables)`."""

    def __init__(self, function: Callable[..., Any], *iterables: StagedIterable) -> None:
        ReadOnce.__init__(self)
        self._items = Zip(*iterables)
        self._function = function

    def __autograph_mapped__(self) -> tuple[Callable[..., Any], StagedIterable]:
        """Return the function and the items of its arguments."""
        return self._function, self._items

    def item(self, index: object) -> Any:
        """Return the function of one item of each iterable."""
        return self._function(*self._items.item(index))


class Reversed(ItemsOnce):
    """`reversed(items)`."""

    def __init__(self, items: StagedIterable) -> None:
        super().__init__(items)
        self._items = items
        self._length = items.length()

    @property
    def parts(self) -> tuple[StagedIterable, ...]:
        """The items in their own order."""
        return (self._items,)

    def length(self) -> TensorLike:
        """Return the number of items at the start."""
        return self._length

    def more(self, index: object) -> Tensor:
        """Return whether there is another item, and the list did not shrink."""
        return logical_and(super().more(index), self._items.more(self._position(index)))

    def item(self, index: object) -> Any:
        """Return the item at the mirrored position."""
        return self._items.item(self._position(index))

    def _position(self, index: object) -> Tensor:
        last = subtract(count_of(self._length), 1)
        return subtract(*_widened(last, convert_to_tensor(index)))


class Elements(StagedIterable):
    """The elements of a list that grows in a staged loop."""

    def __init__(self, growing: GrowingList) -> None:
        """Store the list, which the loop may change."""
        self._list = growing

    @property
    def owners(self) -> tuple[object, ...]:
        """The list."""
        return (self._list,)

    @property
    def is_live(self) -> bool:
        """True."""
        return True

    def length(self) -> TensorLike:
        """Return the number of elements."""
        return self._list.size()

    def item(self, index: object) -> Any:
        """Return one element."""
        return self._list.item(index)


def _widened(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Return two integers in the wider dtype."""
    dtype = a.dtype if a.dtype.size >= b.dtype.size else b.dtype
    return cast_to(a, dtype), cast_to(b, dtype)


def as_iterable(value: Any) -> StagedIterable:
    """Return the items of a tensor, list, range, or of `enumerate`, `zip`, ... over them.

    Raises: StagingError for a Python value whose items cannot be stacked.
    """
    if isinstance(value, StagedIterable):
        return value
    if hasattr(type(value), "staged_items"):
        return value.staged_items()  # type: ignore[no-any-return]
    if isinstance(value, GrowingList):
        return Elements(value)
    if is_operand(value):
        tensor = convert_to_tensor(value)
        if is_text(tensor):
            return Rows(characters(tensor))
        if isinstance(tensor, SymbolicTensor) and tensor.op.definition is range_.op.definition:
            return Range(tensor.op.inputs)
        return Rows(tensor)
    if isinstance(value, range):
        return Range.of_python(value.start, value.stop, value.step)
    if isinstance(value, (list, tuple, str)):
        return Items(value)
    if isinstance(value, np.ndarray):
        return Rows(stack(list(value)))
    if isinstance(value, PartialDict):
        value.refuse(value.asked)
    raise StagingError(
        f"an object of `{type(value).__name__}` goes together with tensors in one `for`, but its "
        "items cannot be put into a tensor. Make a list or an array of it.",
        public=TypeError,
    )


def flat(name: str, value: object, rows: bool = False) -> Any:
    """Return the elements that a built-in function iterates over, or NotImplemented.

    Raises: StagingError if the elements are rows, which Python cannot compare either.
    """
    whole = value.stack() if isinstance(value, GrowingList) else value
    if isinstance(whole, Range):
        whole = _of_range(whole)
    if isinstance(whole, PartialDict):
        whole.refuse(whole.asked)
    if not is_operand(whole):
        return NotImplemented
    tensor = convert_to_tensor(whole)
    if tensor.shape.rank not in (1, None) and not rows:
        raise StagingError(
            f"{name}() goes over the elements of a tensor of one dimension, not of {tensor.spec}. "
            "Use runtime.reduce_max, reduce_min, reduce_any or reduce_all with an axis.",
            public=ValueError,
        )
    return tensor


def _of_range(numbers: Range) -> Any:
    length = numbers.length()
    return stack([numbers.item(i) for i in range(length)]) if isinstance(length, int) else numbers
