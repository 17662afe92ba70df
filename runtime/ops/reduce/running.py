"""Cumulative sums, products and log-sum-exps along an axis."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.core.opdef import NUMERIC, DTypes, Grad, Sample, sample
from runtime.core.tensor import Tensor
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import call, define_op
from runtime.ops.base.sample_values import MATRIX
from runtime.ops.reduce.family import SCAN, Scan, check_scan_axis, scan, scan_spec

_Accumulate = Callable[[Namespace, Array, int], Array]
_SAMPLES = (
    sample([1, 2, 3], axis=0, exclusive=False, reverse=False),
    sample(MATRIX, axis=1, exclusive=True, reverse=True),
    sample(MATRIX, axis=-2, exclusive=False, reverse=False),
    sample(np.zeros((2, 0)), axis=1, exclusive=True, reverse=True),
)


def _row(
    name: str,
    accumulate: _Accumulate,
    neutral: float,
    about: str,
    example: str,
    *,
    op: str,
    grad: Grad,
    group: DTypes = NUMERIC,
    samples: tuple[Sample, ...] = _SAMPLES,
) -> Scan:
    """Define a cumulative function; `neutral` is the exclusive result of the first element."""

    def kernel(xp: Namespace, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
        check_scan_axis(axis, x.ndim)
        result = accumulate(xp, xp.flip(x, axis) if reverse else x, axis)
        if exclusive and x.shape[axis]:
            first = xp.full_like(xp.take(result, [0], axis=axis), neutral)
            rest = xp.take(result, range(x.shape[axis] - 1), axis=axis)
            result = xp.concatenate([first, rest], axis=axis)
        return xp.flip(result, axis) if reverse else result

    defined = define_op(op, {"x": group}, scan_spec, kernel, grad=grad, node=SCAN, samples=samples)
    return scan(__name__, name, defined, about, example)


def _cumsum_grad(
    g: Tensor, y: Tensor, x: Tensor, axis: int, exclusive: bool, reverse: bool
) -> tuple[Tensor]:
    return (cumsum(g, axis, exclusive, not reverse),)


def _cumprod_grad(
    g: Tensor, y: Tensor, x: Tensor, axis: int, exclusive: bool, reverse: bool
) -> tuple[Tensor]:
    return (call("DivNoNan", cumsum(y * g, axis, exclusive, not reverse), x),)


cumsum: Scan = _row(
    "cumsum",
    lambda xp, x, axis: xp.cumsum(x, axis=axis, dtype=x.dtype),
    0,
    "Cumulative sum along an axis.",
    "[1, 2, 3] -> [1 3 6]",
    op="Cumsum",
    grad=_cumsum_grad,
)
cumprod = _row(
    "cumprod",
    lambda xp, x, axis: xp.cumprod(x, axis=axis, dtype=x.dtype),
    1,
    "Cumulative product along an axis.",
    "[2, 3, 4], exclusive=True -> [1 2 6]",
    op="Cumprod",
    grad=_cumprod_grad,
)
