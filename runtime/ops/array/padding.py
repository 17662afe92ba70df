"""Padding with constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import ANY, INDEX, Emit, sample
from runtime.core.shapes import Dims, bracketed, compatible
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape
from runtime.ops.base.define import call, define_op, op
from runtime.ops.base.samples import MATRIX
from runtime.ops.items.indexing import getitem
from runtime.ops.reduce.reduction import reduce_sum


def _padded_spec(x: Tensor, paddings: Tensor, *rest: Tensor) -> TensorSpec:
    dims, amounts = x.spec.dims, static_value(paddings)
    count = paddings.spec.dims[0] if paddings.spec.dims else None
    _check_pairs(paddings.spec.dims, dims)
    if dims is None:
        return x.spec.with_dims(None if count is None else (None,) * count)
    pairs = [(None, None)] * len(dims) if amounts is None else _checked(amounts)
    return x.spec.with_dims(
        tuple(
            None if dim is None or before is None or after is None else dim + before + after
            for dim, (before, after) in zip(dims, pairs, strict=True)
        )
    )


def _check_pairs(paddings: Dims, dims: Dims) -> None:
    """Raise ValueError if paddings of this shape are not one pair for each dimension."""
    if not compatible(paddings, (None, 2)):
        raise ValueError(f"paddings must be a matrix with 2 columns: {bracketed(paddings)}")
    if paddings is not None and dims is not None and not compatible(paddings[:1], (len(dims),)):
        raise ValueError(
            "The first dimension of paddings must be the rank of inputs"
            f"{bracketed(paddings)} {bracketed(dims)}"
        )


def _checked(paddings: Array) -> list[tuple[int, int]]:
    """Return the padding before and after each dimension; raises ValueError if negative."""
    amounts = [(int(before), int(after)) for before, after in paddings]
    for before, after in amounts:
        if before < 0 or after < 0:
            raise ValueError(f"Paddings must be non-negative: {before} {after}")
    return amounts


def _pad(xp: Namespace, x: Array, paddings: Array, value: Array = 0) -> Array:
    _check_pairs(np.shape(paddings), x.shape)
    amounts = _checked(paddings)
    blank = b"" if x.dtype == object and np.ndim(value) == 0 and value == 0 else value
    dims = [n + before + after for n, (before, after) in zip(x.shape, amounts, strict=True)]
    result = xp.full(dims, blank, x.dtype)
    inside = zip(x.shape, amounts, strict=True)
    result[tuple(slice(before, before + n) for n, (before, _) in inside)] = x
    return result


def _pad_grad(g: Tensor, y: Tensor, x: Tensor, paddings: Tensor, *value: Tensor) -> Any:
    begin = getitem(paddings, (slice(None), 0))
    part = call("Slice", g, begin, shape(x, paddings.dtype))
    return (part, None, *(reduce_sum(g) - reduce_sum(part) for _ in value))


_PAD_WITH = define_op(
    "PadV2",
    {"input": ANY, "paddings": INDEX, "constant_values": ANY},
    _padded_spec,
    _pad,
    grad=_pad_grad,
    emit=Emit.PADDED,
    samples=(sample([1, 2], [[1, 2]], 7), sample(MATRIX, [[1, 0], [0, 2]], 7.0)),
)


@op(
    "Pad",
    {"input": ANY, "paddings": INDEX},
    infer=_padded_spec,
    kernel=_pad,
    grad=_pad_grad,
    emit=Emit.PADDED,
    samples=(sample([1, 2], [[1, 2]]), sample(MATRIX, [[1, 0], [0, 2]])),
)
def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    constant_values: TensorLike = 0,
    name: str | None = None,
) -> Tensor:
    """Pad each dimension at both ends.

    Args:
      tensor: any tensor.
      paddings: int32 or int64 of shape [rank, 2]: padding before and after each dimension.
      mode: "CONSTANT".
      constant_values: scalar that fills the padding.

    Returns: Tensor of the dtype of `tensor`.
    Raises:
      UnimplementedError: for another mode.
      InvalidArgumentError: if the paddings are negative, or not one pair for each dimension.

    >>> print(pad([1, 2], [[1, 0]]).numpy())
    [0 1 2]
    """
    if str(mode).upper() != "CONSTANT":
        raise UnimplementedError.of(
            f"pad with mode={mode!r} is not supported, only 'CONSTANT' is; mirrored borders are "
            "joined by runtime.concat from runtime.reverse of slices"
        )
    if isinstance(constant_values, (int, float)) and constant_values == 0:
        return pad.op.apply((tensor, paddings), name)
    return _PAD_WITH.apply((tensor, paddings, constant_values), name)
