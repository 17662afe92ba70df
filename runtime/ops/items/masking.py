"""Slices at which a mask is true."""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import reshape, squeeze
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.items.gathering import gather
from runtime.ops.items.selecting import where


def boolean_mask(
    tensor: TensorLike, mask: TensorLike, axis: int | None = None, name: str | None = "boolean_mask"
) -> Tensor:
    """Return the slices at which a mask is true.

    Args:
      tensor: any tensor.
      mask: bool tensor of known rank, at least 1; its shape is that of `tensor` from `axis` on.
      axis: first axis of `tensor` that the mask covers; None: 0.

    Returns: Tensor of the dtype of `tensor`; one axis replaces those of the mask.
    Raises: ValueError if the mask is a scalar, or its shape does not fit.

    >>> print(boolean_mask([1, 2, 3], [True, False, True]).numpy())
    [1 3]
    >>> print(boolean_mask([[1, 2], [3, 4]], [True, False], axis=1).numpy().tolist())
    [[1], [3]]
    """
    x, selected = convert_to_tensor(tensor), convert_to_tensor(mask)
    depth, first = selected.shape.rank, static_int("axis", axis or 0)
    if depth is None:
        raise ValueError(
            "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. "
            "shape=[None] is ok, but shape=None is not."
        )
    if depth == 0:
        raise ValueError("mask cannot be scalar.")
    if x.shape.rank is not None:
        first = rules.normal_axis(first, x.shape.rank)
        x.shape[first : first + depth].assert_is_compatible_with(selected.shape)
    if first < 0:
        raise ValueError("a negative axis needs to know how many dimensions the tensor has")
    lengths = shape.op(x, out_type=dtypes.int32)
    flat = concat.op(lengths[:first], [-1], lengths[first + depth :], axis=0)
    rows = reshape.op(x, flat)
    if x.spec.dims is not None:
        known = (*x.spec.dims[:first], None, *x.spec.dims[first + depth :])
        rows.set_shape(known)  # type: ignore[attr-defined]
    places = squeeze.op(where(reshape(selected, [-1])), axis=(1,))
    return gather.op(rows, places, axis=first, name=name)
