"""Ops that reduce along axes."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.blas import product
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import (
    BOOL,
    FLOATING,
    NUMERIC,
    REAL,
    Failure,
    Grad,
    Kernel,
    Sample,
    Storage,
    sample,
)
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.sample_values import MATRIX
from runtime.ops.math.complexes import conj

Axis = tuple[int, ...] | None
_SAMPLES = (
    sample(MATRIX, axis=None, keepdims=False),
    sample(MATRIX, axis=(0,), keepdims=True),
    sample([[1, 2], [3, 5]], axis=(-1,), keepdims=False),
    sample(7, axis=None, keepdims=False),
)
_TRUTH = (
    sample([[True, False], [True, True]], axis=(1,), keepdims=False),
    sample([True, True], axis=None, keepdims=False),
)


def _axes(axis: Any) -> Axis:
    return None if axis is None else static_ints("axis", axis)


def _spec(x: Tensor, axis: Axis, keepdims: bool) -> TensorSpec:
    return x.spec.with_dims(rules.reduced_dims(x.spec.dims, axis, keepdims))


def _mean(xp: Any, x: Any, axis: Axis, keepdims: bool) -> Any:
    if x.dtype.kind not in "iu" and x.size:
        return xp.mean(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
    if x.dtype.kind not in "iu":
        # Not `mean`: for no elements it warns, and then gives what this gives.
        total = xp.sum(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
        return (total / xp.zeros_like(total)).astype(x.dtype)
    wide = np.int64 if x.dtype.kind == "i" else np.uint64
    total = xp.sum(x, axis=axis, keepdims=keepdims, dtype=wide)
    count = wide(x.size // max(total.size, 1))
    return (xp.sign(total) * (xp.abs(total) // count)).astype(x.dtype)


def _reduction(
    name: str,
    kernel: Kernel,
    group: Any = NUMERIC,
    samples: tuple[Sample, ...] = _SAMPLES,
    grad: Grad | None = None,
) -> Op:
    def checked(xp: Any, x: Any, axis: Axis, keepdims: bool) -> Any:
        try:
            return kernel(xp, x, axis, keepdims)
        except ValueError:
            rules.reduced_axes(axis or (), x.ndim)
            raise

    return define_op(
        name,
        {"input": group},
        _spec,
        checked,
        grad=grad,
        failure=Failure.SHAPES,
        storage=Storage.REDUCED,
        samples=samples,
    )


def restored(reduced: Tensor, x: Tensor, axis: Axis, keepdims: bool) -> Tensor:
    """A tensor that was reduced from `x`, with the axes that are gone as ones again."""
    if keepdims:
        return reduced
    for position in _insertions(axis, x.shape.rank):
        reduced = call("ExpandDims", reduced, axis=position)
    return reduced


def _insertions(axis: Axis, rank: int | None) -> list[int]:
    """The axes, in an order in which each can be put in at its final place."""
    if axis is None:
        return []
    places = axis if rank is None else [rules.normal_axis(place, rank) for place in axis]
    return sorted(places, reverse=any(place < 0 for place in places))


def _spread(g: Tensor, y: Tensor, x: Tensor, axis: Axis, keepdims: bool) -> tuple[Tensor]:
    """Every element of `x` counts once in the sum that it went into."""
    dims = call("Shape", x, out_type=dtypes.int32)
    return (call("BroadcastTo", restored(g, x, axis, keepdims), dims),)


def _typed(function: str) -> Kernel:
    def kernel(xp: Any, x: Any, axis: Axis, keepdims: bool) -> Any:
        return getattr(xp, function)(x, axis=axis, keepdims=keepdims, dtype=x.dtype)

    return kernel


def _sum(xp: Any, x: Any, axis: Axis, keepdims: bool) -> Any:
    rows = _leading_rows(x, axis)
    if xp is not np or not rows:
        return xp.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
    kept = x.shape[len(axis or ()) :]
    totals = product(np, np.ones((1, rows), x.dtype), x.reshape(rows, prod(kept)))
    return totals.reshape((1,) * (x.ndim - len(kept)) * keepdims + kept)


def _leading_rows(x: Any, axis: Axis) -> int:
    """Number of rows, if a sum along leading axes is best a product with ones; 0 if it is not.

    `np.sum` adds one row at a time, at 25 ns for a row of 16 elements; the product takes 1 ns.
    """
    if not axis or axis != tuple(range(len(axis))) or len(axis) >= x.ndim:
        return 0
    if x.dtype not in (np.float32, np.float64) or not x.flags.c_contiguous:
        return 0
    rows = prod(x.shape[: len(axis)])
    return rows if x.size >= MANY and rows >= x.size // rows else 0


MANY = 1 << 14
"""A sum of fewer elements, or of rows that are longer than a column, gains nothing as a product."""


def _plain(function: str) -> Kernel:
    def kernel(xp: Any, x: Any, axis: Axis, keepdims: bool) -> Any:
        return getattr(xp, function)(x, axis=axis, keepdims=keepdims)

    return kernel


def _euclidean_norm(xp: Any, x: Any, axis: Axis, keepdims: bool) -> Any:
    squares = xp.real(xp.conj(x) * x)
    return xp.sqrt(xp.sum(squares, axis=axis, keepdims=keepdims)).astype(x.dtype)


def _extreme(function: str, of_floats: float, limit: str) -> Kernel:
    def kernel(xp: Any, x: Any, axis: Axis, keepdims: bool) -> Any:
        empty = of_floats if x.dtype.kind == "f" else getattr(np.iinfo(x.dtype), limit)
        initial = x.dtype.type(empty)
        return getattr(xp, function)(x, axis=axis, keepdims=keepdims, initial=initial)

    return kernel


def _mean_grad(g: Tensor, y: Tensor, x: Tensor, axis: Axis, keepdims: bool) -> tuple[Tensor]:
    (spread,) = _spread(g, y, x, axis, keepdims)
    return (spread / call("Cast", _size(x) // call("Maximum", _size(y), 1), dtype=x.dtype),)


def _size(x: Tensor) -> Tensor:
    return call("Size", x, out_type=dtypes.int32)


def _extreme_grad(
    g: Tensor, y: Tensor, x: Tensor, axis: Axis, keepdims: bool
) -> tuple[Tensor | None]:
    """Elements that are equally extreme share the gradient."""
    if not x.dtype.is_floating:
        return (None,)
    taken = call("Equal", restored(y, x, axis, keepdims), x)
    hits = call("Cast", taken, dtype=x.dtype)
    count = _SUM(hits, axis=axis, keepdims=True)
    return (hits / count * restored(g, x, axis, keepdims),)


def _prod_grad(g: Tensor, y: Tensor, x: Tensor, axis: Axis, keepdims: bool) -> tuple[Tensor]:
    """The product of all others, which needs no division: what is left times what is right."""
    rank = x.shape.rank
    if rank is None:
        raise UnimplementedError.of("the gradient of a product needs a tensor whose rank is known")
    (spread,) = _spread(g, y, x, axis, keepdims)
    gone = range(rank) if axis is None else [rules.normal_axis(a, rank) for a in axis]
    order = (*gone, *(i for i in range(rank) if i not in gone))
    moved = call("Transpose", conj(x), perm=order, conjugate=False)
    dims = shape_of(moved)
    count = _PROD(dims[: len(gone)], axis=None, keepdims=False)
    flat = call("Reshape", moved, call("ConcatV2", [count], dims[len(gone) :], axis=0))
    left = call("Cumprod", flat, axis=0, exclusive=True, reverse=False)
    right = call("Cumprod", flat, axis=0, exclusive=True, reverse=True)
    others = call("Reshape", left * right, dims)
    back = tuple(order.index(i) for i in range(rank))
    return (spread * call("Transpose", others, perm=back, conjugate=False),)


def _norm_grad(g: Tensor, y: Tensor, x: Tensor, axis: Axis, keepdims: bool) -> tuple[Tensor]:
    length, passed = restored(y, x, axis, keepdims), restored(g, x, axis, keepdims)
    return (x / length * passed,)


_SUM = _reduction("Sum", _sum, grad=_spread)
_PROD = _reduction("Prod", _typed("prod"), grad=_prod_grad)
_MEAN = _reduction("Mean", _mean, grad=_mean_grad)
_MAX = _reduction("Max", _extreme("max", -np.inf, "min"), REAL, grad=_extreme_grad)
_MIN = _reduction("Min", _extreme("min", np.inf, "max"), REAL, grad=_extreme_grad)
_EUCLIDEAN_NORM = _reduction("EuclideanNorm", _euclidean_norm, grad=_norm_grad)
_ANY = _reduction("Any", _plain("any"), BOOL, _TRUTH)
_ALL = _reduction("All", _plain("all"), BOOL, _TRUTH)


def reduce_sum(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The sum of the elements along `axis` (None: of all), in the dtype of the input.

    Args:
      input_tensor: numbers.
      axis: an int or several; None: all axes.
      keepdims: whether the reduced dimensions stay, with length 1.

    >>> print(reduce_sum([[1, 2], [3, 4]], axis=0))
    tf.Tensor([4 6], shape=(2,), dtype=int32)
    """
    return _SUM(input_tensor, axis=_axes(axis), keepdims=bool(keepdims), name=name)


def reduce_prod(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The product of the elements along `axis`; arguments as in `reduce_sum`.

    >>> print(reduce_prod([2, 3, 4]))
    tf.Tensor(24, shape=(), dtype=int32)
    """
    return _PROD(input_tensor, axis=_axes(axis), keepdims=bool(keepdims), name=name)


def reduce_mean(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean along `axis`, in the dtype of the input: of integers it is cut off towards zero.

    >>> print(reduce_mean([1.0, 2.0]), reduce_mean([1, 2]))
    tf.Tensor(1.5, shape=(), dtype=float32) tf.Tensor(1, shape=(), dtype=int32)
    """
    return _MEAN(input_tensor, axis=_axes(axis), keepdims=bool(keepdims), name=name)


def reduce_max(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The largest element along `axis`; of none: minus infinity or the smallest integer.

    >>> print(reduce_max([[1, 5], [3, 2]], axis=1))
    tf.Tensor([5 3], shape=(2,), dtype=int32)
    """
    return _MAX(input_tensor, axis=_axes(axis), keepdims=bool(keepdims), name=name)


def reduce_min(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The smallest element along `axis`; of none: infinity or the largest integer.

    >>> print(reduce_min([4, 2, 3]))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    return _MIN(input_tensor, axis=_axes(axis), keepdims=bool(keepdims), name=name)


def reduce_any(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether an element along `axis` is true.

    >>> print(reduce_any([True, False]))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    return _ANY(input_tensor, axis=_axes(axis), keepdims=bool(keepdims), name=name)


def reduce_all(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether all elements along `axis` are true.

    >>> print(reduce_all([True, False]))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    return _ALL(input_tensor, axis=_axes(axis), keepdims=bool(keepdims), name=name)


def reduce_logsumexp(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """`log(sum(exp(input_tensor)))` along `axis`, without overflow.

    >>> print(reduce_logsumexp([0.0]))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _LOGSUMEXP(input_tensor, axis=_axes(axis), keepdims=bool(keepdims), name=name)


def _log_sum_exp(xp: Any, x: Any, axis: Axis, keepdims: bool) -> Any:
    """The largest element is taken out first, so that no power overflows."""
    largest = xp.max(xp.real(x), axis=axis, keepdims=True, initial=-np.inf)
    largest = xp.where(xp.isfinite(largest), largest, 0).astype(x.dtype)
    total = xp.log(xp.sum(xp.exp(x - largest), axis=axis, keepdims=keepdims))
    return (total + xp.reshape(largest, xp.shape(total))).astype(x.dtype)


def _log_sum_exp_grad(g: Tensor, y: Tensor, x: Tensor, axis: Axis, keepdims: bool) -> tuple[Tensor]:
    share = call("Exp", conj(x - restored(y, x, axis, keepdims)))
    return (restored(g, x, axis, keepdims) * share,)


_LOGSUMEXP = _reduction(
    "LogSumExp", _log_sum_exp, FLOATING, (_SAMPLES[0], _SAMPLES[1]), _log_sum_exp_grad
)


def reduce_variance(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean squared distance from the mean along `axis`.

    Args:
      input_tensor: floating-point or complex numbers; of complex numbers the result is real.
      axis: an int or several; None: all axes.
      keepdims: whether the reduced dimensions stay, with length 1.

    Raises: TypeError for integers.

    >>> print(reduce_variance([1.0, 2.0, 3.0, 4.0]))
    tf.Tensor(1.25, shape=(), dtype=float32)
    """
    x = convert_to_tensor(input_tensor)
    if x.dtype.is_integer:
        raise TypeError(f"Input must be either real or complex. Received integer type {x.dtype}.")
    distance = x - reduce_mean(x, axis, True)
    if x.dtype.is_complex:
        squares = call("Real", distance * conj(distance))
    else:
        squares = call("Square", distance)
    return reduce_mean(squares, axis, keepdims, name=name or "reduce_variance")


def reduce_std(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The standard deviation along `axis`: the root of `reduce_variance`; arguments as there.

    >>> print(reduce_std([1.0, 3.0]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return call("Sqrt", reduce_variance(input_tensor, axis, keepdims))


def reduce_euclidean_norm(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The length of the vectors along `axis`: the root of the sum of squares.

    >>> print(reduce_euclidean_norm([3.0, 4.0]))
    tf.Tensor(5.0, shape=(), dtype=float32)
    """
    return _EUCLIDEAN_NORM(input_tensor, axis=_axes(axis), keepdims=bool(keepdims), name=name)
