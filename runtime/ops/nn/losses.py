"""Cross entropies and other losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.core.opdef import FLOAT, INDEX, Emit, Failure, sample
from runtime.core.shapes import broadcast
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import expand_dims, reshape, transpose
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import op, select, shape_of, zeros_of
from runtime.ops.math.arithmetic import add, multiply
from runtime.ops.math.casting import at_least_float32, cast
from runtime.ops.math.elementwise import exp, log1p
from runtime.ops.nn.activations import log_softmax, shifted, softmax
from runtime.ops.reduce.reduction import reduce_sum

_LOGITS = [[0.1, 0.7, -0.2], [2.0, 1.0, 0.5]]


def _log_softmax(xp: Namespace, logits: Array) -> tuple[Array, Array]:
    """Return the logarithm of softmax, and softmax."""
    rows = shifted(xp, logits)
    powers = xp.exp(rows)
    total = xp.add.reduce(powers, axis=-1, keepdims=True)
    return rows - xp.log(total), powers / total


def _cross_entropy_spec(features: Tensor, labels: Tensor) -> tuple[TensorSpec, TensorSpec]:
    dims = broadcast(features.spec.dims, labels.spec.dims)
    spec = features.spec.with_dims(dims)
    return spec.with_dims(None if dims is None else dims[:-1]), spec


def _cross_entropy(xp: Namespace, features: Array, labels: Array) -> tuple[Array, Array]:
    """Return the losses, and their gradient by the features."""
    try:
        np.broadcast_shapes(features.shape, labels.shape)
    except ValueError as error:
        raise ValueError(
            "logits and labels must be broadcastable: logits_size="
            f"{list(features.shape)} labels_size={list(labels.shape)}"
        ) from error
    logs, shares = _log_softmax(xp, features)
    terms = xp.where(labels == 0, labels.dtype.type(0), labels * logs)
    return -xp.sum(terms, axis=-1), shares - labels


def _through_softmax(grad: Tensor, features: Tensor) -> Tensor:
    """Return the gradient by the features of the second output, softmax less the labels."""
    shares = softmax(features)
    return multiply(grad - reduce_sum(grad * shares, -1, True), shares)


def _cross_entropy_grad(g: Any, y: Any, features: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    by_loss = g[0] if g[0] is not None else zeros_of(y[0])
    column = expand_dims(by_loss, -1)
    by_features, by_labels = column * y[1], column * -log_softmax(features)
    if g[1] is not None:
        by_features = by_features + _through_softmax(g[1], features)
        by_labels = by_labels - g[1]
    return by_features, by_labels


@op(
    "SoftmaxCrossEntropyWithLogits",
    {"features": FLOAT, "labels": FLOAT},
    infer=_cross_entropy_spec,
    kernel=_cross_entropy,
    failure=Failure.SHAPES,
    outputs=2,
    grad=_cross_entropy_grad,
    partial=True,
    samples=(sample(_LOGITS, [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]),),
)
def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: str | None = None
) -> Tensor:
    """Cross entropy of class probabilities and their prediction `softmax(logits)`.

    Args:
      labels: Tensor of the dtype and shape of `logits`, with sum 1 along `axis`.
      logits: Tensor, floating-point.
      axis: the axis of the classes.

    Returns: Tensor of the shape of `logits` without `axis`.
    Raises:
      ValueError: if an argument is None.
      InvalidArgumentError: if the shapes differ, or there is no such axis.

    >>> print(softmax_cross_entropy_with_logits([[0.0, 1.0]], [[0.0, 0.0]]).numpy().round(4))
    [0.6931]
    """
    _check_present(labels, logits)
    (target, x), _ = one_dtype(
        "SoftmaxCrossEntropyWithLogits", [("labels", labels), ("logits", logits)], None, FLOAT
    )
    dtype = x.dtype
    x, target = at_least_float32(x), at_least_float32(target)
    rank = x.shape.rank
    if axis not in (-1, (rank or 0) - 1):
        if rank is None:
            raise ValueError("the rank of `logits` must be known for another axis than the last")
        if not -rank <= axis < rank:
            raise IncompatibleShapesError.of(
                f"`axis` must be in the range [{-rank}, {rank}) where {rank} is the number of "
                f"dimensions in the input. Received: axis={axis}"
            )
        last = axis % rank
        order = [i for i in range(rank) if i != last] + [last]
        x, target = transpose(x, order), transpose(target, order)
    outer = shape_of(x)[:-1]
    loss, _ = softmax_cross_entropy_with_logits.op.outputs(_rows(x), _rows(target))
    shaped = loss if rank == 2 else reshape(loss, outer)
    return cast(shaped, dtype, name)


def _rows(x: Tensor) -> Tensor:
    """Flatten all axes but the last."""
    return x if x.shape.rank == 2 else reshape(x, concat([[-1], shape_of(x)[-1:]], 0))


def _check_present(labels: TensorLike | None, logits: TensorLike | None) -> None:
    if labels is None or logits is None:
        missing = "labels" if labels is None else "logits"
        raise ValueError(f"Both `labels` and `logits` must be provided, {missing} is missing.")


def _sparse_cross_entropy(xp: Namespace, features: Array, labels: Array) -> tuple[Array, Array]:
    if features.ndim != 2 or features.shape[:1] != labels.shape:
        raise ValueError(
            "logits and labels must have the same first dimension, got logits shape "
            f"{list(features.shape)} and labels shape {list(labels.shape)}"
        )
    count = features.shape[-1]
    lowest, highest = xp.minimum.reduce(labels, initial=0), xp.maximum.reduce(labels, initial=-1)
    if lowest < 0 or highest >= count:
        wrong = labels[(labels < 0) | (labels >= count)]
        raise InvalidArgumentError.of(
            f"Received a label value of {wrong[0]} which is outside the valid range of [0, "
            f"{count}).  Label values: {' '.join(map(str, labels.tolist()))}"
        )
    rows = shifted(xp, features)
    own = xp.arange(len(labels)), labels
    shares = xp.exp(rows)
    total = xp.add.reduce(shares, axis=-1, keepdims=True)
    shares /= total
    shares[own] -= shares.dtype.type(1)
    return xp.log(total[:, 0]) - rows[own], shares


def _sparse_grad(g: Any, y: Any, features: Tensor, labels: Tensor) -> tuple[Tensor | None, None]:
    total = None if g[0] is None else expand_dims(g[0], -1) * y[1]
    if g[1] is not None:
        more = _through_softmax(g[1], features)
        total = more if total is None else total + more
    return total, None


@op(
    "SparseSoftmaxCrossEntropyWithLogits",
    {"features": FLOAT, "labels": INDEX},
    infer=lambda features, labels: (features.spec.with_dims(labels.spec.dims), features.spec),
    kernel=_sparse_cross_entropy,
    outputs=2,
    emit=Emit.CROSS_ENTROPY,
    grad=_sparse_grad,
    partial=True,
    samples=(sample(_LOGITS, [2, 0]),),
)
def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None
) -> Tensor:
    """Cross entropy of true classes and their predicted probabilities `softmax(logits)`.

    Args:
      labels: Tensor of shape [...], the true classes, int32 or int64.
      logits: Tensor of shape [..., classes], floating-point.

    Returns: Tensor of the shape of `labels`.
    Raises:
      ValueError: if an argument is None or the shapes do not fit.
      InvalidArgumentError: if a class is out of range.

    >>> print(sparse_softmax_cross_entropy_with_logits([1], [[0.0, 0.0]]).numpy().round(4))
    [0.6931]
    """
    _check_present(labels, logits)
    target, x = convert_to_tensor(labels), convert_to_tensor(logits)
    if target.dtype not in INDEX:
        target = cast(target, dtypes.int64)
    _check_classes(target, x)
    wide = at_least_float32(x)
    entropy = sparse_softmax_cross_entropy_with_logits.op
    loss, _ = entropy.outputs(_rows(wide), reshape(target, [-1]))
    shaped = loss if target.shape.rank == 1 else reshape(loss, shape_of(target))
    return cast(shaped, x.dtype, name)


def _check_classes(labels: Tensor, logits: Tensor) -> None:
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


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Cross entropy of independent probabilities and their prediction `sigmoid(logits)`.

    Args:
      labels: Tensor of the dtype and shape of `logits`, the probabilities.
      logits: Tensor, floating-point.

    Returns: Tensor of the shape of `logits`.
    Raises: ValueError if an argument is None or the shapes differ.

    >>> print(sigmoid_cross_entropy_with_logits([1.0], [0.0]).numpy().round(4))
    [0.6931]
    """
    _check_present(labels, logits)
    (target, x), _ = one_dtype("CrossEntropy", [("labels", labels), ("logits", logits)])
    if not target.shape.is_compatible_with(x.shape):
        raise ValueError(
            f"`logits` and `labels` must have the same shape, received ({x.shape} vs "
            f"{target.shape})."
        )
    positive = x >= 0
    # `linear` comes last, so that its derivatives, 1 and -1 for a sure prediction, are added first:
    # each would round off that of `rest`.
    rest = log1p(exp(select(positive, -x, x)))
    linear = select(positive, x, zeros_of(x)) - x * target
    return add(linear, rest, name=name or "logistic_loss")
