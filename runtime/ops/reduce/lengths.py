"""Norms of vectors and matrices, and normalization."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.opdef import FLOAT
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import squeeze
from runtime.ops.base.aliases import AxisLike
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import call
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
    """Return norms of vectors or matrices.

    Args:
      tensor: floating-point or complex tensor.
      ord: of vectors "euclidean", a positive number or `np.inf`; of matrices "euclidean", "fro", 1
        or `np.inf`.
      axis: None: all elements are one vector; an int: the axis of the vectors; two ints: the axes
        of the matrices.
      keepdims: whether reduced axes stay, with length 1.

    Returns: Tensor of the norms.
    Raises: ValueError for another norm or axis.

    >>> print(norm([3.0, 4.0]).numpy(), norm([[3.0, -4.0]], ord=1, axis=1).numpy())
    5.0 [7.]
    """
    is_matrix = isinstance(axis, (list, tuple))
    _check_axes(axis, is_matrix)
    _check_order(ord, is_matrix)
    x, keep = convert_to_tensor(tensor), bool(keepdims)
    if ord in ("fro", "euclidean", 2):
        length = sqrt(reduce_sum(x * conj(x), axis, keep))
    elif is_matrix:
        length = _largest_sum(abs(x), axis, ord, keep)
    elif ord == np.inf:
        length = reduce_max(abs(x), axis, keep)
    elif ord == 1:
        length = reduce_sum(abs(x), axis, keep)
    else:
        length = pow_.op(reduce_sum(abs(x) ** ord, axis, keep), 1.0 / ord)
    return call("Identity", length, name=name or "norm")


def _check_axes(axis: Any, is_matrix: bool) -> None:
    if is_matrix and (len(axis) != 2 or axis[0] == axis[1]):
        raise ValueError(
            f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}"
        )


def _check_order(ord: object, is_matrix: bool) -> None:
    matrices = ["euclidean", "fro", 1, np.inf]
    if is_matrix and ord not in matrices:
        raise ValueError(f"'ord' must be a supported matrix norm in {matrices}, got {ord}")
    is_number = isinstance(ord, (int, float)) and ord > 0
    if not is_matrix and ord != "euclidean" and not is_number:
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")


def _largest_sum(size: Tensor, axes: Sequence[int], ord: object, keep: bool) -> Tensor:
    summed, other = axes if ord == 1 else reversed(axes)
    largest = reduce_max(reduce_sum(size, summed, True), other, True)
    return largest if keep else squeeze(largest, tuple(axes))


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
    total = reduce_sum(call("Pack", *halves, axis=0))
    return sqrt(total * 2.0, name=name or "global_norm")
