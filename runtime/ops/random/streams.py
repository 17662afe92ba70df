"""Ops that draw random numbers from a place in a stream of random bits."""

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
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.math.arithmetic import subtract
from runtime.ops.random import distributions
from runtime.ops.random.philox import Stream
from runtime.ops.random.sampling import (
    classes,
    classes_spec,
    dims_of,
    gamma_gradient,
    of_dtype,
    scaled,
    shape_tensor,
)

FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)
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
        raise UnimplementedError.of(
            "the algorithm threefry is not available; use philox or auto_select"
        )
    return found


def _check_seed(shape: Any) -> None:
    if shape is not None and (len(shape) != 1 or shape[0] not in (2, None)):
        raise ValueError(f"seed must have shape [2], not {list(shape)}")


def stream_of_seed(seed: Any) -> Stream:
    """The stream that belongs to a seed of two integers."""
    _check_seed(np.shape(seed))
    return Stream.of_pair(int(seed[0]), int(seed[1]))


def _stream(key: Any, counter: Any) -> Stream:
    return Stream(int(key[0]), int(counter[0]) | int(counter[1]) << 64)


def _key_counter_spec(seed: Tensor) -> tuple[TensorSpec, ...]:
    _check_seed(seed.spec.dims)
    return _KEY, _COUNTER


def _key_counter(xp: Any, seed: Any) -> Any:
    stream = stream_of_seed(seed)
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
    drawn = distributions.poisson(stream_of_seed(seed), np.arange(len(values)), values)
    return _arranged(drawn, dims, each).astype(dtype.numpy_dtype)


def binomial_numbers(stream: Stream, shape: Any, counts: Any, probs: Any, dtype: DType) -> Any:
    """Numbers of successes; `shape` ends with the shape to which the parameters broadcast."""
    dims, (trials, chances), each = _per_element(shape, counts, probs)
    drawn = distributions.binomial(stream, np.arange(len(trials)), trials, chances)
    return _arranged(drawn, dims, each).astype(dtype.numpy_dtype)


GAMMA = define_op(
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
POISSON = define_op(
    "StatelessRandomPoisson",
    {"shape": INDEX, "seed": _SEED, "lam": REAL},
    lambda shape, seed, lam, dtype: spec_of(dtype, static_dims(shape)),
    _poisson,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([2, 2], np.array([1, 2]), [0.5, 30.0], dtype=dtypes.float32),),
)
BINOMIAL = define_op(
    "StatelessRandomBinomial",
    {"shape": INDEX, "seed": _SEED, "counts": NUMERIC, "probs": NUMERIC},
    lambda shape, seed, counts, probs, dtype: spec_of(dtype, static_dims(shape)),
    lambda xp, shape, seed, counts, probs, dtype: binomial_numbers(
        stream_of_seed(seed), shape, counts, probs, dtype
    ),
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([2, 2], np.array([1, 2]), [10.0, 99.0], [0.3, 0.6], dtype=dtypes.float32),),
)
MULTINOMIAL = define_op(
    "StatelessMultinomial",
    {"logits": REAL, "num_samples": INT32, "seed": _SEED},
    lambda logits, count, seed, output_dtype: classes_spec(logits, count, output_dtype),
    lambda xp, logits, count, seed, output_dtype: classes(
        stream_of_seed(seed), logits, count, output_dtype
    ),
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([[0.0, 1.0]], 3, np.array([1, 2]), output_dtype=dtypes.int64),),
)
SHUFFLE = define_op(
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
