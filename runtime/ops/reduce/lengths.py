"""Norms of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.aliases import AxisLike
from runtime.core.opdef import FLOAT
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import identity
from runtime.ops.array.joining import stack
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.items.indexed_slices import IndexedSlices
from runtime.ops.math.arithmetic import multiply
from runtime.ops.math.arithmetic import pow as pow_
from runtime.ops.math.complexes import conj
from runtime.ops.math.elementwise import abs, sqrt
from runtime.ops.reduce.reduction import reduce_max, reduce_sum


def l2_loss(t: TensorLike, name: str | None = None) -> Tensor:
    """Return `sum(t ** 2) / 2` over all elements.

    Args:
      t: floating-point tensor.

    Returns: Scalar of the dtype of `t`.

    >>> print(l2_loss([3.0, 4.0]).numpy())
    12.5
    """
    (x,), _ = one_dtype("L2Loss", [("t", t)], None, FLOAT)
    return multiply(reduce_sum(x * x), 0.5, name=name or "L2Loss")


def norm(
    tensor: TensorLike,
    ord: Any = "euclidean",
    axis: AxisLike = None,
    keepdims: bool | None = None,
    name: str | None = None,
) -> Tensor:
    """Return norms of vectors.

    Args:
      tensor: floating-point or complex tensor.
      ord: "euclidean" or "fro"; of vectors along one axis also a positive number or `np.inf`.
      axis: None: all elements are one vector; an int: the axis of the vectors; several: their axes.
      keepdims: whether reduced axes stay, with length 1.

    Returns: Tensor of the norms.
    Raises: ValueError for another norm.

    >>> print(norm([3.0, 4.0]).numpy(), norm([[3.0, -4.0]], ord=1, axis=1).numpy())
    5.0 [7.]
    """
    x, keep = convert_to_tensor(tensor), bool(keepdims)
    ord = ord.item() if isinstance(ord, np.generic) else ord
    is_number = isinstance(ord, (int, float)) and ord > 0 and not isinstance(axis, (list, tuple))
    if ord in ("fro", "euclidean") or (is_number and ord == 2):
        squares = multiply.op.apply((x, x if x.dtype.kind == "f" else conj(x)))
        length = sqrt(reduce_sum(squares, axis, keep))
    elif not is_number:
        raise ValueError(
            f"'ord' must be 'euclidean', or a positive number for vectors along one axis, got {ord}"
        )
    elif ord == np.inf:
        length = reduce_max(abs(x), axis, keep)
    elif ord == 1:
        length = reduce_sum(abs(x), axis, keep)
    else:
        length = pow_.op(reduce_sum(abs(x) ** ord, axis, keep), 1.0 / ord)
    return identity(length, name or "norm")


def global_norm(t_list: object, name: str | None = None) -> Tensor:
    """Return the Euclidean norm of all elements of several tensors together.

    Args:
      t_list: list of floating-point tensors; None is skipped. Of `IndexedSlices` the rows count,
        without adding up rows of repeated indices.

    Returns: Scalar; 0 if there are no tensors.
    Raises: TypeError if `t_list` is not a list.

    >>> print(global_norm([[3.0], None, [4.0]]).numpy())
    5.0
    """
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    rows = (t.values if isinstance(t, IndexedSlices) else t for t in t_list if t is not None)
    halves = list(map(l2_loss, rows))
    if not halves:
        return convert_to_tensor(0.0)
    total = reduce_sum(stack(halves, name=None))
    return sqrt(total * 2.0, name=name or "global_norm")
