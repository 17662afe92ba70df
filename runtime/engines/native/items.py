"""Lists in machine code.

A list that a loop owns is memory that grows, and a variable for its length: updates change it as
the program would. Before the loop it is known as its entries.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from runtime.core.shapes import element_count
from runtime.core.spec import TensorSpec
from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import Entries, Items, View, constant
from runtime.engines.native.elements import Elements
from runtime.engines.native.types import INT64, POINTER, bytes_of, has_type, imported, number

_LEAST = 64
"""Bytes of the memory of a list with an entry: a cache line."""


class Lists:
    """Emits lists."""

    def __init__(self, elements: Elements) -> None:
        """Store the parts of the lowering."""
        self._elements = elements
        self._build = elements.build
        self._memory = elements.memory
        self._numbers = elements.numbers

    def new(self, spec: TensorSpec) -> Items:
        """Return a list without a value."""
        if not has_type(spec.dtype) or element_count(spec.dims) is None:
            raise Unsupported(f"a list of {spec}")
        memory = self._memory.growing((0, *(spec.dims or ())), spec.dtype)
        return Items(memory, self._memory.variable(INT64), spec)

    def length(self, items: Items | Entries) -> ir.Value:
        """Return the number of entries."""
        if isinstance(items, Entries):
            return self._build.add(items.unwritten, INT64(len(items.values)))
        return self._build.load(items.length, typ=INT64)

    def whole(self, items: Items) -> View:
        """Return the entries as rows, for code that comes before the next update."""
        dims = (self.length(items), *items.memory.dims[1:])
        return View(items.memory, items.memory.version, 0, dims, self._elements.packed(dims))

    def _at(self, items: Items, index: ir.Value) -> View:
        dims = items.memory.dims[1:]
        start = self._elements.times(index, self._elements.product(dims))
        strides = self._elements.packed(dims)
        return View(items.memory, items.memory.version, start, dims, strides)

    def read(self, items: Items, index: ir.Value) -> Any:
        """Return an entry; the code fails where there is none."""
        self._require(self._build.icmp_unsigned("<", index, self.length(items)))
        view = self._at(items, index)
        return self._elements.copied(view) if view.dims else self._elements.finished(view)

    def write(self, items: Items, index: ir.Value, value: Any) -> None:
        """Replace an entry; the code fails where there is none."""
        self._require(self._build.icmp_unsigned("<", index, self.length(items)))
        self._put(items, index, value)

    def write_or_append(self, items: Items, index: ir.Value, value: Any) -> None:
        """Replace an entry, or append one; the code fails at a greater index."""
        length = self.length(items)
        self._require(self._build.icmp_unsigned("<=", index, length))
        self._reserve(items, self._build.add(index, INT64(1)))
        self._put(items, index, value)
        is_new = self._build.icmp_signed("==", index, length)
        more = self._build.add(length, INT64(1))
        self._build.store(self._build.select(is_new, more, length), items.length)

    def append(self, items: Items, value: Any) -> None:
        """Append an entry."""
        length = self.length(items)
        more = self._build.add(length, INT64(1))
        self._reserve(items, more)
        self._put(items, length, value)
        self._build.store(more, items.length)

    def remove(self, items: Items, index: ir.Value) -> None:
        """Remove an entry; the code fails where there is none."""
        length = self.length(items)
        self._require(self._build.icmp_unsigned("<", index, length))
        less = self._build.sub(length, INT64(1))
        after = self._build.add(index, INT64(1))
        self._move(items, after, index, self._build.sub(less, index))
        self._build.store(less, items.length)

    def insert(self, items: Items, index: ir.Value, value: Any) -> None:
        """Insert an entry; the code fails at an index greater than the length."""
        length = self.length(items)
        self._require(self._build.icmp_unsigned("<=", index, length))
        more = self._build.add(length, INT64(1))
        self._reserve(items, more)
        after = self._build.add(index, INT64(1))
        self._move(items, index, after, self._build.sub(length, index))
        self._put(items, index, value)
        self._build.store(more, items.length)

    def _move(self, items: Items, start: ir.Value, target: ir.Value, count: ir.Value) -> None:
        """Move some entries to another place."""
        addresses = [self._elements.base(self._at(items, place)) for place in (target, start)]
        size = self._build.mul(count, INT64(self._entry_bytes(items)))
        kind = ir.FunctionType(POINTER, [POINTER, POINTER, INT64])
        self._build.call(imported(self._build, "memmove", kind), [*addresses, size])

    def shorten(self, items: Items, size: ir.Value) -> None:
        """Remove the last entries; the code fails where there are fewer than `size`."""
        self._require(self._build.icmp_unsigned("<=", size, self.length(items)))
        self._build.store(size, items.length)

    def assign(self, items: Items, value: Items | Entries) -> None:
        """Copy another list."""
        if isinstance(value, Items):
            self.fill(items, self.whole(value))
            return
        self._require(self._build.icmp_signed(">=", value.unwritten, INT64(0)))
        self._reserve(items, value.unwritten)
        self._build.store(value.unwritten, items.length)
        self._elements.fill(self.whole(items), number(items.spec.dtype, 0))
        for each in value.values:
            self.append(items, each)

    def fill(self, items: Items, rows: View) -> None:
        """Copy the rows of an array."""
        length = constant(rows.dims[0])
        self._reserve(items, length)
        self._build.store(length, items.length)
        self._elements.assign(self.whole(items), rows)

    def _put(self, items: Items, index: ir.Value, value: Any) -> None:
        view = self._at(items, index)
        if view.dims:
            self._elements.assign(view, value)
        else:
            self._elements.put(view.dtype, value, self._elements.base(view))

    def _require(self, condition: ir.Value) -> None:
        self._numbers.fail_if(self._build.not_(condition))

    def _reserve(self, items: Items, count: ir.Value) -> None:
        """Provide memory for some entries, and for as many more where it is enlarged."""
        build, memory = self._build, items.memory
        self._require(build.icmp_signed("<", count, INT64(2**31)))
        size = build.mul(count, INT64(self._entry_bytes(items)))
        self._memory.reserve(memory, size, lambda: build.add(size, build.add(size, INT64(_LEAST))))

    def _entry_bytes(self, items: Items) -> int:
        dims = items.memory.dims[1:]
        return int(self._elements.product(dims)) * bytes_of(items.memory.dtype)
