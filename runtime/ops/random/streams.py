"""Random numbers at a position of a stream: key, counter and algorithm.

Arguments, scaling and kernels are those of the stateful ops, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import INDEX, INT32, REAL, DTypes, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import shape_operand
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, DTypeLike, Namespace, ShapeLike
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.math.arithmetic import add, multiply, subtract
from runtime.ops.random import distributions
from runtime.ops.random.philox import Stream

FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)

Fill = Callable[[Stream, tuple[int, ...], Any], Array]
"""A function of `distributions` that fills a shape with samples of a dtype."""


def dims_of(shape: Array) -> tuple[int, ...]:
    """Return the value of a shape tensor. Raise ValueError for a negative dimension."""
    dims = tuple(int(dim) for dim in np.ravel(shape))
    for dim in dims:
        if dim < 0:
            raise ValueError(f"Dimension {dim} must be >= 0")
    return dims


def shape_tensor(shape: ShapeLike) -> Any:
    """Return a shape argument as the operand of an op."""
    operand = shape_operand(shape)
    return np.array(operand, np.int32) if isinstance(operand, tuple) else operand


def of_dtype(value: TensorLike | None, dtype: DType) -> Tensor:
    """Convert a parameter of a distribution to the dtype of the result."""
    return cast_to(convert_to_tensor(value, dtype_hint=dtype), dtype)


def checked_dtype(dtype: DTypeLike, allowed: tuple[DType, ...]) -> DType:
    """Return the dtype of samples. Raise ValueError if there are none of that dtype."""
    wanted = dtypes.as_dtype(dtype)
    if wanted not in allowed:
        names = ", ".join(f"tf.{other.name}" for other in allowed)
        raise ValueError(
            f"Argument `dtype` got invalid value {wanted}. Accepted dtypes are ({names})."
        )
    return wanted


def scaled(numbers: Tensor, factor: TensorLike, shift: TensorLike, name: str | None) -> Tensor:
    """Return `numbers * factor + shift`."""
    return add(multiply(numbers, factor), shift, name=name)


def between(
    numbers: Tensor, low: TensorLike | None, high: TensorLike, dtype: DType, name: str | None
) -> Tensor:
    """Map samples from [0, 1) to [low, high)."""
    first, last = of_dtype(low, dtype), of_dtype(high, dtype)
    return scaled(numbers, subtract(last, first), first, name)


def classes_spec(logits: Tensor, count: Tensor, output_dtype: DType, **attrs: object) -> TensorSpec:
    """Return the spec of classes drawn for rows of logits."""
    dims = logits.spec.dims
    _check_matrix(dims)
    return spec_of(output_dtype, (None if dims is None else dims[0], rules.known_int(count)))


def _check_matrix(dims: Any) -> None:
    if dims is not None and len(dims) != 2:
        raise ValueError(f"logits should be a matrix, got shape {list(dims)}")


def classes(stream: Stream, logits: Array, count: Array, output_dtype: DType) -> Array:
    """Draw classes for rows of logits. Raise ValueError unless they are a matrix with columns."""
    _check_matrix(logits.shape)
    if logits.shape[1] == 0:
        raise ValueError("num_classes should be positive, got 0")
    drawn = distributions.categorical(stream, logits, int(count))
    return drawn.astype(output_dtype.numpy_dtype)


SEED = DTypes("int32 or int64", dtypes.int32, dtypes.int64)
_WORDS = DTypes("uint64", dtypes.uint64)
POSITION = {"key": _WORDS, "counter": _WORDS, "alg": INT32}
"""The inputs that a position consists of."""

SAMPLE_POSITION = (np.array([7], np.uint64), np.array([0, 1], np.uint64), 1)
_WORD_MASK = 2**64 - 1

Position = tuple[Tensor, Tensor, int]
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


def stream_of_seed(seed: Array) -> Stream:
    """Return the stream of a seed of two integers."""
    _check_seed(np.shape(seed))
    return Stream.of_pair(int(seed[0]), int(seed[1]))


def stream_at(key: Array, counter: Array) -> Stream:
    """Return the stream that begins at a position."""
    return Stream(int(key[0]), int(counter[0]) | int(counter[1]) << 64)


def _key_counter_spec(seed: Tensor) -> tuple[TensorSpec, ...]:
    _check_seed(seed.spec.dims)
    return spec_of(dtypes.uint64, (1,)), spec_of(dtypes.uint64, (2,))


def _key_counter(xp: Namespace, seed: Array) -> tuple[Array, Array]:
    stream = stream_of_seed(seed)
    counter = [stream.counter & _WORD_MASK, stream.counter >> 64]
    return xp.array([stream.key], np.uint64), xp.array(counter, np.uint64)


_KEY_COUNTER = define_op(
    "StatelessRandomGetKeyCounter",
    {"seed": SEED},
    _key_counter_spec,
    _key_counter,
    outputs=None,
    samples=(sample([1, 2]),),
)


def position_of(seed: TensorLike, alg: object) -> Position:
    """Return the position where the stream of a seed of two integers begins."""
    _check_algorithm(alg)
    key, counter = _KEY_COUNTER.outputs(convert_to_tensor(seed))
    return key, counter, _PHILOX


def _filling(name: str, fill: Fill, dtype: DType) -> Op:
    return define_op(
        name,
        {"shape": INDEX, **POSITION},
        lambda shape, key, counter, alg, dtype: spec_of(dtype, static_dims(shape)),
        lambda xp, shape, key, counter, alg, dtype: fill(
            stream_at(key, counter), dims_of(shape), dtype.numpy_dtype
        ),
        samples=(sample([2, 3], *SAMPLE_POSITION, dtype=dtype),),
    )


_UNIFORM = _filling("StatelessRandomUniformV2", distributions.uniform, dtypes.float32)
_NORMAL = _filling("StatelessRandomNormalV2", distributions.normal, dtypes.float64)
_TRUNCATED = _filling("StatelessTruncatedNormalV2", distributions.truncated_normal, dtypes.float32)
_FULL_INT = _filling("StatelessRandomUniformFullIntV2", distributions.full_integers, dtypes.uint32)
_UNIFORM_INT = define_op(
    "StatelessRandomUniformIntV2",
    {"shape": INDEX, **POSITION, "minval": REAL, "maxval": REAL},
    lambda shape, key, counter, alg, low, high: spec_of(low.spec.dtype, static_dims(shape)),
    lambda xp, shape, key, counter, alg, low, high: distributions.integers(
        stream_at(key, counter), dims_of(shape), low, high
    ),
    samples=(sample([3], *SAMPLE_POSITION, 0, 9),),
)


def uniform_at(
    position: Position,
    shape: ShapeLike,
    minval: TensorLike | None,
    maxval: TensorLike | None,
    dtype: DType,
    name: str | None,
) -> Tensor:
    """Draw uniform samples at a position; see `stateless_uniform`."""
    dims = shape_tensor(shape)
    if dtype.is_integer:
        if minval is None:
            return _FULL_INT(dims, *position, dtype=dtype, name=name)
        bounds = of_dtype(minval, dtype), of_dtype(maxval, dtype)
        return _UNIFORM_INT(dims, *position, *bounds, name=name)
    drawn = _UNIFORM(dims, *position, dtype=dtype)
    return between(drawn, minval, 1 if maxval is None else maxval, dtype, name)


def normal_at(
    position: Position,
    shape: ShapeLike,
    mean: TensorLike,
    stddev: TensorLike,
    dtype: DType,
    name: str | None,
    truncated: bool = False,
) -> Tensor:
    """Draw normal samples at a position; see `stateless_normal`."""
    op = _TRUNCATED if truncated else _NORMAL
    drawn = op(shape_tensor(shape), *position, dtype=dtype)
    return scaled(drawn, of_dtype(stddev, dtype), of_dtype(mean, dtype), name)
