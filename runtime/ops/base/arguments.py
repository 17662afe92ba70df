"""Arguments whose values must be known while a graph is recorded, as Python values."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Axes, AxisLike, ShapeLike
from runtime.core.errors import IncompatibleShapesError
from runtime.core.shapes import TensorShape
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor


def shape_argument(shape: ShapeLike) -> Any:
    """Return a shape as something that converts to a vector."""
    if type(shape) is list and shape:
        return shape
    if isinstance(shape, TensorShape):
        shape = [-1 if dim is None else dim for dim in shape]
    if isinstance(shape, (list, tuple)) and not shape:
        return np.zeros((0,), np.int32)
    if isinstance(shape, (int, np.integer)):
        return [shape]
    return shape


def static_text(name: str, value: object) -> str:
    """Return an argument as a Python string.

    Raises:
      ValueError: if it is a tensor whose value only the running graph knows.
      TypeError: if it is not one string.
    """
    found = static_value(value) if isinstance(value, Tensor) else value
    if found is None and isinstance(value, Tensor):
        raise _not_static(name, value, "")
    if isinstance(found, np.ndarray) and found.size == 1:
        found = found.item()
    if isinstance(found, bytes):
        return found.decode(errors="surrogateescape")
    if not isinstance(found, str):
        raise TypeError(f"`{name}` has to be a string; got {value!r}")
    return found


def static_int(name: str, value: object) -> int:
    """Return an argument as a Python int.

    Raises:
      ValueError: if it is a tensor whose value only the running graph knows.
      InvalidArgumentError: if it is not a scalar.
      TypeError: if it is not an integer.
    """
    if type(value) is int:
        return value
    if isinstance(value, (list, tuple)):
        value = convert_to_tensor(value, dtype_hint=dtypes.int32)
    found = static_value(value) if isinstance(value, Tensor) else value
    if found is None:
        raise _not_static(name, value, " Pass a Python integer.")
    number = np.asarray(found)
    if number.ndim:
        raise IncompatibleShapesError.of(
            f"`{name}` must be a scalar, but received tensor of shape: {list(number.shape)}. Shape "
            f"must be rank 0 but is rank {number.ndim}"
        )
    if number.dtype.kind not in "iub":
        raise _not_integer(name, found)
    return int(number)


def static_numbers(value: AxisLike) -> tuple[int, ...]:
    """Return an argument `axis`, one integer or several, as Python ints.

    Raises:
      ValueError: if it is a tensor whose value only the running graph knows.
      TypeError: if it holds anything but integers.
    """
    if type(value) is int:
        return (value,)
    if isinstance(value, (list, tuple)) and set(map(type, value)) <= {int}:
        return tuple(value)
    if not isinstance(value, (int, np.integer)):
        tensor = convert_to_tensor(value)
        value = static_value(tensor)
        if value is None:
            raise _not_static("axis", tensor, " Pass Python integers.")
        if np.size(value) and np.asarray(value).dtype.kind not in "iu":
            raise _not_integer("axis", tensor)
    return tuple(int(entry) for entry in np.ravel(value))


def static_axes(axis: AxisLike) -> Axes:
    """Return the argument `axis` of a function that takes None for all axes."""
    return None if axis is None else static_numbers(axis)


def whole_number(name: str, value: TensorLike) -> Tensor:
    """Return an argument as an integer tensor.

    Raises: TypeError for other dtypes, which would be truncated.
    """
    tensor = convert_to_tensor(value)
    if not tensor.dtype.is_integer:
        raise _not_integer(name, value)
    return tensor


def _not_static(name: str, value: object, remedy: str) -> ValueError:
    return ValueError(f"`{name}` has to be known while the graph is recorded; got {value}.{remedy}")


def _not_integer(name: str, value: object) -> TypeError:
    return TypeError(f"`{name}` has to be an integer; got {value!r}")
