"""Running sums and products along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.opdef import FLOAT, NUMERIC, Kernel, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.arguments import static_int
from runtime.ops.base.define import call, define_op
from runtime.ops.base.sample_values import MATRIX


def _running(function: str) -> Kernel:
    def kernel(xp: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
        check_scan_axis(axis, x.ndim)
        ordered = xp.flip(x, axis) if reverse else x
        result = getattr(xp, function)(ordered, axis=axis, dtype=x.dtype)
        if exclusive and x.shape[axis]:
            first = xp.full_like(xp.take(result, [0], axis=axis), function == "cumprod")
            rest = xp.take(result, range(x.shape[axis] - 1), axis=axis)
            result = xp.concatenate([first, rest], axis=axis)
        return xp.flip(result, axis) if reverse else result

    return kernel


_RUNNING = (
    sample([1, 2, 3], axis=0, exclusive=False, reverse=False),
    sample(MATRIX, axis=1, exclusive=True, reverse=True),
    sample(MATRIX, axis=-2, exclusive=False, reverse=False),
    sample(np.zeros((2, 0)), axis=1, exclusive=True, reverse=True),
)


def _running_spec(x: Tensor, axis: int, exclusive: bool, reverse: bool) -> TensorSpec:
    if x.spec.dims is not None:
        check_scan_axis(axis, len(x.spec.dims))
    return x.spec


def check_scan_axis(axis: int, rank: int) -> None:
    """Raises ValueError if a running result has no such axis to run along."""
    if not -rank <= axis < rank:
        raise ValueError(
            f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {axis}"
        )


def _cumsum_grad(
    g: Tensor, y: Tensor, x: Tensor, axis: int, exclusive: bool, reverse: bool
) -> tuple[Tensor]:
    return (_CUMSUM(g, axis=axis, exclusive=exclusive, reverse=not reverse),)


def _cumprod_grad(
    g: Tensor, y: Tensor, x: Tensor, axis: int, exclusive: bool, reverse: bool
) -> tuple[Tensor]:
    total = _CUMSUM(y * g, axis=axis, exclusive=exclusive, reverse=not reverse)
    return (call("DivNoNan", total, x),)


_CUMSUM = define_op(
    "Cumsum",
    {"x": NUMERIC},
    _running_spec,
    _running("cumsum"),
    grad=_cumsum_grad,
    samples=_RUNNING,
)
_CUMPROD = define_op(
    "Cumprod",
    {"x": NUMERIC},
    _running_spec,
    _running("cumprod"),
    grad=_cumprod_grad,
    samples=_RUNNING,
)


def cumsum(
    x: TensorLike,
    axis: int = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The running sum along `axis`.

    Args:
      x: numbers.
      axis: the axis.
      exclusive: whether each sum leaves out the element at its own place.
      reverse: whether it runs from the end.

    >>> print(cumsum([1, 2, 3]))
    tf.Tensor([1 3 6], shape=(3,), dtype=int32)
    """
    return _CUMSUM(
        x, axis=static_int("axis", axis), exclusive=exclusive, reverse=reverse, name=name
    )


def cumprod(
    x: TensorLike,
    axis: int = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The running product along `axis`; arguments as in `cumsum`.

    >>> print(cumprod([1, 2, 3]))
    tf.Tensor([1 2 6], shape=(3,), dtype=int32)
    """
    return _CUMPROD(
        x, axis=static_int("axis", axis), exclusive=exclusive, reverse=reverse, name=name
    )


def _running_logs(xp: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    check_scan_axis(axis, x.ndim)
    ordered = xp.flip(x, axis) if reverse else x
    result = xp.logaddexp.accumulate(ordered, axis=axis)
    if exclusive:
        first = xp.full_like(xp.take(result, [0], axis=axis), -np.inf)
        rest = xp.take(result, range(x.shape[axis] - 1), axis=axis)
        result = xp.concatenate([first, rest], axis=axis)
    return xp.flip(result, axis) if reverse else result


def _running_logs_grad(
    g: Tensor, y: Tensor, x: Tensor, axis: int, exclusive: bool, reverse: bool
) -> tuple[Tensor]:
    """Sums of gradients of either sign apart, as logarithms, so that no power overflows."""
    parts = []
    for part in (g, -g):
        positive = call("Greater", part, 0)
        logs = call("Log", call("SelectV2", positive, part, 1))
        lowest = np.finfo(x.dtype.numpy_dtype).min
        terms = call("SelectV2", positive, logs - y, lowest)
        sums = _CUMULATIVE(terms, axis=axis, exclusive=exclusive, reverse=not reverse)
        parts.append(call("Exp", sums + x))
    return (parts[0] - parts[1],)


_CUMULATIVE = define_op(
    "CumulativeLogsumexp",
    {"x": FLOAT},
    _running_spec,
    _running_logs,
    grad=_running_logs_grad,
    samples=(
        sample([0.3, 1.0, 2.0], axis=0, exclusive=False, reverse=False),
        sample(MATRIX, axis=1, exclusive=False, reverse=True),
    ),
)


def cumulative_logsumexp(
    x: TensorLike,
    axis: int = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The logarithm of the running sum of exponentials along `axis`, without overflow.

    Arguments are those of `cumsum`; of no elements, where `exclusive`, it is minus infinity.

    >>> print(cumulative_logsumexp([0.0, 0.0]))
    tf.Tensor([0.        0.6931472], shape=(2,), dtype=float32)
    """
    return _CUMULATIVE(
        x,
        axis=static_int("axis", axis),
        exclusive=bool(exclusive),
        reverse=bool(reverse),
        name=name,
    )
