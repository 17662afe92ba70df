"""The deque of which only a running graph knows the length."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from runtime.control_flow.growing import STAND_INS, Column, GrowingList
from runtime.control_flow.iterables import Elements
from runtime.core.structure import Node
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.ranges import range as counted
from runtime.ops.effects.output import raise_when
from runtime.ops.math.arithmetic import floormod, maximum, minimum
from runtime.ops.math.comparison import equal


class GrowingDeque(GrowingList):
    """A deque of tensors, or of tuples of tensors, whose length is known when the graph runs.

    Args:
      columns: for each tensor of an element the list of these.
      node: the structure of an element; None: a tensor.
      maxlen: the maximum length; None: there is none.
    """

    represents = deque
    remedy = "Use a list, or a loop over Python values."

    def __init__(
        self, columns: Sequence[Column], node: Node | None = None, maxlen: int | None = None
    ) -> None:
        """Wraps lists of tensors."""
        self.maxlen = maxlen
        super().__init__(columns, node)

    def contents(self) -> GrowingList:
        """The elements as a list."""
        return GrowingList(self.columns, self.node)

    def check_is_part(self) -> NoReturn:
        """Refuses."""
        self.refuse("is returned, or held by another object", remedy="Use a list: `list(queue)`.")

    def begin(self) -> Elements:
        """What a loop goes through."""
        return Unchanged(self)

    staged_items = begin

    # ---- changing ----

    def append(self, value: Any) -> None:
        """Adds an element at the right end; a full deque loses its leftmost."""
        super().append(value)
        if self.maxlen is not None:
            size = self.size()
            kept = minimum(size, self.maxlen)
            self._take(counted(kept) + (size - kept))

    def appendleft(self, value: Any) -> None:
        """Adds an element at the left end; a full deque loses its rightmost."""
        super().append(value)
        size = self.size()
        kept = size if self.maxlen is None else minimum(size, self.maxlen)
        self._take(floormod(counted(kept) + (size - 1), size))

    def extend(self, values: Iterable[Any]) -> None:
        """Adds several elements at the right end, one by one."""
        if isinstance(values, GrowingList | Tensor) and self.maxlen is not None:
            self.refuse("has a maximum length and gets as many elements as only the graph knows")
        super().extend(values)

    def extendleft(self, values: Iterable[Any]) -> None:
        """Adds several elements at the left end, one by one, so that their order is reversed."""
        for value in values:
            self.appendleft(value)

    def pop(self) -> Any:  # type: ignore[override]
        """Takes the rightmost element out. Raises IndexError, when the graph runs, if empty."""
        self._check_filled()
        return super().pop()

    def popleft(self) -> Any:
        """Takes the leftmost element out. Raises IndexError, when the graph runs, if empty."""
        self._check_filled()
        value = self.item(0)
        size = self.size()
        self._take(counted(size - 1) + 1)
        return value

    def _check_filled(self) -> None:
        raise_when(equal(self.size(), 0), IndexError("pop from an empty deque"))

    def rotate(self, n: TensorLike = 1) -> None:
        """Moves each element `n` positions to the right, and around the end."""
        size = self.size()
        self._take(floormod(counted(size) - n, maximum(size, 1)))

    def insert(self, index: TensorLike, value: Any) -> None:
        """Adds an element before a position. Refuses if there is a maximum length."""
        if self.maxlen is not None:
            self.refuse("has a maximum length and gets an element in the middle")
        super().insert(index, value)

    def __getitem__(self, index: Any) -> Any:
        """One element."""
        if isinstance(index, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        return super().__getitem__(index)

    # ---- what a deque does not do, or not as a list does ----

    @property
    def sort(self) -> NoReturn:
        """A deque has no such method."""
        raise AttributeError("'collections.deque' object has no attribute 'sort'")

    def _joined(self, *_: Any) -> NoReturn:
        self.refuse("is compared, joined or repeated")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _joined
    __add__ = __radd__ = __mul__ = __rmul__ = __imul__ = _joined
    __hash__ = GrowingList.__hash__


class Unchanged(Elements):
    """The elements of a deque, which a loop over them must not change: Python raises then."""

    def __init__(self, growing: GrowingDeque) -> None:
        """Takes the deque as it is now."""
        super().__init__(growing)
        self._columns = growing.columns

    def more(self, index: Any) -> Tensor:
        """Whether there is one more element."""
        self._check()
        return super().more(index)

    def item(self, index: Any) -> Any:
        """One element."""
        self._check()
        return super().item(index)

    def _check(self) -> None:
        if self._list.columns is not self._columns:
            self._list.refuse("is changed by a loop over it", RuntimeError, "Loop over a copy.")


STAND_INS[deque] = lambda growing, owner: GrowingDeque(growing.columns, growing.node, owner.maxlen)
