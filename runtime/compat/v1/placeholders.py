"""Placeholders: tensors that a Session feeds."""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.context import require_graph
from runtime.core.shapes import as_dims
from runtime.core.spec import spec_of
from runtime.core.structural import PLACEHOLDER
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import PLACEHOLDER_WITH_DEFAULT


def placeholder(dtype: object, shape: object = None, name: str | None = None) -> Tensor:
    """Return a placeholder for `session.run(..., feed_dict={x: value})`.

    Args:
      dtype: the dtype of the values.
      shape: their static shape; None: unknown.
      name: the name in the graph.

    Returns: A tensor.
    Raises: RuntimeError in eager mode.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = placeholder(tf.float32, [None])
    ...     print(session.run(x * 2.0, {x: [1.0, 2.0]}))
    [2. 4.]
    """
    graph = require_graph("tf.placeholder()")
    spec = spec_of(dtypes.as_dtype(dtype), as_dims(shape))
    return graph.add(PLACEHOLDER, (), {"spec": spec}, (spec,), name).outputs[0]


def placeholder_with_default(input: TensorLike, shape: object, name: str | None = None) -> Tensor:
    """Return a placeholder with a default value.

    Args:
      input: the default value.
      shape: the static shape of all values; None: unknown.
      name: the name in the graph.

    Returns: A tensor.
    Raises: InvalidArgumentError if `input` does not have that shape.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = placeholder_with_default([1.0], [None])
    ...     print(session.run(x), session.run(x, {x: [2.0, 3.0]}))
    [1.] [2. 3.]
    """
    return PLACEHOLDER_WITH_DEFAULT(input, shape=as_dims(shape), name=name)
