"""Bands of matrices around their main diagonals."""

from __future__ import annotations

from runtime.core.opdef import INDEX, NUMERIC, DTypes, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import op
from runtime.ops.base.sample_values import MATRIX
from runtime.ops.linalg.matrices import check_matrices

_COUNT = DTypes("int32 or int64 (num_lower, num_upper)", *INDEX.members)


def _keep_band(xp: Namespace, x: Array, num_lower: Array, num_upper: Array) -> Array:
    check_matrices(x.shape)
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


def _band_spec(x: Tensor, lower: Tensor, upper: Tensor) -> TensorSpec:
    check_matrices(x.spec.dims)
    return x.spec


def _band_grad(
    g: Tensor, y: Tensor, x: Tensor, lower: Tensor, upper: Tensor
) -> tuple[Tensor, None, None]:
    return band_part(g, lower, upper), None, None


@op(
    "MatrixBandPart",
    {"input": NUMERIC, "num_lower": _COUNT, "num_upper": _COUNT},
    infer=_band_spec,
    kernel=_keep_band,
    grad=_band_grad,
    samples=(sample(MATRIX, 0, -1), sample([[1, 2], [3, 4]], 1, 0)),
)
def band_part(
    input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None
) -> Tensor:
    """Set elements outside a band around the main diagonal to zero.

    Args:
      input: Tensor of shape [..., rows, columns], numeric.
      num_lower, num_upper: int32 or int64 scalars, how many diagonals below and above the main one
        stay; negative: all.
      name: name for the operation.

    Returns:
      Tensor of the shape and dtype of `input`.

    Raises:
      InvalidArgumentError: if there are fewer diagonals.

    >>> print(band_part([[1, 2], [3, 4]], 0, -1).numpy())
    [[1 2]
     [0 4]]
    """
    return band_part.op(input, num_lower, num_upper, name=name)
