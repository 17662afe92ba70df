"""Resizing of images: each output pixel is a weighted sum of input pixels, axis by axis.

Pixel centers are at half-integers. The kernel is the triangle of TensorFlow's `ScaleAndTranslate`;
weights are normalized to a sum of 1, also where the kernel reaches over the border.
"""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape
from runtime.ops.array.identity import identity
from runtime.ops.array.ranges import range as counted
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.checks.values import assert_positive
from runtime.ops.items.gathering import gather
from runtime.ops.linalg.einsum import einsum
from runtime.ops.math.arithmetic import maximum, minimum
from runtime.ops.math.casting import cast
from runtime.ops.math.elementwise import abs as magnitude
from runtime.ops.math.elementwise import floor
from runtime.ops.reduce.reduction import reduce_sum

METHODS = ("bilinear", "nearest")


def _centers(length: Tensor, size: Tensor) -> tuple[Tensor, Tensor]:
    """Return where the output pixels are among the input pixels, shape [size], and their width."""
    step = cast(length, dtypes.float64) / cast(size, dtypes.float64)
    return (cast(counted(size), dtypes.float64) + 0.5) * step, step


def _weights(length: Tensor, size: Tensor, antialias: bool) -> Tensor:
    """Return the weight of each input pixel for each output pixel, shape [size, length]."""
    centers, step = _centers(length, size)
    pixels = cast(counted(length), dtypes.float64) + 0.5
    distances = magnitude(pixels - centers[:, None])
    weights = maximum(1.0 - (distances / maximum(step, 1.0) if antialias else distances), 0.0)
    return cast(weights / reduce_sum(weights, 1, keepdims=True), dtypes.float32)


def _nearest(length: Tensor, size: Tensor) -> Tensor:
    """Return the input pixel of each output pixel."""
    centers, _ = _centers(length, size)
    return minimum(cast(floor(centers), dtypes.int32), length - 1)


def resize(
    images: TensorLike,
    size: TensorLike,
    method: str = "bilinear",
    *,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resize images.

    Args:
      images: real tensor of shape [batch, height, width, channels] or [height, width, channels].
      size: new height and width, int32.
      method: "bilinear" or "nearest".
      antialias: whether a smaller image depends on all pixels of the larger one. No effect on
        "nearest".
      name: name for the operation.

    Returns: Images of the new size: float32, or the dtype of `images` if the method is "nearest".

    Raises:
      ValueError: for another rank, size or method.
      InvalidArgumentError: if a size is not positive.

    >>> print(resize([[[1.0], [3.0]]], [1, 4]).numpy()[0, :, 0])
    [1.  1.5 2.5 3. ]
    """
    tensor = convert_to_tensor(images)
    rank = tensor.shape.rank
    if rank not in (3, 4):
        raise ValueError(
            f"'images' must have either 3 or 4 dimensions, but its shape is {tensor.shape}."
        )
    target = convert_to_tensor(size)
    if not target.shape.is_compatible_with([2]):
        raise ValueError(
            f"'size' must be a 1-D Tensor of 2 elements: new_height, new_width, not {size}"
        )
    if target.dtype is not dtypes.int32:
        raise ValueError(f"'size' must be a 1-D int32 Tensor, not {target.dtype.name}")
    if method not in METHODS:
        raise ValueError(f"Resize method {method!r} is unknown: use one of {', '.join(METHODS)}.")
    sizes = shape(tensor)[-3:-1]
    assert_positive(target, "output dimensions must be positive")
    assert_positive(sizes, "input image must be of non-zero size")
    (height, width), (rows, columns) = (sizes[0], sizes[1]), (target[0], target[1])
    if method == "nearest":
        found = gather(tensor, _nearest(height, rows), axis=rank - 3)
        return gather(found, _nearest(width, columns), axis=rank - 2, name=name)
    vertical, horizontal = _weights(height, rows, antialias), _weights(width, columns, antialias)
    found = einsum("yh,...hwc->...ywc", vertical, cast(tensor, dtypes.float32))
    return identity(einsum("xw,...ywc->...yxc", horizontal, found), name)
