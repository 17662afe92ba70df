"""Bounds of gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import runtime as tf


@dataclass(frozen=True)
class Clipping:
    """At most one bound of gradients.

    Args:
      norm: bound of the Euclidean norm of each gradient.
      value: bound of the absolute value of each element.
      total: bound of the norm of all gradients together. If that norm is not finite, all
        gradients become NaN, so that a step never hides an overflow.

    Raises: ValueError for two bounds, or for one that is not positive.

    >>> [short] = Clipping(norm=1.0)([tf.constant([3.0, 4.0])])
    >>> print(short.numpy())
    [0.6 0.8]
    """

    norm: float | None = None
    value: float | None = None
    total: float | None = None

    def __post_init__(self) -> None:
        """Check the bounds."""
        bounds = {"clipnorm": self.norm, "clipvalue": self.value, "global_clipnorm": self.total}
        given = {name: bound for name, bound in bounds.items() if bound is not None}
        if len(given) > 1:
            raise ValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: "
                + ", ".join(f"{name}={bound}" for name, bound in given.items())
            )
        for name, bound in given.items():
            if not bound > 0:
                raise ValueError(f"`{name}` has to be positive. Received: {bound}")

    def __call__(self, grads: list[Any]) -> list[Any]:
        """Return the gradients within the bound, rows of a sparse gradient as rows."""
        if self.norm is self.value is self.total is None:
            return grads
        if self.total is not None:
            clipped, _ = tf.clip_by_global_norm(grads, self.total)
            return list(clipped)
        return [_with_values(grad, self._clip(_values(grad))) for grad in map(_summed, grads)]

    def _clip(self, values: Any) -> Any:
        if self.norm is not None:
            return tf.clip_by_norm(values, self.norm)
        bound = self.value or 0.0
        return tf.clip_by_value(values, -bound, bound)


def _values(grad: Any) -> Any:
    return grad.values if isinstance(grad, tf.IndexedSlices) else grad


def _with_values(grad: Any, values: Any) -> Any:
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(values, grad.indices, grad.dense_shape)
    return values


def _summed(grad: Any) -> Any:
    """Add rows of equal index: only then are norms and elements those of the dense gradient."""
    if not isinstance(grad, tf.IndexedSlices):
        return grad
    indices, row = tf.unique(grad.indices)
    rows = tf.math.unsorted_segment_sum(grad.values, row, tf.size(indices))
    return tf.IndexedSlices(rows, indices, grad.dense_shape)
