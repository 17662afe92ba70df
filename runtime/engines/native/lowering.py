"""Lower a loop of a graph to LLVM instructions, with the branches and loops inside.

A scalar is an LLVM value. An array is a buffer in memory, read and written by element; updates
happen in place. Since a graph has values and no memory, each write gives its buffer a new version:
a read of an older version would see the write, so such a loop is not compiled.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.graph import Graph
from runtime.core.opdef import Control, Effect, Emit
from runtime.core.operation import Operation
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.native.numbers import INT64, TRUTH, Numbers, Unsupported, has_type, type_of

Array = Any
Position = int | tuple[DType, ir.Value]
"""An index of an array: a known one, or the dtype and value of a scalar."""


@dataclass(eq=False)
class Buffer:
    """The memory of an array.

    Attributes:
      pointer: the first element.
      dims: the shape.
      dtype: the type of the elements.
      is_constant: whether the memory belongs to the graph, and cannot be written.
      version: the number of the last write.
      is_written: whether the loop writes to it.
    """

    pointer: ir.Value
    dims: tuple[ir.Value, ...]
    dtype: DType
    is_constant: bool = False
    version: int = 0
    is_written: bool = False


@dataclass(frozen=True)
class Version:
    """An array: the content of a buffer after some writes."""

    buffer: Buffer
    number: int


@dataclass(frozen=True)
class Vector:
    """A vector that is packed from numbers, such as the index of an item."""

    numbers: tuple[Position, ...]


@dataclass(frozen=True)
class Deferred:
    """An array that is computed in no buffer: an error if anything reads it."""

    op: Operation


Value = Any
"""An `ir.Value` of a scalar, a `Version` of an array, a `Vector`, or a `Deferred`."""


@dataclass
class Lowering:
    """Lowers graphs to one function.

    Attributes:
      builder: inserts instructions.
      failed: the block to which computations jump where the plan would raise.
      poll: emits a jump to the interruption block if Ctrl-C was pressed.
    """

    builder: ir.IRBuilder
    failed: ir.Block
    poll: Callable[[], None]
    _values: dict[int, Value] = field(default_factory=dict)
    _buffers: list[Buffer] = field(default_factory=list)
    _versions: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        """Create the emitter of numbers."""
        self.numbers = Numbers(self.builder, self.failed)

    # ---- values ----

    def scalar(self, tensor: SymbolicTensor) -> ir.Value:
        """Return the value of a scalar."""
        value = self._checked(tensor)
        if isinstance(value, Version | Vector):
            raise Unsupported(f"the array {tensor.op.name} as an operand")
        return value

    def array(self, tensor: SymbolicTensor) -> Buffer:
        """Return the buffer that holds an array."""
        value = self._values[id(tensor)]
        if isinstance(value, Deferred) and value.op.definition is CONST:
            return self._constant_buffer(value.op.attrs["value"], tensor.spec.dtype)
        value = self._checked(tensor)
        if not isinstance(value, Version):
            raise Unsupported(f"an item of the scalar {tensor.op.name}")
        return value.buffer

    def held(self, tensor: SymbolicTensor) -> Value:
        """Return the value of a tensor, which need not be usable."""
        return self._values[id(tensor)]

    def _checked(self, tensor: SymbolicTensor) -> Value:
        value = self._values[id(tensor)]
        if isinstance(value, Deferred):
            raise Unsupported(f"the operation {value.op.type} of arrays")
        if isinstance(value, Version) and value.number != value.buffer.version:
            raise Unsupported(f"an older content of the array {tensor.op.name}")
        return value

    def _variable(self, kind: ir.Type) -> ir.Value:
        with self.builder.goto_entry_block():
            return self.builder.alloca(kind)

    # ---- graphs ----

    def outermost(
        self, op: Operation, inputs: Sequence[SymbolicTensor], operands: Sequence[Value]
    ) -> list[Value]:
        """Lower a loop; `inputs` have the given values, and its other inputs none."""
        self._values.update((id(tensor), Deferred(tensor.op)) for tensor in op.inputs)
        self._values.update((id(t), v) for t, v in zip(inputs, operands, strict=True))
        return self.loop(op)

    def graph(self, graph: Graph, operands: Sequence[Value]) -> list[Value]:
        """Lower the operations of a graph; return its outputs."""
        for tensor, value in zip(graph.inputs, operands, strict=True):
            self._values[id(tensor)] = value
        for op in graph.operations:
            if op.definition is not PLACEHOLDER:
                for tensor, value in zip(op.outputs, self._results(op), strict=True):
                    self._values[id(tensor)] = value
        return [self._checked(tensor) for tensor in graph.outputs]

    def _results(self, op: Operation) -> Sequence[Value]:
        definition = op.definition
        if definition.control is not None:
            if definition.control not in _CONTROL:
                raise Unsupported(f"the operation {op.type}")
            return _CONTROL[definition.control](self, op)
        if definition.emit in (Emit.ASSERT, Emit.RAISE):
            return self._raised(op)
        rule = None if definition.emit is None else _RULES.get(definition.emit)
        value = None if rule is None else rule(self, op)
        return [self._computed(op) if value is None else value]

    def _raised(self, op: Operation) -> Sequence[Value]:
        test = self.scalar(op.inputs[0])
        holds = op.definition.emit is Emit.ASSERT
        self.numbers.fail_if(self.builder.not_(test) if holds else test)
        return []

    def _computed(self, op: Operation) -> Value:
        """Compute an operation on numbers."""
        if op.effect is not Effect.NONE or len(op.outputs) != 1:
            raise Unsupported(f"the operation {op.type}")
        if any(tensor.spec.dims != () for tensor in (*op.inputs, *op.outputs)):
            return self._vector(op) or Deferred(op)
        return self.numbers.compute(op, [self.scalar(tensor) for tensor in op.inputs])

    def _vector(self, op: Operation) -> Vector | None:
        entries = op.definition.entries and op.definition.entries(*op.inputs, **op.attrs)
        numbers: list[Position] = []
        for entry in entries or ():
            if isinstance(entry, int):
                numbers.append(entry)
            elif isinstance(entry, SymbolicTensor) and entry.spec.dims == ():
                numbers.append((entry.spec.dtype, self.scalar(entry)))
            else:
                return None
        return Vector(tuple(numbers)) if numbers else None

    def index(self, tensor: SymbolicTensor) -> Sequence[Position] | None:
        """Return the numbers of a vector; None if their number is unknown."""
        value = self.held(tensor)
        if isinstance(value, Vector):
            return value.numbers
        if isinstance(value, Deferred) and value.op.definition is CONST:
            return [int(item) for item in value.op.attrs["value"]]
        (length,) = tensor.spec.dims or (None,)
        if length is None or not isinstance(value, Version):
            return None
        buffer, kind = self.array(tensor), memory_type(tensor.spec.dtype)
        places = [
            self.builder.gep(buffer.pointer, [INT64(i)], source_etype=kind) for i in range(length)
        ]
        return [(buffer.dtype, self.load(buffer.dtype, place)) for place in places]

    def branch(self, op: Operation) -> list[Value]:
        """Lower an `if`: scalars are variables that each branch assigns."""
        test, *captured = op.inputs
        operands = [self.held(tensor) for tensor in captured]
        variables = [self._result_variable(tensor) for tensor in op.outputs]
        condition = self.numbers.converted(self.scalar(test), test.spec.dtype, dtypes.bool)
        blocks = [self.builder.append_basic_block() for _ in range(3)]
        self.builder.cbranch(condition, *blocks[:2])
        before = [buffer.version for buffer in self._buffers]
        arrays, written = [], set()
        for name, block in zip(("then_branch", "else_branch"), blocks, strict=False):
            for buffer, version in zip(self._buffers, before, strict=False):
                buffer.version = version
            self.builder.position_at_end(block)
            outputs = self.graph(op.attrs[name], operands)
            arrays.append([self._assigned(*pair) for pair in zip(variables, outputs, strict=True)])
            written |= self._changed(before)
            self.builder.branch(blocks[2])
        self.builder.position_at_end(blocks[2])
        if arrays[0] != arrays[1]:
            raise Unsupported(f"a choice between arrays by {op.name}")
        self._renew(written)
        return self._read(variables, arrays[0], op.outputs)

    def loop(self, op: Operation) -> list[Value]:
        """Lower a `while`: carried scalars are variables, carried arrays keep their buffers."""
        test, body, count = op.attrs["cond"], op.attrs["body"], op.attrs["count"]
        captured = [self.held(tensor) for tensor in op.inputs[count:]]
        carried, places = op.outputs, op.inputs[:count]
        variables = [self._result_variable(tensor) for tensor in carried]
        arrays = [
            self._assigned(
                variable, self.array(tensor) if tensor.spec.dims else self.scalar(tensor)
            )
            for variable, tensor in zip(variables, places, strict=True)
        ]
        held = [buffer for buffer in arrays if buffer is not None]
        before = [buffer.version for buffer in self._buffers]
        head, inside, after = (self.builder.append_basic_block() for _ in range(3))
        self.builder.branch(head)
        self.builder.position_at_end(head)
        state = self._read(variables, arrays, carried)
        (goes_on,) = self.graph(test, [*state, *captured])
        self.builder.cbranch(goes_on, inside, after)
        self.builder.position_at_end(inside)
        state = self._read(variables, arrays, carried)
        outputs = self.graph(body, [*state, *captured])
        after_body = [self._assigned(*pair) for pair in zip(variables, outputs, strict=True)]
        self.poll()
        self.builder.branch(head)
        self.builder.position_at_end(after)
        written = self._changed(before)
        others = [value.buffer for value in captured if isinstance(value, Version)]
        if after_body != arrays or any(held.count(b) > 1 or b in others for b in written):
            raise Unsupported(f"arrays that change places in {op.name}")
        self._renew(written)
        return self._read(variables, arrays, carried)

    def _result_variable(self, tensor: SymbolicTensor) -> ir.Value | None:
        """Return a variable for a scalar; None for an array."""
        if tensor.spec.dims is None:
            raise Unsupported(f"{tensor.op.name}, whose rank is unknown")
        return None if tensor.spec.dims != () else self._variable(type_of(tensor.spec.dtype))

    def _assigned(self, variable: ir.Value | None, value: Value) -> Buffer | None:
        """Assign a scalar to its variable; return the buffer of an array."""
        if variable is not None:
            self.builder.store(value, variable)
            return None
        return value if isinstance(value, Buffer) else value.buffer

    def _read(
        self,
        variables: Sequence[ir.Value | None],
        arrays: Sequence[Buffer | None],
        tensors: Sequence[SymbolicTensor],
    ) -> list[Value]:
        """Return the values of variables and arrays."""
        values: list[Value] = []
        for variable, buffer, tensor in zip(variables, arrays, tensors, strict=True):
            if variable is not None:
                values.append(self.builder.load(variable, typ=type_of(tensor.spec.dtype)))
            elif buffer is not None:
                values.append(Version(buffer, buffer.version))
        return values

    def _changed(self, before: Sequence[int]) -> set[Buffer]:
        versions = [*before, *[0] * (len(self._buffers) - len(before))]
        pairs = zip(self._buffers, versions, strict=True)
        return {buffer for buffer, version in pairs if buffer.version != version}

    def _renew(self, written: set[Buffer]) -> None:
        for buffer in written:
            buffer.version = next(self._versions)

    # ---- arrays ----

    def buffer(self, pointer: ir.Value, dims: Sequence[ir.Value], dtype: DType) -> Version:
        """Return the array at an address."""
        self._buffers.append(Buffer(pointer, tuple(dims), dtype))
        return Version(self._buffers[-1], 0)

    def _constant_buffer(self, value: Array, dtype: DType) -> Buffer:
        kind = memory_type(dtype)
        module = self.builder.module
        held = ir.ArrayType(kind, value.size)
        name = module.get_unique_name("constant")
        variable = ir.GlobalVariable(module, held, name)
        variable.initializer = held([kind(item) for item in value.ravel().tolist()])
        variable.global_constant, variable.linkage = True, "internal"
        dims = tuple(INT64(length) for length in value.shape)
        return Buffer(variable, dims, dtype, is_constant=True)

    def address(self, buffer: Buffer, positions: Sequence[Position]) -> ir.Value:
        """Return the address of an element; fail for a position out of range."""
        if len(positions) != len(buffer.dims):
            raise Unsupported("a row of an array")
        offset: ir.Value = INT64(0)
        for position, length in zip(positions, buffer.dims, strict=True):
            index = self._index(position, length)
            offset = self.builder.add(self.builder.mul(offset, length), index)
        kind = memory_type(buffer.dtype)
        return self.builder.gep(buffer.pointer, [offset], source_etype=kind)

    def _index(self, position: Position, length: ir.Value) -> ir.Value:
        build = self.builder
        if isinstance(position, int):
            index = INT64(position) if position >= 0 else build.add(length, INT64(position))
        else:
            dtype, value = position
            index = self.numbers.converted(value, dtype, dtypes.int64)
            negative = build.icmp_signed("<", index, INT64(0))
            index = build.select(negative, build.add(index, length), index)
        self.numbers.fail_if(build.icmp_unsigned(">=", index, length))
        return index

    def load(self, dtype: DType, address: ir.Value) -> ir.Value:
        """Load a number; a truth value takes a byte of memory."""
        value = self.builder.load(address, typ=memory_type(dtype))
        return self.builder.trunc(value, TRUTH) if dtype.is_bool else value

    def store(self, buffer: Buffer, value: ir.Value, address: ir.Value) -> Version:
        """Store a number; return the new content of the array."""
        if buffer.is_constant:
            raise Unsupported("a write to a constant array")
        if buffer.dtype.is_bool:
            value = self.builder.zext(value, memory_type(buffer.dtype))
        self.builder.store(value, address)
        buffer.version, buffer.is_written = next(self._versions), True
        return Version(buffer, buffer.version)


def memory_type(dtype: DType) -> ir.Type:
    """Return the LLVM type of an element of an array."""
    return ir.IntType(8) if dtype.is_bool else type_of(dtype)


# ---- rules ----

Rule = Callable[[Lowering, Operation], Value | None]
"""Lowers an operation; returns None if it does not apply."""


def _constant(lowering: Lowering, op: Operation) -> Value:
    value, dtype = op.attrs["value"], op.outputs[0].spec.dtype
    return Deferred(op) if value.ndim or not has_type(dtype) else type_of(dtype)(value.item())


def _same(lowering: Lowering, op: Operation) -> Value:
    return lowering.held(op.inputs[0])


def _conversion(lowering: Lowering, op: Operation) -> Value | None:
    (tensor,) = op.inputs
    if tensor.spec.dims != () or set(op.attrs) != {"dtype"}:
        return None
    value = lowering.scalar(tensor)
    return lowering.numbers.converted(value, tensor.spec.dtype, op.attrs["dtype"])


def _logistic(lowering: Lowering, op: Operation) -> Value | None:
    (tensor,) = op.inputs
    if tensor.spec.dims != () or tensor.spec.dtype not in (dtypes.float32, dtypes.float64):
        return None
    numbers, x = lowering.numbers, lowering.scalar(tensor)
    power = numbers.library("exp", numbers.builder.fneg(x))
    one = x.type(1.0)
    return numbers.builder.fdiv(one, numbers.builder.fadd(one, power))


def _positions(lowering: Lowering, op: Operation) -> Sequence[Position] | None:
    """Return the index along each axis of a slice or update of one element; else None."""
    if op.attrs["ellipsis_mask"] | op.attrs["new_axis_mask"]:
        return None
    found = lowering.index(op.inputs[1])
    every = (1 << len(found or ())) - 1
    return found if found and op.attrs["shrink_axis_mask"] == every else None


def _item(lowering: Lowering, op: Operation) -> Value | None:
    positions = _positions(lowering, op)
    if op.outputs[0].spec.dims != () or positions is None:
        return None
    buffer = lowering.array(op.inputs[0])
    return lowering.load(buffer.dtype, lowering.address(buffer, positions))


def _update(lowering: Lowering, op: Operation) -> Value | None:
    positions, value = _positions(lowering, op), op.inputs[4]
    if value.spec.dims != () or positions is None:
        return None
    buffer = lowering.array(op.inputs[0])
    address, number = lowering.address(buffer, positions), lowering.scalar(value)
    if op.definition.emit is Emit.ADD:
        added = lowering.numbers.sum(buffer.dtype, lowering.load(buffer.dtype, address), number)
        return lowering.store(buffer, added, address)
    return lowering.store(buffer, number, address)


def _row(lowering: Lowering, op: Operation) -> Value | None:
    params, position = op.inputs[:2]
    simple = len(op.inputs) == 2 or op.attrs.get("axis") == 0
    if not simple or op.outputs[0].spec.dims != () or op.attrs.get("batch_dims", 0):
        return None
    buffer, build = lowering.array(params), lowering.builder
    index = lowering.numbers.converted(lowering.scalar(position), position.spec.dtype, dtypes.int64)
    lowering.numbers.fail_if(build.icmp_signed("<", index, INT64(0)))
    lowering.numbers.fail_if(build.icmp_signed(">=", index, buffer.dims[0]))
    address = build.gep(buffer.pointer, [index], source_etype=memory_type(buffer.dtype))
    return lowering.load(buffer.dtype, address)


def _position(lowering: Lowering, op: Operation) -> Value:
    """Normalize an index of a Python sequence."""
    build, target = lowering.builder, op.outputs[0].spec.dtype
    index, length = (
        lowering.numbers.converted(lowering.scalar(tensor), tensor.spec.dtype, target)
        for tensor in op.inputs
    )
    negative = build.icmp_signed("<", index, index.type(0))
    found = build.select(negative, build.add(index, length), index)
    lowering.numbers.fail_if(build.icmp_unsigned(">=", found, length))
    return found


def _count(lowering: Lowering, op: Operation) -> Value | None:
    """Return the length of a range."""
    if not all(tensor.spec.dtype.is_integer for tensor in op.inputs):
        return None
    numbers, build = lowering.numbers, lowering.builder
    start, limit, step = (
        numbers.converted(lowering.scalar(tensor), tensor.spec.dtype, dtypes.int64)
        for tensor in op.inputs
    )
    numbers.fail_if(build.icmp_signed("==", step, INT64(0)))
    down = build.icmp_signed("<", step, INT64(0))
    first, last = build.select(down, limit, start), build.select(down, start, limit)
    distance = numbers.exact_difference(last, first)
    if not op.attrs["python"]:
        numbers.fail_if(build.icmp_signed("<", distance, INT64(0)))
    size = build.select(down, build.neg(step), step)
    rounds = build.add(build.udiv(build.sub(distance, INT64(1)), size), INT64(1))
    empty = build.icmp_signed("<=", distance, INT64(0))
    count = build.select(empty, INT64(0), rounds)
    if op.attrs["dtype"] is not dtypes.int64:
        numbers.fail_if(build.icmp_signed(">", count, INT64(2**31 - 1)))
    return numbers.converted(count, dtypes.int64, op.attrs["dtype"])


def _inlined(lowering: Lowering, op: Operation) -> list[Value]:
    return lowering.graph(op.attrs["f"], [lowering.held(tensor) for tensor in op.inputs])


_RULES: dict[Emit, Rule] = {
    Emit.CONSTANT: _constant,
    Emit.ALIAS: _same,
    Emit.CONVERSION: _conversion,
    Emit.LOGISTIC: _logistic,
    Emit.SLICE: _item,
    Emit.ASSIGN: _update,
    Emit.ADD: _update,
    Emit.ROW: _row,
    Emit.POSITION: _position,
    Emit.COUNT: _count,
}

_CONTROL: dict[Control, Callable[[Lowering, Operation], Sequence[Value]]] = {
    Control.IF: Lowering.branch,
    Control.WHILE: Lowering.loop,
    Control.CALL: _inlined,
}
