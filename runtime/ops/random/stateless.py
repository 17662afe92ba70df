"""Random numbers that depend on their seed alone."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import INDEX, INT32, REAL, DTypes, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import Array, DTypeLike, Namespace, ShapeLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.random import distributions
from runtime.ops.random.arguments import (
    FLOATS,
    Fill,
    between,
    checked_dtype,
    dims_of,
    of_dtype,
    scaled,
    shape_tensor,
)
from runtime.ops.random.philox import Stream

_INTEGERS = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)
_SEED = DTypes("int32 or int64", dtypes.int32, dtypes.int64)
_WORDS = DTypes("uint64", dtypes.uint64)
_POSITION = {"key": _WORDS, "counter": _WORDS, "alg": INT32}
"""The inputs that a position consists of."""

_SAMPLE_POSITION = (np.array([7], np.uint64), np.array([0, 1], np.uint64), 1)
_WORD_MASK = 2**64 - 1

_Position = tuple[Tensor, Tensor, int]
"""A position in a stream: key, counter and the number of the algorithm."""


_ALGORITHMS = {"philox": 1, "threefry": 2, "auto_select": 3}
_PHILOX = _ALGORITHMS["philox"]


def _check_algorithm(alg: object) -> None:
    """Raise ValueError for an unknown number or name, and UnimplementedError for ThreeFry."""
    number = _ALGORITHMS.get(alg) if isinstance(alg, str) else alg
    if number not in _ALGORITHMS.values():
        raise ValueError(
            f"Argument `alg` got unsupported value {alg}. Supported values are philox for the "
            "Philox algorithm, threefry for the ThreeFry algorithm, and auto_select for "
            "auto-selection."
        )
    if number == _ALGORITHMS["threefry"]:
        raise UnimplementedError.of(
            "the algorithm threefry is not available; use philox or auto_select"
        )


def _check_seed(dims: Dims) -> None:
    if dims is not None and (len(dims) != 1 or dims[0] not in (2, None)):
        raise ValueError(f"seed must have shape [2], not {list(dims)}")


def _stream_at(key: Array, counter: Array) -> Stream:
    return Stream(int(key[0]), int(counter[0]) | int(counter[1]) << 64)


def _key_counter_spec(seed: Tensor) -> tuple[TensorSpec, ...]:
    _check_seed(seed.spec.dims)
    return spec_of(dtypes.uint64, (1,)), spec_of(dtypes.uint64, (2,))


def _key_counter(xp: Namespace, seed: Array) -> tuple[Array, Array]:
    _check_seed(np.shape(seed))
    stream = Stream.of_pair(int(seed[0]), int(seed[1]))
    counter = [stream.counter & _WORD_MASK, stream.counter >> 64]
    return xp.array([stream.key], np.uint64), xp.array(counter, np.uint64)


_KEY_COUNTER = define_op(
    "StatelessRandomGetKeyCounter",
    {"seed": _SEED},
    _key_counter_spec,
    _key_counter,
    outputs=None,
    samples=(sample([1, 2]),),
)


def _position_of(seed: TensorLike, alg: object) -> _Position:
    """Return the position where the stream of a seed of two integers begins."""
    _check_algorithm(alg)
    key, counter = _KEY_COUNTER.outputs(convert_to_tensor(seed))
    return key, counter, _PHILOX


def _filling(name: str, fill: Fill, dtype: DType) -> Op:
    return define_op(
        name,
        {"shape": INDEX, **_POSITION},
        lambda shape, key, counter, alg, dtype: spec_of(dtype, static_dims(shape)),
        lambda xp, shape, key, counter, alg, dtype: fill(
            _stream_at(key, counter), dims_of(shape), dtype.numpy_dtype
        ),
        samples=(sample([2, 3], *_SAMPLE_POSITION, dtype=dtype),),
    )


_UNIFORM = _filling("StatelessRandomUniformV2", distributions.uniform, dtypes.float32)
_NORMAL = _filling("StatelessRandomNormalV2", distributions.normal, dtypes.float64)
_TRUNCATED = _filling("StatelessTruncatedNormalV2", distributions.truncated_normal, dtypes.float32)
_FULL_INT = _filling("StatelessRandomUniformFullIntV2", distributions.full_integers, dtypes.uint32)
_UNIFORM_INT = define_op(
    "StatelessRandomUniformIntV2",
    {"shape": INDEX, **_POSITION, "minval": REAL, "maxval": REAL},
    lambda shape, key, counter, alg, low, high: spec_of(low.spec.dtype, static_dims(shape)),
    lambda xp, shape, key, counter, alg, low, high: distributions.integers(
        _stream_at(key, counter), dims_of(shape), low, high
    ),
    samples=(sample([3], *_SAMPLE_POSITION, 0, 9),),
)


def stateless_uniform(
    shape: ShapeLike,
    seed: TensorLike,
    minval: TensorLike | None = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    alg: object = "auto_select",
) -> Tensor:
    """Draw uniform samples from [minval, maxval).

    Args:
      shape: int32 or int64 vector, the shape of the result.
      seed: int32 or int64 vector of length 2; equal seeds give equal samples.
      minval, maxval: bounds; both None: all values of an integer dtype.
      dtype: float16, float32, float64, int32, int64, uint32 or uint64.
      alg: "philox" or "auto_select".

    Returns: Tensor of that shape and dtype.
    Raises: ValueError for another dtype, or for integers if only one bound is None.

    >>> print(stateless_uniform([2], seed=[1, 2]).numpy().round(4))
    [0.8441 0.192 ]
    """
    wanted = checked_dtype(dtype, (*FLOATS, *_INTEGERS))
    _check_bounds(wanted, minval, maxval)
    label = name or "stateless_random_uniform"
    position, dims = _position_of(seed, alg), shape_tensor(shape)
    if not wanted.is_integer:
        drawn = _UNIFORM(dims, *position, dtype=wanted)
        return between(drawn, minval, 1 if maxval is None else maxval, wanted, label)
    if minval is None:
        return _FULL_INT(dims, *position, dtype=wanted, name=label)
    bounds = of_dtype(minval, wanted), of_dtype(maxval, wanted)
    return _UNIFORM_INT(dims, *position, *bounds, name=label)


def _check_bounds(dtype: DType, minval: TensorLike | None, maxval: TensorLike | None) -> None:
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
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    alg: object = "auto_select",
) -> Tensor:
    """Draw samples from a normal distribution.

    Args:
      shape, seed, name, alg: as of `stateless_uniform`.
      mean, stddev: mean and standard deviation, which broadcast to `shape`.
      dtype: float16, float32 or float64.

    Returns: Tensor of that shape and dtype.

    >>> print(stateless_normal([2], seed=[1, 2]).numpy().round(4))
    [0.5441 0.2074]
    """
    label = name or "stateless_random_normal"
    return _drawn(_NORMAL, shape, seed, mean, stddev, dtype, label, alg)


def stateless_truncated_normal(
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    alg: object = "auto_select",
) -> Tensor:
    """Draw samples from a normal distribution truncated to two `stddev` around the mean.

    Args:
      shape, seed, mean, stddev, dtype, name, alg: as of `stateless_normal`.

    Returns: Tensor of that shape and dtype.

    >>> print(stateless_truncated_normal([2], seed=[1, 2], mean=5.0).numpy().round(4))
    [5.5441 5.2074]
    """
    label = name or "stateless_truncated_normal"
    return _drawn(_TRUNCATED, shape, seed, mean, stddev, dtype, label, alg)


def _drawn(
    op: Op,
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike,
    stddev: TensorLike,
    dtype: DTypeLike,
    name: str,
    alg: object,
) -> Tensor:
    wanted = checked_dtype(dtype, FLOATS)
    numbers = op(shape_tensor(shape), *_position_of(seed, alg), dtype=wanted)
    return scaled(numbers, of_dtype(stddev, wanted), of_dtype(mean, wanted), name)
