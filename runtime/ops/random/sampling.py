"""Random numbers from streams that advance with each draw, in the order of the program."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike, Namespace, ShapeLike
from runtime.core.dtypes import DType
from runtime.core.node_form import NodeForm
from runtime.core.opdef import ANY, INDEX, INT32, NOT_DIFFERENTIABLE, REAL, Effect, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.base import rules
from runtime.ops.base.define import Op, OpFunction, define_op, op, publish
from runtime.ops.random import distributions
from runtime.ops.random.arguments import (
    Draw,
    Fill,
    dims_of,
    of_dtype,
    scaled_samples,
    uniform_samples,
)
from runtime.ops.random.philox import Stream
from runtime.ops.random.seeds import Draws, operation_seeds, shared_draws


def _reserve(
    kind: str, shape: tuple[int, ...], seed: int, seed2: int, source: Draws | None
) -> Stream:
    """Take the blocks for samples of a shape from a stream."""
    draws = shared_draws(kind, (seed, seed2)) if source is None else source
    return draws.reserve(math.prod(shape) * distributions.RESERVED)


_DRAWN = NodeForm(omitted=("source",))
"""The form of an operation that draws from a stream; TensorFlow's nodes name the seeds alone."""

_FILLING = replace(
    _DRAWN, signature="shape:T | output:dtype | seed:int=0 seed2:int=0 dtype:type T:type"
)
"""The form of an op type that fills a shape, also of one that TensorFlow lacks."""


def _filling(name: str, fill: Fill) -> Op:
    def kernel(
        xp: Namespace, shape: Array, dtype: DType, seed: int, seed2: int, source: Array = None
    ) -> Array:
        dims = dims_of(shape)
        stream = _reserve(f"{name} {dtype.name}", dims, seed, seed2, source)
        return fill(stream, dims, dtype.numpy_dtype)

    return define_op(
        name,
        {"shape": INDEX},
        lambda shape, dtype, **attrs: spec_of(dtype, static_dims(shape)),
        kernel,
        effect=Effect.WRITE,
        random=True,
        node=_FILLING,
        samples=(
            sample([2, 3], dtype=dtypes.float32, seed=1, seed2=2),
            sample([5], dtype=dtypes.float64, seed=1, seed2=2),
        ),
    )


_UNIFORM = _filling("RandomUniform", distributions.uniform)


def _uniform_int(
    xp: Namespace,
    shape: Array,
    low: Array,
    high: Array,
    seed: int,
    seed2: int,
    source: Draws | None = None,
) -> Array:
    dims = dims_of(shape)
    stream = _reserve(f"RandomUniformInt {low.dtype}", dims, seed, seed2, source)
    return distributions.integers(stream, dims, low, high)


_UNIFORM_INT = define_op(
    "RandomUniformInt",
    {"shape": INDEX, "minval": REAL, "maxval": REAL},
    lambda shape, low, high, **attrs: spec_of(low.spec.dtype, static_dims(shape)),
    _uniform_int,
    effect=Effect.WRITE,
    random=True,
    node=_DRAWN,
    samples=(sample([4], 1, 9, seed=1, seed2=2),),
)


def _drawing(seed: int | None) -> Draw:
    """Return a function that calls an op with the seeds, and in a graph with its own stream."""

    def draw(op: Op, *args: TensorLike, **attrs: Any) -> Tensor:
        seeds = operation_seeds(seed)
        own: dict[str, Any] = {} if STATE.graph is None else {"source": Draws(seeds)}
        return op(*args, seed=seeds[0], seed2=seeds[1], **own, **attrs)

    return draw


def uniform(
    shape: ShapeLike,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draw uniform samples from [minval, maxval).

    Args:
      shape: int32 or int64 vector, the shape of the result.
      minval, maxval: bounds: scalars, or for a floating-point dtype tensors that broadcast to
        `shape`. `maxval` is 1 by default; integers need it.
      dtype: float16, float32, float64, int32 or int64.
      seed: with the seed of `set_seed`, determines the samples.

    Returns: Tensor of that shape and dtype.
    Raises:
      ValueError: for another dtype, or for integers without `maxval`.
      InvalidArgumentError: for integers where `minval` is not below `maxval`.

    >>> import runtime as tf
    >>> tf.random.set_seed(5)
    >>> print(tf.random.uniform([5], maxval=100, dtype=tf.int32, seed=7))
    tf.Tensor([70 35 59 92 19], shape=(5,), dtype=int32)
    """
    label, ops = name or "random_uniform", (_UNIFORM, _UNIFORM_INT)
    return uniform_samples(_drawing(seed), ops, shape, minval, maxval, dtype, label)


def location_scale(
    module: str, name: str, op: str, fill: Fill, about: str, example: str, label: str = ""
) -> OpFunction[..., Tensor]:
    """Define a distribution with a location and a scale.

    Its op type `op` draws samples of location 0 and scale 1, with which `fill` fills a shape.
    `label` is the name of operations in graphs, if it is not that of the function.
    """
    defined, own = _filling(op, fill), label or name

    def function(
        shape: ShapeLike,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: DTypeLike = dtypes.float32,
        seed: int | None = None,
        name: str | None = None,
    ) -> Tensor:
        return scaled_samples(_drawing(seed), defined, shape, mean, stddev, dtype, name or own)

    rest = """
        Args:
          shape: int32 or int64 vector, the shape of the result.
          mean, stddev: mean and standard deviation, which broadcast to `shape`.
          dtype: float16, float32 or float64.
          seed: with the seed of `set_seed`, determines the samples.

        Returns: Tensor of that shape and dtype.
        Raises: ValueError for another dtype.
        """
    return publish(function, module, name, defined, about, rest, example)


normal = location_scale(
    __name__,
    "normal",
    "RandomStandardNormal",
    distributions.normal,
    "Draw samples from a normal distribution.",
    "[2, 2], mean=[3.0, 5.0], stddev=0.0 -> [[3. 5.]\n [3. 5.]]",
    label="random_normal",
)
truncated_normal = location_scale(
    __name__,
    "truncated_normal",
    "TruncatedNormal",
    distributions.truncated_normal,
    "Draw samples from a normal distribution truncated to two `stddev` around the mean.",
    "[2, 2], mean=[3.0, 5.0], stddev=0.0 -> [[3. 5.]\n [3. 5.]]",
)


def _check_matrix(dims: Dims) -> Dims:
    if dims is not None and len(dims) != 2:
        raise ValueError(f"logits should be a matrix, got shape {list(dims)}")
    return dims


def _classes_spec(
    logits: Tensor, count: Tensor, output_dtype: DType, **attrs: object
) -> TensorSpec:
    dims = _check_matrix(logits.spec.dims)
    return spec_of(output_dtype, (None if dims is None else dims[0], rules.known_int(count)))


def _multinomial(
    xp: Namespace,
    logits: Array,
    count: Array,
    output_dtype: DType,
    seed: int,
    seed2: int,
    source: Draws | None = None,
) -> Array:
    _check_matrix(logits.shape)
    if logits.shape[1] == 0:
        raise ValueError("num_classes should be positive, got 0")
    # The reservation of TensorFlow's MultinomialOp.
    shape = (len(logits), -(-int(count) // 4) * 4 * 2)
    kind = f"Multinomial {logits.dtype} {output_dtype}"
    stream = _reserve(kind, shape, seed, seed2, source)
    return distributions.categorical(stream, logits, int(count)).astype(output_dtype.numpy_dtype)


@op(
    "Multinomial",
    {"logits": REAL, "num_samples": INT32},
    infer=_classes_spec,
    kernel=_multinomial,
    effect=Effect.WRITE,
    random=True,
    node=_DRAWN,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([[0.0, 1.0]], 3, output_dtype=dtypes.int64, seed=1, seed2=2),),
)
def categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    dtype: DTypeLike = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draw classes in proportion to `exp(logits)`.

    Args:
      logits: Tensor of shape [rows, classes], real.
      num_samples: int32 scalar, number of samples for each row.
      dtype: int32 or int64; None: int64.
      seed: with the seed of `set_seed`, determines the samples.

    Returns: Tensor of shape [rows, num_samples].
    Raises: InvalidArgumentError if `logits` is not a matrix.

    >>> print(categorical([[0.0, -1000.0]], 3).numpy())
    [[0 0 0]]
    """
    wanted = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    count = of_dtype(num_samples, dtypes.int32)
    label = name or "categorical"
    return _drawing(seed)(categorical.op, logits, count, output_dtype=wanted, name=label)


def _shuffle(xp: Namespace, x: Array, seed: int, seed2: int, source: Draws | None = None) -> Array:
    if np.ndim(x) == 0 or len(x) < 2:
        return x
    draws = shared_draws(f"RandomShuffle {x.dtype}", (seed, seed2)) if source is None else source
    return x[distributions.permutation(draws.reserve(-(-len(x) // 4)), len(x))]


@op(
    "RandomShuffle",
    {"value": ANY},
    infer=lambda x, **attrs: x.spec,
    kernel=_shuffle,
    effect=Effect.WRITE,
    random=True,
    node=_DRAWN,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([1, 2, 3], seed=1, seed2=2),),
)
def shuffle(value: TensorLike, seed: int | None = None, name: str | None = None) -> Tensor:
    """Permute the rows of a tensor at random.

    Args:
      value: Tensor with at least one dimension.
      seed: with the seed of `set_seed`, determines the order.

    Returns: Tensor of the same dtype and shape.

    >>> print(sorted(shuffle([3, 1, 2]).numpy().tolist()))
    [1, 2, 3]
    """
    return _drawing(seed)(shuffle.op, value, name=name or "RandomShuffle")
