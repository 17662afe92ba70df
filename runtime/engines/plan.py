"""The plan: a graph as readable straight-line Python, compiled once.

An operation without an emit rule is a call of its kernel. The definition of an op type names its
computation (`OpDef.emit`) or its Python operator; a rule belongs to a computation. So engines know
no op type and import no module of `runtime.ops`, which a registry by op objects would need.

Each rule emits code that computes the kernel's result bit for bit at lower cost: Python operators,
a NumPy function, or Python ints instead of NumPy scalars. If such code raises, the plan runs the
kernel on the same operands to obtain the error, so a rule need not produce messages.

>>> import runtime as tf
>>> @tf.function
... def f(x):
...     return tf.tanh(x) + 1.0
>>> text = f.get_concrete_function(tf.TensorSpec([3], tf.float32)).plan_source
>>> print(text)  # doctest: +ELLIPSIS
# add_y = 1.0 : float32[]
<BLANKLINE>
def f(x):
    tanh = np.tanh(x)  # ...
    add = tanh + add_y
    return (add,)
<BLANKLINE>
"""

from __future__ import annotations

import math

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.opdef import Control, Emit, Ufunc
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.engines import compiled
from runtime.engines.fused import fused_call
from runtime.engines.item_rules import ITEM_RULES, are
from runtime.engines.list_rules import LIST_RULES
from runtime.engines.nesting import branch, loop, numbered_branches, recur, recursion
from runtime.engines.number_rules import NUMBER_RULES, elementwise, is_number, python_operator
from runtime.engines.printer import DEEPEST, LIMITS, Kind, Printer, Rule, Step, kind_of
from runtime.engines.ranges import Range


def constant(printer: Printer, op: Operation) -> bool:
    """Emit a finite number of Python as a literal; bind other constants to a name."""
    tensor, value = op.outputs[0], op.attrs["value"]
    kind = kind_of(tensor)
    if printer.find(tensor, kind) is not None:
        return True
    if kind not in (Kind.ARRAY, Kind.COMPLEX) and math.isfinite(value):
        values = Range(int(value), int(value)) if kind is Kind.INTEGER else None
        printer.define(tensor, repr(value.item()), kind, values)
        return True
    held = value[()] if value.ndim == 0 and value.dtype.kind in "biufc" else value
    name = printer.bind(op.name, held if kind is Kind.ARRAY else value.item())
    shown = str(value.tolist()) if value.size <= 8 else "..."
    printer.notes.append(f"{name} = {shown} : {tensor.spec}")
    printer.define(tensor, name, kind)
    return True


def identity(printer: Printer, op: Operation) -> bool:
    """Emit no statement: the output is an alias of the input."""
    printer.alias(op.outputs[0], op.inputs[0])
    return True


def product(printer: Printer, op: Operation) -> bool:
    """Emit `np.matmul` of two matrices."""
    a, b = op.inputs
    flags = ("transpose_a", "transpose_b")
    matrices = len(a.spec.dims or ()) == 2 == len(b.spec.dims or ())
    others = any(value for key, value in op.attrs.items() if key not in flags)
    if (
        not matrices
        or others
        or not (is_number(a) and is_number(b))
        or not set(flags) <= {*op.attrs}
    ):
        return False
    words = [
        f"{printer.array(tensor)}{'.T' if op.attrs[flag] else ''}"
        for tensor, flag in zip((a, b), flags, strict=True)
    ]
    printer.result(op, f"np.matmul({', '.join(words)})")
    return True


_MANY = 1 << 14
"""Fewest elements of a sum of which the checks of `np.sum` are no longer a part worth saving."""


def reduced(printer: Printer, op: Operation) -> bool:
    """Emit `reduce` of a ufunc, which functions such as `np.sum` call after checking arguments.

    Only for small arrays of known size: the kernel is faster for some others.
    """
    x, emit = op.inputs[0], op.definition.emit
    count = element_count(x.spec.dims)
    if emit is None or set(op.attrs) != {"axis", "keepdims"} or x.spec.dtype.kind not in "iufb":
        return False
    is_total = emit is Emit.TOTAL and op.attrs["axis"] is None
    if not is_total and (count is None or not 0 < count < _MANY):
        return False
    words = [f"{key}={printer.attribute(op, key)}" for key in ("axis", "keepdims")]
    words += [f"dtype={x.spec.dtype.name}"] if emit is Emit.TOTAL else []
    printer.result(op, f"np.{_REDUCING[emit]}.reduce({printer.array(x)}, {', '.join(words)})")
    return True


_REDUCING = {
    Emit.TOTAL: "add",
    Emit.MAX: "maximum",
    Emit.MIN: "minimum",
    Emit.ANY: "logical_or",
    Emit.ALL: "logical_and",
}
"""The ufunc of each reduction."""


def logistic(printer: Printer, op: Operation) -> bool:
    """Emit `1 / (1 + exp(-x))` in one array, for dtypes that the number 1 does not promote."""
    x = op.inputs[0]
    if not x.spec.dims or x.spec.dtype not in (dtypes.float32, dtypes.float64):
        return False
    held, target = printer.array(x), printer.target(op)
    words = held if target is None else f"{held}, out={target}"
    name = printer.result(op, f"np.negative({words})")
    printer.line(f"np.exp({name}, out={name})")
    printer.line(f"{name} += 1")
    printer.line(f"np.reciprocal({name}, out={name})")
    return True


def count(printer: Printer, op: Operation) -> bool:
    """Emit the length of a range of Python ints, unless that of int32 may not fit."""
    if not op.attrs["python"] or not are(Kind.INTEGER, *op.inputs):
        return False
    start, limit, step = map(printer.range_of, op.inputs)
    by_one, most = step == Range(1, 1), LIMITS[op.attrs["dtype"]].most
    if by_one:
        most = min(most, max(limit.most - start.least, 0))
    if op.attrs["dtype"] is not dtypes.int64 and not (by_one and start.least >= 0):
        return False
    words = list(map(printer.integer, op.inputs))
    if by_one and start == Range(0, 0) and limit.least >= 0:
        printer.define(op.outputs[0], words[1], Kind.INTEGER, limit)
    else:
        length = f"len(range({', '.join(words)}))"
        printer.result(op, length, Kind.INTEGER, values=Range(0, most))
    return True


def asserted(printer: Printer, op: Operation) -> bool:
    """Emit a test, and a call of the kernel where it does not hold."""
    return _where(printer, op, "if not {}:")


def raised(printer: Printer, op: Operation) -> bool:
    """Emit a test, and a call of the kernel where it holds."""
    return _where(printer, op, "if {}:")


def _where(printer: Printer, op: Operation, head: str) -> bool:
    if kind_of(op.inputs[0]) is not Kind.TRUTH or printer.depth > DEEPEST:
        return False
    printer.line(head.format(printer.truth(op.inputs[0])), Step(op, None))
    with printer.block():
        printer.call_kernel(op)
    return True


RULES: dict[Emit, Rule] = {
    **ITEM_RULES,
    **LIST_RULES,
    **NUMBER_RULES,
    Emit.CONSTANT: constant,
    Emit.ALIAS: identity,
    Emit.PRODUCT: product,
    **dict.fromkeys(_REDUCING, reduced),
    Emit.LOGISTIC: logistic,
    Emit.COUNT: count,
    Emit.ASSERT: asserted,
    Emit.RAISE: raised,
}
"""The rule of each computation that has code of its own."""


CONTROL: dict[Control, Rule] = {
    Control.IF: branch,
    Control.CASE: numbered_branches,
    Control.WHILE: loop,
    Control.CALL: fused_call,
    Control.RECURSION: recursion,
    Control.RECUR: recur,
}
"""The rule of each kind of control flow."""


def rule_for(op: Operation) -> Rule | None:
    """Return the emit rule of an operation; None: call its kernel."""
    definition = op.definition
    if definition.control is not None:
        return CONTROL[definition.control]
    if definition.emit in RULES:
        return RULES[definition.emit]
    if definition.python is not None:
        return python_operator
    return elementwise if isinstance(definition.kernel, Ufunc) else None


def executable(graph: Graph, rules: compiled.RuleFor = rule_for) -> compiled.Executable:
    """Return a function from input arrays to output arrays; see `compiled.executable`."""
    return compiled.executable(graph, rules)


def source(graph: Graph, rules: compiled.RuleFor = rule_for) -> str:
    """Return the source text of the plan of a graph."""
    return compiled.source(graph, rules)
