"""Memory of arrays that compiled code makes.

Small arrays of known size are in the stack frame, where LLVM turns them into registers. Larger ones
share one block, whose size is known after lowering. Others have a variable with memory that grows
on demand. All of it is released where the function returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from llvmlite import ir

from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.engines.limits import LARGEST_CONSTANT, Unsupported
from runtime.engines.native.arrays import Buffer, Dim, Storage, constant, known_count
from runtime.engines.native.numbers import Numbers
from runtime.engines.native.types import INT64, NULL, POINTER, bytes_of, imported, memory_type

TINY = 16
"""Largest number of elements that LLVM may keep in registers; moves copy such arrays."""

_STACK = 1 << 14
"""Bytes of the stack frame for arrays; threads of some systems have 512 KB."""

_ALIGNMENT = 64
"""Bytes of a cache line, and of the widest vector register."""

ARGUMENT = Storage(is_owned=False, is_variable=False)
"""Memory of arguments and constants."""

OWN = Storage(is_owned=True, is_variable=False)
"""Memory that the code may write to, at one address."""

_BLOCK = Storage(is_owned=True, is_variable=True)

FUNCTIONS: dict[str, ir.FunctionType] = {
    "PyMem_RawMalloc": ir.FunctionType(POINTER, [INT64]),
    "PyMem_RawRealloc": ir.FunctionType(POINTER, [POINTER, INT64]),
    "PyMem_RawFree": ir.FunctionType(ir.VoidType(), [POINTER]),
}
"""Functions of Python's C API that the code calls."""


class Memory:
    """Allocates arrays.

    Attributes:
      block_size: bytes of the block so far.
    """

    def __init__(self, numbers: Numbers) -> None:
        """Emit the allocation of the block; `finish` sets its size."""
        self._build = builder = numbers.builder
        self._numbers = numbers
        self._stack = 0
        self.block_size = 0
        self._size = ir.Constant(INT64, 0)
        self._growing: list[tuple[ir.Value, ir.Value]] = []
        self._block = self._call("PyMem_RawMalloc", self._size)
        address = builder.ptrtoint(self._block, INT64)
        up = builder.add(address, INT64(_ALIGNMENT - 1))
        self._start = builder.inttoptr(builder.and_(up, INT64(-_ALIGNMENT)), POINTER)

    def check(self) -> None:
        """Fail if there is no memory for the block."""
        self._numbers.fail_if(self._build.icmp_unsigned("==", self._block, NULL))

    def finish(self) -> None:
        """Set the size of the block, after everything was lowered."""
        self._size.constant = self.block_size + _ALIGNMENT

    def release(self) -> None:
        """Emit the release of all memory."""
        self._call("PyMem_RawFree", self._block)
        for place, _ in self._growing:
            self._call("PyMem_RawFree", self._build.load(place, typ=POINTER))

    def _call(self, name: str, *operands: ir.Value) -> ir.Value:
        return self._build.call(imported(self._build, name, FUNCTIONS[name]), operands)

    def variable(self, kind: ir.Type, start: ir.Value | None = None) -> ir.Value:
        """Return a variable of the function, with a value before all other code."""
        with self._build.goto_entry_block():
            made = self._build.alloca(kind)
            if start is not None:
                self._build.store(start, made)
        return made

    def new(self, dims: Sequence[Dim], dtype: DType) -> Buffer:
        """Return memory for an array; the code that allocates it may run several times."""
        count = known_count(dims)
        if count is None:
            return self._grown(tuple(dims), dtype)
        size = count * bytes_of(dtype)
        if count <= TINY and self._stack + size <= _STACK:
            self._stack += size
            with self._build.goto_entry_block():
                place = self._build.alloca(memory_type(dtype), INT64(max(count, 1)))
                place.align = _ALIGNMENT
                place.type = POINTER  # vectors are stored, too
            return Buffer(place, tuple(dims), dtype, OWN)
        place = self.variable(POINTER, self._in_block(size))
        return Buffer(place, tuple(dims), dtype, _BLOCK)

    def constant(self, array: Array, dtype: DType) -> Buffer:
        """Return the memory of a constant. Raises Unsupported if it is large."""
        if array.size > LARGEST_CONSTANT and array.any():
            raise Unsupported("a large constant")
        module = self._build.module
        bits = bytearray(np.ascontiguousarray(array).tobytes())
        held = ir.ArrayType(ir.IntType(8), len(bits))
        place = ir.GlobalVariable(module, held, module.get_unique_name("constant"))
        place.initializer = held(bits) if any(bits) else held(None)
        place.global_constant, place.linkage, place.align = True, "internal", _ALIGNMENT
        return Buffer(place, array.shape, dtype, ARGUMENT)

    def _in_block(self, size: int) -> ir.Value:
        at = self.block_size
        self.block_size += -(-size // _ALIGNMENT) * _ALIGNMENT
        with self._build.goto_entry_block():
            return self._build.gep(self._start, [INT64(at)], source_etype=ir.IntType(8))

    def _grown(self, dims: tuple[Dim, ...], dtype: DType) -> Buffer:
        """Return memory that is enlarged here if it is too small."""
        buffer = self.growing(dims, dtype)
        self.grow(buffer)
        return buffer

    def growing(self, dims: tuple[Dim, ...], dtype: DType) -> Buffer:
        """Return memory that is empty before other code enlarges it."""
        place = self.variable(POINTER, NULL)
        capacity = self.variable(INT64, INT64(0))
        self._growing.append((place, capacity))
        return Buffer(place, dims, dtype, Storage(True, True, capacity))

    def grow(self, buffer: Buffer) -> None:
        """Enlarge memory to the size of the array."""
        build = self._build
        size: ir.Value = INT64(bytes_of(buffer.dtype))
        for dim in buffer.dims:
            both = build.umul_with_overflow(size, constant(dim))
            self._numbers.fail_if(build.extract_value(both, 1))
            size = build.extract_value(both, 0)
        self.reserve(buffer, size, lambda: size)

    def reserve(self, buffer: Buffer, size: ir.Value, wanted: Callable[[], ir.Value]) -> None:
        """Enlarge memory of less than `size` bytes to the wanted number of bytes."""
        build, capacity = self._build, buffer.storage.capacity
        with build.if_then(build.icmp_unsigned(">", size, build.load(capacity, typ=INT64))):
            held, new = build.load(buffer.place, typ=POINTER), wanted()
            found = self._call("PyMem_RawRealloc", held, new)
            self._numbers.fail_if(build.icmp_unsigned("==", found, NULL))
            build.store(found, buffer.place)
            build.store(new, capacity)

    def address(self, buffer: Buffer) -> ir.Value:
        """Return the address of the first element."""
        if buffer.storage.is_variable:
            return self._build.load(buffer.place, typ=POINTER)
        return buffer.place

    def exchange(self, moves: Sequence[tuple[Buffer, Buffer]]) -> None:
        """Give each target the memory of its source, and the memory that is left to the others."""
        after = {id(source): target for target, source in moves}
        sources = {id(source) for _, source in moves}
        targets = {id(target) for target, _ in moves}
        new = list(moves)
        for target, source in moves:
            if id(source) in targets:
                continue
            end = target
            while id(end) in sources:
                end = after[id(end)]
            new.append((source, end))
        build = self._build
        held = [
            (build.load(source.place, typ=POINTER), self._capacity(source)) for _, source in new
        ]
        for (target, _), (address, capacity) in zip(new, held, strict=True):
            build.store(address, target.place)
            if capacity is not None:
                build.store(capacity, target.storage.capacity)

    def _capacity(self, buffer: Buffer) -> ir.Value | None:
        place = buffer.storage.capacity
        return None if place is None else self._build.load(place, typ=INT64)
