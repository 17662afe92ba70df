"""Moving blocks of pixels into channels and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import call, define_op
from runtime.ops.conv.windows import back, channels_first, image_dims, last, spatial_dims


def _deep_spec(x: Tensor, block_size: int, data_format: str) -> TensorSpec:
    first = data_format == "NCHW"
    batch, channels, lengths = spatial_dims(x.spec.dims, first, 2)
    for length in lengths:
        if length is not None and length % block_size:
            raise ValueError(
                f"Image height and width should be divisible by block_size {block_size}: {lengths}"
            )
    sizes = [None if length is None else length // block_size for length in lengths]
    count = None if channels is None else channels * block_size * block_size
    return x.spec.with_dims(image_dims(batch, count, sizes, first))


def _flat_spec(x: Tensor, block_size: int, data_format: str) -> TensorSpec:
    first = data_format == "NCHW"
    batch, channels, lengths = spatial_dims(x.spec.dims, first, 2)
    if channels is not None and channels % (block_size * block_size):
        raise ValueError(
            f"Dimension size must be evenly divisible by {block_size * block_size} but is "
            f"{channels}"
        )
    sizes = [None if length is None else length * block_size for length in lengths]
    count = None if channels is None else channels // (block_size * block_size)
    return x.spec.with_dims(image_dims(batch, count, sizes, first))


def _deep(xp: Any, x: Any, block_size: int, data_format: str) -> Any:
    first, b = data_format == "NCHW", block_size
    image = last(xp, x, first)
    n, height, width, channels = image.shape
    if height % b or width % b:
        raise ValueError(
            f"Image height {height} and width {width} should be divisible by block_size: {b}"
        )
    parts = xp.reshape(image, (n, height // b, b, width // b, b, channels))
    moved = xp.transpose(parts, (0, 1, 3, 2, 4, 5))
    return back(xp, xp.reshape(moved, (n, height // b, width // b, b * b * channels)), first)


def _flat(xp: Any, x: Any, block_size: int, data_format: str) -> Any:
    first, b = data_format == "NCHW", block_size
    image = last(xp, x, first)
    n, height, width, channels = image.shape
    if channels % (b * b):
        raise ValueError(f"Input depth dimension {channels} should be divisible by: {b * b}")
    parts = xp.reshape(image, (n, height, width, b, b, channels // (b * b)))
    moved = xp.transpose(parts, (0, 1, 3, 2, 4, 5))
    return back(xp, xp.reshape(moved, (n, height * b, width * b, channels // (b * b))), first)


def _other(name: str) -> Any:
    def grad(g: Tensor, y: Tensor, x: Tensor, **attrs: Any) -> tuple[Tensor]:
        return (call(name, g, **attrs),)

    return grad


_NUMBERS = np.arange(16.0)
_DEEP = define_op(
    "SpaceToDepth",
    {"input": ANY},
    _deep_spec,
    _deep,
    grad=_other("DepthToSpace"),
    samples=(
        sample(_NUMBERS.reshape(1, 4, 2, 2), block_size=2, data_format="NHWC"),
        sample(_NUMBERS.reshape(1, 2, 4, 2), block_size=2, data_format="NCHW"),
    ),
)
_FLAT = define_op(
    "DepthToSpace",
    {"input": ANY},
    _flat_spec,
    _flat,
    grad=_other("SpaceToDepth"),
    samples=(
        sample(_NUMBERS.reshape(1, 2, 1, 8), block_size=2, data_format="NHWC"),
        sample(_NUMBERS.reshape(1, 8, 1, 2), block_size=2, data_format="NCHW"),
    ),
)


def _checked(block_size: int, data_format: str) -> dict[str, Any]:
    if block_size < 2:
        raise InvalidArgumentError.of(
            f"Value for attr 'block_size' of {block_size} must be at least minimum 2"
        )
    channels_first(data_format, 2)
    return {"block_size": int(block_size), "data_format": data_format}


def space_to_depth(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Blocks of pixels as channels.

    Args:
      input: shape [batch, height, width, channels]; height and width are multiples of `block_size`.
      block_size: the height and width of a block, above 1.
      data_format: "NHWC", or "NCHW" for images with the channels first.

    Raises: InvalidArgumentError for another format or size, or if the shape does not fit.

    >>> print(space_to_depth([[[[1], [2]], [[3], [4]]]], 2)[0, 0, 0])
    tf.Tensor([1 2 3 4], shape=(4,), dtype=int32)
    """
    return _DEEP(input, name=name, **_checked(block_size, data_format))


def depth_to_space(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Channels as blocks of pixels; undoes `space_to_depth`, with the same arguments.

    >>> print(depth_to_space([[[[1, 2, 3, 4]]]], 2)[0, :, :, 0])
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    return _FLAT(input, name=name, **_checked(block_size, data_format))
