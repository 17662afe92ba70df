"""Means, variances, normalisation and embeddings under the arguments of version 1."""

from __future__ import annotations

import itertools
from typing import Any

from runtime.compat.v1.renamed import either, needed
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import normalization
from runtime.ops.convert import convert_to_tensor as converted
from runtime.ops.gathering import gather
from runtime.ops.joining import concat


def moments(
    x: TensorLike,
    axes: Any,
    shift: TensorLike | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean and the variance along axes; see `runtime.nn.moments`.

    >>> mean, variance = moments([1.0, 3.0], [0], keep_dims=True)
    >>> print(mean)
    tf.Tensor([2.], shape=(1,), dtype=float32)
    """
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return normalization.moments(x, axes, shift, bool(kept), name)


def weighted_moments(
    x: TensorLike,
    axes: Any,
    frequency_weights: TensorLike,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean and the variance of elements with weights; see `runtime.nn.weighted_moments`.

    >>> mean, variance = weighted_moments([1.0, 3.0], [0], [1.0, 3.0])
    >>> print(mean)
    tf.Tensor(2.5, shape=(), dtype=float32)
    """
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return normalization.weighted_moments(x, axes, frequency_weights, bool(kept), name)


def sufficient_statistics(
    x: TensorLike,
    axes: Any,
    shift: TensorLike | None = None,
    keep_dims: bool | None = None,
    name: str | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """What `normalize_moments` makes means and variances of.

    >>> count, total, squares, shift = sufficient_statistics([1.0, 3.0], [0])
    >>> print(count, total)
    tf.Tensor(2.0, shape=(), dtype=float32) tf.Tensor(4.0, shape=(), dtype=float32)
    """
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return normalization.sufficient_statistics(x, axes, shift, bool(kept), name)


def batch_norm_with_global_normalization(
    t: TensorLike | None = None,
    m: TensorLike | None = None,
    v: TensorLike | None = None,
    beta: TensorLike | None = None,
    gamma: TensorLike | None = None,
    variance_epsilon: float | None = None,
    scale_after_normalization: bool | None = None,
    name: str | None = None,
    input: TensorLike | None = None,
    mean: TensorLike | None = None,
    variance: TensorLike | None = None,
) -> Tensor:
    """`runtime.nn.batch_normalization` with the arguments under other names.

    >>> print(batch_norm_with_global_normalization([1.0, 3.0], 2.0, 1.0, 0.5, 2.0, 0.0, True))
    tf.Tensor([-1.5  2.5], shape=(2,), dtype=float32)
    """
    own = "batch_norm_with_global_normalization"
    return normalization.batch_norm_with_global_normalization(
        needed(own, "input", either("input", input, "t", t)),
        needed(own, "mean", either("mean", mean, "m", m)),
        needed(own, "variance", either("variance", variance, "v", v)),
        needed(own, "beta", beta),
        needed(own, "gamma", gamma),
        needed(own, "variance_epsilon", variance_epsilon),
        bool(scale_after_normalization),
        name,
    )


def embedding_lookup(
    params: Any,
    ids: TensorLike,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: float | None = None,
) -> Tensor:
    """The rows of a table at some positions; see `runtime.nn.embedding_lookup`.

    Args:
      params: the table, or a list of its parts.
      ids: the positions, int32 or int64.
      partition_strategy: how rows are spread over several parts: "mod": in turn; "div": the first
        ones in the first part.
      name: the name of the operation.
      validate_indices: has no effect: they are always checked.
      max_norm: the largest length of a row; longer ones are scaled down.

    Raises: ValueError for another strategy, or for "mod" and parts of unknown length.

    >>> print(embedding_lookup([[[1.0], [3.0]], [[2.0]]], [0, 1, 2]))
    tf.Tensor(
    [[1.]
     [2.]
     [3.]], shape=(3, 1), dtype=float32)
    """
    if partition_strategy not in ("mod", "div"):
        raise ValueError(f"Only 'mod' and 'div' are supported, got {partition_strategy!r}")
    if partition_strategy == "div" or not isinstance(params, (list, tuple)) or len(params) == 1:
        return normalization.embedding_lookup(params, ids, max_norm, name)
    parts = [converted(part) for part in params]
    if len({len(part.shape) for part in parts}) > 1 or not parts[0].shape.rank:
        return normalization.embedding_lookup(params, ids, max_norm, name)
    lengths = [part.shape[0] for part in parts]
    if None in lengths:
        raise ValueError(f"parts of unknown length {lengths} have no rows 'in turn'; use 'div'")
    positions = converted(ids)
    starts = converted([0, *itertools.accumulate(lengths[:-1])], positions.dtype)
    place = gather(starts, positions % len(parts)) + positions // len(parts)
    return normalization.embedding_lookup(concat(parts, 0), place, max_norm, name)
