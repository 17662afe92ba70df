"""Numbers from normal distributions between bounds, from the inverse of what is below a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import FLOAT, INDEX, DTypes, sample
from runtime.core.spec import spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import distributions, special_error
from runtime.ops.arithmetic import multiply
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import call, define_op
from runtime.ops.elementwise import exp, square
from runtime.ops.gradient_parts import chosen
from runtime.ops.random import dims_of, shape_tensor
from runtime.ops.random_streams import stream_of_seed

_SEED = DTypes("int32 or int64", dtypes.int32, dtypes.int64)
_ROOT = 0.7071067811865476
_FAR = -30.0
"""Below this the normal distribution falls as an exponential one does."""


def _below(xp: Any, x: Any) -> Any:
    """The chance of numbers below `x`."""
    return 0.5 * special_error.erfc(xp, -x * _ROOT)


def _between(xp: Any, low: Any, high: Any, share: Any) -> Any:
    """The number that has this share of what is between two bounds below it."""
    turned = low > 0
    first, last = np.where(turned, -high, low), np.where(turned, -low, high)
    share = np.where(turned, 1 - share, share)
    start, end = _below(xp, first), _below(xp, last)
    middle = special_error.ndtri(xp, start + share * (end - start))
    edge = np.minimum(last, _FAR)
    gap = np.expm1(np.minimum(edge * edge - first * first, 0.0) / 2)
    outside = -np.sqrt(edge * edge - 2 * np.log1p((share - 1) * -gap))
    found = np.clip(np.where(last < _FAR, outside, middle), first, last)
    return np.where(turned, -found, found)


def _drawn(
    xp: Any, shape: Any, seed: Any, means: Any, stddevs: Any, minvals: Any, maxvals: Any
) -> Any:
    dims = dims_of(shape)
    joint = np.broadcast_shapes(*(np.shape(v) for v in (means, stddevs, minvals, maxvals)))
    if dims[len(dims) - len(joint) :] != joint:
        raise ValueError(
            f"Shape passed in must end with broadcasted shape. It is {dims}, not (..., "
            f"{', '.join(map(str, joint))})"
        )
    wide = [v.astype(np.float64) for v in (means, stddevs, minvals, maxvals)]
    mean, spread, low, high = wide
    if not (np.all(spread > 0) and np.all(low < high) and np.all(np.isfinite(mean + spread))):
        raise ValueError("Invalid parameters")
    share = distributions.uniform(stream_of_seed(seed), dims, np.float64)
    found = _between(xp, (low - mean) / spread, (high - mean) / spread, share)
    dtype = means.dtype
    return np.clip((mean + spread * found).astype(dtype), low.astype(dtype), high.astype(dtype))


def _density_ratio(x: Tensor, bound: Tensor) -> Tensor:
    """How much more likely a number at `bound` is than one at `x`."""
    return exp((square(x) - square(bound)) / 2)


def _chance(x: Tensor) -> Tensor:
    return call("Mul", 0.5, call("Erfc", x * -_ROOT))


def _moved(
    g: Tensor,
    y: Tensor,
    shape: Tensor,
    seed: Tensor,
    mean: Tensor,
    spread: Tensor,
    low: Tensor,
    high: Tensor,
) -> Any:
    """Numbers move with the parameters so that the share of what is below them stays."""
    x, first, last = (y - mean) / spread, (low - mean) / spread, (high - mean) / spread
    start, end, here = map(_chance, (first, last, x))
    by_low = _density_ratio(x, first) * (end - here) / (end - start)
    by_high = _density_ratio(x, last) * (here - start) / (end - start)
    carried = _finite_product(first, by_low) + _finite_product(last, by_high)
    return (
        None,
        None,
        g * (1.0 - by_low - by_high),
        g * (x - carried),
        g * by_low,
        g * by_high,
    )


def _finite_product(bound: Tensor, weight: Tensor) -> Tensor:
    """A product that is 0 for a bound that is infinite, and so moves nothing."""
    finite = call("IsFinite", bound)
    return multiply(chosen(finite, bound, 0.0), weight)


_TRUNCATED = define_op(
    "StatelessParameterizedTruncatedNormal",
    {
        "shape": INDEX,
        "seed": _SEED,
        "means": FLOAT,
        "stddevs": FLOAT,
        "minvals": FLOAT,
        "maxvals": FLOAT,
    },
    lambda shape, seed, means, *others: spec_of(means.spec.dtype, static_dims(shape)),
    _drawn,
    grad=_moved,
    samples=(
        sample([3, 2], np.array([1, 2]), [0.0, 1.0], 1.5, [-1.0, 0.5], [1.0, 3.0]),
        sample([2], np.array([1, 2]), 0.0, 1.0, -0.5, 2.0),
    ),
)


def stateless_parameterized_truncated_normal(
    shape: Any,
    seed: TensorLike,
    means: TensorLike = 0.0,
    stddevs: TensorLike = 1.0,
    minvals: TensorLike = -2.0,
    maxvals: TensorLike = 2.0,
    name: str | None = None,
) -> Tensor:
    """Numbers from normal distributions, none beyond bounds; the same for the same seed.

    Args:
      shape: the shape, which ends with that to which the parameters broadcast.
      seed: two integers, int32 or int64.
      means, stddevs: means and standard deviations, floating-point numbers of one dtype.
      minvals, maxvals: the bounds.
      name: the name of the operation.

    Raises: InvalidArgumentError if `shape` ends otherwise, a standard deviation is not positive, or
      a lower bound is not below the upper.

    >>> drawn = stateless_parameterized_truncated_normal([100], [1, 2], minvals=0.0, maxvals=0.5)
    >>> bool((drawn.numpy() >= 0).all() and (drawn.numpy() <= 0.5).all())
    True
    """
    parameters = [convert_to_tensor(value) for value in (means, stddevs, minvals, maxvals)]
    label = name or "stateless_parameterized_truncated_normal"
    return _TRUNCATED(shape_tensor(shape), seed, *parameters, name=label)
