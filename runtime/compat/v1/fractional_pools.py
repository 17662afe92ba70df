"""Pooling by factors that are no whole numbers, under the arguments of version 1."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import TensorLike
from runtime.ops.fractional_pooling import averaged, greatest, pooling_attrs
from runtime.ops.results import FractionalAvgPool, FractionalMaxPool


def _attrs(
    pooling_ratio: Any,
    pseudo_random: bool,
    overlapping: bool,
    deterministic: bool,
    seeds: tuple[int, int],
) -> dict[str, Any]:
    attrs = pooling_attrs(pooling_ratio, pseudo_random, overlapping, 0)
    return {**attrs, "deterministic": deterministic, "seed": seeds[0], "seed2": seeds[1]}


def fractional_max_pool(
    value: TensorLike,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
) -> FractionalMaxPool:
    """The greatest elements of windows of drawn lengths; see `runtime.nn.fractional_max_pool`.

    Args:
      value, pseudo_random, overlapping, name: as there.
      pooling_ratio: four numbers, of which the first and the last are 1.
      deterministic: whether each call draws the same lengths.
      seed, seed2: decide which.

    >>> image = [[[[1.0], [3.0]], [[2.0], [4.0]]]]
    >>> print(fractional_max_pool(image, [1, 2, 2, 1]).output[0, 0, 0])
    tf.Tensor([4.], shape=(1,), dtype=float32)
    """
    attrs = _attrs(pooling_ratio, pseudo_random, overlapping, deterministic, (seed, seed2))
    return greatest(value, attrs, name)


def fractional_avg_pool(
    value: TensorLike,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
) -> FractionalAvgPool:
    """The means of windows of drawn lengths; arguments as in `fractional_max_pool`.

    >>> image = [[[[1.0], [3.0]], [[2.0], [4.0]]]]
    >>> print(fractional_avg_pool(image, [1, 2, 2, 1]).output[0, 0, 0])
    tf.Tensor([2.5], shape=(1,), dtype=float32)
    """
    attrs = _attrs(pooling_ratio, pseudo_random, overlapping, deterministic, (seed, seed2))
    return averaged(value, attrs, name)
