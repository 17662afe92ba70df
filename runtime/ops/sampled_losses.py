"""Losses of a few classes that stand for many."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.candidate_sampling import compute_accidental_hits, log_uniform_candidate_sampler
from runtime.ops.casting import cast
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import call
from runtime.ops.elementwise import log
from runtime.ops.gradient_parts import shape_of
from runtime.ops.identity import stop_gradient
from runtime.ops.joining import concat, stack
from runtime.ops.linalg import matmul
from runtime.ops.losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
)
from runtime.ops.normalization import embedding_lookup
from runtime.ops.reduction import reduce_sum
from runtime.ops.scattering import scatter_nd
from runtime.ops.shaping import expand_dims, reshape


def _looked_up(params: Any, ids: Tensor, like: Tensor) -> Tensor:
    return cast(embedding_lookup(params, ids), like.dtype)


def _logits(
    weights: Any,
    biases: Any,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int,
    sampled_values: Any,
    remove_accidental_hits: bool,
    seed: int | None,
) -> tuple[Tensor, Tensor]:
    """Logits of the true classes and of those that were drawn, and what they should be."""
    true = cast(convert_to_tensor(labels), dtypes.int64)
    x = convert_to_tensor(inputs)
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(
            true, num_true, num_sampled, True, num_classes, seed
        )
    drawn, by_true, by_drawn = (stop_gradient(convert_to_tensor(v)) for v in sampled_values)
    drawn, flat = cast(drawn, dtypes.int64), reshape(true, [-1])
    ids = concat([flat, drawn], 0)
    rows, offsets = _looked_up(weights, ids, x), _looked_up(biases, ids, x)
    count = shape_of(flat)[0]
    own = reshape(rows[:count], concat([[-1, num_true], shape_of(rows)[1:]], 0))
    own_logits = reduce_sum(own * expand_dims(x, 1), -1) + reshape(offsets[:count], [-1, num_true])
    others = matmul(x, rows[count:], transpose_b=True) + offsets[count:]
    if remove_accidental_hits:
        others = others + _refused(true, drawn, num_true, others)
    own_logits = own_logits - cast(log(by_true), x.dtype)
    others = others - cast(log(by_drawn), x.dtype)
    wanted = call("OnesLike", own_logits, dtype=x.dtype) / num_true
    targets = concat([wanted, call("ZerosLike", others, dtype=x.dtype)], 1)
    return concat([own_logits, others], 1), targets


def _refused(true: Tensor, drawn: Tensor, num_true: int, logits: Tensor) -> Tensor:
    """What makes classes that were drawn impossible for the examples for which they are true."""
    rows, ids, least = compute_accidental_hits(true, drawn, num_true)
    places = stack([rows, cast(ids, dtypes.int32)], 1)
    return scatter_nd(places, cast(least, logits.dtype), shape_of(logits))


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
    name: str | None = "nce_loss",
) -> Tensor:
    """The loss of telling the true classes from some that were drawn.

    Source: Gutmann and Hyvarinen, "Noise-contrastive estimation" (2010).

    Args:
      weights: [num_classes, size], or a list of tensors of which this is made.
      biases: [num_classes].
      labels: int64 [batch, num_true], the classes that are right.
      inputs: [batch, size].
      num_sampled: how many classes to draw.
      num_classes: how many there are.
      num_true: how many are right for each example.
      sampled_values: what a candidate sampler gives; None: that of
        `log_uniform_candidate_sampler`, with no class twice.
      remove_accidental_hits: whether classes that were drawn and are right are left out.
      name: the name of the operation.

    Returns: [batch].

    >>> import runtime as tf
    >>> nce_loss(tf.ones([2, 3]), tf.zeros([2]), [[1]], tf.ones([1, 3]), 2, 2).shape
    TensorShape([1])
    """
    logits, targets = _logits(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        None,
    )
    return reduce_sum(sigmoid_cross_entropy_with_logits(targets, logits), 1, name=name)


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
    seed: int | None = None,
    name: str | None = "sampled_softmax_loss",
) -> Tensor:
    """The cross entropy of the true classes, among them and some that were drawn.

    Args:
      weights, biases, labels, inputs, num_sampled, num_classes, num_true: as in `nce_loss`.
      sampled_values, remove_accidental_hits, name: as in `nce_loss`.
      seed: for what is drawn.

    Returns: [batch].

    >>> import runtime as tf
    >>> sampled_softmax_loss(tf.ones([2, 3]), tf.zeros([2]), [[1]], tf.ones([1, 3]), 2, 2).shape
    TensorShape([1])
    """
    logits, targets = _logits(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        seed,
    )
    return softmax_cross_entropy_with_logits(stop_gradient(targets), logits, name=name)
