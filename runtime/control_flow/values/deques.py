"""The stand-in for a deque whose length is known only at run time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from runtime.control_flow.iterables import Elements
from runtime.control_flow.values.columns import Column
from runtime.control_flow.values.growing import GrowingList
from runtime.core.structure import Node
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.lists import list_resize
from runtime.ops.array.ranges import range as counted
from runtime.ops.effects.output import raise_when
from runtime.ops.math.arithmetic import floormod, maximum, minimum
from runtime.ops.math.logic import equal


class GrowingDeque(GrowingList):
    """A deque of tensors, or of tuples of tensors, whose length is known only at run time.

    It has one column for each tensor of an element; `node` is the structure of an element, None for
    a tensor.
    """

    represents = deque
    remedy = "Use a list, or a loop over Python values."

    def __init__(
        self, columns: Sequence[Column], node: Node | None = None, maxlen: int | None = None
    ) -> None:
        self.maxlen = maxlen
        super().__init__(columns, node)

    def contents(self) -> GrowingList:
        """Return the elements as a list."""
        return GrowingList(self.columns, self.node)

    def check_is_part(self) -> NoReturn:
        """Raise: a deque cannot be returned or stored in another object."""
        self.refuse("is returned, or held by another object", remedy="Use a list: `list(queue)`.")

    def begin(self) -> Elements:
        """Return the iterable for a loop."""
        return Unchanged(self)

    staged_items = begin

    # ---- changing ----

    def append(self, value: object) -> None:
        """Append an element at the right end; a full deque drops its leftmost element."""
        super().append(value)
        if self.maxlen is not None:
            size = self.size()
            kept = minimum(size, self.maxlen)
            self._take(counted(kept) + (size - kept))

    def appendleft(self, value: object) -> None:
        """Append an element at the left end; a full deque drops its rightmost element."""
        super().insert(0, value)
        if self.maxlen is not None:
            kept = minimum(self.size(), self.maxlen)
            self.columns = tuple(c.of(list_resize(c.flow, kept)) for c in self.columns)

    def extend(self, values: Iterable[Any]) -> None:
        """Append several elements at the right end, one by one."""
        if isinstance(values, GrowingList | Tensor) and self.maxlen is not None:
            self.refuse("has a maximum length and gets as many elements as only the graph knows")
        super().extend(values)

    def extendleft(self, values: Iterable[Any]) -> None:
        """Append several elements at the left end, one by one, so that their order is reversed."""
        for value in values:
            self.appendleft(value)

    def pop(self) -> Any:  # type: ignore[override]
        """Remove and return the rightmost element. Raises IndexError at run time if empty."""
        self._check_filled()
        return super().pop()

    def popleft(self) -> Any:
        """Remove and return the leftmost element. Raises IndexError at run time if empty."""
        self._check_filled()
        value = self.item(0)
        self._leave_out(0)
        return value

    def _check_filled(self) -> None:
        raise_when(equal(self.size(), 0), IndexError("pop from an empty deque"))

    def rotate(self, n: TensorLike = 1) -> None:
        """Rotate the elements `n` positions to the right."""
        size = self.size()
        self._take(floormod(counted(size) - n, maximum(size, 1)))

    def insert(self, index: TensorLike, value: object) -> None:
        """Insert an element before a position. Raises StagingError if there is a maximum length."""
        if self.maxlen is not None:
            self.refuse("has a maximum length and gets an element in the middle")
        super().insert(index, value)

    def __getitem__(self, index: object) -> Any:
        if isinstance(index, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        return super().__getitem__(index)

    # ---- what a deque does not do, or not as a list does ----

    @property
    def sort(self) -> NoReturn:
        """Raise: a deque has no such method."""
        raise AttributeError("'collections.deque' object has no attribute 'sort'")

    def _joined(self, *_: object) -> NoReturn:
        self.refuse("is compared, joined or repeated")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _joined
    __add__ = __radd__ = __mul__ = __rmul__ = __imul__ = _joined
    __hash__ = GrowingList.__hash__


class Unchanged(Elements):
    """The elements of a deque; changing it in a loop over it raises, as in Python."""

    def __init__(self, growing: GrowingDeque) -> None:
        super().__init__(growing)
        self._columns = growing.columns

    def more(self, index: object) -> Tensor:
        """Return whether there is another element."""
        self._check()
        return super().more(index)

    def item(self, index: object) -> Any:
        """Return one element."""
        self._check()
        return super().item(index)

    def _check(self) -> None:
        if self._list.columns is not self._columns:
            self._list.refuse("is changed by a loop over it", RuntimeError, "Loop over a copy.")


def stand_in(growing: GrowingList, owner: object) -> GrowingDeque | None:
    """Return the stand-in for a deque, with the items of a list; None for other classes."""
    if type(owner) is not deque:
        return None
    return GrowingDeque(growing.columns, growing.node, owner.maxlen)
