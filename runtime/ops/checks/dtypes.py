"""Checks of dtypes and Python types."""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.tensor import TensorLike
from runtime.ops.base.aliases import DTypeLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.checks.parts import name_in_graph, prefix


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
