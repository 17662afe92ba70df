"""Where an element comes to when all are shuffled, computed for that element alone.

A number is cut into halves, of which each in turn is changed by a function of the other (Luby and
Rackoff, 1988); what falls beyond the last index goes through it again (Black and Rogaway, 2002).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import DTypes, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.arranging import pad
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import define_op

_KINDS = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)
_INDICES = DTypes("int32, int64, uint32 or uint64", *_KINDS)
_SEEDS = DTypes("int32, int64, uint32 or uint64 (seed)", *_KINDS)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = 498247692
"""What comes before a seed of two integers, where three are needed."""


def _mixed(x: Any) -> Any:
    """Numbers that have nothing to do with those from which they are made (Vigna's splitmix64)."""
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return x ^ x >> np.uint64(31)


def _keys(seeds: Any) -> Any:
    key = np.zeros(len(seeds), np.uint64)
    for column in seeds.astype(np.uint64).T:
        key = _mixed((key ^ column) + _STEP)
    return key


def _permuted(x: Any, keys: Any, half: Any, rounds: int) -> Any:
    """A permutation of the numbers of twice `half` bits."""
    mask = (np.uint64(1) << half) - np.uint64(1)
    left, right = x >> half, x & mask
    for step in range(rounds):
        own = _mixed(right + keys + _STEP * np.uint64(step + 1))
        left, right = right, left ^ own & mask
    return left << half | right


def _shuffled(xp: Any, index: Any, seed: Any, max_index: Any, rounds: int) -> Any:
    if index.ndim > 1:
        raise ValueError(f"Index must be a scalar or vector, got shape {list(index.shape)}")
    count = index.size
    if seed.shape not in ((3,), (count, 3)):
        raise ValueError(
            f"Seed must be a vector of size [3] or a matrix of size [{count}, 3] but got "
            f"{list(seed.shape)}."
        )
    if max_index.ndim > 1 or max_index.size not in (1, count):
        raise ValueError(
            f"max_index must be a scalar or a vector of size [{count}] but got "
            f"{list(max_index.shape)}."
        )
    last = np.broadcast_to(max_index.reshape(-1), (count,))
    own = index.reshape(-1)
    _check_range(own, last)
    bits = np.array([max(int(value).bit_length(), 2) for value in last.tolist()], np.uint64)
    half = (bits + np.uint64(1)) // np.uint64(2)
    keys = np.broadcast_to(_keys(seed.reshape(-1, 3)), (count,))
    result, limit = own.astype(np.uint64), last.astype(np.uint64)
    open_ = np.arange(count)
    with np.errstate(over="ignore"):
        while open_.size:
            result[open_] = _permuted(result[open_], keys[open_], half[open_], rounds)
            open_ = open_[result[open_] > limit[open_]]
    return result.astype(index.dtype).reshape(index.shape)


def _check_range(index: Any, last: Any) -> None:
    below, above = index < 0, index > last
    if below.any():
        raise ValueError(f"index must be >= 0 but was {index[below][0]}")
    if above.any():
        raise ValueError(f"max_index must be >= index, but {last[above][0]} < {index[above][0]}")


def _spec(index: Tensor, *others: Tensor, **attrs: Any) -> TensorSpec:
    return index.spec


_SHUFFLE = define_op(
    "RandomIndexShuffle",
    {"index": _INDICES, "seed": _SEEDS, "max_index": _INDICES},
    _spec,
    _shuffled,
    samples=(sample([0, 1, 2], [1, 2, 3], 2, rounds=4),),
)


def random_index_shuffle(
    index: TensorLike,
    seed: TensorLike,
    max_index: TensorLike,
    rounds: int = 4,
    name: str | None = None,
) -> Tensor:
    """The positions to which indices come when all from 0 to `max_index` are shuffled.

    Args:
      index: integers, a scalar or vector.
      seed: three integers, or three for each index.
      max_index: the last index, of the dtype of `index`; or one for each.
      rounds: how often the bits of an index are mixed.
      name: the name of the operation.

    Returns: the dtype and shape of `index`.
    Raises: InvalidArgumentError if an index is not in the range, or the shapes do not fit.

    >>> sorted(random_index_shuffle([0, 1, 2, 3], [1, 2, 3], 3).numpy().tolist())
    [0, 1, 2, 3]
    """
    return _SHUFFLE(index, seed, max_index, rounds=int(rounds), name=name)


def index_shuffle(index: TensorLike, seed: TensorLike, max_index: TensorLike) -> Tensor:
    """The positions to which indices come when all from 0 to `max_index` are shuffled.

    Args:
      index: integers, a scalar or vector.
      seed: two integers.
      max_index: the last index, of the dtype of `index`; or one for each.

    Returns: the dtype and shape of `index`; the same for the same seed.
    Raises: InvalidArgumentError if an index is not in the range, or the shapes do not fit.

    >>> sorted(index_shuffle([0, 1, 2, 3], [1, 2], 3).numpy().tolist())
    [0, 1, 2, 3]
    """
    numbers = convert_to_tensor(seed)
    paddings = [[1, 0]] + [[0, 0]] * ((numbers.shape.rank or 1) - 1)
    return random_index_shuffle(index, pad(numbers, paddings, constant_values=_FIRST), max_index)
