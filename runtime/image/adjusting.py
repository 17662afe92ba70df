"""Values of images, and their rotation."""

from __future__ import annotations

from runtime.control_flow.switch_case import switch_case
from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.arranging import reverse
from runtime.ops.array.shaping import transpose
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.math.arithmetic import floordiv, multiply
from runtime.ops.math.casting import cast, saturate_cast
from runtime.ops.reduce.reduction import reduce_mean


def adjust_contrast(images: TensorLike, contrast_factor: TensorLike) -> Tensor:
    """Scale the differences of pixels to the mean of their channel and image.

    Args:
      images: real tensor of shape [..., height, width, channels]. Integers count as fractions of
        the largest number of their dtype.
      contrast_factor: float scalar.

    Returns:
      A tensor of shape and dtype of `images`: (x - mean) * contrast_factor + mean, saturated for
      integers.

    >>> print(adjust_contrast([[[1.0], [3.0]]], 2.0).numpy()[0, :, 0])
    [0. 4.]
    """
    tensor = convert_to_tensor(images)
    _require_image("images", tensor)
    exact = tensor.dtype in (dtypes.float16, dtypes.float32)
    pixels = tensor if exact else convert_image_dtype(tensor, dtypes.float32)
    mean = reduce_mean(pixels, [-3, -2], keepdims=True)
    adjusted = (pixels - mean) * cast(contrast_factor, pixels.dtype) + mean
    return convert_image_dtype(adjusted, tensor.dtype, saturate=True)


def convert_image_dtype(
    image: TensorLike, dtype: DType | str, saturate: bool = False, name: str | None = None
) -> Tensor:
    """Convert pixels to another dtype, with values that are scaled to its range.

    Integers represent fractions of the largest number of their dtype; floating-point pixels are
    from 0 to 1.

    Args:
      image: real tensor of any shape.
      dtype: the new dtype.
      saturate: whether values beyond the range of an integer dtype become its limits, not wrap.
      name: no effect.

    Returns: Tensor of the shape of `image` and dtype `dtype`.
    Raises: TypeError for dtypes other than integers and floating-point numbers.

    >>> import numpy as np
    >>> print(convert_image_dtype(np.uint8([0, 255]), "float32").numpy())
    [0. 1.]
    """
    tensor, target = convert_to_tensor(image), dtypes.as_dtype(dtype)
    for kind in (tensor.dtype, target):
        if not (kind.is_floating or kind.is_integer):
            raise TypeError(
                f"image dtype must be either floating point or integer, not {kind.name}"
            )
    convert = saturate_cast if saturate else cast
    if tensor.dtype is target or (tensor.dtype.is_floating and target.is_floating):
        return cast(tensor, target)
    if target.is_floating:
        return multiply(cast(tensor, target), 1.0 / tensor.dtype.max)
    if tensor.dtype.is_floating:
        # 0.5 more than the largest number: 1.0 becomes that number, also after rounding.
        return convert(multiply(tensor, target.max + 0.5), target)
    have, want = tensor.dtype.max + 1, target.max + 1
    if have > want:
        return convert(floordiv(tensor, have // want), target)
    return multiply(convert(tensor, target), want // have)


def rot90(image: TensorLike, k: TensorLike = 1, name: str | None = None) -> Tensor:
    """Rotate images counter-clockwise by a multiple of 90 degrees.

    Args:
      image: tensor of shape [height, width, channels] or [batch, height, width, channels].
      k: how often, an integer scalar.
      name: no effect.

    Returns: Tensor of the dtype of `image`, with height and width exchanged for odd `k`.
    Raises: ValueError for another rank.

    >>> print(rot90([[[1], [2]], [[3], [4]]]).numpy()[..., 0])
    [[2 4]
     [1 3]]
    """
    tensor, times = _image_or_batch(image), convert_to_tensor(k, dtypes.int32)
    known = static_value(times)
    if known is not None:
        return _rotated(tensor, int(known) % 4)
    ways = [lambda quarter=quarter: _rotated(tensor, quarter) for quarter in range(4)]
    return switch_case(times % 4, ways)  # type: ignore[no-any-return]


def _rotated(image: Tensor, quarters: int) -> Tensor:
    rank = len(image.spec.dims or ())
    rows, columns = rank - 3, rank - 2
    swapped = [
        columns if axis == rows else rows if axis == columns else axis for axis in range(rank)
    ]
    if quarters == 1:
        return transpose(reverse(image, [columns]), swapped)
    if quarters == 2:
        return reverse(image, [rows, columns])
    if quarters == 3:
        return reverse(transpose(image, swapped), [columns])
    return image


def _image_or_batch(image: TensorLike) -> Tensor:
    tensor = convert_to_tensor(image)
    _require_image("image", tensor)
    if tensor.shape.rank not in (3, 4):
        raise ValueError(f"'image' (shape {tensor.shape}) must have 3 or 4 dimensions.")
    return tensor


def _require_image(name: str, image: Tensor) -> None:
    rank = image.shape.rank
    if rank is not None and rank < 3:
        raise ValueError(f"'{name}' (shape {image.shape}) must be at least three-dimensional.")
