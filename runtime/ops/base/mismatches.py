"""Errors for operands whose dtypes do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import DTypeMismatchError
from runtime.core.opdef import DTypes
from runtime.core.places import user_name
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.base.values import generality


def not_taken(op_name: str, name: str, tensor: Tensor, group: DTypes) -> DTypeMismatchError:
    """Return the error for an operand whose dtype an op does not take."""
    allowed = [dtype for dtype in dtypes.ALL if dtype in group]
    own = tensor.dtype
    if STATE.graph is None:
        words = (
            f"Value for attr 'T' of {own.type_word} is not in the list of allowed values: "
            f"{', '.join(dtype.type_word for dtype in allowed)} [Op:{op_name}]"
        )
    else:
        words = (
            f"Value passed to parameter '{name}' has DataType {own.name} not in list of allowed "
            f"values: {', '.join(dtype.name for dtype in allowed)}"
        )
    called = user_name(tensor) or name
    return DTypeMismatchError.of(
        f"{words}\n{op_name}: `{called}` must be {group.name}, but it is {tensor.spec}."
    )


def mismatch(
    op_name: str, entries: Sequence[tuple[str, Any]], tensors: Sequence[Tensor], target: DType
) -> DTypeMismatchError:
    """Return the error for operands of different dtypes."""
    parts = [
        f"{_called(value, name, position)} is {tensor.spec}"
        for position, ((name, value), tensor) in enumerate(zip(entries, tensors, strict=True))
    ]
    at, other = next(
        (i, tensor.dtype) for i, tensor in enumerate(tensors) if tensor.dtype is not target
    )
    words = _mismatch_words(op_name, [name for name, _ in entries], at, tensors, target)
    narrow, wide = sorted((target, other), key=generality)
    return DTypeMismatchError.of(
        f"{words}\n{op_name} needs one dtype, but {' and '.join(parts)}. Convert one of them, for "
        f"instance with {conversion_call(narrow, wide)}."
    )


def _called(value: object, name: str, position: int) -> str:
    own = user_name(value)
    if own is not None:
        return f"`{own}`"
    return f"input #{position}" if STATE.graph is None else f"input '{name}'"


def conversion_call(source: DType, target: DType) -> str:
    """Return a call that converts a tensor `x` between two dtypes, for messages.

    In a program of NumPy's, `x` is a scalar or array of NumPy.

    >>> conversion_call(dtypes.int32, dtypes.float32), conversion_call(dtypes.int32, dtypes.string)
    ('runtime.cast(x, runtime.float32)', 'runtime.strings.as_string(x)')
    """
    if STATE.symbolic is not None and dtypes.string not in (source, target):
        return f"x.astype(np.{target.numpy_dtype})"
    if target is dtypes.string:
        return "runtime.strings.as_string(x)"
    if source is dtypes.string:
        return f"runtime.strings.to_number(x, runtime.{target.name})"
    return f"runtime.cast(x, runtime.{target.name})"


def _mismatch_words(
    op_name: str, names: Sequence[str], at: int, tensors: Sequence[Tensor], target: DType
) -> str:
    first = tensors[0].dtype
    if not at:
        at = next((i for i, tensor in enumerate(tensors) if tensor.dtype is not first), 0)
    other = tensors[at].dtype
    if other is first:
        return f"Tensor conversion requested dtype {target.name} for Tensor with dtype {first.name}"
    if STATE.graph is None:
        return (
            f"cannot compute {op_name} as input #{at}(zero-based) was expected to be a "
            f"{first.type_word} tensor but is a {other.type_word} tensor [Op:{op_name}]"
        )
    if names[0] == names[at]:
        found = ", ".join(tensor.dtype.name for tensor in tensors)
        return (
            f"Tensors in list passed to '{names[at]}' of '{op_name}' Op have types [{found}] that "
            "don't all match."
        )
    return (
        f"Input '{names[at]}' of '{op_name}' Op has type {other.name} that does not match type "
        f"{first.name} of argument '{names[0]}'."
    )
