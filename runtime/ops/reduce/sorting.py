"""Sorting along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import REAL, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int
from runtime.ops.base.define import call, define_op
from runtime.ops.base.sample_values import MATRIX


def _ranked(x: Tensor, axis: int, descending: bool) -> TensorSpec:
    dims = x.spec.dims
    if dims is not None:
        rules.normal_axis(axis, len(dims))
    return x.spec


def _sort(xp: Any, x: Any, axis: int, descending: bool) -> Any:
    ordered = xp.sort(x, axis=axis)
    return xp.flip(ordered, axis) if descending else ordered


def _argsort(xp: Any, x: Any, axis: int, descending: bool) -> Any:
    if not descending:
        return xp.argsort(x, axis=axis, kind="stable").astype(np.int32)
    order = xp.argsort(xp.flip(x, axis), axis=axis, kind="stable")
    return (x.shape[axis] - 1 - xp.flip(order, axis)).astype(np.int32)


_SORTED = (sample([3, 1, 2], axis=-1, descending=False), sample(MATRIX, axis=0, descending=True))


def _sort_grad(g: Tensor, y: Tensor, x: Tensor, axis: int, descending: bool) -> tuple[Tensor]:
    """Each gradient goes back to where its element came from."""
    order = _ARGSORT(x, axis=axis, descending=descending)
    back = _ARGSORT(order, axis=axis, descending=False)
    return (call("TakeAlongAxis", g, back, axis=axis),)


_SORT = define_op("Sort", {"values": REAL}, _ranked, _sort, grad=_sort_grad, samples=_SORTED)
_ARGSORT = define_op(
    "ArgSort",
    {"values": REAL},
    lambda x, axis, descending: _ranked(x, axis, descending).with_dtype(dtypes.int32),
    _argsort,
    samples=_SORTED,
)


def sort(
    values: TensorLike, axis: int = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """The elements in order along `axis`.

    Args:
      values: real numbers.
      axis: the axis.
      direction: "ASCENDING" or "DESCENDING".

    >>> print(sort([3, 1, 2]))
    tf.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    return _SORT(
        values, axis=static_int("axis", axis), descending=_descending(direction), name=name
    )


def argsort(
    values: TensorLike,
    axis: int = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """The positions, int32, that put the elements in order; equal ones keep theirs.

    >>> print(argsort([3, 1, 2]))
    tf.Tensor([1 2 0], shape=(3,), dtype=int32)
    """
    return _ARGSORT(
        values, axis=static_int("axis", axis), descending=_descending(direction), name=name
    )


def _descending(direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            "Argument `direction` should be one of ASCENDING, DESCENDING. "
            f"Received: direction={direction}"
        )
    return direction == "DESCENDING"
