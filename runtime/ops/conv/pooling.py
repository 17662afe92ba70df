"""Pooling of either kind, along any number of axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.errors import UnimplementedError
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.conv.average_pooling import avg_pool
from runtime.ops.conv.max_pooling import max_pool


def pool(
    input: TensorLike,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`max_pool` or `avg_pool`, by the name of what is wanted.

    Args:
      input: shape [batch, ..., channels].
      window_shape: the length of the window along each axis.
      pooling_type: "MAX" or "AVG".
      strides: how far the window moves along each axis; None: 1.
      padding, data_format: as in `max_pool`.
      dilations: 1 along each axis, or None.

    Raises: ValueError for another type; UnimplementedError for other dilations.

    >>> print(pool([[[1.0], [3.0]]], [2], "MAX")[0, 0])
    tf.Tensor([3.], shape=(1,), dtype=float32)
    """
    if pooling_type not in ("MAX", "AVG"):
        raise ValueError(f"pooling_type must be 'MAX' or 'AVG'. Received: {pooling_type}")
    if dilations is not None and any(entry != 1 for entry in np.ravel(dilations)):
        raise UnimplementedError.of(f"pool takes dilations of 1 only, not {dilations}")
    function = max_pool if pooling_type == "MAX" else avg_pool
    steps = [1] * len(window_shape) if strides is None else strides
    return function(input, list(window_shape), steps, padding, data_format, name)
