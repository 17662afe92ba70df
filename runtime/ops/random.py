"""Random numbers. Draws happen in the order of the program, in graphs too."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import ANY, INDEX, REAL, Effect, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.convert import cast_to, convert_to_tensor
from runtime.ops.creation import shape_operand
from runtime.ops.define import define_op


class _Generators:
    """One generator for each seed, and one for draws without a seed of their own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seed: int | None = None
        self._by_seed: dict[int | None, np.random.Generator] = {}

    def reset(self, seed: int | None) -> None:
        with self._lock:
            self._seed = seed
            self._by_seed.clear()

    def draw(self, seed: int | None, method: str, *args: Any) -> Any:
        with self._lock:
            generator = self._by_seed.get(seed)
            if generator is None:
                parts = [part for part in (self._seed, seed) if part is not None]
                generator = np.random.default_rng(parts or None)
                self._by_seed[seed] = generator
            return getattr(generator, method)(*args)


_GENERATORS = _Generators()


def set_seed(seed: int | None) -> None:
    """Makes the draws that follow the same in every run of the program.

    Args:
      seed: any int that is not negative; None: random again.

    >>> set_seed(1); first = uniform([2]).numpy().tolist()
    >>> set_seed(1); first == uniform([2]).numpy().tolist()
    True
    """
    _GENERATORS.reset(seed)


def _drawn(shape: Tensor, low: Tensor, high: Tensor, seed: int | None) -> TensorSpec:
    return spec_of(low.spec.dtype, static_dims(shape))


def _uniform(xp: Any, shape: Any, low: Any, high: Any, seed: int | None) -> Any:
    size = tuple(int(dim) for dim in shape)
    if low.dtype.kind in "iu":
        return _GENERATORS.draw(seed, "integers", low, high, size, low.dtype)
    return _GENERATORS.draw(seed, "uniform", low, high, size).astype(low.dtype)


def _normal(xp: Any, shape: Any, mean: Any, stddev: Any, seed: int | None) -> Any:
    size = tuple(int(dim) for dim in shape)
    return _GENERATORS.draw(seed, "normal", mean, stddev, size).astype(mean.dtype)


_UNIFORM = define_op(
    "RandomUniform",
    {"shape": INDEX, "minval": REAL, "maxval": REAL},
    _drawn,
    _uniform,
    effect=Effect.WRITE,
    samples=(sample([2, 3], 0.0, 1.0, seed=None), sample([4], 1, 9, seed=7)),
)
_NORMAL = define_op(
    "RandomNormal",
    {"shape": INDEX, "mean": REAL, "stddev": REAL},
    _drawn,
    _normal,
    effect=Effect.WRITE,
    samples=(sample([2, 3], 0.0, 1.0, seed=None),),
)
_SHUFFLE = define_op(
    "RandomShuffle",
    {"value": ANY},
    lambda x, seed: x.spec,
    lambda xp, x, seed: _GENERATORS.draw(seed, "permutation", x),
    effect=Effect.WRITE,
    samples=(sample([1, 2, 3], seed=None),),
)


def _shape(shape: Any) -> Any:
    operand = shape_operand(shape)
    return np.array(operand, np.int32) if isinstance(operand, tuple) else operand


def _of_dtype(value: TensorLike, dtype: DType) -> Tensor:
    return cast_to(convert_to_tensor(value, dtype_hint=dtype), dtype)


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
      minval, maxval: scalars; `maxval` is 1 unless it is given, which integers need.
      dtype: a floating-point or integer dtype.
      seed: makes this sequence of draws reproducible.

    Raises: ValueError for integers without `maxval`.

    >>> uniform([5], maxval=10, dtype=dtypes.int32).shape
    TensorShape([5])
    """
    wanted = dtypes.as_dtype(dtype)
    if maxval is None:
        if wanted.is_integer:
            raise ValueError(f"uniform needs `maxval` for dtype {wanted.name}")
        maxval = 1
    low, high = _of_dtype(minval, wanted), _of_dtype(maxval, wanted)
    return _UNIFORM(_shape(shape), low, high, seed=seed, name=name or "random_uniform")


def normal(
    shape: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers from a normal distribution.

    >>> normal([2, 2]).dtype
    tf.float32
    """
    wanted = dtypes.as_dtype(dtype)
    low, high = _of_dtype(mean, wanted), _of_dtype(stddev, wanted)
    return _NORMAL(_shape(shape), low, high, seed=seed, name=name or "random_normal")


def shuffle(value: TensorLike, seed: int | None = None, name: str | None = None) -> Tensor:
    """The rows in random order.

    >>> int(shuffle([3, 3])[0])
    3
    """
    return _SHUFFLE(value, seed=seed, name=name)
