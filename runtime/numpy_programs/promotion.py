"""NumPy's dtypes for operations: those of arrays, with Python numbers weak as in NumPy 2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dispatch import execute
from runtime.core.structural import CONST, IDENTITY
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.numpy_programs.dispatch import refuse
from runtime.ops.base.convert import cast_to, constant_of, convert_to_tensor, strong, weakened
from runtime.ops.base.values import NUMBERS
from runtime.ops.effects.output import raise_when
from runtime.ops.math.logic import greater, less, logical_or
from runtime.ops.math.python_numbers import call_python

NumPyDType = np.dtype[Any]
Kind = NumPyDType | type
"""The dtype of an operand, or the Python class of a number without one."""

_WEAK: dict[str, Kind] = {"b": np.dtype(np.bool_), "i": int, "u": int, "f": float, "c": complex}
_EXAMPLES: dict[Kind, Any] = {int: 0, float: 0.0, complex: 0j}


def is_number(value: object) -> bool:
    """Return whether a value is a Python number, or a traced one."""
    if isinstance(value, SymbolicTensor):
        return value.weak is True and value.spec.dtype.kind in "bifc"
    return type(value) in NUMBERS


def kind_of(value: TensorLike) -> Kind:
    """Return the dtype of an operand; int, float or complex for a Python number.

    >>> kind_of(2), kind_of(True), kind_of(np.float32(1))
    (<class 'int'>, dtype('bool'), dtype('float32'))
    """
    if type(value) in NUMBERS:
        return np.dtype(np.bool_) if type(value) is bool else type(value)
    if isinstance(value, SymbolicTensor) and value.weak:
        return _WEAK.get(value.spec.dtype.kind, np.dtype(object))
    if isinstance(value, Tensor):
        return value.spec.dtype.numpy_dtype
    return value.dtype  # type: ignore[no-any-return]


def result_dtype(*kinds: Kind) -> NumPyDType:
    """Return the dtype that operands of these kinds have in common.

    >>> result_dtype(np.dtype("f4"), float), result_dtype(int, float)
    (dtype('float32'), dtype('float64'))
    """
    return np.result_type(*(_EXAMPLES[k] if isinstance(k, type) else k for k in kinds))


def resolve(ufunc: np.ufunc, kinds: Sequence[Kind]) -> tuple[list[NumPyDType], list[NumPyDType]]:
    """Return the dtypes in which a ufunc takes its operands, and those of its results.

    Raises:
      TypeError: NumPy's own, for dtypes that the function does not take.
    """
    known = kinds
    if not any(isinstance(kind, np.dtype) for kind in kinds):
        known = [np.result_type(_EXAMPLES[kind]) for kind in kinds]
    found = ufunc.resolve_dtypes((*known, *(None,) * ufunc.nout))
    return list(found[: ufunc.nin]), list(found[ufunc.nin :])


def as_dtype(tensor: TensorLike, dtype: NumPyDType) -> Tensor:
    """Return an operand as a tensor of a dtype: as NumPy casts it for an operation.

    Args:
      tensor: a tensor, or a Python number or NumPy scalar.
      dtype: the dtype.

    Raises:
      OverflowError: for a Python int out of the range of an integer dtype; when the graph runs,
        if only that knows it.
    """
    if type(tensor) in NUMBERS:
        return constant_of(np.asarray(dtype.type(tensor)))
    wanted = dtypes.from_numpy(dtype)
    found = convert_to_tensor(tensor)
    if is_number(found) and wanted.is_integer and wanted is not dtypes.int64:
        _check_range(found, wanted)
    return strong(found) if found.dtype is wanted else cast_to(found, wanted)


def python_number(tensor: Tensor) -> Tensor:
    """Return a scalar as a tensor that represents the Python number: ints have 64 bits.

    A uint64 that does not fit is an error when the graph runs.
    """
    if tensor.dtype is dtypes.uint64:
        return call_python("int", tensor)
    wide = dtypes.int64 if tensor.dtype.is_integer else tensor.dtype
    if tensor.dtype.is_floating:
        wide = dtypes.float64
    if wide is not tensor.dtype:
        return weakened(cast_to(tensor, wide))
    return weakened(execute(IDENTITY, (tensor,), {})[0])


def _check_range(number: Tensor, dtype: dtypes.DType) -> None:
    """Raise OverflowError when the graph runs, if a Python int does not fit into a dtype."""
    if not number.dtype.is_integer:
        return
    low, high = np.int64(dtype.min), np.int64(min(int(dtype.max), int(dtypes.int64.max)))
    wide = strong(cast_to(number, dtypes.int64))
    outside = logical_or(less(wide, low), greater(wide, high))
    raise_when(outside, OverflowError(f"Python integer out of bounds for {dtype.name}"))


def constant(array: TensorLike) -> Tensor:
    """Return an array of NumPy's as a tensor of the graph that is being recorded."""
    try:
        return convert_to_tensor(array)
    except TypeError as error:
        raise refuse(
            f"an array of dtype {array.dtype} meets traced arrays.",
            "Use numbers or truth values.",
        ) from error


def known_array(tensor: Tensor) -> Any:
    """Return the value of a tensor as an array if it is known while tracing, else None."""
    if isinstance(tensor, EagerTensor):
        return tensor.array
    assert isinstance(tensor, SymbolicTensor)
    return tensor.op.attrs["value"] if tensor.op.definition is CONST else None
