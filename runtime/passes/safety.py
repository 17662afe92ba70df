"""Which operations never fail, so that they may run at another time, or not at all.

An operation is safe where its shapes are known while the graph is recorded: they were checked
then. Integers may be divided by zero, positions may be out of range; such operations are not safe.
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
    """Whether it computes the same outputs from the same inputs and does nothing else."""
    return not op.definition.boxed and not op.subgraphs() and op.effect is Effect.NONE


def cannot_fail(op: Operation) -> bool:
    """Whether it is pure and succeeds for whatever values its inputs have.

    A choice among branches does if none of them can fail.
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
    """Whether a `Reshape` is known to succeed: static values say all of its shape."""
    x, shape = reshape.inputs
    entries = static_entries(shape)
    counts = [element_count(tensor.spec.dims) for tensor in (x, reshape.outputs[0])]
    return entries is not None and None not in entries and counts[0] == counts[1] is not None
