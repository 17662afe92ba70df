"""Bands of matrices around their main diagonals."""

from __future__ import annotations

from typing import Any

from runtime.core.opdef import INDEX, NUMERIC, DTypes, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import define_op
from runtime.ops.base.sample_values import MATRIX

_COUNT = DTypes("int32 or int64 (num_lower, num_upper)", *INDEX.members)


def _keep_band(xp: Any, x: Any, num_lower: Any, num_upper: Any) -> Any:
    if x.ndim < 2:
        raise ValueError(f"input must be at least 2-dim, received shape: {list(x.shape)}")
    rows, columns = x.shape[-2:]
    for place, value, most, what in (
        ("lower", num_lower, rows, "rows"),
        ("upper", num_upper, columns, "columns"),
    ):
        if value > most:
            raise ValueError(
                f"num_{place} must be negative or less or equal to number of {what} ({most}) got: "
                f"{value}"
            )
    d = xp.arange(columns)[None, :] - xp.arange(rows)[:, None]
    kept = ((num_lower < 0) | (-d <= num_lower)) & ((num_upper < 0) | (d <= num_upper))
    return xp.where(kept, x, x.dtype.type(0))


_BAND_PART = define_op(
    "MatrixBandPart",
    {"input": NUMERIC, "num_lower": _COUNT, "num_upper": _COUNT},
    lambda x, lower, upper: x.spec,
    _keep_band,
    grad=lambda g, y, x, lower, upper: (band_part(g, lower, upper), None, None),
    samples=(sample(MATRIX, 0, -1), sample([[1, 2], [3, 4]], 1, 0)),
)


def band_part(
    input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None
) -> Tensor:
    """Matrices with zeros outside a band around the main diagonal.

    Args:
      input: numbers, shape [..., rows, columns].
      num_lower, num_upper: how many diagonals below and above stay, int32 or int64; all if
        negative.

    Raises: InvalidArgumentError if there are not that many.

    >>> print(band_part([[1, 2], [3, 4]], 0, -1))
    tf.Tensor(
    [[1 2]
     [0 4]], shape=(2, 2), dtype=int32)
    """
    return _BAND_PART(input, num_lower, num_upper, name=name)
