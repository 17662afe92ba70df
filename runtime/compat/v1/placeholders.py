"""Tensors whose values a Session is given at each run."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.default_graph import require_graph
from runtime.core.opdef import lookup
from runtime.core.shapes import as_dims
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.placeholders import PLACEHOLDER_WITH_DEFAULT


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor to be fed: `session.run(..., feed_dict={x: value})`.

    Args:
      dtype: the dtype of the values.
      shape: their shape, as far as it is fixed; None: any.
      name: the name in the graph.

    Raises: RuntimeError where operations run at once.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = placeholder(tf.float32, [None])
    ...     print(session.run(x * 2.0, {x: [1.0, 2.0]}))
    [2. 4.]
    """
    graph = require_graph("tf.placeholder()")
    spec = spec_of(dtypes.as_dtype(dtype), as_dims(shape))
    return graph.add(lookup("Placeholder"), (), {"spec": spec}, (spec,), name).outputs[0]


def placeholder_with_default(input: TensorLike, shape: Any, name: str | None = None) -> Tensor:
    """A tensor with a value that another takes the place of where one is fed.

    Args:
      input: the value.
      shape: the shape of all values, as far as it is fixed; None: any.
      name: the name in the graph.

    Raises: InvalidArgumentError if `input` does not have that shape.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = placeholder_with_default([1.0], [None])
    ...     print(session.run(x), session.run(x, {x: [2.0, 3.0]}))
    [1.] [2. 3.]
    """
    return PLACEHOLDER_WITH_DEFAULT(input, shape=as_dims(shape), name=name)
