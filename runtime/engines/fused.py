"""Run groups of elementwise operations on large arrays in cache blocks.

All temporaries of a block fit in the cache, and values that only the group reads are never written
to memory. The result is bit-identical, because the computation of each element does not change.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from runtime.core.aliases import Array
from runtime.core.graph import Graph
from runtime.core.machine.threads import all_rows
from runtime.core.opdef import Ufunc
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.printer import Printer, Step, joined
from runtime.passes.groups import group_dims

BLOCK = 1 << 15
"""Block size in elements; below 2^13 the calls cost more than the cache saves."""

FEWEST = 1 << 19
"""Fewest elements for blocks: smaller arrays stay in the second or third level of the cache, where
whole arrays take half to the same time (measured, one to twenty operations)."""


def block_rows(rank: int, *arrays: Array) -> int:
    """Return the number of rows of a block of elementwise operations; 0 if blocks are not faster.

    >>> block_rows(1, np.zeros(1 << 20), np.float64(2))
    32768
    >>> block_rows(1, np.zeros(8))
    0
    """
    if not all(array.flags.c_contiguous for array in arrays):
        return 0
    return _rows_of_shapes(rank, *(array.shape for array in arrays))


@functools.lru_cache(maxsize=1024)
def _rows_of_shapes(rank: int, *every: tuple[int, ...]) -> int:
    shapes = set(every)
    full = [shape for shape in shapes if len(shape) == rank]
    if len(full) != 1:
        return 0
    size = math.prod(full[0])
    if size < FEWEST or size // full[0][0] > BLOCK:
        return 0
    if len(shapes) > 1 and np.broadcast_shapes(*shapes) != full[0]:
        return 0
    return max(1, int(BLOCK * full[0][0] // size))


def fused_call(printer: Printer, op: Operation) -> bool:
    """Emit a function that runs the group in blocks, and a call of it; a small group inline."""
    graph = op.attrs["f"]
    dims = group_dims(graph.operations)
    if not dims or any(tensor.op.definition in (PLACEHOLDER, CONST) for tensor in graph.outputs):
        return False
    count = element_count(dims)
    if count is not None and count < FEWEST:
        printer.inline(op, graph)
        return True
    name = printer.new_function(graph.name)
    arguments = [printer.array(tensor) for tensor in op.inputs]
    with printer.function():
        _Group(printer, graph, name).print(len(dims))
    printer.results(op, f"{name}({', '.join(arguments)})")
    return True


class _Group:
    """Emits the function of one group."""

    def __init__(self, printer: Printer, graph: Graph, name: str) -> None:
        self.printer = printer
        self.graph = graph
        self.name = name
        self.steps = [op for op in graph.operations if op.definition not in (PLACEHOLDER, CONST)]
        self.names: dict[int, str] = {}
        self.results = {id(tensor) for tensor in graph.outputs}

    def print(self, rank: int) -> None:
        printer = self.printer
        printer.bound.update(block_rows=block_rows, all_rows=all_rows)
        inputs = printer.head(self.name, self.graph)
        with printer.block():
            printer.body(_constants(self.graph))
            rows = printer.new_name("rows")
            printer.line(f"{rows} = block_rows({rank}, {', '.join(inputs)})")
            printer.line(f"if not {rows}:")
            with printer.block():
                printer.body(self.graph)
                printer.give_back(self.graph)
            self._blocks(inputs, rows, rank)

    def _blocks(self, inputs: list[str], rows: str, rank: int) -> None:
        printer = self.printer
        shape, at, stop = (printer.new_name(word) for word in ("shape", "at", "stop"))
        full = (t for t in self.graph.inputs if len(t.spec.dims or ()) == rank)
        printer.line(f"{shape} = {printer.array(next(full))}.shape")
        whole = [printer.new_name(tensor.op.name) for tensor in self.graph.outputs]
        for tensor, name in zip(self.graph.outputs, whole, strict=True):
            printer.line(f"{name} = np.empty({shape}, {_type(tensor)})")
        inputs = [
            self._widened(*pair, rank, shape)
            for pair in zip(self.graph.inputs, inputs, strict=True)
        ]
        blocks, first, last = (printer.new_name(word) for word in ("blocks", "first", "last"))
        printer.line(f"def {blocks}({first}, {last}):")
        with printer.block():
            self._scratch(f"({rows}, *{shape}[1:])")
            printer.line(f"for {at} in range({first}, {last}, {rows}):")
            with printer.block():
                printer.line(f"{stop} = min({at} + {rows}, {last})")
                self._views(inputs, whole, rank, f"[{at}:{stop}]", f"[: {stop} - {at}]")
                for op in self.steps:
                    self._step(op)
        work = f"{len(self.steps)} * {whole[0]}.size"
        printer.line(f"all_rows({blocks}, {shape}[0], {rows}, {work})")
        printer.line(f"return ({joined(whole)})")

    def _widened(self, tensor: SymbolicTensor, name: str, rank: int, shape: str) -> str:
        """Broadcast a vector to a full row: NumPy would run one inner loop per vector otherwise."""
        if not 0 < len(tensor.spec.dims or ()) < rank - 1:
            return name
        wide = self.printer.new_name(name)
        self.printer.line(f"{wide} = np.broadcast_to({name}, {shape}[1:]).copy()")
        return wide

    def _scratch(self, shape: str) -> None:
        """Emit scratch buffers: one for each value of the largest set that is live at once."""
        free: dict[str, list[str]] = {}
        self.buffers: list[str] = []
        last = {id(tensor): op for op in self.steps for tensor in op.inputs}
        for op in self.steps:
            output = op.outputs[0]
            if id(output) not in self.results:
                same = free.setdefault(_type(output), [])
                dying = [t for t in op.inputs if last[id(t)] is op and id(t) in self.names]
                reused = [self.names[id(t)] for t in dying if _type(t) == _type(output)]
                if reused:
                    self.names[id(output)] = reused[0]
                else:
                    self.names[id(output)] = same.pop() if same else self._buffer(output, shape)
            self._release(op, last, free)

    def _buffer(self, tensor: SymbolicTensor, shape: str) -> str:
        name = self.printer.new_name("scratch")
        self.printer.line(f"{name} = np.empty({shape}, {_type(tensor)})")
        self.buffers.append(name)
        return name

    def _release(
        self, op: Operation, last: dict[int, Operation], free: dict[str, list[str]]
    ) -> None:
        taken = self.names.get(id(op.outputs[0]))
        for tensor in {id(t): t for t in op.inputs}.values():
            name = self.names.get(id(tensor))
            if name is not None and last[id(tensor)] is op and name != taken:
                free.setdefault(_type(tensor), []).append(name)

    def _views(self, inputs: list[str], whole: list[str], rank: int, rows: str, rest: str) -> None:
        printer = self.printer
        for tensor, name in zip(self.graph.inputs, inputs, strict=True):
            self.names[id(tensor)] = name
            if len(tensor.spec.dims or ()) == rank:
                self.names[id(tensor)] = view = printer.new_name(f"{name}_block")
                printer.line(f"{view} = {name}{rows}")
        for tensor, name in zip(self.graph.outputs, whole, strict=True):
            self.names[id(tensor)] = view = printer.new_name(f"{name}_block")
            printer.line(f"{view} = {name}{rows}")
        for name in self.buffers:
            printer.line(f"{name} = {name}{rest}")

    def _step(self, op: Operation) -> None:
        printer, kernel = self.printer, op.definition.kernel
        words = [self.names.get(id(t)) or printer.array(t) for t in op.inputs]
        target = self.names[id(op.outputs[0])]
        if isinstance(kernel, Ufunc):
            code = kernel.source(words, _type(op.inputs[0]), target)
        else:
            words += [f"{key}={printer.attribute(op, key)}" for key in op.attrs]
            code = f"{target}[...] = {printer.bind_kernel(op)}({', '.join(words)})"
        printer.line(code, Step(op, None))


def _constants(graph: Graph) -> Graph:
    """Return the constants that only the group uses."""
    part = Graph(graph.name)
    part.operations = [op for op in graph.operations if op.definition is CONST]
    part.outputs = [op.outputs[0] for op in part.operations]
    return part


def _type(tensor: SymbolicTensor) -> str:
    dtype = tensor.spec.dtype
    return "bool_" if dtype.kind == "b" else dtype.name
