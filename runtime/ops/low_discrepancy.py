"""Points that fill a cube more evenly than random ones: Sobol sequences."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import INT32, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.define import define_op
from runtime.ops.sobol_directions import DIRECTIONS

_BITS = 32
_MOST = len(DIRECTIONS) + 1
_KINDS = (dtypes.float32, dtypes.float64)


@lru_cache(maxsize=_MOST)
def _directions(dimension: int) -> tuple[int, ...]:
    """What each bit of the number of a point adds to its coordinate, as 32 bits."""
    if dimension == 0:
        return tuple(1 << (_BITS - 1 - bit) for bit in range(_BITS))
    polynomial, first = DIRECTIONS[dimension - 1]
    degree, found = len(first), list(first)
    for bit in range(degree, _BITS):
        value = found[bit - degree] ^ found[bit - degree] << degree
        for step in range(1, degree):
            if polynomial >> (degree - 1 - step) & 1:
                value ^= found[bit - step] << step
        found.append(value)
    return tuple(value << (_BITS - 1 - bit) for bit, value in enumerate(found))


def _check(dim: Any, count: Any, skip: Any) -> None:
    if dim < 1:
        raise ValueError("dim must be at least one")
    if dim > _MOST:
        raise ValueError(f"dim must be at most {_MOST}, got {dim}")
    if count < 1:
        raise ValueError("num_results must be at least one")
    if skip < 0:
        raise ValueError("skip must be non-negative")


def _points(xp: Any, dim: Any, num_results: Any, skip: Any, dtype: DType) -> Any:
    _check(dim, num_results, skip)
    numbers = np.arange(1, int(num_results) + 1, dtype=np.uint64) + np.uint64(skip)
    codes = numbers ^ numbers >> np.uint64(1)
    steps = np.array([_directions(d) for d in range(int(dim))], np.uint64)
    total = np.zeros((len(codes), int(dim)), np.uint64)
    for bit in range(_BITS):
        chosen = (codes >> np.uint64(bit) & np.uint64(1)).astype(bool)
        total[chosen] ^= steps[:, bit]
    return (total / 2.0**_BITS).astype(dtype.numpy_dtype)


def _spec(dim: Tensor, num_results: Tensor, skip: Tensor, dtype: DType) -> TensorSpec:
    known = [static_value(tensor) for tensor in (num_results, dim)]
    return spec_of(dtype, tuple(None if value is None else int(value) for value in known))


_SOBOL = define_op(
    "SobolSample",
    {"dim": INT32, "num_results": INT32, "skip": INT32},
    _spec,
    _points,
    samples=(sample(3, 5, 2, dtype=dtypes.float64),),
)


def sobol_sample(
    dim: TensorLike,
    num_results: TensorLike,
    skip: TensorLike = 0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Points of a Sobol sequence.

    Args:
      dim: how many coordinates a point has, up to 161.
      num_results: how many points.
      skip: how many are left out before the first.
      dtype: float32 or float64.
      name: the name of the operation.

    Returns: [num_results, dim], from 0 to, exclusively, 1.
    Raises: InvalidArgumentError for other numbers or dtypes.

    >>> print(sobol_sample(2, 3))
    tf.Tensor(
    [[0.5  0.5 ]
     [0.75 0.25]
     [0.25 0.75]], shape=(3, 2), dtype=float32)
    """
    wanted = dtypes.as_dtype(dtype)
    if wanted not in _KINDS:
        raise InvalidArgumentError(
            None,
            None,
            f"Value for attr 'dtype' of {wanted.type_word} is not in the list of allowed values: "
            "float, double",
        )
    return _SOBOL(dim, num_results, skip, dtype=wanted, name=name)
