"""Checks of values: comparisons, signs, infinity and NaN.

A check whose result is known during tracing fails at once; others fail when the graph runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.errors import AssertionFailedError, InvalidArgumentError
from runtime.core.handlers import refuse_handled_by_name
from runtime.core.opdef import FLOAT, Effect, sample
from runtime.core.operation import Operation
from runtime.core.static import static_value
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import op, rename
from runtime.ops.effects.grouping import no_op
from runtime.ops.effects.output import Assert
from runtime.ops.math import logic
from runtime.ops.reduce.reduction import reduce_all


def _nothing_left() -> Operation | None:
    """Return what a check that is known to hold returns: an operation in a graph built by hand."""
    graph = STATE.graph
    return None if graph is None or graph.building_function else no_op()


def _name_of(tensor: Tensor) -> str:
    """Return the name of a tensor in a graph, or shape and dtype of an eager one."""
    if isinstance(tensor, EagerTensor):
        return f"shape={tensor.shape} dtype={tensor.dtype.name}"
    return str(tensor.name)  # type: ignore[attr-defined]


_SHOWN = 3
"""Default of `summarize`, as in TensorFlow."""

Relation = Callable[[Tensor, Tensor], Tensor]
Check = Callable[..., Operation | None]

_MESSAGE = """  message: first words of the error.
  summarize: number of elements that the error shows; None: 3.
  name: not used.

Returns:
  The operation in a graph built by hand, None otherwise.

Raises:
  InvalidArgumentError: with the values, if the check fails."""


def _compare(
    relation: Relation,
    sign: str,
    x: TensorLike,
    y: TensorLike,
    message: str | None,
    summarize: int | None,
    name: str,
) -> Operation | None:
    (a, b), _ = one_dtype(name, [("x", x), ("y", y)])
    holds = relation(a, b)
    known = static_value(holds)
    if known is not None and np.all(known):
        return _nothing_left()
    shown = _SHOWN if summarize is None else summarize
    prefix = f"{message}\n" if message else ""
    if isinstance(a, EagerTensor) and isinstance(b, EagerTensor):
        text = f"{prefix}Condition x {sign} y did not hold.\n"
        raise AssertionFailedError.of(text + _differences(sign, known, a, b, shown))
    text = f"Condition x {sign} y did not hold element-wise:"
    values = [("x", a, static_value(a)), ("y", b, static_value(b))]
    if known is not None and all(value is not None for _, _, value in values):
        lines = [f"{label} ({_name_of(tensor)}) = \n{value}" for label, tensor, value in values]
        raise AssertionFailedError.of("\n".join([f"{prefix}{text}", *lines]))
    own = [] if message is None else [message]
    data = [text, f"x ({_name_of(a)}) = ", a, f"y ({_name_of(b)}) = ", b]
    return Assert(reduce_all(holds), [*own, *data], shown)


def _differences(sign: str, holds: Array, a: EagerTensor, b: EagerTensor, shown: int) -> str:
    lines = []
    x, y = np.asarray(a.array), np.asarray(b.array)
    if sign in ("==", "!="):
        where = np.argwhere(np.logical_not(holds))[:shown] if np.ndim(holds) else np.zeros((0, 0))
        if len(where):
            first, second = (array[tuple(where.T)] for array in np.broadcast_arrays(x, y))
            lines.append(f"Indices of first {len(where)} different values:\n{where}")
            lines.append(f"Corresponding x values:\n{first}")
            lines.append(f"Corresponding y values:\n{second}")
    for label, array in (("x", x), ("y", y)):
        flat = array.ravel()[:shown]
        lines.append(f"First {len(flat)} elements of {label}:\n{flat}")
    return "\n".join(lines)


def _publish(function: Callable[..., Any], name: str, about: str, example: str) -> None:
    rename(function, name)
    function.__doc__ = f"{about}\n{_MESSAGE}\n\n>>> {name}({example})\n"


def _comparison(name: str, relation: Relation, sign: str, example: str, op: str) -> Check:
    """Define the check of a relation; `op` names it in errors of dtypes."""

    def function(
        x: TensorLike,
        y: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: str | None = None,
    ) -> Operation | None:
        return _compare(relation, sign, x, y, message, summarize, op)

    about = f"Check that `x {sign} y` for all elements.\n\nArgs:\n"
    _publish(function, name, f"{about}  x, y: Tensors of one dtype that broadcast.", example)
    return function


assert_equal = _comparison("assert_equal", logic.equal, "==", "[1, 2], [1, 2]", "Equal")
assert_less = _comparison("assert_less", logic.less, "<", "[1, 2], 3", "Less")
assert_less_equal = _comparison(
    "assert_less_equal", logic.less_equal, "<=", "[1, 2], 2", "LessEqual"
)
assert_greater = _comparison("assert_greater", logic.greater, ">", "[1, 2], 0", "Greater")
assert_greater_equal = _comparison(
    "assert_greater_equal", logic.greater_equal, ">=", "[1, 2], 1", "assert_greater_equal"
)


def _require(
    holds: Tensor, data: Sequence[Any], message: str | None, summarize: int | None
) -> Operation | None:
    """Check a condition at once if it is known, or when the graph runs."""
    known = static_value(holds)
    if known is not None and np.all(known):
        return _nothing_left()
    first = f"{message}.  " if message else ""
    if known is not None:
        parts = [static_value(part) if isinstance(part, Tensor) else part for part in data]
        if all(part is not None for part in parts):
            raise AssertionFailedError.of(f"{first}\n" + "\n".join(map(str, parts)))
    return Assert(holds, [first, *data], _SHOWN if summarize is None else summarize)


def _sign(name: str, relation: Relation, sign: str, example: str) -> Check:
    """Define the check of a relation to 0."""

    def function(
        x: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: str | None = None,
    ) -> Operation | None:
        tensor = convert_to_tensor(x)
        holds = reduce_all(relation(tensor, convert_to_tensor(0, tensor.dtype)))
        text = f"Condition x {sign} 0 did not hold element-wise:"
        return _require(holds, [text, f"x ({_name_of(tensor)}) = ", tensor], message, summarize)

    about = f"Check that `x {sign} 0` for all elements.\n\nArgs:\n"
    _publish(function, name, f"{about}  x: Tensor of real numbers.", example)
    return function


assert_positive = _sign("assert_positive", logic.greater, ">", "[1, 2]")
assert_negative = _sign("assert_negative", logic.less, "<", "[-1, -2]")
assert_non_negative = _sign("assert_non_negative", logic.greater_equal, ">=", "[0, 2]")
assert_non_positive = _sign("assert_non_positive", logic.less_equal, "<=", "[0, -2]")


def _numerics(xp: Namespace, x: Array, message: str) -> Array:
    found = [text for test, text in ((np.isinf, "Inf"), (np.isnan, "NaN")) if test(x).any()]
    if found:
        raise InvalidArgumentError.of(f"{message} : Tensor had {' and '.join(found)} values")
    return x


def _numerics_grad(g: Tensor, y: Tensor, x: Tensor, message: str) -> tuple[Tensor]:
    words = f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message}"
    return (check_numerics.op(g, message=words),)


@op(
    "CheckNumerics",
    {"tensor": FLOAT},
    infer=lambda x, message: x.spec,
    kernel=_numerics,
    effect=Effect.WRITE,
    debug=True,
    grad=_numerics_grad,
    samples=(sample([1.0, 2.0], message="of the sample"),),
)
def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Return a tensor after checking that it is finite; the gradient is checked too.

    Args:
      tensor: Tensor, floating-point.
      message: first words of the error.

    Returns: `tensor`.
    Raises: InvalidArgumentError if an element is infinite or NaN.

    >>> print(check_numerics(1.0, "loss"))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    refuse_handled_by_name(InvalidArgumentError.of(message), "Test for it by an `if`.")
    return check_numerics.op(tensor, message=message, name=name)
