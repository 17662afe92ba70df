"""The list that stands for a Python list while a staged loop appends to it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from runtime.core.dtypes import DType
from runtime.core.errors import OperatorNotAllowedInGraphError, StagingError
from runtime.core.places import user_name
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.convert import cast_to, convert_to_tensor, is_weak, one_dtype, weakened
from runtime.ops.lists import (
    list_from_tensor,
    list_get,
    list_length,
    list_push,
    list_reserve,
    list_resize,
    list_set,
    list_stack,
)
from runtime.ops.selecting import where
from runtime.ops.values import adapts


class _Live(threading.local):
    def __init__(self) -> None:
        self.lists: weakref.WeakSet[GrowingList] = weakref.WeakSet()


_live = _Live()


class GrowingList:
    """A list of tensors of one dtype, the length of which is known when the graph runs.

    It has what a Python list has, as far as a graph can do it: `append`, `extend`, `pop`, `+`,
    indexing, and iterating, `len`, `in` and truth in converted code. `runtime.stack(x)` and
    `x.stack()` give all elements as one tensor. Returned from a function it is a Python list.

    Args:
      flow: the list.
      element: what is known of each element.
      weak: whether all elements stand for Python numbers.
    """

    __autograph_carried__ = True
    """Staged statements carry what it holds, and leave it the same object."""

    def __init__(self, flow: Tensor, element: TensorSpec, weak: bool = False) -> None:
        """Wraps a list."""
        self.flow = flow
        self.element = element
        self.weak = weak
        _live.lists.add(self)

    @classmethod
    def of(cls, values: Iterable[Any], element: TensorSpec) -> GrowingList:
        """The list of these values, which fit `element`."""
        growing = cls(list_reserve(0), element)
        for value in values:
            growing.append(value)
        return growing

    def append(self, value: TensorLike) -> None:
        """Adds an element at the end. Raises StagingError if it does not fit the others."""
        self.flow = list_push(self.flow, self._fitting(value))

    def extend(self, values: Iterable[TensorLike]) -> None:
        """Adds several elements at the end."""
        for value in values:
            self.append(value)

    def pop(self, index: TensorLike = -1) -> Tensor:
        """Takes the last element out. Raises StagingError for another index."""
        if not isinstance(index, int) or index != -1:
            self._refuse("takes out other elements than the last")
        last = self.size() - 1
        value = self.item(last)
        self.flow = list_resize(self.flow, last)
        return value

    def size(self) -> Tensor:
        """The number of elements, int32."""
        return list_length(self.flow)

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as the rows of one tensor."""
        return weakened(list_stack(self.flow, self.element), self.weak)

    def item(self, index: TensorLike) -> Tensor:
        """One element, counted from 0. Raises InvalidArgumentError if there is none."""
        return weakened(list_get(self.flow, index, self.element), self.weak)

    def __getitem__(self, index: Any) -> Any:
        """One element, or the rows of a slice."""
        if isinstance(index, slice):
            return self.stack()[index]
        return self.item(self._position(index))

    def __setitem__(self, index: Any, value: TensorLike) -> None:
        """Replaces an element."""
        self.flow = list_set(self.flow, self._position(index), self._fitting(value))

    def _position(self, index: Any) -> Any:
        if isinstance(index, int):
            return self.size() + index if index < 0 else index
        position = convert_to_tensor(index)
        from_end = position + cast_to(self.size(), position.dtype)
        return where(position < 0, from_end, position)

    def _fitting(self, value: TensorLike) -> Tensor:
        tensor = convert_to_tensor(value, dtype_hint=self.element.dtype)
        if is_weak(tensor) or is_weak(value):
            tensor = one_dtype("append", [("value", tensor)], self.element.dtype)[0][0]
        elif self.weak:
            self._settle(tensor.dtype)
        if self.element.is_compatible_with(tensor.spec):
            return tensor
        self._refuse(f"gets an element {tensor.spec}, but its elements are {self.element}")

    def _settle(self, dtype: DType) -> None:
        """Makes the numbers of the list elements of this dtype, as a tensor among them has it."""
        if adapts(self.element.dtype.kind, dtype.kind):
            settled = self.with_elements(dtype)
            self.flow, self.element, self.weak = settled.flow, settled.element, False

    def _refuse(self, what: str, public: type[Exception] = TypeError) -> NoReturn:
        called = user_name(self)
        subject = f"the list `{called}`" if called else "a list"
        raise StagingError(
            f"{subject} grows in a staged loop and {what}, which a graph cannot do.",
            public=public,
            remedy="Use runtime.TensorArray, or a loop over Python values.",
        )

    def __len__(self) -> int:
        """Refuses: the length is known when the graph runs."""
        self._refuse("is asked for its length by Python", OperatorNotAllowedInGraphError)

    def __bool__(self) -> bool:
        """Refuses: the truth is known when the graph runs."""
        self._refuse("is asked for its truth by Python", OperatorNotAllowedInGraphError)

    def __iter__(self) -> Iterator[Any]:
        """Refuses: the elements are known when the graph runs."""
        self._refuse("is iterated over by Python", OperatorNotAllowedInGraphError)

    def __add__(self, other: Iterable[TensorLike]) -> GrowingList:
        """The list with the elements of a Python list behind it."""
        joined = self.copy()
        joined.extend(other)
        return joined

    def copy(self) -> GrowingList:
        """Another list with the same elements."""
        return GrowingList(self.flow, self.element, self.weak)

    def with_elements(self, dtype: DType) -> GrowingList:
        """The list with its elements in this dtype; itself if they have it."""
        if self.element.dtype is dtype:
            return self
        rows = cast_to(self.stack(), dtype)
        return GrowingList(list_from_tensor(rows), self.element.with_dtype(dtype))

    def __copy__(self) -> GrowingList:
        """Another list with the same elements."""
        return self.copy()

    def __tf_tensor__(self, dtype: Any, name: str | None) -> Tensor:
        """All elements as the rows of one tensor."""
        return convert_to_tensor(self.stack(), dtype)

    def __repr__(self) -> str:
        """Gives what is known of it."""
        return f"<list of {self.element} that grows in a graph>"

    def to_list(self) -> Any:
        """A Python list if the elements have values, else this list."""
        if not isinstance(self.flow, EagerTensor):
            return self
        return [EagerTensor(entry) for entry in self.flow.array.entries()]


@contextmanager
def lists_restored() -> Iterator[None]:
    """Undoes, at the end, what code inside did to lists that grow: it was only traced."""
    before = [(growing, growing.flow) for growing in _live.lists]
    try:
        yield
    finally:
        for growing, flow in before:
            growing.flow = flow
