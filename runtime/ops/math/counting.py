"""Histograms of integers, counts, order tests, polynomials."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import INDEX, NUMERIC, DTypes, sample
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.dimensions import size
from runtime.ops.array.shaping import reshape, squeeze
from runtime.ops.base.aliases import Array, AxisLike, DTypeLike, Namespace
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, op
from runtime.ops.base.gradient_parts import chosen
from runtime.ops.checks.values import assert_less, assert_non_negative
from runtime.ops.items.gathering import gather
from runtime.ops.math.arithmetic import add, maximum, minimum, multiply, realdiv
from runtime.ops.math.casting import cast
from runtime.ops.math.comparison import less, not_equal
from runtime.ops.reduce.reduction import reduce_max, reduce_sum
from runtime.ops.reduce.segments import unsorted_segment_sum

_SIZE = DTypes("int32 or int64 (size)", *INDEX.members)


def _counted_spec(x: Tensor, count: Tensor, weights: Tensor, binary_output: bool) -> TensorSpec:
    known = static_value(count)
    length = None if known is None else int(known)
    dims = x.spec.dims
    if dims is None:
        return weights.spec.with_dims(None)
    return weights.spec.with_dims((*dims[:-1], length) if len(dims) == 2 else (length,))


def _counted(xp: Namespace, x: Array, count: Array, weights: Array, binary_output: bool) -> Array:
    if xp.any(x < 0):
        raise InvalidArgumentError.of("Input arr must be non-negative!")
    rows = x if x.ndim == 2 else xp.reshape(x, (1, x.size))
    result = xp.zeros((rows.shape[0], int(count)), dtype=weights.dtype)
    inside = rows < count
    row = xp.broadcast_to(xp.arange(rows.shape[0])[:, None], rows.shape)[inside]
    if binary_output:
        result[row, rows[inside]] = 1
    elif weights.size:
        xp.add.at(result, (row, rows[inside]), xp.reshape(weights, rows.shape)[inside])
    else:
        places = row * int(count) + rows[inside]
        counts = xp.bincount(places, minlength=result.size)
        result = counts.reshape(result.shape).astype(weights.dtype)
    return xp.reshape(result, (*x.shape[:-1], int(count)) if x.ndim == 2 else (int(count),))


def _counted_grad(
    g: Tensor, y: Tensor, x: Tensor, count: Tensor, weights: Tensor, binary_output: bool
) -> tuple[None, None, Tensor | None]:
    """Gather for each weight the gradient of its bin."""
    if weights.shape.num_elements() == 0 or binary_output:
        return None, None, None
    inside = less(x, cast(count, x.dtype))
    places = chosen(inside, x)
    picked = (
        call("TakeAlongAxis", g, places, axis=-1)
        if x.shape.rank == 2
        else gather.op(g, places, axis=0)
    )
    return None, None, chosen(inside, picked)


@op(
    "DenseBincount",
    {"input": INDEX, "size": _SIZE, "weights": NUMERIC},
    infer=_counted_spec,
    kernel=_counted,
    grad=_counted_grad,
    samples=(
        sample([1, 2, 1], 4, [1.5, 2.0, 3.0], binary_output=False),
        sample([[1, 2], [0, 5]], 3, [[1.5, 2.0], [3.0, 1.0]], binary_output=False),
        sample([1, 1], 3, np.zeros(0, np.int32), binary_output=True),
    ),
)
def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: TensorLike | None = None,
    maxlength: TensorLike | None = None,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Tensor:
    """Count the occurrences of each number 0, 1, ...

    Args:
      arr: integer tensor, >= 0.
      weights: tensor of the shape of `arr`, the weight of each element; None: 1.
      minlength: lower bound of the length of the result; the default is 1 + the largest number.
      maxlength: upper bound of the length; larger numbers are left out.
      dtype: the dtype of the result if `weights` is None.
      name: name for the operation.
      axis: 0 or None: count all elements; -1: count each row of a matrix.
      binary_output: whether the result is 1 for each number that occurs, and 0 otherwise.

    Returns:
      Vector, or a matrix with a row for each row of `arr`.

    Raises:
      InvalidArgumentError: if a number is negative.
      ValueError: for another axis, or both `weights` and `binary_output`.

    >>> print(bincount([1, 1, 3]).numpy())
    [0 2 0 1]
    """
    if weights is not None and binary_output:
        raise ValueError(
            "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only "
            "one."
        )
    if axis not in (None, 0, -1):
        raise ValueError(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are supported."
        )
    values = convert_to_tensor(arr)
    if values.dtype not in INDEX:
        values = cast(values, dtypes.int32)
    count = _length(values, minlength, maxlength)
    if axis != -1:
        values = reshape(values, [-1])
    wanted = dtypes.as_dtype(dtype)
    if weights is None:
        amounts = convert_to_tensor(np.zeros(0, wanted.numpy_dtype))
    else:
        given = convert_to_tensor(weights)
        amounts = given if axis == -1 else reshape(given, [-1])
    return bincount.op(values, count, amounts, binary_output=bool(binary_output), name=name)


def _length(values: Tensor, least: TensorLike | None, most: TensorLike | None) -> Tensor:
    some = cast(size(values) > 0, values.dtype)
    largest = reduce_max(values) if values.shape.num_elements() != 0 else convert_to_tensor(0)
    # The largest of no numbers is the lowest of the dtype: 1 more would wrap around.
    count = multiply.op(some, maximum(cast(largest, values.dtype), -1) + 1)
    if least is not None:
        count = maximum(count, cast(convert_to_tensor(least), values.dtype))
    if most is not None:
        count = minimum(count, cast(convert_to_tensor(most), values.dtype))
    return count


def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: TensorLike | None = None,
    weights: TensorLike | None = None,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Count the pairs of label and prediction.

    Args:
      labels: class numbers of shape [n] or [n, 1].
      predictions: class numbers of shape [n] or [n, 1].
      num_classes: integer scalar; None: 1 + the largest number.
      weights: tensor of shape [n], the weight of each pair; None: 1.
      dtype: the dtype of the result.
      name: name for the operation.

    Returns:
      Tensor of shape [num_classes, num_classes]; rows are labels, columns predictions.

    Raises:
      InvalidArgumentError: if a number is negative or not below `num_classes`.

    >>> print(confusion_matrix([0, 1], [1, 1]).numpy())
    [[0 1]
     [0 1]]
    """
    wanted = dtypes.as_dtype(dtype)
    rows = cast(convert_to_tensor(labels), dtypes.int64)
    columns = cast(convert_to_tensor(predictions), dtypes.int64)
    rows, columns = _without_ones(rows, columns)
    _check_classes("labels", rows, num_classes)
    _check_classes("predictions", columns, num_classes)
    if num_classes is None:
        count = maximum(reduce_max(rows), reduce_max(columns)) + 1
    else:
        count = cast(convert_to_tensor(num_classes), dtypes.int64)
    ones = ones_like.op(rows, dtype=wanted)
    amounts = ones if weights is None else cast(convert_to_tensor(weights), wanted)
    if not amounts.shape.is_compatible_with(columns.shape):
        raise ValueError(f"Shapes {amounts.shape} and {columns.shape} are incompatible")
    flat = unsorted_segment_sum(amounts, rows * count + columns, count * count)
    return reshape.op(flat, call("Pack", count, count, axis=0), name=name)


def _without_ones(labels: Tensor, predictions: Tensor) -> tuple[Tensor, Tensor]:
    """Remove a last dimension of 1 that only one of them has."""
    ranks = labels.shape.rank, predictions.shape.rank
    if ranks[0] is None or ranks[1] is None:
        return labels, predictions
    if ranks[0] == ranks[1] + 1 and labels.shape[-1] in (1, None):
        return squeeze.op(labels, axis=(-1,)), predictions
    if ranks[1] == ranks[0] + 1 and predictions.shape[-1] in (1, None):
        return labels, squeeze.op(predictions, axis=(-1,))
    return labels, predictions


def _check_classes(what: str, values: Tensor, count: TensorLike | None) -> None:
    assert_non_negative(values, message=f"`{what}` contains negative values.  ")
    if count is not None:
        limit = cast(convert_to_tensor(count), dtypes.int64)
        assert_less(values, limit, message=f"`{what}` out of bound")


def count_nonzero(
    input: TensorLike,
    axis: AxisLike = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Count the elements along axes that are not zero, False or empty strings.

    Args:
      input: numeric, bool or string tensor.
      axis: the axes, an int or several; None: all.
      keepdims: whether reduced axes stay, with length 1.
      dtype: the dtype of the result.
      name: name for the operation.

    Returns:
      Tensor of that dtype.

    >>> print(count_nonzero([[0, 1], [2, 3]], axis=0).numpy())
    [1 2]
    """
    x = convert_to_tensor(input)
    nothing = "" if x.dtype is dtypes.string else np.zeros((), x.dtype.numpy_dtype)
    hits = cast(not_equal(x, nothing), dtypes.int64)
    total = reduce_sum(hits, axis, bool(keepdims))
    return call("Cast", total, dtype=dtypes.as_dtype(dtype), name=name or "count_nonzero")


def zero_fraction(value: TensorLike, name: str | None = None) -> Tensor:
    """Return the fraction of elements that are zero, a float32 scalar; NaN of no elements.

    >>> print(zero_fraction([0, 1, 2, 0]).numpy())
    0.5
    """
    x = convert_to_tensor(value)
    total = size(x, dtypes.int64)
    zeros = total - count_nonzero(x)
    parts = (cast(zeros, dtypes.float32), cast(total, dtypes.float32))
    return realdiv.op(*parts, name=name or "zero_fraction")


def polyval(coeffs: object, x: TensorLike, name: str | None = None) -> Tensor:
    """Evaluate a polynomial by Horner's rule.

    Args:
      coeffs: list of tensors that broadcast with `x`, the highest power first.
      x: numeric tensor.
      name: name for the operation.

    Returns:
      Tensor of the broadcast shape.

    Raises:
      ValueError: if `coeffs` is not a list.

    >>> print(polyval([2.0, 0.0, 1.0], [3.0, 0.0]).numpy())
    [19.  1.]
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    point = convert_to_tensor(x)
    if not coeffs:
        return zeros_like.op(point, dtype=point.dtype, name=name)
    total = convert_to_tensor(coeffs[0], dtype_hint=point.dtype)
    for coefficient in coeffs[1:]:
        total = add.op(total * point, coefficient)
    return total
