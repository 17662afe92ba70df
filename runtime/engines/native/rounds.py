"""The values of a loop: what it captures, and at the end of an iteration what the next one gets."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from runtime.core.dtypes import DType
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import (
    Buffer,
    Dim,
    View,
    constant,
    is_equal,
    known_count,
)
from runtime.engines.native.elements import Elements
from runtime.engines.native.memory import TINY
from runtime.engines.native.types import INT64

Value = Any
"""A number, an array in memory, or a computation; see `lowering`."""


class Rounds:
    """Prepares captures, and assigns results of a body to carried tensors."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._build = elements.build
        self._numbers = elements.numbers
        self._memory = elements.memory

    def captured(self, op: Operation, values: Sequence[Value]) -> list[Value]:
        """Return the values that a loop captures.

        A matrix that the body transposes to multiply by it is stored transposed here, once: the
        product would copy it in each iteration.
        """
        inner = op.attrs["body"].inputs[op.attrs["count"] :]
        return [
            self._elements.copied(value.along((1, 0))).along((1, 0))
            if isinstance(value, View) and _is_transposed_factor(tensor)
            else value
            for tensor, value in zip(inner, values, strict=True)
        ]

    def home(self, dims: Sequence[Dim], changes: Sequence[bool], dtype: DType) -> Buffer:
        """Return memory for one array after another; `changes`: whose lengths differ, by axis."""
        if not any(changes):
            return self._memory.new(dims, dtype)
        pairs = list(zip(dims, changes, strict=True))
        buffer = self._memory.new([constant(dim) if c else dim for dim, c in pairs], dtype)
        buffer.lengths = tuple(self._memory.variable(INT64) if c else None for c in changes)
        return buffer

    def store(self, home: Buffer, value: Value) -> None:
        """Copy an array to the memory of a home, which is large enough."""
        self._elements.assign(self._elements.whole(home), value)
        self._store_lengths(home, value)

    def store_next(self, home: Buffer, value: Value) -> None:
        """Copy another array to a home."""
        pairs = zip(home.changes, home.dims, value.dims, strict=True)
        home.dims = tuple(constant(new) if changes else dim for changes, dim, new in pairs)
        if home.storage.capacity is not None:
            self._memory.grow(home)
        self.store(home, value)

    def _store_lengths(self, home: Buffer, value: Value) -> None:
        for axis, changes in enumerate(home.changes):
            if changes:
                self._build.store(constant(value.dims[axis]), home.lengths[axis])

    def now(self, place: Value) -> Value:
        """Return the value of a carried tensor."""
        if isinstance(place, Buffer):
            place.dims = tuple(
                self._build.load(place.lengths[axis], typ=INT64) if changes else place.dims[axis]
                for axis, changes in enumerate(place.changes)
            )
            return self._elements.whole(place)
        if isinstance(place, ir.AllocaInstr):
            return self._build.load(place, typ=place.allocated_type)
        return place

    def end(
        self, state: Sequence[Value], outputs: Sequence[Value], kept: Sequence[Buffer]
    ) -> list[Buffer]:
        """Assign the results of a body to the carried tensors; return the buffers that changed.

        Each place of `state` is a variable, a buffer, or a value that stays. The buffers `kept` are
        read again.
        """
        arrays = []
        for place, value in zip(state, outputs, strict=True):
            if isinstance(place, ir.AllocaInstr):
                self._build.store(value, place)
            elif isinstance(place, Buffer):
                arrays.append((place, value))
        moved = [(home, value) for home, value in arrays if not self._is_home(home, value)]
        for home, value in moved:
            self._check_lengths(home, value)
        sources = self._sources(moved, [*kept, *(home for home, _ in arrays)])
        pairs = list(zip((home for home, _ in moved), sources, strict=True))
        exchanged = [(home, view.buffer) for home, view in pairs if not _is_tiny(home)]
        held = [(home, self._registers(view)) for home, view in pairs if _is_tiny(home)]
        for home, numbers in held:
            self._store_registers(home, numbers)
        for home, view in pairs:
            self._store_lengths(home, view)
        self._memory.exchange(exchanged)
        return [home for home, _ in moved]

    def _is_home(self, home: Buffer, value: Value) -> bool:
        return isinstance(value, View) and value.buffer is home and value.is_whole

    def _check_lengths(self, home: Buffer, value: Value) -> None:
        """Fail where an axis changes whose length stays as far as the graph shows."""
        for one, other, changes in zip(home.dims, value.dims, home.changes, strict=True):
            if changes:
                continue
            self._elements.require_equal(one, other, "a carried array whose shape changes")

    def _sources(self, moved: Sequence[tuple[Buffer, Value]], kept: Sequence[Buffer]) -> list[View]:
        """Return for each carried array that moves a buffer with its elements.

        Each is another one, made by the body or of a carried array that moves, too.
        """
        moving = {id(home) for home, _ in moved}
        taken = {id(buffer) for buffer in kept} - moving
        found = []
        for home, value in moved:
            view = self._elements.forced(value)
            same = map(is_equal, view.dims, home.dims)
            fits = view.is_whole and all(map(operator.or_, same, home.changes))
            if not fits or id(view.buffer) in taken or not _can_exchange(home, view.buffer):
                view = self._like(home, view)
            taken.add(id(view.buffer))
            found.append(view)
        return found

    def _like(self, home: Buffer, view: View) -> View:
        """Return a copy in memory that the buffer of a carried array can take."""
        if home.lengths:
            buffer = self.home(view.dims, home.changes, home.dtype)
            self.store(buffer, view)
            return self._elements.whole(buffer)
        buffer = self._memory.new(home.dims, home.dtype)
        if not _is_tiny(home) and not _can_exchange(home, buffer):
            raise Unsupported("a carried array whose memory cannot be exchanged")
        made = self._elements.whole(buffer)
        self._elements.copy(self._elements.broadcast(view, home.dims), made)
        return made

    def _registers(self, view: View) -> list[ir.Value]:
        """Return the elements of a small array."""
        base = self._elements.base(view)
        places = itertools.product(*(range(dim) for dim in view.dims))
        return [
            self._elements.load(view.dtype, self._elements.at(view, base, list(map(INT64, place))))
            for place in places
        ]

    def _store_registers(self, home: Buffer, numbers: Sequence[ir.Value]) -> None:
        view = self._elements.whole(home)
        base = self._elements.base(view)
        flat = View(home, view.number, 0, (len(numbers),), (1,))
        for i, number in enumerate(numbers):
            self._elements.put(home.dtype, number, self._elements.at(flat, base, [INT64(i)]))


def _is_transposed_factor(tensor: SymbolicTensor) -> bool:
    """Return whether a product reads the columns of a matrix as its rows."""
    return any(
        reader.definition.emit is Emit.PRODUCT
        and reader.inputs[1] is tensor
        and reader.attrs["transpose_b"]
        for reader in tensor.consumers()
    )


def _is_tiny(buffer: Buffer) -> bool:
    """Return whether moves copy the elements of a buffer, so that LLVM can use registers."""
    return not buffer.storage.is_variable and (known_count(buffer.dims) or 0) <= TINY


def _can_exchange(one: Buffer, other: Buffer) -> bool:
    """Return whether two buffers of equal shape can exchange their memory."""
    if _is_tiny(one):
        return True
    pairs = (one.storage, other.storage)
    if not all(storage.is_variable for storage in pairs):
        return False
    return (pairs[0].capacity is None) == (pairs[1].capacity is None)
