"""Arrays in machine code: memory, views of it, and elementwise computations that are not run yet.

A graph has values and no memory. So each write gives its buffer a new version, and a view belongs
to one version: the lowering copies a buffer instead of writing to it while another view is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.engines.native.types import INT64

Dim = Any
"""A length, offset or stride in elements: an int, or an `ir.Value` of the running code."""


@dataclass(eq=False)
class Buffer:
    """Memory of an array, in C order.

    Attributes:
      place: the address of the first element, or a variable that holds it.
      dims: the shape.
      dtype: the type of the elements.
      storage: who provides the memory; see `Storage`.
      version: the number of the last write.
      lengths: for each axis of an array that a loop carries, the variable of a length that may
        change; None: it stays.
    """

    place: ir.Value
    dims: tuple[Dim, ...]
    dtype: DType
    storage: Storage
    version: int = 0
    lengths: tuple[ir.Value | None, ...] = ()

    @property
    def changes(self) -> tuple[bool, ...]:
        """For each axis, whether its length may change while a loop carries the array."""
        return tuple(each is not None for each in self.lengths or (None,) * len(self.dims))


@dataclass(frozen=True, eq=False)
class Storage:
    """The origin of memory.

    Attributes:
      is_owned: whether the code may write to it.
      is_variable: whether the address is in a variable, so that buffers can exchange their memory.
      capacity: a variable with the number of bytes, if the memory grows on demand.
    """

    is_owned: bool
    is_variable: bool
    capacity: ir.Value | None = None


@dataclass(frozen=True, eq=False)
class View:
    """Elements of one version of a buffer.

    Attributes:
      buffer: the memory.
      number: the version of the buffer.
      offset: the position of the first element.
      dims: the shape.
      strides: distance of neighbors along each axis, in elements.
    """

    buffer: Buffer
    number: int
    offset: Dim
    dims: tuple[Dim, ...]
    strides: tuple[Dim, ...]

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self.buffer.dtype

    def part(self, dims: Sequence[Dim], strides: Sequence[Dim], offset: Dim | None = None) -> View:
        """Return other elements of the same version; None: from the same first one on."""
        first = self.offset if offset is None else offset
        return View(self.buffer, self.number, first, tuple(dims), tuple(strides))

    def along(self, axes: Sequence[int]) -> View:
        """Return the elements along some axes, in this order; of the others the first ones."""
        return self.part([self.dims[i] for i in axes], [self.strides[i] for i in axes])

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements are known to be in C order without gaps."""
        return is_contiguous(self.dims, self.strides)

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole buffer."""
        same = len(self.dims) == len(self.buffer.dims) and all(
            is_equal(*pair) for pair in zip(self.dims, self.buffer.dims, strict=True)
        )
        return same and self.offset == 0 and type(self.offset) is int and self.is_contiguous


@dataclass(eq=False)
class Lazy:
    """An elementwise computation.

    Attributes:
      compute: emits the computation on one element of each operand.
      operands: scalars, views and other computations.
      dims: the shape of the result.
      dtype: the type of its elements.
      view: its elements, after it ran.
      size: number of computations in it, operands included.
    """

    compute: Callable[[Sequence[ir.Value]], ir.Value]
    operands: tuple[Any, ...]
    dims: tuple[Dim, ...]
    dtype: DType
    view: View | None = None
    size: int = 1


@dataclass(frozen=True, eq=False)
class Vector:
    """A vector that is packed from numbers, such as the index of an item."""

    numbers: tuple[int | tuple[DType, ir.Value], ...]
    dtype: DType

    @property
    def dims(self) -> tuple[Dim, ...]:
        """The shape."""
        return (len(self.numbers),)


@dataclass(frozen=True, eq=False)
class Items:
    """A list that a loop owns, in memory that grows.

    Attributes:
      memory: its entries, one after the other; the first of `dims` means nothing.
      length: the variable of the number of entries.
      spec: the spec of an entry, of static shape.
    """

    memory: Buffer
    length: ir.Value
    spec: TensorSpec


@dataclass(frozen=True, eq=False)
class Entries:
    """A list that no loop owns.

    Attributes:
      values: its last entries, numbers and views.
      spec: their spec; None: there are none.
      unwritten: how many entries before them were not written.
    """

    values: tuple[Any, ...]
    spec: TensorSpec | None
    unwritten: ir.Value


def is_equal(one: Dim, other: Dim) -> bool:
    """Return whether two lengths are known to be equal."""
    return one is other or (type(one) is int and type(other) is int and one == other)


def is_contiguous(dims: Sequence[Dim], strides: Sequence[Dim]) -> bool:
    """Return whether elements are known to be in C order without gaps."""
    expected: Dim | None = 1
    for dim, stride in zip(reversed(dims), reversed(strides), strict=True):
        if type(dim) is int and dim == 1:
            continue
        if expected is None or not is_equal(stride, expected):
            return False
        if is_equal(expected, 1):
            expected = dim
        else:
            known = type(dim) is int and type(expected) is int
            expected = dim * expected if known else None
    return True


def known_count(dims: Sequence[Dim]) -> int | None:
    """Return the number of elements; None if only the running code knows it."""
    count = 1
    for dim in dims:
        if type(dim) is not int:
            return None
        count *= dim
    return count


def constant(dim: Dim) -> ir.Value:
    """Return a length as an LLVM value."""
    return INT64(dim) if type(dim) is int else dim


def nodes(root: Lazy) -> list[Lazy]:
    """Return the computations that one contains and that did not run, operands first."""
    found: dict[int, Lazy] = {}
    waiting: list[tuple[Lazy, bool]] = [(root, False)]
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            found[id(node)] = node
        elif id(node) not in found:
            waiting.append((node, True))
            waiting += [(each, False) for each in node.operands if is_pending(each)]
    return list(found.values())


def is_pending(value: object) -> bool:
    """Return whether a value is a computation that did not run."""
    return isinstance(value, Lazy) and value.view is None


def views(value: Any) -> Iterator[View]:
    """Yield the views that a value reads."""
    if isinstance(value, View):
        yield value
    elif isinstance(value, Entries):
        yield from (each for each in value.values if isinstance(each, View))
    elif isinstance(value, Lazy):
        if value.view is not None:
            yield value.view
            return
        for node in nodes(value):
            for operand in node.operands:
                if isinstance(operand, View):
                    yield operand
                elif isinstance(operand, Lazy) and operand.view is not None:
                    yield operand.view
