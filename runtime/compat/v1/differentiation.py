"""Gradients of graphs with the arguments of version 1."""

from __future__ import annotations

from typing import Any

from runtime.autodiff import symbolic
from runtime.autodiff.tape import UnconnectedGradients


def gradients(
    ys: object,
    xs: object,
    grad_ys: object = None,
    name: str | None = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: object = None,
    unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
) -> list[Any]:
    """Differentiate the sum of `ys` by each of `xs`; see `runtime.gradients`.

    Args:
      ys, xs, grad_ys, name, stop_gradients, unconnected_gradients: as in `runtime.gradients`.
      colocate_gradients_with_ops, gate_gradients, aggregation_method: ignored.

    Returns:
      For each x a tensor of its shape, or None.

    Raises:
      RuntimeError, UnimplementedError: as in `runtime.gradients`.

    >>> import runtime.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.placeholder(tf.float32)
    ...     slope = tf.gradients(x * x, x, colocate_gradients_with_ops=True)
    ...     print(session.run(slope, feed_dict={x: 3.0}))
    [np.float32(6.0)]
    """
    return symbolic.gradients(
        ys,
        xs,
        grad_ys=grad_ys,
        name=name,
        stop_gradients=stop_gradients,
        unconnected_gradients=unconnected_gradients,
    )
