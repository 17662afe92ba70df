"""Counts as int32, the dtype that op types with a count take."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import call
from runtime.ops.effects.output import Assert

_WIDER = (dtypes.int64, dtypes.uint32, dtypes.uint64)


def int32_count(name: str, value: TensorLike) -> Tensor:
    """Return an argument as int32, without wrapping around.

    Args:
      name: the name of the argument.
      value: integer tensor.

    Returns:
      int32 tensor.

    Raises:
      InvalidArgumentError: if a number does not fit; while a graph is recorded if it is known,
        else when the graph runs.

    >>> int32_count("depth", np.int64(2**32))
    Traceback (most recent call last):
    ...
    runtime.errors.InvalidArgumentError: `depth` is 4294967296, which does not fit into int32
    """
    tensor = convert_to_tensor(value)
    if tensor.dtype not in _WIDER:
        return cast_to(tensor, dtypes.int32)
    narrow = cast_to(tensor, dtypes.int32)
    known = static_value(tensor)
    if known is None:
        same = call("Equal", cast_to(narrow, tensor.dtype), tensor)
        Assert(call("All", same, axis=None, keepdims=False), [f"`{name}` does not fit into int32"])
    elif np.any(np.asarray(known).astype(np.int32) != known):
        words = f"`{name}` is {np.asarray(known).tolist()}, which does not fit into int32"
        raise InvalidArgumentError.of(words)
    return narrow
