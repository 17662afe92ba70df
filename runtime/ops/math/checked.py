"""Arithmetic on Python numbers that a graph computes: it raises where Python does, or cannot go on.

An op type on tensors wraps ints around and divides by zero silently; its sibling does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.errors import DivisionByZeroError, InvalidArgumentError
from runtime.core.node_form import NodeForm
from runtime.core.opdef import INTEGER, DTypes, Failure, Overflow, Undefined, sample
from runtime.core.operation import Operation
from runtime.core.structural import CONST
from runtime.core.tensor import Tensor
from runtime.ops.base import rules
from runtime.ops.base.define import OpFunction, define_op

Row = TypeVar("Row", bound=OpFunction[..., Tensor])

_INTS = (sample(6, 3), sample([5, 1], [4, 2]))


def checked(row: Row, group: DTypes = INTEGER, undefined: Undefined = Undefined.NOWHERE) -> Row:
    """Give an op type a sibling that raises where Python's operator on numbers has no such result.

    `undefined`: where it raises, besides for ints that do not fit.
    """
    definition, python = row.op.definition, row.op.definition.python
    assert python is not None, definition
    exactly = python.apply  # computes the same without limits
    python = replace(python, undefined=undefined)
    if python.overflow is Overflow.WRAPS:
        python = replace(python, overflow=Overflow.RAISES)

    def kernel(xp: Namespace, x: Array, y: Array) -> Array:
        if undefined is Undefined.BY_ZERO and xp.any(y == 0):
            raise DivisionByZeroError.of(_error_by_zero(exactly, y))
        result = definition.kernel(xp, x, y)
        if x.dtype.kind in "fc":
            if undefined is Undefined.NOT_FINITE:
                _refuse_no_float(xp, x, y, result, exactly)
            return result
        if x.ndim or y.ndim:
            exact = exactly(x.astype(object), y.astype(object))
            fits = bool(xp.all(exact == result))
        else:
            exact = exactly(x.item(), y.item())
            fits = exact == result.item()
        if not fits:
            raise InvalidArgumentError.of(
                f"{definition.name} of {x} and {y} is {exact}, which does not fit into {x.dtype}. "
                "A Python int becomes a tensor of that dtype in a staged loop or branch; "
                f"{_wider(x)}."
            )
        return result

    sibling = define_op(
        f"Checked{definition.name}",
        {"x": group, "y": group},
        rules.broadcasted,
        kernel,
        elementwise=True,
        failure=Failure.VALUES,
        python=python,
        node=NodeForm(definition.name),
        safe=_has_plain_divisor if undefined is Undefined.BY_ZERO else None,
        grad=None if group is INTEGER else definition.grad,
        samples=_INTS if group is INTEGER else definition.samples,
    )
    row.op.checked = sibling.definition
    return row


def _wider(x: Array) -> str:
    if x.dtype.itemsize < 8:
        return "start with a tensor of a wider one, for instance runtime.constant(1, runtime.int64)"
    return "start with a float, for instance 1.0, where rounded results will do"


def _has_plain_divisor(op: Operation) -> bool:
    """Return whether the divisor is a constant by which every number has a quotient."""
    made = op.inputs[1].op
    divisor = made.attrs["value"] if made.definition is CONST else None
    if divisor is None or not np.all(divisor != 0):
        return False
    return divisor.dtype.kind == "f" or not np.any(divisor == -1)


def _error_by_zero(divide: Callable[..., object], y: Array) -> str:
    """Return Python's words for a division by zero."""
    try:
        divide(y.dtype.type(1).item(), y.dtype.type(0).item())
    except ZeroDivisionError as error:
        return str(error)
    raise AssertionError(divide)


def _refuse_no_float(
    xp: Namespace, x: Array, y: Array, result: Array, exactly: Callable[..., object]
) -> None:
    """Raise for the first finite operands whose result is not finite."""
    failed = xp.isfinite(x) & xp.isfinite(y) & ~xp.isfinite(result)
    if not xp.any(failed):
        return
    first = [xp.broadcast_to(each, failed.shape)[failed][0].item() for each in (x, y)]
    try:
        found = f"the complex number {exactly(*first)}"
    except ZeroDivisionError as error:
        raise DivisionByZeroError.of(str(error)) from None
    except OverflowError:
        found = "too large for a Python float"
    raise InvalidArgumentError.of(
        f"{first[0]} ** {first[1]} is {found}. Compute it with tensors, for instance "
        f"runtime.constant({first[0]}), to get {result[failed][0] if result.ndim else result}."
    )
