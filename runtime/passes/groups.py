"""Groups of elementwise operations that engines compute in blocks; `fuse` makes them."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.core.operation import Operation
from runtime.core.shapes import Dims
from runtime.core.structural import CONST, PLACEHOLDER


def is_fusable(op: Operation) -> bool:
    """Return whether an operation can be part of a group."""
    if not op.definition.fusable:
        return False
    specs = [tensor.spec for tensor in (*op.inputs, *op.outputs)]
    return bool(op.outputs[0].spec.dims) and all(
        spec.dims is not None and spec.dtype.kind in "biuf" for spec in specs
    )


def group_dims(operations: Iterable[Operation]) -> Dims:
    """Return the common shape of the operations of a group; None if those of a graph are none."""
    steps = [op for op in operations if op.definition not in (PLACEHOLDER, CONST)]
    found = {op.outputs[0].spec.dims for op in steps if op.outputs}
    if len(found) != 1 or not all(map(is_fusable, steps)):
        return None
    return found.pop()
