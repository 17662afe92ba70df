"""Arguments that have to be known while a graph is recorded, as Python values."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import IncompatibleShapesError
from runtime.core.shapes import TensorShape
from runtime.core.static import static_value
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import convert_to_tensor


def shape_argument(shape: Any) -> Any:
    """A shape that a user gave, as something that converts to a vector."""
    if isinstance(shape, TensorShape):
        shape = [-1 if dim is None else dim for dim in shape]
    if isinstance(shape, (list, tuple)) and not shape:
        return np.zeros((0,), np.int32)
    if isinstance(shape, (int, np.integer)):
        return [shape]
    return shape


def static_text(name: str, value: Any) -> str:
    """An argument as a Python string.

    Raises: ValueError if it is a tensor whose value is known only when the graph runs.
    """
    known = static_value(value) if isinstance(value, Tensor) else value
    if known is None:
        raise ValueError(f"`{name}` has to be known while the graph is recorded; got {value}")
    known = known.item() if isinstance(known, np.ndarray) else known
    return known.decode(errors="surrogateescape") if isinstance(known, bytes) else str(known)


def static_int(name: str, value: Any) -> int:
    """An argument as a Python int.

    Raises: ValueError if it is a tensor whose value is known only when the graph runs;
      InvalidArgumentError if it is several numbers; TypeError if it is no integer.
    """
    if isinstance(value, (list, tuple)):
        value = convert_to_tensor(value, dtype_hint=dtypes.int32)
    known = static_value(value) if isinstance(value, Tensor) else value
    if known is None:
        raise ValueError(
            f"`{name}` has to be known while the graph is recorded; got {value}. Pass a Python "
            "integer."
        )
    number = np.asarray(known)
    if number.ndim:
        raise IncompatibleShapesError.of(
            f"`{name}` must be a scalar, but received tensor of shape: {list(number.shape)}. Shape "
            f"must be rank 0 but is rank {number.ndim}",
        )
    if number.dtype.kind not in "iub":
        raise _no_whole_number(name, known)
    return int(number)


def _no_whole_number(name: str, value: Any) -> TypeError:
    return TypeError(f"`{name}` has to be an integer; got {value!r}")


def whole_number(name: str, value: Any) -> Tensor:
    """An argument as a tensor of integers.

    Raises: TypeError for numbers of other kinds, which would be cut off.
    """
    tensor = convert_to_tensor(value)
    if not tensor.dtype.is_integer:
        raise _no_whole_number(name, value)
    return tensor


def static_ints(name: str, value: Any) -> tuple[int, ...]:
    """An argument as Python ints.

    Raises: ValueError if it is a tensor whose value is known only when the graph runs.
    """
    if not isinstance(value, (int, np.integer)):
        tensor = convert_to_tensor(value)
        known = static_value(tensor)
        if known is None:
            raise ValueError(
                f"`{name}` has to be known while the graph is recorded; got {value}. Pass Python "
                "integers."
            )
        value = known
        if np.size(value) and np.asarray(value).dtype.kind not in "iu":
            raise _no_whole_number(name, tensor)
    return tuple(int(entry) for entry in np.ravel(value))
