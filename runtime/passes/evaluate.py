"""What operations and small graphs give, where all that they need is constant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.errors import KERNEL_FAILURES, OpError, Raised
from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.safety import is_pure

LIMIT = 1 << 14
"""A result of more elements is not computed before the graph runs."""


def constant_value(tensor: SymbolicTensor) -> Any:
    """The array of a constant; None for other tensors."""
    return tensor.op.attrs["value"] if tensor.op.type == "Const" else None


def results(op: Operation, arrays: Sequence[Any]) -> tuple[Any, ...] | None:
    """The outputs of an operation as arrays of the dtypes that are known.

    Returns: None if it is not pure, fails, or makes something large.
    """
    if not is_pure(op) or not op.outputs or any(map(_is_large, op.outputs)):
        return None
    try:
        with np.errstate(all="ignore"):
            given = op.definition.kernel(np, *arrays, **op.attrs)
    except (OpError, Raised, *KERNEL_FAILURES):
        return None  # the failure is the program's: it happens when, and only if, the op runs
    found = [np.asarray(value) for value in ((given,) if op.definition.outputs == 1 else given)]
    if all(map(_is_as_known, op.outputs, found)):
        return tuple(found)
    return None


def _is_large(tensor: SymbolicTensor) -> bool:
    return (element_count(tensor.spec.dims) or 0) > LIMIT


def _is_as_known(tensor: SymbolicTensor, array: Any) -> bool:
    same = array.dtype == tensor.spec.dtype.numpy_dtype and array.size <= LIMIT
    return same and tensor.shape.is_compatible_with(array.shape)


def only_output(graph: Graph, arrays: Sequence[Any]) -> Any:
    """The output of a graph that has one, if it follows from the inputs that are known.

    Args:
      graph: the graph.
      arrays: the values of its inputs; None for one that is not known.
    """
    known = dict(zip(map(id, graph.inputs), arrays, strict=True))
    for op in graph.operations:
        if op.type == "Placeholder":
            continue
        reads = [known.get(id(tensor)) for tensor in op.inputs]
        given = None if any(value is None for value in reads) else results(op, reads)
        known.update(zip(map(id, op.outputs), given or (None,) * len(op.outputs), strict=True))
    return known[id(graph.outputs[0])]
