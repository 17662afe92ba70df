"""Activations, dropout and losses under the arguments of version 1."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.renamed import either, needed
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import activations, losses, normalization
from runtime.ops.identity import stop_gradient
from runtime.ops.linalg import matmul


def softmax(
    logits: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """Numbers that sum up to 1 along an axis; see `runtime.nn.softmax`.

    >>> print(softmax([0.0, 0.0], dim=0))
    tf.Tensor([0.5 0.5], shape=(2,), dtype=float32)
    """
    return activations.softmax(logits, either("axis", axis, "dim", dim), name)


def log_softmax(
    logits: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """The logarithm of `softmax`; see `runtime.nn.log_softmax`.

    >>> print(log_softmax([0.0], dim=0))
    tf.Tensor([0.], shape=(1,), dtype=float32)
    """
    return activations.log_softmax(logits, either("axis", axis, "dim", dim), name)


def crelu(features: TensorLike, name: str | None = None, axis: int = -1) -> Tensor:
    """`relu` of the features and of their negatives; see `runtime.nn.crelu`.

    >>> print(crelu([1.0, -2.0]))
    tf.Tensor([1. 0. 0. 2.], shape=(4,), dtype=float32)
    """
    return activations.crelu(features, axis, name)


def dropout(
    x: TensorLike,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Tensor:
    """Sets some elements to 0 and scales the others up; see `runtime.nn.dropout`.

    Args:
      x: floating-point numbers.
      keep_prob: the probability that an element stays.
      noise_shape: the shape of what is decided by chance; None: that of `x`.
      seed: makes the sequence of draws reproducible.
      name: the name of the operation.
      rate: the probability that an element is set to 0; in place of `keep_prob`.

    Raises: ValueError if neither or both of `keep_prob` and `rate` are given, or outside of [0, 1].

    >>> print(dropout([1.0, 2.0], keep_prob=1.0))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    if keep_prob is not None and rate is not None:
        raise ValueError("Cannot specify both 'keep_prob' and 'rate'.")
    wanted = rate if keep_prob is None else 1 - keep_prob
    if wanted is None:
        raise ValueError(f"`rate` must be provided. Received: rate={rate}")
    return normalization.dropout(x, wanted, noise_shape, seed, name)


def softmax_cross_entropy_with_logits(
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    dim: int = -1,
    name: str | None = None,
    axis: int | None = None,
) -> Tensor:
    """The cross entropy of distributions, through which no gradient flows to the labels.

    Args:
      labels: distributions along the axis.
      logits: unscaled logarithms of probabilities.
      dim, axis: the axis, under one of the names.
      name: the name of the operation.

    >>> print(softmax_cross_entropy_with_logits([[1.0, 0.0]], [[0.0, 0.0]]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    wanted = dim if axis is None else either("axis", axis, "dim", None if dim == -1 else dim)
    own = "softmax_cross_entropy_with_logits"
    known = stop_gradient(needed(own, "labels", labels))
    return losses.softmax_cross_entropy_with_logits(
        known, needed(own, "logits", logits), wanted, name
    )


def softmax_cross_entropy_with_logits_v2(
    labels: TensorLike,
    logits: TensorLike,
    axis: int | None = None,
    name: str | None = None,
    dim: int | None = None,
) -> Tensor:
    """The cross entropy of distributions; see `runtime.nn.softmax_cross_entropy_with_logits`.

    >>> print(softmax_cross_entropy_with_logits_v2([[1.0, 0.0]], [[0.0, 0.0]]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    wanted = either("axis", axis, "dim", dim)
    along = -1 if wanted is None else wanted
    return losses.softmax_cross_entropy_with_logits(labels, logits, along, name)


def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The cross entropy of classes; see `runtime.nn.sparse_softmax_cross_entropy_with_logits`.

    >>> print(sparse_softmax_cross_entropy_with_logits([0], [[0.0, 0.0]]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    own = "sparse_softmax_cross_entropy_with_logits"
    return losses.sparse_softmax_cross_entropy_with_logits(
        needed(own, "labels", labels), needed(own, "logits", logits), name
    )


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The cross entropy of two classes; see `runtime.nn.sigmoid_cross_entropy_with_logits`.

    >>> print(sigmoid_cross_entropy_with_logits([1.0], [0.0]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    own = "sigmoid_cross_entropy_with_logits"
    return losses.sigmoid_cross_entropy_with_logits(
        needed(own, "labels", labels), needed(own, "logits", logits), name
    )


def weighted_cross_entropy_with_logits(
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    pos_weight: TensorLike | None = None,
    name: str | None = None,
    targets: TensorLike | None = None,
) -> Tensor:
    """The cross entropy of two classes, one of which counts more.

    Args:
      labels, targets: the labels, under one of the names.
      logits, pos_weight, name: as for `runtime.nn.weighted_cross_entropy_with_logits`.

    >>> print(weighted_cross_entropy_with_logits(targets=[1.0], logits=[0.0], pos_weight=1.0))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    own = "weighted_cross_entropy_with_logits"
    known = either("labels", labels, "targets", targets)
    return losses.weighted_cross_entropy_with_logits(
        needed(own, "labels", known),
        needed(own, "logits", logits),
        needed(own, "pos_weight", pos_weight),
        name,
    )


def xw_plus_b(
    x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None
) -> Tensor:
    """`x @ weights + biases`.

    >>> print(xw_plus_b([[1.0]], [[2.0]], [3.0]))
    tf.Tensor([[5.]], shape=(1, 1), dtype=float32)
    """
    return normalization.bias_add(matmul(x, weights), biases, name=name)


def relu_layer(
    x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None
) -> Tensor:
    """`relu` of `xw_plus_b`.

    >>> print(relu_layer([[1.0]], [[2.0]], [-3.0]))
    tf.Tensor([[0.]], shape=(1, 1), dtype=float32)
    """
    return activations.relu(xw_plus_b(x, weights, biases), name)
