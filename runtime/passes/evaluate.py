"""Evaluate operations and small graphs whose inputs are constant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.errors import KERNEL_FAILURES, OpError, Raised
from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.safety import is_pure

LIMIT = 1 << 14
"""A result of more elements is not computed before the graph runs."""


def constant_value(tensor: SymbolicTensor) -> Any:
    """Return the array of a constant; None for other tensors."""
    return tensor.op.attrs["value"] if tensor.op.definition is CONST else None


def results(op: Operation, arrays: Sequence[Any]) -> tuple[Any, ...] | None:
    """Evaluate an operation; return its outputs as arrays of their static dtypes.

    Returns: None if the operation is impure, fails, or has a large output.
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
    """Return the only output of a graph, if the known inputs determine it; None: not known."""
    known = dict(zip(map(id, graph.inputs), arrays, strict=True))
    for op in graph.operations:
        if op.definition is PLACEHOLDER:
            continue
        reads = [known.get(id(tensor)) for tensor in op.inputs]
        given = None if any(value is None for value in reads) else results(op, reads)
        known.update(zip(map(id, op.outputs), given or (None,) * len(op.outputs), strict=True))
    return known[id(graph.outputs[0])]
