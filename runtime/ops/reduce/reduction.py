"""Reductions along axes: sums, products, extremes, truth, norms, moments."""

from __future__ import annotations

from math import prod

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Axes, AxisLike, Namespace
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import BOOL, REAL, Emit, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import size
from runtime.ops.array.shaping import expand_dims, reshape, transpose
from runtime.ops.base import rules
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import OpFunction, call, select, shape_of
from runtime.ops.math.complexes import conj, real
from runtime.ops.reduce.family import Reduce, Reductions

_rows = Reductions(__name__)
_TRUTH = (
    sample([[True, False], [True, True]], axis=(1,), keepdims=False),
    sample([True, True], axis=None, keepdims=False),
)


_MANY = 1 << 14
"""Smallest number of elements of a sum that is computed as a product with ones (measured)."""


def _sum(xp: Namespace, x: Array, axis: Axes, keepdims: bool) -> Array:
    rows = _leading_rows(x, axis) if xp is np and axis and x.size >= _MANY else 0
    if not rows:
        return xp.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
    kept = x.shape[len(axis or ()) :]
    totals = np.matmul(np.ones((1, rows), x.dtype), x.reshape(rows, prod(kept)))
    return totals.reshape((1,) * (x.ndim - len(kept)) * keepdims + kept)


def _leading_rows(x: Array, axis: Axes) -> int:
    """Return the number of rows if a sum along leading axes is fastest as a product with ones.

    0 if it is not. `np.sum` adds one row at a time, at 25 ns for a row of 16 elements; the product
    takes 1 ns. Rows longer than a column gain nothing.
    """
    if not axis or axis != tuple(range(len(axis))) or len(axis) >= x.ndim:
        return 0
    if x.dtype not in (np.float32, np.float64) or not x.flags.c_contiguous:
        return 0
    rows = prod(x.shape[: len(axis)])
    return rows if rows >= x.size // rows else 0


def _mean(xp: Namespace, x: Array, axis: Axes, keepdims: bool) -> Array:
    if x.dtype.kind not in "iu":
        total = xp.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
        count = x.size // (total.size or 1)
        if count < 1 << 24 and x.dtype.char in "fd":  # exact in float32
            return total / x.dtype.type(count)
        return (total / np.int64(count)).astype(x.dtype)  # in float64, as `np.mean`
    wide = np.int64 if x.dtype.kind == "i" else np.uint64
    total = xp.sum(x, axis=axis, keepdims=keepdims, dtype=wide)
    count = wide(x.size // max(total.size, 1))
    return (xp.sign(total) * (xp.abs(total) // count)).astype(x.dtype)


def _extreme(function: str, of_floats: float, limit: str) -> Reduce:
    """Return `max` or `min` with a result for no elements."""

    def reduce(xp: Namespace, x: Array, axis: Axes, keepdims: bool) -> Array:
        if x.size:
            return getattr(x, function)(axis=axis, keepdims=keepdims)
        empty = of_floats if x.dtype.kind == "f" else getattr(np.iinfo(x.dtype), limit)
        initial = x.dtype.type(empty)
        return getattr(xp, function)(x, axis=axis, keepdims=keepdims, initial=initial)

    return reduce


def restored(reduced: Tensor, x: Tensor, axis: Axes, keepdims: bool) -> Tensor:
    """Insert the axes that a reduction of `x` removed, with length 1."""
    if keepdims or axis is None:
        return reduced
    rank = x.shape.rank
    positions = axis if rank is None else [rules.normalize_axis(entry, rank) for entry in axis]
    # Each is inserted at its final position: positive axes ascend, negative ones descend.
    for position in sorted(positions, reverse=any(entry < 0 for entry in positions)):
        reduced = expand_dims.op(reduced, axis=position)
    return reduced


def spread(g: Tensor, y: Tensor, x: Tensor, axis: Axes, keepdims: bool) -> tuple[Tensor]:
    """Return the gradient of a sum: that of the result for each element."""
    return (call("BroadcastTo", restored(g, x, axis, keepdims), shape_of(x)),)


def _mean_grad(g: Tensor, y: Tensor, x: Tensor, axis: Axes, keepdims: bool) -> tuple[Tensor]:
    (each,) = spread(g, y, x, axis, keepdims)
    whole, parts = (size.op(tensor, out_type=dtypes.int32) for tensor in (x, y))
    return (each / cast_to(whole // call("Maximum", parts, 1), x.dtype),)


def _extreme_grad(
    g: Tensor, y: Tensor, x: Tensor, axis: Axes, keepdims: bool
) -> tuple[Tensor | None]:
    """Divide the gradient among equal extremes."""
    if not x.dtype.is_floating:
        return (None,)
    hits = cast_to(restored(y, x, axis, keepdims) == x, x.dtype)
    return (hits / reduce_sum(hits, axis, True) * restored(g, x, axis, keepdims),)


reduce_sum: OpFunction[..., Tensor] = _rows.row(
    "reduce_sum",
    _sum,
    "Sum along axes, in the dtype of the input; integers wrap around.",
    "[[1, 2], [3, 4]], axis=0 -> [4 6]",
    op="Sum",
    grad=spread,
    emit=Emit.TOTAL,
)
reduce_mean = _rows.row(
    "reduce_mean",
    _mean,
    "Mean along axes, in the dtype of the input; of integers it is rounded toward zero.",
    "[[1.0, 2.0], [3.0, 5.0]], axis=1 -> [1.5 4. ]",
    op="Mean",
    emit=Emit.MEAN,
    grad=_mean_grad,
)
reduce_max = _rows.row(
    "reduce_max",
    _extreme("max", -np.inf, "min"),
    "Largest element along axes; of none: minus infinity or the smallest integer.",
    "[[1, 5], [3, 2]], axis=1 -> [5 3]",
    op="Max",
    emit=Emit.MAX,
    group=REAL,
    grad=_extreme_grad,
)
reduce_min = _rows.row(
    "reduce_min",
    _extreme("min", np.inf, "max"),
    "Smallest element along axes; of none: infinity or the largest integer.",
    "[[1, 5], [3, 2]], axis=1 -> [1 2]",
    op="Min",
    emit=Emit.MIN,
    group=REAL,
    grad=_extreme_grad,
)
reduce_any = _rows.row(
    "reduce_any",
    lambda xp, x, axis, keepdims: x.any(axis=axis, keepdims=keepdims),
    "True where any element along the axes is true.",
    "[[True, False], [False, False]], axis=1 -> [ True False]",
    op="Any",
    emit=Emit.ANY,
    group=BOOL,
    samples=_TRUTH,
)
reduce_all = _rows.row(
    "reduce_all",
    lambda xp, x, axis, keepdims: x.all(axis=axis, keepdims=keepdims),
    "True where all elements along the axes are true.",
    "[[True, False], [True, True]], axis=1 -> [False  True]",
    op="All",
    emit=Emit.ALL,
    group=BOOL,
    samples=_TRUTH,
)


def reduce_logsumexp(
    input_tensor: TensorLike, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """`log(sum(exp(input_tensor)))` along axes, without overflow.

    Args:
      input_tensor: floating-point tensor.
      axis, keepdims, name: as of `reduce_sum`.

    Returns: Tensor of the dtype of `input_tensor`; -inf of no elements.

    >>> print(reduce_logsumexp([1000.0, 1000.0]).numpy())
    1000.6932
    """
    x = convert_to_tensor(input_tensor)
    largest = reduce_max(x, axis, True)
    # The shift keeps powers from overflowing; the result does not depend on it, nor its slope.
    shift = call("StopGradient", select(call("IsFinite", largest), largest))
    logs = call("Log", reduce_sum(call("Exp", x - shift), axis, keepdims))
    return call("AddV2", logs, reshape.op(shift, shape_of(logs)), name=name)


def reduce_variance(
    input_tensor: TensorLike, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Mean squared distance from the mean along axes.

    Args:
      input_tensor: floating-point or complex tensor.
      axis, keepdims, name: as of `reduce_sum`.

    Returns: Real tensor.
    Raises: TypeError for integers.

    >>> print(reduce_variance([1.0, 2.0, 3.0, 4.0]).numpy())
    1.25
    """
    x = convert_to_tensor(input_tensor)
    if x.dtype.is_integer:
        raise TypeError(f"Input must be either real or complex. Received integer type {x.dtype}.")
    distance = x - reduce_mean(x, axis, True)
    return reduce_mean(
        real(distance * conj(distance)), axis, keepdims, name=name or "reduce_variance"
    )


def reduce_std(
    input_tensor: TensorLike, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Standard deviation along axes: the square root of `reduce_variance`.

    Args:
      input_tensor, axis, keepdims, name: as in `reduce_variance`.

    Returns: Real tensor.

    >>> print(reduce_std([1.0, 3.0]).numpy())
    1.0
    """
    return call("Sqrt", reduce_variance(input_tensor, axis, keepdims))


def _prod_grad(g: Tensor, y: Tensor, x: Tensor, axis: Axes, keepdims: bool) -> tuple[Tensor]:
    """Multiply by the product of all other elements, without division: left times right ones."""
    rank = x.shape.rank
    if rank is None:
        raise UnimplementedError.of("the gradient of a product needs a tensor whose rank is known")
    (each,) = spread(g, y, x, axis, keepdims)
    gone = range(rank) if axis is None else [rules.normalize_axis(a, rank) for a in axis]
    order = (*gone, *(i for i in range(rank) if i not in gone))
    moved = transpose.op(conj(x), perm=order, conjugate=False)
    dims = shape_of(moved)
    count = reduce_prod(dims[: len(gone)])
    flat = reshape.op(moved, call("ConcatV2", [count], dims[len(gone) :], axis=0))
    left, right = (
        call("Cumprod", flat, axis=0, exclusive=True, reverse=reverse) for reverse in (False, True)
    )
    others = reshape.op(left * right, dims)
    back = tuple(order.index(i) for i in range(rank))
    return (each * transpose.op(others, perm=back, conjugate=False),)


reduce_prod: OpFunction[..., Tensor] = Reductions(__name__).row(
    "reduce_prod",
    lambda xp, x, axis, keepdims: x.prod(axis=axis, keepdims=keepdims, dtype=x.dtype),
    "Product along axes, in the dtype of the input; integers wrap around.",
    "[[1, 2], [3, 4]], axis=1 -> [ 2 12]",
    op="Prod",
    emit=Emit.PROD,
    grad=_prod_grad,
)
