"""Rules of the lowering for code whose results are those of the plan, bit for bit."""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.opdef import Control, Emit, Ufunc
from runtime.core.operation import Operation
from runtime.engines.limits import Unsupported
from runtime.engines.native import rules
from runtime.engines.native.lowering import Rule
from runtime.engines.parts import has_no_effect
from runtime.passes.groups import group_dims

_EXACT = frozenset({"sqrt", "rint", "isnan", "isfinite", "isinf", "maximum"})
"""Functions of NumPy on floating-point numbers that have one right result."""

_ORDERED = (
    Emit.PRODUCT, Emit.TOTAL, Emit.MEAN, Emit.PROD, Emit.MAX, Emit.MIN,
    Emit.CORRELATED, Emit.CORRELATED_BY_IMAGE, Emit.CORRELATED_BY_FILTER,
)  # fmt: skip
"""Reductions, whose order in NumPy depends on the memory layout of the array."""

_POOLED = (Emit.POOLED, Emit.POOLED_BACK)

_WITH_EXP = (Emit.LOGISTIC, Emit.SOFTMAX, Emit.CROSS_ENTROPY)


def rule_for(op: Operation) -> Rule | None:
    """Return the rule of an operation; see `rules.rule_for`.

    Raises Unsupported if the last bits of its results may differ from NumPy's.
    """
    if _may_differ(op):
        raise Unsupported(f"the operation {op.type}, whose machine code may round differently")
    return rules.rule_for(op)


def is_exact_elementwise(op: Operation) -> bool:
    """Return whether an operation, or a group of them, is elementwise or pooling, and exact.

    So are operations on lists, and loops with them: no part gives a list to another.
    """
    if any(tensor.spec.dtype is dtypes.variant for tensor in (*op.inputs, *op.outputs)):
        return has_no_effect(op)
    if op.definition.control is Control.CALL and group_dims(op.attrs["f"].operations):
        return not any(map(_may_differ, op.attrs["f"].operations))
    return (op.definition.fusable or op.definition.emit in _POOLED) and not _may_differ(op)


def _may_differ(op: Operation) -> bool:
    definition = op.definition
    if any(tensor.spec.dtype.is_complex for tensor in (*op.inputs, *op.outputs)):
        return True
    if not any(tensor.spec.dtype.is_floating for tensor in (*op.inputs, *op.outputs)):
        return False
    if definition.python is not None:
        return definition.sign == "{} ** {}"
    if isinstance(definition.kernel, Ufunc) and definition.kernel.name not in _EXACT:
        return True
    return definition.emit in (*_ORDERED, *_WITH_EXP)
