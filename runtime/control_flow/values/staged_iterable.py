"""The base of what a graph iterates over."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.errors import OperatorNotAllowedInGraphError, StagingError
from runtime.core.tensor import Staged, Tensor, TensorLike
from runtime.ops.base.convert import cast_to, constant_of, convert_to_tensor
from runtime.ops.math.logic import less


class StagedIterable(Staged):
    """Items that a graph iterates over; Python itself cannot."""

    def __init_subclass__(cls) -> None:
        """Name the class like the Python function it implements, for messages: `zip`, not `Zip`."""
        cls.__name__ = cls.__qualname__ = cls.__name__.lower()

    def length(self) -> TensorLike:
        """Return the number of items: an int, or an int32 scalar."""
        raise NotImplementedError

    def item(self, index: object) -> Any:
        """Return item number `index`."""
        raise NotImplementedError

    @property
    def is_stream(self) -> bool:
        """True if the number of items is known only at the end of the iteration."""
        return False

    @property
    def is_live(self) -> bool:
        """True if items are read from lists that the loop may change."""
        return any(each.is_live for each in self.parts)

    @property
    def parts(self) -> tuple[StagedIterable, ...]:
        """The iterables that this one takes its items from."""
        return ()

    @property
    def owners(self) -> tuple[object, ...]:
        """The mutable objects that items are parts of."""
        return tuple(owner for each in self.parts for owner in each.owners)

    def begin(self) -> StagedIterable:
        """Return the iterable for one loop; a stream starts over."""
        return self

    def more(self, index: Any) -> Tensor:
        """Return whether item number `index` exists; all items before it were taken.

        The index is an int in an iteration that is recorded ahead of its loop.
        """
        number = convert_to_tensor(index)
        return less(number, cast_to(count_of(self.length()), number.dtype))

    def __iter__(self) -> Any:
        """Iterate over the items if their number is known; raise otherwise."""
        length = self.length()
        if isinstance(length, int):
            return (self.item(row) for row in range(length))
        raise StagingError(
            f"a {type(self).__name__} of tensors is iterated over by Python, but its items are "
            "known only when the graph runs.",
            public=OperatorNotAllowedInGraphError,
            remedy="In code that is converted, write a `for` statement or a list comprehension; a "
            "generator expression stays Python's.",
        )


def count_of(length: TensorLike) -> Tensor:
    """Return a number of items as an int32 scalar, or int64 if it may be larger."""
    if isinstance(length, int):
        wide = length > dtypes.int32.max
        return constant_of((dtypes.int64 if wide else dtypes.int32).as_numpy_dtype(length))
    return convert_to_tensor(length)
