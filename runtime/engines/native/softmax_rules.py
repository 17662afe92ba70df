"""Rules of the lowering: softmax along rows, and cross entropy of classes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import Dim, View, constant
from runtime.engines.native.elements import Elements
from runtime.engines.native.functions import Functions
from runtime.engines.native.lowering import Lowering, Rule, Value
from runtime.engines.native.reductions import Reduction, extreme_of_lanes, pairwise
from runtime.engines.native.types import INT64, type_of


class _Rows:
    """The exponentials of rows, less the largest element of each, and their sums.

    Attributes:
      shifted: the elements less the largest one of their row.
      powers: the exponentials of `shifted`.
      totals: the sum of each row of `powers`, as rows of one element.
    """

    def __init__(self, lowering: Lowering, view: View) -> None:
        elements, build, dtype = lowering.elements, lowering.build, view.dtype
        numbers = lowering.numbers
        largest = _reduced(
            *(lowering, view, None, lambda x, y: numbers.extreme(">", dtype, x, y)),
            partial(extreme_of_lanes, sign=">"),
        )
        self.shifted = elements.forced(
            elements.elementwise(lambda x: build.fsub(*x), [view, largest], dtype)
        )
        self.powers = elements.forced(
            elements.elementwise(lambda x: Functions(build).exp(*x), [self.shifted], dtype)
        )
        zero = type_of(dtype)(0)
        self.totals = _reduced(
            lowering, self.powers, zero, lambda x, y: numbers.sum(dtype, x, y), pairwise
        )

    def shares(self, lowering: Lowering) -> Value:
        """Return `powers` divided by `totals`."""
        build, operands = lowering.build, [self.powers, self.totals]
        return lowering.elements.elementwise(lambda x: build.fdiv(*x), operands, self.powers.dtype)


def _reduced(
    lowering: Lowering,
    view: View,
    start: ir.Value | None,
    combine: Callable[[ir.Value, ir.Value], ir.Value],
    inner: Callable[[Elements, View, ir.Value, Dim], ir.Value],
) -> Value:
    """Reduce each row to one element, or the only row to a number; see `Reduction`."""
    elements, axis = lowering.elements, len(view.dims) - 1
    value = Reduction(elements, view, [axis], view.dtype, start, combine, inner).run()
    if isinstance(value, ir.Value):
        return value
    return elements.reshaped(value, (*view.dims[:-1], 1))


def _has_functions(op: Operation) -> bool:
    return op.inputs[0].spec.dtype in (dtypes.float32, dtypes.float64)


def _softmax(lowering: Lowering, op: Operation) -> Value | None:
    if not _has_functions(op):
        return None
    return _Rows(lowering, lowering.array(op.inputs[0])).shares(lowering)


def _cross_entropy(lowering: Lowering, op: Operation) -> list[Value]:
    """Return the logarithm of the share of each row's class, negated, and the gradient by rows."""
    if not _has_functions(op):
        raise Unsupported(f"the operation {op.type} of {op.inputs[0].spec.dtype.name}")
    view, labels = map(lowering.array, op.inputs)
    if len(view.dims) != 2 or len(labels.dims) != 1:
        raise Unsupported("labels whose shape does not fit the logits")
    elements, numbers, build = lowering.elements, lowering.numbers, lowering.build
    (count, classes), (given,) = view.dims, labels.dims
    elements.require_equal(count, given, "labels whose number does not fit the logits")
    first = elements.base(labels)

    def label(row: ir.Value) -> ir.Value:
        held = elements.load(labels.dtype, elements.at(labels, first, [row]))
        return numbers.converted(held, labels.dtype, dtypes.int64)

    with elements.counted(count) as row:
        numbers.fail_if(build.icmp_unsigned(">=", label(row), constant(classes)))
    rows = _Rows(lowering, view)
    shares = elements.forced(rows.shares(lowering))
    losses = elements.whole(elements.memory.new((count,), view.dtype))
    bases = [elements.base(each) for each in (rows.shifted, shares, losses)]
    is_number = isinstance(rows.totals, ir.Value)
    sums = None if is_number else elements.base(rows.totals)
    with elements.counted(count) as row:
        place = [row, label(row)]
        own = elements.load(view.dtype, elements.at(rows.shifted, bases[0], place))
        share = elements.at(shares, bases[1], place)
        less = build.fsub(elements.load(view.dtype, share), type_of(view.dtype)(1))
        elements.put(view.dtype, less, share)
        total = rows.totals
        if sums is not None:
            total = elements.load(view.dtype, elements.at(rows.totals, sums, [row, INT64(0)]))
        loss = build.fsub(Functions(build).log(total), own)
        elements.put(view.dtype, loss, elements.at(losses, bases[2], [row]))
    return [losses, shares]


SOFTMAX_RULES: dict[Emit, Rule] = {
    Emit.SOFTMAX: _softmax,
    Emit.CROSS_ENTROPY: _cross_entropy,
}
"""The rule of each computation on rows of logits."""
