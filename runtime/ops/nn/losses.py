"""How far predictions are from what is wanted."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import FLOAT, INDEX, sample
from runtime.core.shapes import broadcast
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import expand_dims, reshape, transpose
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import chosen, shape_of
from runtime.ops.math.arithmetic import multiply
from runtime.ops.math.casting import cast
from runtime.ops.math.elementwise import abs, exp, log, log1p
from runtime.ops.nn.activations import log_softmax, relu, shifted, softmax
from runtime.ops.reduce.reduction import reduce_sum


def _log_shares(xp: Any, logits: Any) -> tuple[Any, Any]:
    """The logarithms of `softmax`, and it itself."""
    rows = shifted(xp, logits)
    powers = xp.exp(rows)
    total = xp.add.reduce(powers, axis=-1, keepdims=True)
    return rows - xp.log(total), powers / total


def _cross_spec(features: Tensor, labels: Tensor) -> tuple[TensorSpec, TensorSpec]:
    dims = broadcast(features.spec.dims, labels.spec.dims)
    spec = features.spec.with_dims(dims)
    return spec.with_dims(None if dims is None else dims[:-1]), spec


def _cross(xp: Any, features: Any, labels: Any) -> tuple[Any, Any]:
    try:
        np.broadcast_shapes(features.shape, labels.shape)
    except ValueError as error:
        raise ValueError(
            "logits and labels must be broadcastable: logits_size="
            f"{list(features.shape)} labels_size={list(labels.shape)}"
        ) from error
    logs, shares = _log_shares(xp, features)
    terms = xp.where(labels == 0, labels.dtype.type(0), labels * logs)
    return -xp.sum(terms, axis=-1), shares - labels


def _through_shares(grad: Tensor, features: Tensor) -> Tensor:
    """What the gradient of the second output, `softmax(features)` less the labels, adds."""
    shares = softmax(features)
    return multiply(grad - reduce_sum(grad * shares, -1, True), shares)


def _cross_grad(g: Any, y: Any, features: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    by_loss = g[0] if g[0] is not None else call("ZerosLike", y[0], dtype=y[0].dtype)
    column = expand_dims(by_loss, -1)
    by_features, by_labels = column * y[1], column * -log_softmax(features)
    if g[1] is not None:
        by_features = by_features + _through_shares(g[1], features)
        by_labels = by_labels - g[1]
    return by_features, by_labels


_CROSS = define_op(
    "SoftmaxCrossEntropyWithLogits",
    {"features": FLOAT, "labels": FLOAT},
    _cross_spec,
    _cross,
    outputs=2,
    grad=_cross_grad,
    partial=True,
    samples=(sample([[0.1, 0.7, -0.2], [2.0, 1.0, 0.5]], [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]),),
)


def _sparse_cross(xp: Any, features: Any, labels: Any) -> tuple[Any, Any]:
    if features.ndim != 2 or features.shape[:1] != labels.shape:
        raise ValueError(
            "logits and labels must have the same first dimension, got logits shape "
            f"{list(features.shape)} and labels shape {list(labels.shape)}"
        )
    count = features.shape[-1]
    if labels.size and (labels.min() < 0 or labels.max() >= count):
        wrong = labels[(labels < 0) | (labels >= count)]
        raise InvalidArgumentError.of(
            f"Received a label value of {wrong[0]} which is outside the valid range of [0, "
            f"{count}).  Label values: {' '.join(map(str, labels.tolist()))}",
        )
    logs, shares = _log_shares(xp, features)
    own = xp.arange(len(labels)), labels
    shares[own] -= shares.dtype.type(1)
    return -logs[own], shares


def _sparse_grad(g: Any, y: Any, features: Tensor, labels: Tensor) -> tuple[Tensor | None, None]:
    total = None if g[0] is None else expand_dims(g[0], -1) * y[1]
    if g[1] is not None:
        more = _through_shares(g[1], features)
        total = more if total is None else total + more
    return total, None


_SPARSE_CROSS = define_op(
    "SparseSoftmaxCrossEntropyWithLogits",
    {"features": FLOAT, "labels": INDEX},
    lambda features, labels: (features.spec.with_dims(labels.spec.dims), features.spec),
    _sparse_cross,
    outputs=2,
    grad=_sparse_grad,
    partial=True,
    samples=(sample([[0.1, 0.7, -0.2], [2.0, 1.0, 0.5]], [2, 0]),),
)


def _wide(logits: Tensor) -> Tensor:
    return cast(logits, dtypes.float32) if logits.dtype is dtypes.float16 else logits


def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: str | None = None
) -> Tensor:
    """The cross entropy of wanted and predicted probabilities of classes.

    Args:
      labels: the wanted probabilities, which add up to 1 along `axis`.
      logits: floating-point numbers whose `softmax` the prediction is, of the same dtype and shape.
      axis: the axis of the classes.

    Returns: the shape of `logits` without `axis`.
    Raises: ValueError if one is missing; InvalidArgumentError if the shapes differ.

    >>> print(softmax_cross_entropy_with_logits([[0.0, 1.0]], [[0.0, 0.0]]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    _both_given(labels, logits)
    (target, x), _ = one_dtype(
        "SoftmaxCrossEntropyWithLogits", [("labels", labels), ("logits", logits)], None, FLOAT
    )
    kind = x.dtype
    x, target = _wide(x), _wide(target)
    rank = x.shape.rank
    if axis not in (-1, (rank or 0) - 1):
        if rank is None:
            raise ValueError("the rank of `logits` has to be known for another axis than the last")
        order = [i for i in range(rank) if i != axis % rank] + [axis % rank]
        x, target = transpose(x, order), transpose(target, order)
    outer = shape_of(x)[:-1]
    loss = _CROSS(_flat(x), _flat(target))
    shaped = loss if rank == 2 else reshape(loss, outer)
    return shaped if kind is x.dtype else call("Cast", shaped, dtype=kind, name=name)


def _flat(x: Tensor) -> Tensor:
    """A matrix with a row for each vector along the last axis."""
    if x.shape.rank == 2:
        return x
    return reshape(x, concat([[-1], shape_of(x)[-1:]], 0))


def _both_given(labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        missing = "labels" if labels is None else "logits"
        raise ValueError(f"Both `labels` and `logits` must be provided, {missing} is missing.")


def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None
) -> Tensor:
    """The cross entropy of predicted probabilities where one class is right.

    Args:
      labels: the right classes, int32 or int64, shape [...].
      logits: floating-point numbers whose `softmax` the prediction is, shape [..., classes].

    Returns: the shape of `labels`.
    Raises: ValueError if the shapes do not fit; InvalidArgumentError if there is no such class.

    >>> print(sparse_softmax_cross_entropy_with_logits([1], [[0.0, 0.0]]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    _both_given(labels, logits)
    target, x = convert_to_tensor(labels), convert_to_tensor(logits)
    if target.dtype not in INDEX:
        target = cast(target, dtypes.int64)
    _check_sparse(target, x)
    kind, x = x.dtype, _wide(x)
    loss = _SPARSE_CROSS(_flat(x), reshape(target, [-1]))
    shaped = loss if target.shape.rank == 1 else reshape(loss, shape_of(target))
    return shaped if kind is x.dtype else call("Cast", shaped, dtype=kind, name=name)


def _check_sparse(labels: Tensor, logits: Tensor) -> None:
    own, other = labels.shape.rank, logits.shape.rank
    if own is None or other is None:
        return
    if own != other - 1:
        raise ValueError(
            f"`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape="
            f"{labels.shape} of rank {own} and logits.shape={logits.shape} of rank {other}"
        )
    if not labels.shape.is_compatible_with(logits.shape[:-1]):
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={labels.shape} and logits.shape={logits.shape}"
        )


def _pair(labels: Any, logits: Any) -> tuple[Tensor, Tensor]:
    _both_given(labels, logits)
    (target, x), _ = one_dtype("CrossEntropy", [("labels", labels), ("logits", logits)])
    if not target.shape.is_compatible_with(x.shape):
        raise ValueError(
            f"`logits` and `labels` must have the same shape, received ({x.shape} vs "
            f"{target.shape})."
        )
    return target, x


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """The cross entropy of wanted and predicted probabilities, each by itself.

    Args:
      labels: the wanted probabilities.
      logits: floating-point numbers whose `sigmoid` the prediction is, of the same dtype and shape.

    Raises: ValueError if one is missing or the shapes differ.

    >>> print(sigmoid_cross_entropy_with_logits([1.0], [0.0]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    target, x = _pair(labels, logits)
    positive = x >= 0
    zeros = call("ZerosLike", x, dtype=x.dtype)
    linear = chosen(positive, x, zeros) - x * target
    rest = log1p(exp(chosen(positive, -x, x)))
    return call("AddV2", linear, rest, name=name or "logistic_loss")


def weighted_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, pos_weight: TensorLike, name: str | None = None
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` in which what is wanted counts `pos_weight` times.

    >>> print(weighted_cross_entropy_with_logits([1.0], [0.0], 2.0))
    tf.Tensor([1.3862944], shape=(1,), dtype=float32)
    """
    target, x = _pair(labels, logits)
    weight = 1 + (convert_to_tensor(pos_weight, dtype_hint=x.dtype) - 1) * target
    rest = weight * (log1p(exp(-abs(x))) + relu(-x))
    return call("AddV2", (1 - target) * x, rest, name=name or "logistic_loss")


def log_poisson_loss(
    targets: TensorLike,
    log_input: TensorLike,
    compute_full_loss: bool = False,
    name: str | None = None,
) -> Tensor:
    """Minus the logarithm of the probability of counts under a Poisson distribution.

    Args:
      targets: the counts.
      log_input: the logarithms of the expected counts, of the same dtype and shape.
      compute_full_loss: whether to add the part that depends on the counts alone, by Stirling's
        approximation.

    Raises: ValueError if the shapes differ.

    >>> print(log_poisson_loss([1.0], [0.0]))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    (target, x), _ = one_dtype("LogPoissonLoss", [("targets", targets), ("log_input", log_input)])
    if not target.shape.is_compatible_with(x.shape):
        raise ValueError(
            f"`log_input` and `targets` must have the same shape, received ({x.shape} vs "
            f"{target.shape})."
        )
    loss = exp(x) - x * target
    if not compute_full_loss:
        return call("Identity", loss, name=name or "log_poisson_loss")
    stirling = target * log(target) - target + 0.5 * log(2 * np.pi * target)
    small = (target >= 0) & (target <= 1)
    zeros = call("ZerosLike", target, dtype=target.dtype)
    return call("AddV2", loss, chosen(small, zeros, stirling), name=name or "log_poisson_loss")


def compute_average_loss(
    per_example_loss: TensorLike,
    sample_weight: TensorLike | None = None,
    global_batch_size: TensorLike | None = None,
) -> Tensor:
    """The sum of losses, each times its weight, divided by the number of examples.

    Args:
      per_example_loss: the losses; the first axis is that of the examples.
      sample_weight: how much each counts; None: 1.
      global_batch_size: the number of examples; None: the length of the first axis.

    Raises: ValueError if the losses have no axis and the number is not given.

    >>> print(compute_average_loss([1.0, 3.0]))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """
    loss = convert_to_tensor(per_example_loss)
    if sample_weight is not None:
        weights = cast(convert_to_tensor(sample_weight), loss.dtype)
        missing = (loss.shape.rank or 0) - (weights.shape.rank or 0)
        for _ in range(max(missing, 0)):
            weights = expand_dims(weights, -1)
        loss = multiply(loss, weights)
    if global_batch_size is None:
        if loss.shape.rank == 0:
            raise ValueError("compute_average_loss needs `global_batch_size` for a single number")
        count = shape_of(loss)[0]
    else:
        count = convert_to_tensor(global_batch_size)
    return call("RealDiv", reduce_sum(loss), cast(count, loss.dtype))


def scale_regularization_loss(regularization_loss: TensorLike) -> Tensor:
    """The sum of losses, divided by the number of replicas, which is one.

    >>> print(scale_regularization_loss([1.0, 3.0]))
    tf.Tensor(4.0, shape=(), dtype=float32)
    """
    return reduce_sum(regularization_loss)
