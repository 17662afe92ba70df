"""Changes of some rows of a variable, as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.tensor import TensorLike
from runtime.ops.indexed_slices import IndexedSlices

Scatter = Callable[..., Any]


def _rows(method: str, locks: bool, what: str, result: str) -> Scatter:
    def scatter(
        ref: Any,
        indices: TensorLike,
        updates: TensorLike,
        use_locking: bool = locks,
        name: str | None = None,
    ) -> Any:
        return getattr(ref, method)(IndexedSlices(updates, indices), name=name)

    return _described(scatter, method, f"{what} rows of a variable.", "[1]", "[2.0]", result)


def _slices(method: str, locks: bool, what: str, result: str) -> Scatter:
    def scatter(
        ref: Any,
        indices: TensorLike,
        updates: TensorLike,
        use_locking: bool = locks,
        name: str | None = None,
    ) -> Any:
        return getattr(ref, method)(indices, updates, name=name)

    return _described(scatter, method, f"{what} slices of a variable.", "[[1]]", "[2.0]", result)


def _described(
    scatter: Scatter, method: str, what: str, indices: str, updates: str, result: str
) -> Scatter:
    scatter.__name__ = scatter.__qualname__ = method
    scatter.__doc__ = f"""{what}

    Args:
      ref: the variable.
      indices: which of them, int32 or int64.
      updates: numbers of the dtype of the variable.
      use_locking: has no effect.
      name: the name of the operation.

    Returns: the variable; in a graph built by hand one that is read after the change.
    Raises: InvalidArgumentError for indices out of bounds and shapes that do not fit.

    >>> import runtime as tf
    >>> v = tf.Variable([6.0, 6.0])
    >>> print({method}(v, {indices}, {updates}).numpy())
    {result}
    """
    return scatter


scatter_update = _rows("scatter_update", True, "Replaces", "[6. 2.]")
scatter_add = _rows("scatter_add", False, "Adds to", "[6. 8.]")
scatter_sub = _rows("scatter_sub", False, "Subtracts from", "[6. 4.]")
scatter_mul = _rows("scatter_mul", False, "Multiplies", "[ 6. 12.]")
scatter_div = _rows("scatter_div", False, "Divides", "[6. 3.]")
scatter_max = _rows("scatter_max", False, "Takes the greater elements of", "[6. 6.]")
scatter_min = _rows("scatter_min", False, "Takes the smaller elements of", "[6. 2.]")
scatter_nd_update = _slices("scatter_nd_update", True, "Replaces", "[6. 2.]")
scatter_nd_add = _slices("scatter_nd_add", False, "Adds to", "[6. 8.]")
scatter_nd_sub = _slices("scatter_nd_sub", False, "Subtracts from", "[6. 4.]")
