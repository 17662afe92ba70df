"""Checks of dtypes and Python types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.base.aliases import DTypeLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.checks.parts import name_in_graph, name_of, prefix


def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Check that the dtype is an integer dtype.

    Args:
      x: Tensor.
      message: first words of the error.
      name: not used.

    Raises:
      TypeError: if the check fails.

    >>> assert_integer([1])
    """
    tensor = convert_to_tensor(x)
    if not tensor.dtype.is_integer:
        raise TypeError(
            f'{prefix(message)}Expected "x" to be integer type.  Found: '
            f"{name_in_graph(tensor) or 'tensor'} of dtype {tensor.dtype}"
        )


def assert_type(
    tensor: TensorLike, tf_type: DTypeLike, message: str | None = None, name: str | None = None
) -> None:
    """Check the dtype.

    Args:
      tensor: Tensor.
      tf_type: the expected dtype.
      message: first words of the error.
      name: not used.

    Raises:
      TypeError: if the dtype is another.

    >>> assert_type([1.0], "float32")
    """
    x, wanted = convert_to_tensor(tensor), dtypes.as_dtype(tf_type)
    if x.dtype is not wanted:
        called = name_in_graph(x) or "tensor"
        raise TypeError(f"{prefix(message)}{called} must be of type {wanted!r}; got {x.dtype!r}")


def assert_same_float_dtype(
    tensors: Iterable[Any] | None = None, dtype: DTypeLike | None = None
) -> DType:
    """Check that tensors have one floating-point dtype, and return it.

    Args:
      tensors: Tensors or None.
      dtype: the expected dtype; None: that of the first tensor, or float32 if there is none.

    Returns:
      The dtype.

    Raises:
      ValueError: if the check fails.

    >>> assert_same_float_dtype([convert_to_tensor(1.0)])
    tf.float32
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    first: Tensor | None = None
    for tensor in tensors or ():
        if tensor is None:
            continue
        if wanted is None:
            wanted, first = tensor.dtype, tensor
        if tensor.dtype is not wanted:
            reference = "" if first is None else f" as {_reference(first)}"
            raise ValueError(
                f"{_reference(tensor)}, type={tensor.dtype}, must be of the same type "
                f"({wanted}){reference}."
            )
    found = wanted or dtypes.float32
    if not found.is_floating:
        raise ValueError(f"Expected floating point type, got {found}.")
    return found


def _reference(tensor: Tensor) -> str:
    return str(tensor) if isinstance(tensor, EagerTensor) else name_of(tensor)


def assert_proper_iterable(values: object) -> None:
    """Check that a value is iterable, but not a tensor, array or string.

    Args:
      values: any value.

    Raises:
      TypeError: if the check fails.

    >>> assert_proper_iterable([1, 2])
    """
    if isinstance(values, (Tensor, np.ndarray, bytes, str)):
        raise TypeError(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


def is_numeric_tensor(tensor: object) -> bool:
    """Return whether a value is a tensor of numbers.

    Args:
      tensor: any value.

    >>> is_numeric_tensor(convert_to_tensor(1))
    True
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric
