"""Sizes of dimensions, as objects or ints."""

from __future__ import annotations

from runtime.core.shapes import Dimension, as_dims, dimension_value

__all__ = ["dimension_at_index", "dimension_value"]


def dimension_at_index(shape: object, index: int) -> Dimension:
    """Return one dimension of a shape; an unknown one if the rank is unknown.

    Args:
      shape: anything that converts to a shape.
      index: int, -rank <= index < rank.

    >>> import runtime as tf
    >>> dimension_at_index(tf.TensorShape([2, None]), 0)
    Dimension(2)
    """
    dims = as_dims(shape)
    return Dimension(None if dims is None else dims[index])
