"""Predicates for operations that never fail, so that passes may move or remove them.

An operation is safe if its shapes are static: they were checked while the graph was recorded.
Integer division and indexing may fail at run time; such operations are not safe.
"""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.opdef import Effect, Ufunc
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.static import static_entries

_ALWAYS = {"Const", "Identity", "Shape", "Size", "Rank", "ZerosLike", "OnesLike"}
_SHAPED = {
    "BatchMatMulV2", "BroadcastTo", "Cast", "Equal", "ExpandDims", "MatMul", "NotEqual", "Pack",
    "Relu", "Reciprocal", "Rsqrt", "SelectV2", "Sigmoid", "Softplus", "SquaredDifference",
    "Squeeze", "Sum", "Mean", "Max", "Min", "Prod", "Any", "All", "Transpose",
}  # fmt: skip
_CHOICES = {"StatelessIf", "StatelessCase"}
_FAILING_UFUNCS = {"Pow"}


def is_pure(op: Operation) -> bool:
    """True if an operation is deterministic and has no effect."""
    return not op.definition.boxed and not op.subgraphs() and op.effect is Effect.NONE


def cannot_fail(op: Operation) -> bool:
    """True if an operation is pure and succeeds for all values of its inputs.

    A choice among branches cannot fail if none of the branches can.
    """
    if op.type in _CHOICES:
        inner = [each for graph in op.subgraphs() for each in graph.operations]
        safe = all(each.type == "Placeholder" or cannot_fail(each) for each in inner)
        return safe and op.inputs[0].spec.dims == ()
    if not is_pure(op):
        return False
    if op.type in _ALWAYS:
        return True
    specs = [tensor.spec for tensor in (*op.inputs, *op.outputs)]
    if any(element_count(spec.dims) is None or spec.dtype is dtypes.string for spec in specs):
        return False
    if op.type == "Reshape":
        return fits_statically(op)
    if isinstance(op.definition.kernel, Ufunc):
        return op.type not in _FAILING_UFUNCS
    return op.type in _SHAPED


def fits_statically(reshape: Operation) -> bool:
    """True if a `Reshape` is known to succeed: its shape is static."""
    x, shape = reshape.inputs
    entries = static_entries(shape)
    counts = [element_count(tensor.spec.dims) for tensor in (x, reshape.outputs[0])]
    return entries is not None and None not in entries and counts[0] == counts[1] is not None
