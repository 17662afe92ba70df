"""Groups of elementwise operations on large arrays, run block by block.

A block fits into the cache: each operation finds there what the one before it left, and what no
one reads after the group never goes to memory. The result is the same bit for bit, since each
element is computed as before.
"""

from __future__ import annotations

from runtime.core.graph import Graph, Operation, SymbolicTensor
from runtime.core.opdef import Ufunc
from runtime.core.shapes import Dims
from runtime.engines.printer import Kind, Printer, Step

BLOCK = 1 << 15
"""So many elements are a block; below 2^13 the calls cost more than the cache saves."""


def block_rows(*arrays: object) -> int:
    """How many rows of the arrays are a block; 0 if they are better computed whole.

    Args:
      arrays: what a group of elementwise operations reads.

    >>> import numpy as np
    >>> block_rows(np.zeros(1 << 17), np.float64(2))
    32768
    >>> block_rows(np.zeros(8))
    0
    """
    largest = max(arrays, key=_size)
    shape: tuple[int, ...] = largest.shape  # type: ignore[attr-defined]
    size = _size(largest)
    if size < 2 * BLOCK or size // shape[0] > BLOCK:
        return 0
    for array in arrays:
        own: tuple[int, ...] = array.shape  # type: ignore[attr-defined]
        fits = len(own) < len(shape) or (len(own) == len(shape) and own[0] == shape[0])
        if not fits or not array.flags.c_contiguous:  # type: ignore[attr-defined]
            return 0
    return max(1, BLOCK * shape[0] // size)


def _size(array: object) -> int:
    return array.size  # type: ignore[attr-defined, no-any-return]


def group_dims(graph: Graph) -> Dims:
    """The shape that all operations of a group have; None if the graph is no such group."""
    dims: Dims = None
    for op in graph.operations:
        if op.type in ("Placeholder", "Const"):
            continue
        if not is_fusable(op) or (dims is not None and op.outputs[0].spec.dims != dims):
            return None
        dims = op.outputs[0].spec.dims
    return dims


def is_fusable(op: Operation) -> bool:
    """Whether an operation can be part of a group."""
    if not isinstance(op.definition.kernel, Ufunc) or len(op.outputs) != 1:
        return False
    specs = [tensor.spec for tensor in (*op.inputs, *op.outputs)]
    return bool(op.outputs[0].spec.dims) and all(
        spec.dims is not None and spec.dtype.kind in "biuf" for spec in specs
    )


def fused_call(printer: Printer, op: Operation) -> bool:
    """Prints a function that runs the group in blocks, and a call of it."""
    graph = op.attrs["f"]
    dims = group_dims(graph)
    if not dims or not graph.outputs or set(graph.inputs) & set(graph.outputs):
        return False
    name = printer.new_name(graph.name)
    arguments = [printer.array(tensor) for tensor in op.inputs]
    with printer.function():
        _Group(printer, graph, name).print(len(dims))
    results = [printer.new_name(op.name) for _ in op.outputs]
    targets = f"{', '.join(results)}{',' * (len(results) == 1)}"
    printer.line(f"{targets} = {name}({', '.join(arguments)})")
    for tensor, result in zip(op.outputs, results, strict=True):
        printer.define(tensor, result, Kind.ARRAY)
    return True


class _Group:
    """Prints the function of one group."""

    def __init__(self, printer: Printer, graph: Graph, name: str) -> None:
        self.printer = printer
        self.graph = graph
        self.name = name
        self.steps = [op for op in graph.operations if op.type not in ("Placeholder", "Const")]
        self.names: dict[int, str] = {}
        self.results = {id(tensor) for tensor in graph.outputs}

    def print(self, rank: int) -> None:
        printer = self.printer
        printer.bound["block_rows"] = block_rows
        inputs = printer.parameters(self.graph)
        printer.line(f"def {self.name}({', '.join(inputs)}):")
        with printer.block():
            rows = printer.new_name("rows")
            printer.line(f"{rows} = block_rows({', '.join(inputs)})")
            printer.line(f"if not {rows}:")
            with printer.block():
                printer.body(self.graph)
                printer.give_back(self.graph)
            self._blocks(inputs, rows, rank)

    def _blocks(self, inputs: list[str], rows: str, rank: int) -> None:
        printer = self.printer
        printer.body(_constants(self.graph))
        shape, at, stop = (printer.new_name(word) for word in ("shape", "at", "stop"))
        shapes = [f"{name}.shape" for name in inputs]
        joined = f"np.broadcast_shapes({', '.join(shapes)})" if len(shapes) > 1 else shapes[0]
        printer.line(f"{shape} = {joined}")
        whole = [printer.new_name(tensor.op.name) for tensor in self.graph.outputs]
        for tensor, name in zip(self.graph.outputs, whole, strict=True):
            printer.line(f"{name} = np.empty({shape}, {_type(tensor)})")
        self._scratch(f"({rows}, *{shape}[1:])")
        printer.line(f"for {at} in range(0, {shape}[0], {rows}):")
        with printer.block():
            printer.line(f"{stop} = {at} + {rows}")
            self._views(inputs, whole, rank, f"[{at}:{stop}]", f"[: {shape}[0] - {at}]")
            for op in self.steps:
                self._step(op)
        printer.line(f"return ({', '.join(whole)}{',' * (len(whole) == 1)})")

    def _scratch(self, shape: str) -> None:
        """One buffer for each value that lives at the same time as others."""
        free: dict[str, list[str]] = {}
        self.buffers: list[str] = []
        last = {id(tensor): op for op in self.steps for tensor in op.inputs}
        for op in self.steps:
            output = op.outputs[0]
            if id(output) not in self.results:
                same = free.setdefault(_type(output), [])
                dying = [t for t in op.inputs if last[id(t)] is op and self._is_scratch(t)]
                reused = [self.names[id(t)] for t in dying if _type(t) == _type(output)]
                if reused:
                    self.names[id(output)] = reused[0]
                else:
                    self.names[id(output)] = same.pop() if same else self._buffer(output, shape)
            self._release(op, last, free)

    def _is_scratch(self, tensor: SymbolicTensor) -> bool:
        return id(tensor) in self.names

    def _buffer(self, tensor: SymbolicTensor, shape: str) -> str:
        name = self.printer.new_name("scratch")
        self.printer.line(f"{name} = np.empty({shape}, {_type(tensor)})")
        self.buffers.append(name)
        return name

    def _release(
        self, op: Operation, last: dict[int, Operation], free: dict[str, list[str]]
    ) -> None:
        taken = self.names.get(id(op.outputs[0]))
        for tensor in dict.fromkeys(op.inputs):
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
        kernel = op.definition.kernel
        assert isinstance(kernel, Ufunc)
        words = [self.names.get(id(t)) or self.printer.array(t) for t in op.inputs]
        target = self.names[id(op.outputs[0])]
        self.printer.line(f"np.{kernel.name}({', '.join(words)}, out={target})", Step(op, None))


def _constants(graph: Graph) -> Graph:
    """The constants of a group alone."""
    part = Graph(graph.name)
    part.operations = [op for op in graph.operations if op.type == "Const"]
    part.outputs = [op.outputs[0] for op in part.operations]
    return part


def _type(tensor: SymbolicTensor) -> str:
    dtype = tensor.spec.dtype
    return "bool_" if dtype.kind == "b" else dtype.name
