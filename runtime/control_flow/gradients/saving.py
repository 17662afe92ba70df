"""Shared parts of the gradients of branches and loops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.core import dtypes
from runtime.core.context import recording
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.ops.array.creation import zeros, zeros_like
from runtime.ops.array.lists import list_zeros
from runtime.state.cells import READ


@contextmanager
def inserted_before(op: Operation) -> Iterator[None]:
    """Insert the operations recorded inside before an operation of the same graph."""
    operations = op.graph.operations
    count = len(operations)
    with recording(op.graph):
        yield
    added = operations[count:]
    del operations[count:]
    place = operations.index(op)
    operations[place:place] = added


def zero_gradient(tensor: Tensor, spec: TensorSpec) -> Tensor:
    """Return a zero gradient of a tensor; `spec` is that of its gradient elsewhere."""
    if tensor.dtype is dtypes.variant:
        return list_zeros(tensor)
    if tensor.dtype is not dtypes.resource:
        return zeros_like(tensor)
    dims = spec.dims
    if dims is not None and None not in dims:
        return zeros(list(dims), spec.dtype)
    return zeros_like(READ(tensor, spec=spec))
