"""Random numbers of operations that keep count of what they drew, in the order of the program."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import (
    ANY,
    FLOAT,
    INDEX,
    INT32,
    NOT_DIFFERENTIABLE,
    REAL,
    DTypes,
    Effect,
    Grad,
    sample,
)
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims, static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import shape_operand
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.math.arithmetic import add, divide, maximum, multiply, subtract
from runtime.ops.random import distributions
from runtime.ops.random.philox import Stream
from runtime.ops.random.seeds import Draws, new_draws, operation_seeds, shared_draws

_FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)
_COUNTS = DTypes("int32 or a floating-point number", *_FLOATS, dtypes.int32, dtypes.int64)

Fill = Callable[[Stream, tuple[int, ...], Any], Any]


def dims_of(shape: Any) -> tuple[int, ...]:
    """A shape that arrived as an array. Raises ValueError if a dimension is negative."""
    dims = tuple(int(dim) for dim in np.ravel(shape))
    for dim in dims:
        if dim < 0:
            raise ValueError(f"Dimension {dim} must be >= 0")
    return dims


def _reserved(op_name: str, seed: int, seed2: int, source: Draws | None, blocks: int) -> Stream:
    draws = shared_draws(op_name, (seed, seed2)) if source is None else source
    return draws.reserve(blocks)


def _filling(name: str, fill: Fill) -> Op:
    def kernel(
        xp: Any, shape: Any, dtype: DType, seed: int, seed2: int, source: Draws | None = None
    ) -> Any:
        dims = dims_of(shape)
        blocks = math.prod(dims) * distributions.RESERVED
        stream = _reserved(f"{name} {dtype.name}", seed, seed2, source, blocks)
        return fill(stream, dims, dtype.numpy_dtype)

    return define_op(
        name,
        {"shape": INDEX},
        lambda shape, dtype, **attrs: spec_of(dtype, static_dims(shape)),
        kernel,
        effect=Effect.WRITE,
        samples=(
            sample([2, 3], dtype=dtypes.float32, seed=1, seed2=2),
            sample([5], dtype=dtypes.float64, seed=1, seed2=2),
        ),
    )


_UNIFORM = _filling("RandomUniform", distributions.uniform)
_NORMAL = _filling("RandomStandardNormal", distributions.normal)
_TRUNCATED = _filling("TruncatedNormal", distributions.truncated_normal)


def _uniform_int(
    xp: Any, shape: Any, low: Any, high: Any, seed: int, seed2: int, source: Draws | None = None
) -> Any:
    dims = dims_of(shape)
    blocks = math.prod(dims) * distributions.RESERVED
    stream = _reserved(f"RandomUniformInt {low.dtype}", seed, seed2, source, blocks)
    return distributions.integers(stream, dims, low, high)


_UNIFORM_INT = define_op(
    "RandomUniformInt",
    {"shape": INDEX, "minval": REAL, "maxval": REAL},
    lambda shape, low, high, **attrs: spec_of(low.spec.dtype, static_dims(shape)),
    _uniform_int,
    effect=Effect.WRITE,
    samples=(sample([4], 1, 9, seed=1, seed2=2),),
)


def _shuffled(xp: Any, x: Any, seed: int, seed2: int, source: Draws | None = None) -> Any:
    if np.ndim(x) == 0 or len(x) < 2:
        return x
    stream = _reserved(f"RandomShuffle {x.dtype}", seed, seed2, source, -(-len(x) // 4))
    return x[distributions.permutation(stream, len(x))]


_SHUFFLE = define_op(
    "RandomShuffle",
    {"value": ANY},
    lambda x, **attrs: x.spec,
    _shuffled,
    effect=Effect.WRITE,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([1, 2, 3], seed=1, seed2=2),),
)


def classes_spec(logits: Tensor, count: Tensor, output_dtype: DType, **attrs: Any) -> TensorSpec:
    """The shape of what is drawn for rows of logits. Raises ValueError if they are no matrix."""
    dims = logits.spec.dims
    if dims is not None and len(dims) != 2:
        raise ValueError(f"logits should be a matrix, got shape {list(dims)}")
    number = static_value(count)
    return spec_of(
        output_dtype, (None if dims is None else dims[0], None if number is None else int(number))
    )


def classes(stream: Stream, logits: Any, count: Any, output_dtype: DType) -> Any:
    """Classes drawn for rows of logits. Raises ValueError if they are no matrix with classes."""
    if logits.ndim != 2:
        raise ValueError(f"logits should be a matrix, got shape {list(logits.shape)}")
    if logits.shape[1] == 0:
        raise ValueError("num_classes should be positive, got 0")
    drawn = distributions.categorical(stream, logits, int(count))
    return drawn.astype(output_dtype.numpy_dtype)


def _multinomial(
    xp: Any,
    logits: Any,
    count: Any,
    output_dtype: DType,
    seed: int,
    seed2: int,
    source: Draws | None = None,
) -> Any:
    blocks = len(logits) * (-(-int(count) // 4) * 4) * 2 * distributions.RESERVED
    kind = f"Multinomial {logits.dtype} {output_dtype}"
    stream = _reserved(kind, seed, seed2, source, blocks)
    return classes(stream, logits, count, output_dtype)


_MULTINOMIAL = define_op(
    "Multinomial",
    {"logits": REAL, "num_samples": INT32},
    classes_spec,
    _multinomial,
    effect=Effect.WRITE,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([[0.0, 1.0]], 3, output_dtype=dtypes.int64, seed=1, seed2=2),),
)


def _per_parameter(
    name: str,
    group: DTypes,
    draw: Callable[[Stream, Any, Any], Any],
    parameter: str,
    grad: Grad | None,
) -> Op:
    """An op that draws `shape` numbers for each element of a parameter."""

    def kernel(
        xp: Any,
        shape: Any,
        values: Any,
        seed: int,
        seed2: int,
        dtype: DType | None = None,
        source: Draws | None = None,
    ) -> Any:
        dims = dims_of(shape)
        each, flat = math.prod(dims), np.ravel(values).astype(np.float64)
        kind = f"{name} {values.dtype} {dtype}"
        stream = _reserved(kind, seed, seed2, source, each * flat.size * distributions.RESERVED)
        drawn = draw(stream, np.arange(each * flat.size), np.repeat(flat, each))
        wanted = values.dtype if dtype is None else dtype.numpy_dtype
        return drawn.reshape(flat.size, each).T.reshape(*dims, *values.shape).astype(wanted)

    def infer(
        shape: Tensor, values: Tensor, dtype: DType | None = None, **attrs: Any
    ) -> TensorSpec:
        front, back = static_dims(shape), values.spec.dims
        dims = None if front is None or back is None else (*front, *back)
        return spec_of(values.spec.dtype if dtype is None else dtype, dims)

    return define_op(
        name,
        {"shape": INDEX, parameter: group},
        infer,
        kernel,
        effect=Effect.WRITE,
        grad=grad,
        samples=(sample([2], np.array([0.5, 30.0], np.float32), seed=1, seed2=2),),
    )


def gamma_gradient(g: Tensor, y: Tensor, alpha: Tensor) -> Tensor:
    """The gradient of the shape parameter: numbers move so that their probabilities stay."""
    return multiply(g, call("RandomGammaGrad", alpha, y))


_GAMMA = _per_parameter(
    "RandomGamma",
    FLOAT,
    distributions.gamma,
    "alpha",
    lambda g, y, shape, alpha, **attrs: (None, gamma_gradient(g, y, alpha)),
)
_POISSON = _per_parameter(
    "RandomPoissonV2", _COUNTS, distributions.poisson, "rate", NOT_DIFFERENTIABLE
)


def shape_tensor(shape: Any) -> Any:
    """A shape argument as the operand of an op."""
    operand = shape_operand(shape)
    return np.array(operand, np.int32) if isinstance(operand, tuple) else operand


def of_dtype(value: TensorLike, dtype: DType) -> Tensor:
    """A parameter of a distribution in the dtype of the result."""
    return cast_to(convert_to_tensor(value, dtype_hint=dtype), dtype)


def checked_dtype(dtype: Any, allowed: tuple[DType, ...]) -> DType:
    """The dtype of random numbers. Raises ValueError if there are none of that dtype."""
    wanted = dtypes.as_dtype(dtype)
    if wanted not in allowed:
        names = ", ".join(f"tf.{other.name}" for other in allowed)
        raise ValueError(
            f"Argument `dtype` got invalid value {wanted}. Accepted dtypes are ({names})."
        )
    return wanted


def scaled(numbers: Tensor, factor: TensorLike, shift: TensorLike, name: str | None) -> Tensor:
    """`numbers * factor + shift`."""
    return add(multiply(numbers, factor), shift, name=name)


def _drawn(op: Op, seed: int | None, *args: Any, **attrs: Any) -> Tensor:
    seeds = operation_seeds(seed)
    source = new_draws(seeds)
    kept: dict[str, Any] = {} if source is None else {"source": source}
    return op(*args, seed=seeds[0], seed2=seeds[1], **kept, **attrs)


def uniform(
    shape: Any,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers between `minval` and, exclusively, `maxval`, each equally likely.

    Args:
      shape: the shape.
      minval, maxval: numbers, or for a floating-point dtype tensors that broadcast to `shape`;
        `maxval` is 1 unless it is given, which integers need.
      dtype: float16, float32, float64, int32 or int64.
      seed: together with `set_seed` it decides what is drawn.
      name: the name of the operation.

    Raises: ValueError for another dtype, and for integers without `maxval`; InvalidArgumentError
      for integers where `minval` is not below `maxval`.

    >>> import runtime as tf
    >>> tf.random.set_seed(5)
    >>> print(tf.random.uniform([5], maxval=100, dtype=tf.int32, seed=7))
    tf.Tensor([70 35 59 92 19], shape=(5,), dtype=int32)
    """
    wanted = checked_dtype(dtype, (*_FLOATS, dtypes.int32, dtypes.int64))
    label = name or "random_uniform"
    if wanted.is_integer:
        if maxval is None:
            raise ValueError(f"Must specify maxval for integer dtype {wanted!r}")
        bounds = of_dtype(minval, wanted), of_dtype(maxval, wanted)
        return _drawn(_UNIFORM_INT, seed, shape_tensor(shape), *bounds, name=label)
    high: TensorLike = 1 if maxval is None else maxval
    if type(minval) is type(high) is int and (minval, high) == (0, 1):
        return _drawn(_UNIFORM, seed, shape_tensor(shape), dtype=wanted, name=label)
    first, last = of_dtype(minval, wanted), of_dtype(high, wanted)
    drawn = _drawn(_UNIFORM, seed, shape_tensor(shape), dtype=wanted)
    return scaled(drawn, subtract(last, first), first, label)


def _spread(
    op: Op,
    shape: Any,
    mean: TensorLike,
    stddev: TensorLike,
    dtype: Any,
    seed: int | None,
    name: str,
) -> Tensor:
    wanted = checked_dtype(dtype, _FLOATS)
    drawn = _drawn(op, seed, shape_tensor(shape), dtype=wanted)
    return scaled(drawn, of_dtype(stddev, wanted), of_dtype(mean, wanted), name)


def normal(
    shape: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers from a normal distribution.

    Args:
      shape: the shape.
      mean, stddev: mean and standard deviation; they broadcast to `shape`.
      dtype: float16, float32 or float64.
      seed: together with `set_seed` it decides what is drawn.
      name: the name of the operation.

    Raises: ValueError for another dtype.

    >>> normal([2, 2]).dtype
    tf.float32
    """
    return _spread(_NORMAL, shape, mean, stddev, dtype, seed, name or "random_normal")


def truncated_normal(
    shape: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers from a normal distribution, none further than two `stddev` from the mean.

    Arguments as in `normal`.

    >>> bool((truncated_normal([100], mean=5.0).numpy() < 7).all())
    True
    """
    return _spread(_TRUNCATED, shape, mean, stddev, dtype, seed, name or "truncated_normal")


def gamma(
    shape: Any,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers from gamma distributions, `shape` for each pair of `alpha` and `beta`.

    Args:
      shape: the first dimensions of the result; those of `alpha + beta` follow.
      alpha: the shape parameter, above 0.
      beta: the rate, above 0; None: 1.
      dtype: float16, float32 or float64.
      seed: together with `set_seed` it decides what is drawn.
      name: the name of the operation.

    >>> gamma([3], [0.5, 1.5]).shape
    TensorShape([3, 2])
    """
    wanted = checked_dtype(dtype, _FLOATS)
    rate = of_dtype(1 if beta is None else beta, wanted)
    shapes = add(of_dtype(alpha, wanted), call("ZerosLike", rate, dtype=wanted))
    drawn = _drawn(_GAMMA, seed, shape_tensor(shape), shapes)
    return maximum(divide(drawn, rate), smallest(wanted), name=name or "random_gamma")


def smallest(dtype: DType) -> Any:
    """The smallest positive number of a floating-point dtype that has full precision."""
    return np.finfo(dtype.numpy_dtype).tiny


def poisson(
    shape: Any,
    lam: TensorLike,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Counts from Poisson distributions, `shape` for each rate.

    Args:
      shape: the first dimensions of the result; those of `lam` follow.
      lam: the rates, not negative.
      dtype: float16, float32, float64, int32 or int64.
      seed: together with `set_seed` it decides what is drawn.
      name: the name of the operation.

    >>> poisson([3], [0.5, 20.0]).shape
    TensorShape([3, 2])
    """
    wanted = checked_dtype(dtype, (*_FLOATS, dtypes.int32, dtypes.int64))
    rates = convert_to_tensor(lam)
    label = name or "random_poisson"
    return _drawn(_POISSON, seed, shape_tensor(shape), rates, dtype=wanted, name=label)


def categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    dtype: Any = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Classes, drawn with probabilities in proportion to `exp(logits)`.

    Args:
      logits: matrix [rows, classes].
      num_samples: how many to draw for each row.
      dtype: int32 or int64; None: int64.
      seed: together with `set_seed` it decides what is drawn.
      name: the name of the operation.

    Returns: [rows, num_samples].
    Raises: InvalidArgumentError if `logits` is no matrix.

    >>> print(categorical([[0.0, -1000.0]], 3))
    tf.Tensor([[0 0 0]], shape=(1, 3), dtype=int64)
    """
    wanted = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    count = of_dtype(num_samples, dtypes.int32)
    return _drawn(
        _MULTINOMIAL, seed, logits, count, output_dtype=wanted, name=name or "categorical"
    )


def shuffle(value: TensorLike, seed: int | None = None, name: str | None = None) -> Tensor:
    """The rows in random order.

    >>> int(shuffle([3, 3])[0])
    3
    """
    return _drawn(_SHUFFLE, seed, value, name=name or "RandomShuffle")
