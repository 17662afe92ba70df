"""Losses of classes that were drawn, under the arguments of version 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.compat.v1.statistics import embedding_lookup
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import sampled_losses


def _table(parts: Any, num_classes: int, partition_strategy: str) -> Any:
    """A table, in one piece where its parts have the rows in turn."""
    if not isinstance(parts, (list, tuple)) or len(parts) == 1:
        return parts
    return embedding_lookup(list(parts), np.arange(num_classes), partition_strategy)


def nce_loss(
    weights: Any,
    biases: Any,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = "nce_loss",
) -> Tensor:
    """The loss of telling true classes from some that were drawn; see `runtime.nn.nce_loss`.

    Args:
      weights, biases, labels, inputs, num_sampled, num_classes, num_true: as there.
      sampled_values, remove_accidental_hits, name: as there.
      partition_strategy: how rows are spread over several parts: "mod": in turn; "div": the first
        ones in the first part.

    >>> import runtime as tf
    >>> nce_loss([tf.ones([1, 3])] * 2, tf.zeros([2]), [[1]], tf.ones([1, 3]), 2, 2).shape
    TensorShape([1])
    """
    return sampled_losses.nce_loss(
        _table(weights, num_classes, partition_strategy),
        _table(biases, num_classes, partition_strategy),
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        name,
    )


def sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str | None = "sampled_softmax_loss",
    seed: int | None = None,
) -> Tensor:
    """The cross entropy among classes that were drawn; see `runtime.nn.sampled_softmax_loss`.

    Arguments as there, and as in `nce_loss`.

    >>> import runtime as tf
    >>> rows = [tf.ones([1, 3])] * 2
    >>> sampled_softmax_loss(rows, tf.zeros([2]), [[1]], tf.ones([1, 3]), 2, 2).shape
    TensorShape([1])
    """
    return sampled_losses.sampled_softmax_loss(
        _table(weights, num_classes, partition_strategy),
        _table(biases, num_classes, partition_strategy),
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        seed,
        name,
    )
