"""Numbers: conversions and functions that only version 1 has, or has with other arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.compat.v1.renamed import either
from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import arithmetic, counting, ranking, reduction
from runtime.ops.casting import cast
from runtime.ops.convert import convert_to_tensor as converted
from runtime.ops.convert import one_dtype
from runtime.ops.dimensions import size
from runtime.ops.elementwise import sqrt
from runtime.ops.finite_checks import check_numerics


def _conversion(dtype: DType, named: str, example: str) -> Callable[..., Tensor]:
    def convert(x: TensorLike, name: str = named) -> Tensor:
        return cast(x, dtype, name)

    own = f"to_{'double' if dtype is dtypes.float64 else dtype.name}"
    if dtype is dtypes.float32:
        own = "to_float"
    convert.__name__ = convert.__qualname__ = own
    convert.__doc__ = f"""A tensor as {dtype.name}; the same as `runtime.cast(x, {dtype.name})`.

    >>> print({own}(1))
    tf.Tensor({example}, shape=(), dtype={dtype.name})
    """
    return convert


to_float = _conversion(dtypes.float32, "ToFloat", "1.0")
to_double = _conversion(dtypes.float64, "ToDouble", "1.0")
to_int32 = _conversion(dtypes.int32, "ToInt32", "1")
to_int64 = _conversion(dtypes.int64, "ToInt64", "1")
to_complex64 = _conversion(dtypes.complex64, "ToComplex64", "(1+0j)")
to_complex128 = _conversion(dtypes.complex128, "ToComplex128", "(1+0j)")


def div(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The quotient: of integers rounded down, else the exact one.

    Args:
      x, y: numbers of one dtype.
      name: the name of the operation.

    >>> print(div(-7, 2), div(7.0, 2.0))
    tf.Tensor(-4, shape=(), dtype=int32) tf.Tensor(3.5, shape=(), dtype=float32)
    """
    (a, b), _ = one_dtype("div", [("x", x), ("y", y)])
    whole = a.dtype.is_integer
    return arithmetic.floordiv(a, b, name) if whole else arithmetic.realdiv(a, b, name)


def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: TensorLike | None = None,
    maxlength: TensorLike | None = None,
    dtype: Any = dtypes.int32,
) -> Tensor:
    """How often each number occurs; see `runtime.math.bincount`.

    >>> print(bincount([1, 1, 2]))
    tf.Tensor([0 2 1], shape=(3,), dtype=int32)
    """
    return counting.bincount(arr, weights, minlength, maxlength, dtype)


def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: TensorLike | None = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    weights: TensorLike | None = None,
) -> Tensor:
    """How often a label meets a prediction; see `runtime.math.confusion_matrix`.

    >>> print(confusion_matrix([1], [0]))
    tf.Tensor(
    [[0 0]
     [1 0]], shape=(2, 2), dtype=int32)
    """
    return counting.confusion_matrix(labels, predictions, num_classes, weights, dtype, name)


def in_top_k(
    predictions: TensorLike, targets: TensorLike, k: TensorLike, name: str | None = None
) -> Tensor:
    """Whether targets are among the `k` greatest predictions; see `runtime.math.in_top_k`.

    >>> print(in_top_k([[1.0, 2.0]], [1], 1))
    tf.Tensor([ True], shape=(1,), dtype=bool)
    """
    return ranking.in_top_k(targets, predictions, k, name)


def clip_by_average_norm(t: TensorLike, clip_norm: TensorLike, name: str | None = None) -> Tensor:
    """A tensor, made shorter if its length divided by its size is more than `clip_norm`.

    Args:
      t: numbers.
      clip_norm: the limit, above 0.
      name: the name of the operation.

    >>> print(clip_by_average_norm([3.0, 4.0], 1.0))
    tf.Tensor([1.2 1.6], shape=(2,), dtype=float32)
    """
    tensor = converted(t)
    limit = converted(clip_norm, tensor.dtype)
    squares = reduction.reduce_sum(tensor * tensor)
    average = sqrt(squares) / cast(size(tensor), tensor.dtype)
    return arithmetic.multiply(tensor, limit / arithmetic.maximum(average, limit), name)


def verify_tensor_all_finite(
    t: TensorLike | None = None,
    msg: str | None = None,
    name: str | None = None,
    x: TensorLike | None = None,
    message: str | None = None,
) -> Tensor:
    """Checks that no element is infinite or NaN; see `runtime.debugging.assert_all_finite`.

    Args:
      t, x: the tensor, under one of the names.
      msg, message: what stands first in the error, under one of the names.
      name: the name of the operation.

    >>> print(verify_tensor_all_finite([1.0], "loss"))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    return check_numerics(either("x", x, "t", t), either("message", message, "msg", msg), name)
