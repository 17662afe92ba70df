"""Random numbers that depend on their seed alone."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike, ShapeLike
from runtime.core.opdef import INDEX, REAL, DTypes, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import Op, OpFunction, define_op, publish
from runtime.ops.random import distributions
from runtime.ops.random.arguments import Draw, Fill, dims_of, scaled_samples, uniform_samples
from runtime.ops.random.philox import Stream

_SEED = DTypes("int32 or int64 (seed)", *INDEX.members)


def _check_seed(dims: Dims) -> None:
    if dims is not None and (len(dims) != 1 or dims[0] not in (2, None)):
        raise ValueError(f"seed must have shape [2], not {list(dims)}")


def _stream(seed: Array) -> Stream:
    _check_seed(np.shape(seed))
    return Stream.of_pair(int(seed[0]), int(seed[1]))


def _filled(shape: Tensor, seed: Tensor, dtype: dtypes.DType) -> TensorSpec:
    _check_seed(seed.spec.dims)
    return spec_of(dtype, static_dims(shape))


def _filling(name: str, fill: Fill, dtype: dtypes.DType) -> Op:
    return define_op(
        name,
        {"shape": INDEX, "seed": _SEED},
        _filled,
        lambda xp, shape, seed, dtype: fill(_stream(seed), dims_of(shape), dtype.numpy_dtype),
        samples=(sample([2, 3], [1, 2], dtype=dtype),),
    )


_UNIFORM = _filling("StatelessRandomUniform", distributions.uniform, dtypes.float32)
_UNIFORM_INT = define_op(
    "StatelessRandomUniformInt",
    {"shape": INDEX, "seed": _SEED, "minval": REAL, "maxval": REAL},
    lambda shape, seed, low, high: _filled(shape, seed, low.spec.dtype),
    lambda xp, shape, seed, low, high: distributions.integers(
        _stream(seed), dims_of(shape), low, high
    ),
    samples=(sample([3], [1, 2], 0, 9),),
)


def _drawing(seed: TensorLike) -> Draw:
    return lambda op, shape, *rest, **attrs: op(shape, seed, *rest, **attrs)


def stateless_uniform(
    shape: ShapeLike,
    seed: TensorLike,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Draw uniform samples from [minval, maxval).

    Args:
      shape, minval, maxval, dtype, name: as of `uniform`.
      seed: int32 or int64 vector of length 2; equal seeds give equal samples.

    Returns: Tensor of that shape and dtype.
    Raises: ValueError for another dtype, or for integers without `maxval`.

    >>> print(stateless_uniform([2], seed=[1, 2]).numpy().round(4))
    [0.8441 0.192 ]
    """
    label, ops = name or "stateless_random_uniform", (_UNIFORM, _UNIFORM_INT)
    return uniform_samples(_drawing(seed), ops, shape, minval, maxval, dtype, label)


def _row(name: str, label: str, op: Op, about: str, example: str) -> OpFunction[..., Tensor]:
    """Define a distribution with a location and a scale."""

    def function(
        shape: ShapeLike,
        seed: TensorLike,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: DTypeLike = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        return scaled_samples(_drawing(seed), op, shape, mean, stddev, dtype, name or label)

    rest = """
        Args:
          shape, seed, name: as of `stateless_uniform`.
          mean, stddev: mean and standard deviation, which broadcast to `shape`.
          dtype: float16, float32 or float64.

        Returns: Tensor of that shape and dtype.
        """
    return publish(function, __name__, name, op, about, rest, example)


stateless_normal = _row(
    "stateless_normal",
    "stateless_random_normal",
    _filling("StatelessRandomNormal", distributions.normal, dtypes.float64),
    "Draw samples from a normal distribution.",
    "[2], seed=[1, 2] ~> [0.5441 0.2074]",
)
stateless_truncated_normal = _row(
    "stateless_truncated_normal",
    "stateless_truncated_normal",
    _filling("StatelessTruncatedNormal", distributions.truncated_normal, dtypes.float32),
    "Draw samples from a normal distribution truncated to two `stddev` around the mean.",
    "[2], seed=[1, 2], mean=5.0 ~> [5.5441 5.2074]",
)
