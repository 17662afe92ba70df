"""Random numbers that depend on the seed at hand and on nothing else."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import (
    ANY,
    FLOAT,
    INDEX,
    INT32,
    NOT_DIFFERENTIABLE,
    NUMERIC,
    REAL,
    DTypes,
    sample,
)
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import distributions
from runtime.ops.arithmetic import add, divide, maximum, subtract
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import Op, call, define_op
from runtime.ops.joining import stack
from runtime.ops.philox import Stream
from runtime.ops.random import (
    checked_dtype,
    classes,
    classes_spec,
    dims_of,
    gamma_gradient,
    of_dtype,
    scaled,
    shape_tensor,
    smallest,
)

_FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)
_SEED = DTypes("int32 or int64", dtypes.int32, dtypes.int64)
_WORDS = DTypes("uint64", dtypes.uint64)
_LONG = 2**64 - 1
_KEY = spec_of(dtypes.uint64, (1,))
_COUNTER = spec_of(dtypes.uint64, (2,))
_SAMPLE_KEY = (np.array([7], np.uint64), np.array([0, 1], np.uint64))


class Algorithm(enum.Enum):
    """The ways to make random bits.

    >>> Algorithm.PHILOX.value
    1
    """

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def algorithm(alg: Any) -> Algorithm:
    """The algorithm that a number, a name or an `Algorithm` stands for.

    Raises: ValueError if it stands for none; UnimplementedError for ThreeFry.
    """
    names = {"philox": 1, "threefry": 2, "auto_select": 3}
    value: Any = names.get(alg, alg) if isinstance(alg, str) else getattr(alg, "value", alg)
    if value not in (1, 2, 3):
        raise ValueError(
            f"Argument `alg` got unsupported value {alg}. Supported values are philox for the "
            "Philox algorithm, threefry for the ThreeFry algorithm, and auto_select for "
            "auto-selection."
        )
    found = Algorithm(int(value))
    if found is Algorithm.THREEFRY:
        raise UnimplementedError(
            None, None, "the algorithm threefry is not available; use philox or auto_select"
        )
    return found


def _check_seed(shape: Any) -> None:
    if shape is not None and (len(shape) != 1 or shape[0] not in (2, None)):
        raise ValueError(f"seed must have shape [2], not {list(shape)}")


def _stream_of_seed(seed: Any) -> Stream:
    _check_seed(np.shape(seed))
    return Stream.of_pair(int(seed[0]), int(seed[1]))


def _stream(key: Any, counter: Any) -> Stream:
    return Stream(int(key[0]), int(counter[0]) | int(counter[1]) << 64)


def _key_counter_spec(seed: Tensor) -> tuple[TensorSpec, ...]:
    _check_seed(seed.spec.dims)
    return _KEY, _COUNTER


def _key_counter(xp: Any, seed: Any) -> Any:
    stream = _stream_of_seed(seed)
    counter = [stream.counter & _LONG, stream.counter >> 64]
    return xp.array([stream.key], np.uint64), xp.array(counter, np.uint64)


_KEY_COUNTER = define_op(
    "StatelessRandomGetKeyCounter",
    {"seed": _SEED},
    _key_counter_spec,
    _key_counter,
    outputs=None,
    samples=(sample([1, 2]),),
)


def _filling(name: str, fill: Callable[..., Any], dtype: DType) -> Op:
    return define_op(
        name,
        {"shape": INDEX, "key": _WORDS, "counter": _WORDS, "alg": INT32},
        lambda shape, key, counter, alg, dtype: spec_of(dtype, static_dims(shape)),
        lambda xp, shape, key, counter, alg, dtype: fill(
            _stream(key, counter), dims_of(shape), dtype.numpy_dtype
        ),
        samples=(_sample(dtype),),
    )


def _sample(dtype: DType) -> Any:
    return sample([2, 3], *_SAMPLE_KEY, 1, dtype=dtype)


_UNIFORM = _filling("StatelessRandomUniformV2", distributions.uniform, dtypes.float32)
_NORMAL = _filling("StatelessRandomNormalV2", distributions.normal, dtypes.float64)
_TRUNCATED = _filling("StatelessTruncatedNormalV2", distributions.truncated_normal, dtypes.float32)
_FULL_INT = _filling("StatelessRandomUniformFullIntV2", distributions.full_integers, dtypes.uint32)
_UNIFORM_INT = define_op(
    "StatelessRandomUniformIntV2",
    {
        "shape": INDEX,
        "key": _WORDS,
        "counter": _WORDS,
        "alg": INT32,
        "minval": REAL,
        "maxval": REAL,
    },
    lambda shape, key, counter, alg, low, high: spec_of(low.spec.dtype, static_dims(shape)),
    lambda xp, shape, key, counter, alg, low, high: distributions.integers(
        _stream(key, counter), dims_of(shape), low, high
    ),
    samples=(sample([3], *_SAMPLE_KEY, 1, 0, 9),),
)


def _per_element(shape: Any, *parameters: Any) -> tuple[tuple[int, ...], list[Any], Any]:
    """The shape, each element's parameters in the order of the stream, and how to undo it."""
    dims = dims_of(shape)
    joint = np.broadcast_shapes(*(np.shape(values) for values in parameters))
    if dims[len(dims) - len(joint) :] != joint:
        raise ValueError(f"Shape passed in must end with broadcasted shape {joint}, not {dims}")
    each = math.prod(dims[: len(dims) - len(joint)])
    flat = [np.broadcast_to(values, joint).ravel().astype(np.float64) for values in parameters]
    return dims, [np.repeat(values, each) for values in flat], each


def _arranged(drawn: Any, dims: tuple[int, ...], each: int) -> Any:
    return drawn.reshape(-1, each).T.reshape(dims) if drawn.size else drawn.reshape(dims)


def _gamma(xp: Any, shape: Any, key: Any, counter: Any, alg: Any, alpha: Any) -> Any:
    dims, (values,), each = _per_element(shape, alpha)
    drawn = distributions.gamma(_stream(key, counter), np.arange(len(values)), values)
    return _arranged(drawn, dims, each).astype(alpha.dtype)


def _poisson(xp: Any, shape: Any, seed: Any, lam: Any, dtype: DType) -> Any:
    dims, (values,), each = _per_element(shape, lam)
    drawn = distributions.poisson(_stream_of_seed(seed), np.arange(len(values)), values)
    return _arranged(drawn, dims, each).astype(dtype.numpy_dtype)


def binomial_numbers(stream: Stream, shape: Any, counts: Any, probs: Any, dtype: DType) -> Any:
    """Numbers of successes; `shape` ends with the shape to which the parameters broadcast."""
    dims, (trials, chances), each = _per_element(shape, counts, probs)
    drawn = distributions.binomial(stream, np.arange(len(trials)), trials, chances)
    return _arranged(drawn, dims, each).astype(dtype.numpy_dtype)


_GAMMA = define_op(
    "StatelessRandomGammaV3",
    {"shape": INDEX, "key": _WORDS, "counter": _WORDS, "alg": INT32, "alpha": FLOAT},
    lambda shape, key, counter, alg, alpha: spec_of(alpha.spec.dtype, static_dims(shape)),
    _gamma,
    grad=lambda g, y, shape, key, counter, alg, alpha: (
        *(None,) * 4,
        gamma_gradient(g, y, alpha),
    ),
    samples=(sample([2, 2], *_SAMPLE_KEY, 1, np.array([0.5, 3.0], np.float32)),),
)
_POISSON = define_op(
    "StatelessRandomPoisson",
    {"shape": INDEX, "seed": _SEED, "lam": REAL},
    lambda shape, seed, lam, dtype: spec_of(dtype, static_dims(shape)),
    _poisson,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([2, 2], np.array([1, 2]), [0.5, 30.0], dtype=dtypes.float32),),
)
_BINOMIAL = define_op(
    "StatelessRandomBinomial",
    {"shape": INDEX, "seed": _SEED, "counts": NUMERIC, "probs": NUMERIC},
    lambda shape, seed, counts, probs, dtype: spec_of(dtype, static_dims(shape)),
    lambda xp, shape, seed, counts, probs, dtype: binomial_numbers(
        _stream_of_seed(seed), shape, counts, probs, dtype
    ),
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([2, 2], np.array([1, 2]), [10.0, 99.0], [0.3, 0.6], dtype=dtypes.float32),),
)
_MULTINOMIAL = define_op(
    "StatelessMultinomial",
    {"logits": REAL, "num_samples": INT32, "seed": _SEED},
    lambda logits, count, seed, output_dtype: classes_spec(logits, count, output_dtype),
    lambda xp, logits, count, seed, output_dtype: classes(
        _stream_of_seed(seed), logits, count, output_dtype
    ),
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([[0.0, 1.0]], 3, np.array([1, 2]), output_dtype=dtypes.int64),),
)
_SHUFFLE = define_op(
    "StatelessShuffle",
    {"value": ANY, "key": _WORDS, "counter": _WORDS, "alg": INT32},
    lambda x, key, counter, alg: x.spec,
    lambda xp, x, key, counter, alg: (
        x if np.ndim(x) == 0 else x[distributions.permutation(_stream(key, counter), len(x))]
    ),
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([1, 2, 3], *_SAMPLE_KEY, 1),),
)


def place_of(seed: TensorLike, alg: Any) -> tuple[Tensor, Tensor, int]:
    """Key, counter and algorithm that belong to a seed of two integers."""
    chosen = algorithm(alg)
    key, counter = _KEY_COUNTER.outputs(convert_to_tensor(seed))
    number = Algorithm.PHILOX if chosen is Algorithm.AUTO_SELECT else chosen
    return key, counter, number.value


Place = tuple[Tensor, Tensor, int]
"""Where in which stream numbers are: key, counter and the number of the algorithm."""


def uniform_at(
    place: Place,
    shape: Any,
    minval: TensorLike | None,
    maxval: TensorLike | None,
    dtype: DType,
    name: str | None,
) -> Tensor:
    """Uniform numbers from a place of a stream; see `stateless_uniform`."""
    dims = shape_tensor(shape)
    if dtype.is_integer:
        if minval is None:
            return _FULL_INT(dims, *place, dtype=dtype, name=name)
        bounds = of_dtype(minval, dtype), of_dtype(maxval, dtype)
        return _UNIFORM_INT(dims, *place, *bounds, name=name)
    low, high = of_dtype(minval, dtype), of_dtype(1 if maxval is None else maxval, dtype)
    drawn = _UNIFORM(dims, *place, dtype=dtype)
    return scaled(drawn, subtract(high, low), low, name)


def normal_at(
    place: Place,
    shape: Any,
    mean: TensorLike,
    stddev: TensorLike,
    dtype: DType,
    name: str | None,
    truncated: bool = False,
) -> Tensor:
    """Normal numbers from a place of a stream; see `stateless_normal`."""
    op = _TRUNCATED if truncated else _NORMAL
    drawn = op(shape_tensor(shape), *place, dtype=dtype)
    return scaled(drawn, of_dtype(stddev, dtype), of_dtype(mean, dtype), name)


_INTEGERS = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)


def stateless_uniform(
    shape: Any,
    seed: TensorLike,
    minval: TensorLike | None = 0,
    maxval: TensorLike | None = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Numbers between `minval` and, exclusively, `maxval`; the same for the same seed.

    Args:
      shape: the shape.
      seed: two integers, int32 or int64.
      minval, maxval: the bounds; both None: all integers of an integer dtype.
      dtype: float16, float32, float64, int32, int64, uint32 or uint64.
      name: the name of the operation.
      alg: "philox" or "auto_select".

    Raises: ValueError for another dtype, and for integers if only one bound is given.

    >>> print(stateless_uniform([2], seed=[1, 2]))
    tf.Tensor([0.8440604  0.19204533], shape=(2,), dtype=float32)
    """
    wanted = checked_dtype(dtype, (*_FLOATS, *_INTEGERS))
    _check_bounds(wanted, minval, maxval)
    label = name or "stateless_random_uniform"
    return uniform_at(place_of(seed, alg), shape, minval, maxval, wanted, label)


def _check_bounds(dtype: DType, minval: Any, maxval: Any) -> None:
    if not dtype.is_integer:
        return
    if (minval is None) != (maxval is None):
        raise ValueError(
            f"For integer `dtype` argument {dtype!r}, argument `minval` and `maxval` must be both "
            f"None or not None. Got `minval`={minval} and `maxval`={maxval}."
        )
    if minval is not None and dtype.is_unsigned:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype} when argument `minval` is not None. "
            "Please don't use unsigned integers in this case."
        )


def stateless_normal(
    shape: Any,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Numbers from a normal distribution; the same for the same seed.

    Args:
      shape: the shape.
      seed: two integers, int32 or int64.
      mean, stddev: mean and standard deviation; they broadcast to `shape`.
      dtype: float16, float32 or float64.
      name: the name of the operation.
      alg: "philox" or "auto_select".

    >>> print(stateless_normal([2], seed=[1, 2]))
    tf.Tensor([0.5441101  0.20738031], shape=(2,), dtype=float32)
    """
    wanted = checked_dtype(dtype, _FLOATS)
    label = name or "stateless_random_normal"
    return normal_at(place_of(seed, alg), shape, mean, stddev, wanted, label)


def stateless_truncated_normal(
    shape: Any,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """As `stateless_normal`, with no number further than two `stddev` from the mean.

    >>> print(stateless_truncated_normal([2], seed=[1, 2], mean=5.0))
    tf.Tensor([5.5441103 5.2073803], shape=(2,), dtype=float32)
    """
    wanted = checked_dtype(dtype, _FLOATS)
    label = name or "stateless_truncated_normal"
    return normal_at(place_of(seed, alg), shape, mean, stddev, wanted, label, truncated=True)


def stateless_gamma(
    shape: Any,
    seed: TensorLike,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Numbers from gamma distributions; the same for the same seed.

    Args:
      shape: the shape, which ends with that of `alpha + beta`.
      seed: two integers, int32 or int64.
      alpha: the shape parameter, above 0.
      beta: the rate, above 0; None: 1.
      dtype: float16, float32 or float64.
      name: the name of the operation.

    Raises: InvalidArgumentError if `shape` does not end with the shape of the parameters.

    >>> stateless_gamma([3, 2], [1, 2], [0.5, 1.5]).shape
    TensorShape([3, 2])
    """
    wanted = checked_dtype(dtype, _FLOATS)
    rate = of_dtype(1 if beta is None else beta, wanted)
    shapes = add(of_dtype(alpha, wanted), call("ZerosLike", rate, dtype=wanted))
    drawn = _GAMMA(shape_tensor(shape), *place_of(seed, "auto_select"), shapes)
    return maximum(divide(drawn, rate), smallest(wanted), name=name or "stateless_gamma")


def stateless_poisson(
    shape: Any,
    seed: TensorLike,
    lam: TensorLike,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Counts from Poisson distributions; the same for the same seed.

    Args:
      shape: the shape, which ends with that of `lam`.
      seed: two integers, int32 or int64.
      lam: the rates, not negative.
      dtype: float16, float32, float64, int32 or int64.
      name: the name of the operation.

    >>> print(stateless_poisson([1, 3], [1, 2], [0.5, 3.0, 20.0]).shape)
    (1, 3)
    """
    wanted = checked_dtype(dtype, (*_FLOATS, dtypes.int32, dtypes.int64))
    dims = shape_tensor(shape)
    return _POISSON(dims, seed, lam, dtype=wanted, name=name or "stateless_random_poisson")


def stateless_binomial(
    shape: Any,
    seed: TensorLike,
    counts: TensorLike,
    probs: TensorLike,
    output_dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Numbers of successes in independent trials; the same for the same seed.

    Args:
      shape: the shape, which ends with that of `counts + probs`.
      seed: two integers, int32 or int64.
      counts: numbers of trials, of one dtype with `probs`.
      probs: the probability of a success in one trial.
      output_dtype: the dtype of the result.
      name: the name of the operation.

    >>> print(stateless_binomial([2], [1, 2], counts=10.0, probs=0.3))
    tf.Tensor([5 5], shape=(2,), dtype=int32)
    """
    wanted = dtypes.as_dtype(output_dtype)
    chances = convert_to_tensor(probs)
    trials = of_dtype(counts, chances.dtype)
    label = name or "stateless_random_binomial"
    return _BINOMIAL(shape_tensor(shape), seed, trials, chances, dtype=wanted, name=label)


def stateless_categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: TensorLike,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Classes, drawn with probabilities in proportion to `exp(logits)`; the same for one seed.

    Args:
      logits: matrix [rows, classes].
      num_samples: how many to draw for each row.
      seed: two integers, int32 or int64.
      dtype: int32 or int64.
      name: the name of the operation.

    >>> print(stateless_categorical([[0.0, 1.0, 2.0]], 5, seed=[1, 2]))
    tf.Tensor([[2 2 1 2 2]], shape=(1, 5), dtype=int64)
    """
    count = of_dtype(num_samples, dtypes.int32)
    label = name or "stateless_categorical"
    return _MULTINOMIAL(logits, count, seed, output_dtype=dtypes.as_dtype(dtype), name=label)


def stateless_shuffle(
    value: TensorLike, seed: TensorLike, alg: Any = "auto_select", name: str | None = None
) -> Tensor:
    """The rows in random order; the same for the same seed.

    >>> print(stateless_shuffle([0, 1, 2, 3], seed=[1, 2]))
    tf.Tensor([0 3 2 1], shape=(4,), dtype=int32)
    """
    return _SHUFFLE(value, *place_of(seed, alg), name=name or "stateless_shuffle")


def split(seed: TensorLike, num: Any = 2, alg: Any = "auto_select") -> Tensor:
    """Several seeds made of one, as independent of each other as random numbers are.

    Args:
      seed: two integers, int32 or int64.
      num: how many seeds.
      alg: "philox" or "auto_select".

    Returns: [num, 2], of the dtype of `seed`.

    >>> print(split([1, 2], num=2))
    tf.Tensor(
    [[1105988140 1738052849]
     [-335576002  370444179]], shape=(2, 2), dtype=int32)
    """
    tensor = convert_to_tensor(seed)
    return stateless_uniform([num, 2], tensor, None, None, tensor.dtype, alg=alg)


def fold_in(seed: TensorLike, data: TensorLike, alg: Any = "auto_select") -> Tensor:
    """A seed made of a seed and a number, such as that of a step.

    Args:
      seed: two integers, int32 or int64.
      data: int32 or int64, a scalar.
      alg: "philox" or "auto_select".

    Returns: two integers of the dtype of `data`.

    >>> print(fold_in([1, 2], 3))
    tf.Tensor([1105988140          3], shape=(2,), dtype=int32)
    """
    number = convert_to_tensor(data)
    drawn = stateless_uniform([], seed, None, None, number.dtype, alg=alg)
    return stack([drawn, number])
