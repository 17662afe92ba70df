"""The specs of the results of ops, and the errors of ops that fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.core.errors import (
    DTypeMismatchError,
    IncompatibleShapesError,
    OpError,
    ResourceExhaustedError,
)
from runtime.core.opdef import OpDef
from runtime.core.shapes import Dims, bracketed, broadcast
from runtime.core.spec import TensorSpec, spec_of_array
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE


def infer(op: OpDef, inputs: Sequence[Tensor], attrs: Mapping[str, Any]) -> tuple[TensorSpec, ...]:
    """Return the output specs. Raises InvalidArgumentError if the inputs do not fit."""
    try:
        specs = op.infer(*inputs, **attrs)
    except OpError as error:
        raise of_op(error, op) from error.__cause__
    except (ValueError, IndexError, ZeroDivisionError, MemoryError) as error:
        raise failure(op, inputs, error) from None
    return specs if isinstance(specs, tuple) else (specs,)


def failure(
    op: OpDef,
    inputs: Sequence[Tensor],
    error: Exception,
    arrays: Sequence[Any] = (),
    operation: Any = None,
) -> OpError:
    """Build the error of a failed op: the op, its operands and the reason.

    Args:
      op, inputs: the op and its inputs.
      error: the exception of the kernel or the shape rule.
      arrays: the values of the inputs, with their exact shapes.
      operation: the operation of a graph that failed.
    """
    kinds = ((MemoryError, ResourceExhaustedError), (TypeError, DTypeMismatchError))
    found = (own for base, own in kinds if isinstance(error, base))
    kind = next(found, IncompatibleShapesError)
    return kind(None, operation, _description(op, inputs, error, arrays))


def _description(
    op: OpDef, inputs: Sequence[Tensor], error: Exception, arrays: Sequence[Any]
) -> str:
    values = arrays if all(hasattr(array, "dtype") for array in arrays) else ()
    specs = [spec_of_array(array) for array in values] or [tensor.spec for tensor in inputs]
    shown = ", ".join(f"{spec}" for spec in specs)
    if len(inputs) > 1 and isinstance(error, ValueError):
        words = _shape_conflict(op, [spec.dims for spec in specs], error)
        if words:
            return f"{words}\n{op.name}({shown})"
    return f"{_reason(error)} [Op:{op.name}]\n{op.name}({shown})"


def _reason(error: Exception) -> str:
    """Return the text of an error; Python's MemoryError has none."""
    return str(error) or "Out of memory"


def _shape_conflict(op: OpDef, shapes: Sequence[Dims], raised: Exception) -> str | None:
    """Describe shapes that do not broadcast; None if that is not the cause."""
    numpy_says_so = str(raised).startswith("operands could not be broadcast together with shapes")
    joint: Dims = ()
    for dims in shapes:
        try:
            joint = broadcast(joint, dims)
        except ValueError as error:
            if not (op.elementwise or numpy_says_so or str(error) == str(raised)):
                return None
            together = " vs. ".join(bracketed(shape) for shape in shapes)
            words = f"Incompatible shapes: {together} [Op:{op.name}]"
            return words if STATE.graph is None else f"{error} for '{op.name}'. {words}"
    return None


def of_op(error: OpError, op: OpDef) -> OpError:
    """Add the op type to an error."""
    if "[Op:" in error.message:
        return error
    return error.with_message(f"{error.message} [Op:{op.name}]")
