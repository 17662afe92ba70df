"""Means and variances, and layers that normalise, shift or drop."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.errors import IncompatibleShapesError
from runtime.core.opdef import NUMERIC, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import stop_gradient
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import squeeze
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.items.gathering import gather
from runtime.ops.items.selecting import where
from runtime.ops.linalg.bands import band_part
from runtime.ops.linalg.products import tensordot
from runtime.ops.math.arithmetic import divide, multiply, squared_difference
from runtime.ops.math.casting import cast
from runtime.ops.math.clipping import clip_by_norm
from runtime.ops.math.elementwise import rsqrt, square
from runtime.ops.random.sampling import uniform
from runtime.ops.reduce.reduction import reduce_mean, reduce_sum


def _biased_spec(value: Tensor, bias: Tensor, data_format: str) -> TensorSpec:
    dims, own = value.spec.dims, bias.spec.dims
    if own is not None and len(own) != 1:
        raise ValueError(f"Biases must be 1D: {list(own)}")
    if dims is None:
        return value.spec
    if len(dims) < 2:
        raise ValueError(f"Input tensor must be at least 2D: {list(dims)}")
    count = dims[1] if data_format == "NCHW" else dims[-1]
    if own is not None and None not in (own[0], count) and own[0] != count:
        raise ValueError(
            "Must provide as many biases as the last dimension of the input tensor: "
            f"{list(own)} vs. {list(dims)}"
        )
    return value.spec


def _biased(xp: Any, value: Any, bias: Any, data_format: str) -> Any:
    if bias.ndim != 1:
        raise ValueError(f"Biases must be 1D: {list(bias.shape)}")
    if value.ndim < 2:
        raise ValueError(f"Input tensor must be at least 2D: {list(value.shape)}")
    axis = 1 if data_format == "NCHW" else value.ndim - 1
    if value.shape[axis] != bias.shape[0]:
        raise ValueError(
            "Must provide as many biases as the last dimension of the input tensor: "
            f"{list(bias.shape)} vs. {list(value.shape)}"
        )
    return value + xp.reshape(bias, (-1,) + (1,) * (value.ndim - 1 - axis))


def _bias_total(xp: Any, g: Any, data_format: str) -> Any:
    axis = 1 if data_format == "NCHW" else g.ndim - 1
    return xp.sum(g, axis=tuple(i for i in range(g.ndim) if i != axis), dtype=g.dtype)


def _bias_total_spec(g: Tensor, data_format: str) -> TensorSpec:
    dims = g.spec.dims
    if dims is None:
        return g.spec.with_dims((None,))
    return g.spec.with_dims((dims[1 if data_format == "NCHW" else -1],))


def _bias_total_grad(u: Tensor, y: Tensor, g: Tensor, data_format: str) -> tuple[Tensor]:
    zeros = call("ZerosLike", g, dtype=g.dtype)
    return (call("BiasAdd", zeros, u, data_format=data_format),)


_BIAS_ADD = define_op(
    "BiasAdd",
    {"value": NUMERIC, "bias": NUMERIC},
    _biased_spec,
    _biased,
    grad=lambda g, y, x, b, data_format: (g, call("BiasAddGrad", g, data_format=data_format)),
    samples=(
        sample([[1.0, 2.0], [3.0, 4.0]], [0.5, -1.0], data_format="NHWC"),
        sample([[[1.0, 2.0], [3.0, 4.0]]], [0.5, -1.0], data_format="NCHW"),
    ),
)
define_op(
    "BiasAddGrad",
    {"out_backprop": NUMERIC},
    _bias_total_spec,
    _bias_total,
    grad=_bias_total_grad,
    samples=(
        sample([[1.0, 2.0], [3.0, 4.0]], data_format="NHWC"),
        sample([[[1.0, 2.0], [3.0, 4.0]]], data_format="NCHW"),
    ),
)


def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """A number more for each channel.

    Args:
      value: numbers with at least two dimensions.
      bias: of the same dtype, shape [channels].
      data_format: None or one that ends with "C": the channels are last; one that begins with "NC":
        they come second.

    Raises: ValueError for another format; InvalidArgumentError if the shapes do not fit.

    >>> print(bias_add([[1.0, 2.0]], [10.0, 20.0]))
    tf.Tensor([[11. 22.]], shape=(1, 2), dtype=float32)
    """
    first = data_format is not None and data_format.startswith("NC")
    if data_format is not None and not first and not data_format.endswith("C"):
        raise ValueError(
            "`data_format` must be of the form `N...C` or `NC...`. "
            f"Received: data_format={data_format}"
        )
    form = "NCHW" if first else "NHWC"
    return _BIAS_ADD(value, bias, data_format=form, name=name)


def moments(
    x: TensorLike,
    axes: Any,
    shift: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean and the variance along axes.

    Args:
      x: floating-point numbers.
      axes: an int or several.
      shift: accepted, and makes no difference.
      keepdims: whether the reduced dimensions stay, with length 1.

    >>> mean, variance = moments([1.0, 3.0], axes=[0])
    >>> print(mean, variance)
    tf.Tensor(2.0, shape=(), dtype=float32) tf.Tensor(1.0, shape=(), dtype=float32)
    """
    tensor = convert_to_tensor(x)
    half = tensor.dtype is dtypes.float16
    wide = cast(tensor, dtypes.float32) if half else tensor
    mean = reduce_mean(wide, axes, True)
    variance = reduce_mean(squared_difference(wide, stop_gradient(mean)), axes, True)
    if not keepdims:
        mean, variance = squeeze(mean, axes), squeeze(variance, axes)
    return (cast(mean, tensor.dtype), cast(variance, tensor.dtype)) if half else (mean, variance)


def weighted_moments(
    x: TensorLike,
    axes: Any,
    frequency_weights: TensorLike,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean and the variance along axes, in which each element counts its weight.

    Args:
      x: floating-point numbers.
      axes: an int or several.
      frequency_weights: the weights, not negative; they broadcast with `x`.
      keepdims: whether the reduced dimensions stay, with length 1.

    >>> mean, variance = weighted_moments([1.0, 3.0], [0], [1.0, 3.0])
    >>> print(mean, variance)
    tf.Tensor(2.5, shape=(), dtype=float32) tf.Tensor(0.75, shape=(), dtype=float32)
    """
    tensor = convert_to_tensor(x)
    weights = cast(convert_to_tensor(frequency_weights), tensor.dtype)
    half = tensor.dtype is dtypes.float16
    wide = cast(tensor, dtypes.float32) if half else tensor
    weights = cast(weights, wide.dtype)
    every = weights + call("ZerosLike", wide, dtype=wide.dtype)
    total = reduce_sum(every, axes, True)
    mean = divide(reduce_sum(weights * wide, axes, True), total)
    spread = reduce_sum(weights * squared_difference(wide, stop_gradient(mean)), axes, True)
    variance = divide(spread, total)
    if not keepdims:
        mean, variance = squeeze(mean, axes), squeeze(variance, axes)
    return (cast(mean, tensor.dtype), cast(variance, tensor.dtype)) if half else (mean, variance)


def sufficient_statistics(
    x: TensorLike,
    axes: Any,
    shift: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """What `normalize_moments` makes means and variances of.

    Args:
      x: floating-point numbers.
      axes: an int or several.
      shift: a number near the mean, which keeps the sums small; or None.
      keepdims: whether the reduced dimensions stay, with length 1.

    Returns: the number of elements, their sum, the sum of their squares, both after the shift, and
      the shift.

    >>> count, total, squares, _ = sufficient_statistics([1.0, 3.0], [0])
    >>> print(count, total, squares)  # doctest: +ELLIPSIS
    tf.Tensor(2.0, ...) tf.Tensor(4.0, ...) tf.Tensor(10.0, shape=(), dtype=float32)
    """
    tensor = convert_to_tensor(x)
    every = cast(call("OnesLike", tensor, dtype=tensor.dtype), tensor.dtype)
    kept = list(axes) if isinstance(axes, (list, tuple)) else axes
    count = call("Reshape", reduce_sum(every, kept, True), [-1])[0]
    offset = None if shift is None else convert_to_tensor(shift, dtype_hint=tensor.dtype)
    if offset is None:
        total, squares = tensor, square(tensor)
    else:
        total, squares = tensor - offset, squared_difference(tensor, offset)
    return count, reduce_sum(total, kept, keepdims), reduce_sum(squares, kept, keepdims), offset


def normalize_moments(
    counts: TensorLike,
    mean_ss: TensorLike,
    variance_ss: TensorLike,
    shift: TensorLike | None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean and the variance, of what `sufficient_statistics` gives.

    >>> mean, variance = normalize_moments(2.0, 4.0, 10.0, None)
    >>> print(mean, variance)
    tf.Tensor(2.0, shape=(), dtype=float32) tf.Tensor(1.0, shape=(), dtype=float32)
    """
    scale = call("Reciprocal", counts)
    shifted = multiply(mean_ss, scale)
    mean = shifted if shift is None else shifted + shift
    return mean, multiply(variance_ss, scale) - square(shifted)


def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    offset: TensorLike | None,
    scale: TensorLike | None,
    variance_epsilon: float,
    name: str | None = None,
) -> Tensor:
    """`(x - mean) / sqrt(variance + variance_epsilon) * scale + offset`.

    Args:
      x: floating-point numbers.
      mean, variance: as `moments` gives them; they broadcast with `x`.
      offset, scale: what to add and multiply with, or None.
      variance_epsilon: a small number that keeps the quotient finite.

    >>> print(batch_normalization([1.0, 3.0], 2.0, 1.0, None, None, 0.0))
    tf.Tensor([-1.  1.], shape=(2,), dtype=float32)
    """
    tensor = convert_to_tensor(x)
    centre = convert_to_tensor(mean, dtype_hint=tensor.dtype)
    factor = rsqrt(convert_to_tensor(variance, dtype_hint=tensor.dtype) + variance_epsilon)
    if scale is not None:
        factor = factor * scale
    shift = -centre * factor if offset is None else offset - centre * factor
    scaled = tensor * cast(factor, tensor.dtype)
    return call("AddV2", scaled, cast(shift, tensor.dtype), name=name or "batchnorm")


def batch_norm_with_global_normalization(
    input: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    beta: TensorLike,
    gamma: TensorLike,
    variance_epsilon: float,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Tensor:
    """`batch_normalization` with the arguments under other names.

    >>> print(batch_norm_with_global_normalization([1.0, 3.0], 2.0, 1.0, 0.5, 2.0, 0.0, True))
    tf.Tensor([-1.5  2.5], shape=(2,), dtype=float32)
    """
    scale = gamma if scale_after_normalization else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon, name)


def local_response_normalization(
    input: TensorLike,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Each element, divided by a power of the squares of its neighbours among the channels.

    Args:
      input: floating-point numbers, shape [batch, height, width, channels].
      depth_radius: how many channels on each side count.
      bias, alpha, beta: it is divided by `(bias + alpha * squares) ** beta`.

    Raises: InvalidArgumentError if there are not four dimensions.

    >>> print(local_response_normalization([[[[3.0, 4.0]]]], bias=0)[0, 0, 0])
    tf.Tensor([0.6 0.8], shape=(2,), dtype=float32)
    """
    x = convert_to_tensor(input)
    if x.shape.rank not in (4, None):
        raise IncompatibleShapesError.of(
            f"in must be 4-dimensional: Shape must be rank 4 but is rank {x.shape.rank}"
        )
    x = call("EnsureShape", x, shape=(None,) * 4)
    count = shape_of(x)[-1]
    every = call("Fill", call("Pack", count, count, axis=0), call("Cast", 1, dtype=x.dtype))
    reach = call("Minimum", count, int(depth_radius))
    squares = tensordot(square(x), band_part(every, reach, reach), 1)
    return divide(x, (bias + alpha * squares) ** beta, name=name or "LRN")


lrn = local_response_normalization


def dropout(
    x: TensorLike,
    rate: TensorLike,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Sets some elements to 0 and scales the others up, so that the sum stays about the same.

    Args:
      x: floating-point numbers.
      rate: the probability that an element is set to 0, at least 0 and below 1.
      noise_shape: the shape of what is decided by chance, which broadcasts; None: that of `x`.
      seed: makes the sequence of draws reproducible.

    Raises: ValueError if `rate` is out of range or `x` holds no floating-point numbers.

    >>> print(dropout([1.0, 2.0], rate=0.0))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    tensor = convert_to_tensor(x)
    if not tensor.dtype.is_floating:
        raise ValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x.dtype="
            f"{tensor.dtype}"
        )
    number = isinstance(rate, (int, float))
    if number and not 0 <= rate < 1:
        raise ValueError(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
        )
    if number and rate == 0:
        return call("Identity", tensor, name=name)
    share = convert_to_tensor(rate, dtype_hint=tensor.dtype)
    dims = shape_of(tensor) if noise_shape is None else _noise_shape(noise_shape, tensor)
    kept = uniform(dims, dtype=tensor.dtype, seed=seed) >= share
    scaled = tensor * (1 / (1 - cast(share, tensor.dtype)))
    zeros = call("ZerosLike", tensor, dtype=tensor.dtype)
    return where(kept, scaled, zeros, name=name or "dropout")


def _noise_shape(noise_shape: Any, x: Tensor) -> Any:
    """The shape with what it leaves open as in `x`."""
    if isinstance(noise_shape, Tensor):
        return noise_shape
    dims = shape_of(x)
    return [dims[i] if dim is None else dim for i, dim in enumerate(noise_shape)]


def embedding_lookup(
    params: Any, ids: TensorLike, max_norm: float | None = None, name: str | None = None
) -> Tensor:
    """The rows of a table at some positions.

    Args:
      params: the table, shape [rows, ...]; or a list of the parts that it consists of, one after
        the other.
      ids: the positions, int32 or int64.
      max_norm: the largest length of a row; longer ones are scaled down.

    Returns: the shape of `ids`, followed by that of a row.
    Raises: ValueError for an empty list; InvalidArgumentError if there is no such row.

    >>> import runtime as tf
    >>> print(embedding_lookup(tf.constant([[1.0, 2.0], [3.0, 4.0]]), [1]))
    tf.Tensor([[3. 4.]], shape=(1, 2), dtype=float32)
    """
    if params is None or (isinstance(params, (list, tuple)) and not params):
        raise ValueError("params must be specified")
    parts = params if isinstance(params, (list, tuple)) else [params]
    table = convert_to_tensor(parts[0]) if len(parts) == 1 else concat(list(parts), 0)
    places = convert_to_tensor(ids)
    rows = gather(table, places)
    if max_norm is None:
        return call("Identity", rows, name=name or "embedding_lookup")
    inner = places.shape.rank
    if inner is None or rows.shape.rank is None:
        raise ValueError("embedding_lookup with `max_norm` needs tensors whose ranks are known")
    axes = list(range(inner, rows.shape.rank))
    return clip_by_norm(rows, max_norm, axes=axes, name=name)
