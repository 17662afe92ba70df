"""Bias and dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.opdef import NUMERIC, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import identity
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op, op, shape_of, zeros_of
from runtime.ops.items.selecting import where
from runtime.ops.math.casting import cast
from runtime.ops.random.sampling import uniform


def _bias_axis(value: Dims, bias: Dims, data_format: str) -> int | None:
    """Return the axis of the channels; None for an unknown rank. Check the shapes."""
    if bias is not None and len(bias) != 1:
        raise ValueError(f"Biases must be 1D: {list(bias)}")
    if value is None:
        return None
    if len(value) < 2:
        raise ValueError(f"Input tensor must be at least 2D: {list(value)}")
    axis = 1 if data_format == "NCHW" else len(value) - 1
    count = value[axis]
    if bias is not None and None not in (bias[0], count) and bias[0] != count:
        raise ValueError(
            "Must provide as many biases as the last dimension of the input tensor: "
            f"{list(bias)} vs. {list(value)}"
        )
    return axis


def _bias_spec(value: Tensor, bias: Tensor, data_format: str) -> TensorSpec:
    _bias_axis(value.spec.dims, bias.spec.dims, data_format)
    return value.spec


def _bias_add(xp: Namespace, value: Array, bias: Array, data_format: str) -> Array:
    axis = _bias_axis(value.shape, bias.shape, data_format)
    assert axis is not None
    return value + xp.reshape(bias, (-1,) + (1,) * (value.ndim - 1 - axis))


def _bias_grad_spec(g: Tensor, data_format: str) -> TensorSpec:
    dims = g.spec.dims
    return g.spec.with_dims((None if dims is None else dims[1 if data_format == "NCHW" else -1],))


def _bias_grad(xp: Namespace, g: Array, data_format: str) -> Array:
    axis = 1 if data_format == "NCHW" else g.ndim - 1
    return xp.sum(g, axis=tuple(i for i in range(g.ndim) if i != axis), dtype=g.dtype)


def _again(u: Tensor, y: Tensor, g: Tensor, **attrs: Any) -> tuple[Tensor]:
    return (bias_add.op(zeros_of(g), u, **attrs),)


_BIAS_GRAD = define_op(
    "BiasAddGrad",
    {"out_backprop": NUMERIC},
    _bias_grad_spec,
    _bias_grad,
    grad=_again,
    samples=(
        sample([[1.0, 2.0], [3.0, 4.0]], data_format="NHWC"),
        sample([[[1.0, 2.0], [3.0, 4.0]]], data_format="NCHW"),
    ),
)


@op(
    "BiasAdd",
    {"value": NUMERIC, "bias": NUMERIC},
    infer=_bias_spec,
    kernel=_bias_add,
    grad=lambda g, y, x, b, **attrs: (g, _BIAS_GRAD(g, **attrs)),
    samples=(
        sample([[1.0, 2.0], [3.0, 4.0]], [0.5, -1.0], data_format="NHWC"),
        sample([[[1.0, 2.0], [3.0, 4.0]]], [0.5, -1.0], data_format="NCHW"),
    ),
)
def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """Add one number to each channel.

    Args:
      value: Tensor with at least two dimensions, numeric.
      bias: Tensor of the same dtype, of shape [channels].
      data_format: None or a format that ends with "C" for channels last; one that begins with "NC"
        for channels second.

    Returns: Tensor of the dtype and shape of `value`.
    Raises:
      ValueError: for another format.
      InvalidArgumentError: if the shapes do not fit.

    >>> print(bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy())
    [[11. 22.]]
    """
    first = data_format is not None and data_format.startswith("NC")
    if data_format is not None and not first and not data_format.endswith("C"):
        raise ValueError(
            "`data_format` must be of the form `N...C` or `NC...`. "
            f"Received: data_format={data_format}"
        )
    return bias_add.op(value, bias, data_format="NCHW" if first else "NHWC", name=name)


def dropout(
    x: TensorLike,
    rate: TensorLike,
    noise_shape: TensorLike | Sequence[int | None] | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Set random elements to 0 and divide the others by `1 - rate`, which keeps the expectation.

    Source: Srivastava et al., "Dropout" (2014).

    Args:
      x: Tensor, floating-point.
      rate: probability of 0 for each element, in [0, 1).
      noise_shape: shape of the random choices, which broadcasts with `x`; None for a dimension, or
        in place of all, is that of `x`.
      seed: seed of the random choices.

    Returns: Tensor of the dtype and shape of `x`.
    Raises: ValueError if `rate` is out of range or `x` is not floating-point.

    >>> halved = dropout([1.0] * 8, rate=0.5).numpy()
    >>> sorted(set(halved.tolist()) | {0.0, 2.0})
    [0.0, 2.0]
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
        return identity(tensor, name=name)
    share = convert_to_tensor(rate, dtype_hint=tensor.dtype)
    kept = uniform(_noise_shape(noise_shape, tensor), dtype=tensor.dtype, seed=seed) >= share
    scaled = tensor * (1 / (1 - cast(share, tensor.dtype)))
    return where(kept, scaled, zeros_of(tensor), name=name or "dropout")


def _noise_shape(noise_shape: Any, x: Tensor) -> Any:
    """Return the shape with the missing dimensions of that of `x`."""
    if isinstance(noise_shape, Tensor):
        return noise_shape
    dims = shape_of(x)
    if noise_shape is None:
        return dims
    return [dims[i] if dim is None else dim for i, dim in enumerate(noise_shape)]
