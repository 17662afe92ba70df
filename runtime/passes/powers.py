"""Compute powers of integers by repeated squaring.

Before:  a = x @ x; b = x @ a; c = x @ b       After:  a = x @ x; c = a @ a

Integer products wrap around alike in any order, so eight factors take three products. Floats round
differently in another order and are not touched. An identity matrix at the end of the chain is
removed too.

>>> import runtime as tf
>>> f = tf.function(lambda x: x * x * x * x, autograph=False)
>>> graph = f.get_concrete_function(tf.TensorSpec([], tf.int32)).graph
>>> [op.type for op in graph.operations]
['Placeholder', 'Mul', 'Mul', 'Mul', 'Identity']
>>> print(raise_by_squaring(graph))
graph <lambda>(x: int32[]) -> int32[]
  mul_2 = Mul x x : int32[]
  mul_2_1 = Mul mul_2 mul_2 : int32[]
  return mul_2_1
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from runtime.core.graph import Graph
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.spec import without_repetition
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.evaluate import constant_value
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, fits, is_flat
from runtime.passes.safety import cannot_fail

_FEWEST = 4


def raise_by_squaring(graph: Graph) -> Graph:
    """Return the graph and its subgraphs with powers of integers computed by squaring."""
    return prune(_raised(graph))


def _raised(graph: Graph) -> Graph:
    readers = Counter(id(tensor) for op in graph.operations for tensor in op.inputs)
    readers.update(map(id, graph.outputs))
    chains = _chains(graph, readers)
    if not chains and is_flat(graph):
        return graph
    rewriting = Rewriting(graph, _raised)
    for op in graph.operations:
        chain = chains.get(id(op))
        power = None if chain is None else _power(rewriting, op, *chain)
        if power is None:
            rewriting.keep(op)
        else:
            rewriting.replace(op, [power])
    return rewriting.result()


def _chains(graph: Graph, readers: Counter[int]) -> dict[int, tuple[SymbolicTensor, int]]:
    """Return the factor and its exponent for the last product of each chain."""
    found: dict[int, tuple[SymbolicTensor, int]] = {}
    for op in graph.operations:
        if not _multiplies(op):
            continue
        for factor, rest in (op.inputs, op.inputs[::-1]):
            count = _count(factor, rest, op, found, readers)
            if count:
                found[id(op)] = (factor, count)
                break
    return {key: chain for key, chain in found.items() if chain[1] >= _FEWEST}


def _multiplies(op: Operation) -> bool:
    product = op.definition.emit is Emit.PRODUCT or op.definition.sign == "{} * {}"
    if not product or not cannot_fail(op) or any(op.attrs.values()):
        return False
    specs = {tensor.spec for tensor in (*op.inputs, *op.outputs)}
    spec = op.outputs[0].spec
    return len(specs) == 1 and spec.dtype.is_integer and element_count(spec.dims) is not None


def _count(
    factor: SymbolicTensor,
    rest: SymbolicTensor,
    op: Operation,
    found: dict[int, tuple[SymbolicTensor, int]],
    readers: Counter[int],
) -> int:
    if rest is factor:
        return 2
    if op.definition.emit is Emit.PRODUCT and _is_unit(constant_value(rest)):
        return 1
    before = found.get(id(rest.op))
    same = before is not None and before[0] is factor and rest.op.type == op.type
    if before is None or not same or readers[id(rest)] > 1:
        return 0
    del found[id(rest.op)]
    return before[1] + 1


def _is_unit(array: object) -> bool:
    if not isinstance(array, np.ndarray) or without_repetition(array).ndim != array.ndim:
        return False
    return np.array_equal(array, np.eye(*array.shape[:2]))


def _power(
    rewriting: Rewriting, op: Operation, factor: SymbolicTensor, count: int
) -> SymbolicTensor | None:
    power: SymbolicTensor | None = None
    square = rewriting.of(factor)
    while True:
        if count & 1:
            power = square if power is None else _product(rewriting, op, power, square)
        count >>= 1
        if not count:
            break
        square = _product(rewriting, op, square, square)
    assert power is not None
    return power if fits(op.outputs[0], power) else None


def _product(
    rewriting: Rewriting, op: Operation, a: SymbolicTensor, b: SymbolicTensor
) -> SymbolicTensor:
    return rewriting.add(op.type, (a, b), op.attrs, op).outputs[0]
