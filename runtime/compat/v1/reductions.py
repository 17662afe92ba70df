"""Reductions under the arguments of version 1, `keep_dims` and `reduction_indices` among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.compat.v1.renamed import either, needed
from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import counting, lengths, positions, reduction, string_joining

Reduction = Callable[..., Tensor]


def _with_earlier_names(function: Reduction, example: str, result: str) -> Reduction:
    def reduce(
        input_tensor: TensorLike,
        axis: Any = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: bool | None = None,
    ) -> Tensor:
        axes = either("axis", axis, "reduction_indices", reduction_indices)
        kept = either("keepdims", keepdims, "keep_dims", keep_dims)
        return function(input_tensor, axes, bool(kept), name)

    own = function.__name__
    reduce.__name__ = reduce.__qualname__ = own
    reduce.__doc__ = f"""`runtime.{own}` with the earlier names of its arguments too.

    Args:
      input_tensor: what is reduced.
      axis, reduction_indices: the axes, under one of the names; None: all.
      keepdims, keep_dims: whether reduced axes stay, with length 1, under one of the names.
      name: the name of the operation.

    Raises: ValueError if an argument is given under both of its names.

    >>> print({own}({example}, reduction_indices=1, keep_dims=True))
    {result}
    """
    return reduce


reduce_all = _with_earlier_names(
    reduction.reduce_all, "[[True, False]]", "tf.Tensor([[False]], shape=(1, 1), dtype=bool)"
)
reduce_any = _with_earlier_names(
    reduction.reduce_any, "[[True, False]]", "tf.Tensor([[ True]], shape=(1, 1), dtype=bool)"
)
reduce_logsumexp = _with_earlier_names(
    reduction.reduce_logsumexp, "[[0.0]]", "tf.Tensor([[0.]], shape=(1, 1), dtype=float32)"
)
reduce_max = _with_earlier_names(
    reduction.reduce_max, "[[1, 2]]", "tf.Tensor([[2]], shape=(1, 1), dtype=int32)"
)
reduce_mean = _with_earlier_names(
    reduction.reduce_mean, "[[1.0, 2.0]]", "tf.Tensor([[1.5]], shape=(1, 1), dtype=float32)"
)
reduce_min = _with_earlier_names(
    reduction.reduce_min, "[[1, 2]]", "tf.Tensor([[1]], shape=(1, 1), dtype=int32)"
)
reduce_prod = _with_earlier_names(
    reduction.reduce_prod, "[[3, 2]]", "tf.Tensor([[6]], shape=(1, 1), dtype=int32)"
)
reduce_sum = _with_earlier_names(
    reduction.reduce_sum, "[[1, 2]]", "tf.Tensor([[3]], shape=(1, 1), dtype=int32)"
)


def count_nonzero(
    input_tensor: TensorLike | None = None,
    axis: Any = None,
    keepdims: bool | None = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """How many elements are not zero; see `runtime.math.count_nonzero`.

    >>> print(count_nonzero([1, 0, 2], reduction_indices=0))
    tf.Tensor(2, shape=(), dtype=int64)
    """
    axes = either("axis", axis, "reduction_indices", reduction_indices)
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    values = needed("count_nonzero", "input", either("input", input, "input_tensor", input_tensor))
    return counting.count_nonzero(values, axes, kept, dtype, name)


def argmax(
    input: TensorLike,
    axis: Any = None,
    name: str | None = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Tensor:
    """The position of the greatest element along an axis; see `runtime.argmax`.

    Args:
      input: numbers.
      axis, dimension: the axis, under one of the names; None: 0.
      name: the name of the operation.
      output_type: dtype of the result.

    >>> print(argmax([1, 3, 2], dimension=0))
    tf.Tensor(1, shape=(), dtype=int64)
    """
    return positions.argmax(input, either("axis", axis, "dimension", dimension), output_type, name)


def argmin(
    input: TensorLike,
    axis: Any = None,
    name: str | None = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Tensor:
    """The position of the smallest element along an axis; see `argmax`.

    >>> print(argmin([1, 3, 2], dimension=0))
    tf.Tensor(0, shape=(), dtype=int64)
    """
    return positions.argmin(input, either("axis", axis, "dimension", dimension), output_type, name)


def arg_max(
    input: TensorLike, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """The position of the greatest element along an axis; see `runtime.argmax`.

    >>> print(arg_max([1, 3, 2], 0))
    tf.Tensor(1, shape=(), dtype=int64)
    """
    return positions.argmax(input, dimension, output_type, name)


def arg_min(
    input: TensorLike, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """The position of the smallest element along an axis; see `runtime.argmin`.

    >>> print(arg_min([1, 3, 2], 0))
    tf.Tensor(0, shape=(), dtype=int64)
    """
    return positions.argmin(input, dimension, output_type, name)


def norm(
    tensor: TensorLike,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """The length of vectors and matrices; see `runtime.norm`.

    >>> print(norm([3.0, 4.0], keep_dims=True))
    tf.Tensor([5.], shape=(1,), dtype=float32)
    """
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return lengths.norm(tensor, ord, axis, kept, name)


def reduce_join(
    inputs: TensorLike,
    axis: Any = None,
    keep_dims: bool | None = None,
    separator: str = "",
    name: str | None = None,
    reduction_indices: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """The strings along axes joined to one; see `runtime.strings.reduce_join`.

    >>> print(reduce_join([["a", "b"]], reduction_indices=1))
    tf.Tensor([b'ab'], shape=(1,), dtype=string)
    """
    axes = either("axis", axis, "reduction_indices", reduction_indices)
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return string_joining.reduce_join(inputs, axes, bool(kept), separator, name)
