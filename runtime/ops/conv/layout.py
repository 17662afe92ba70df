"""Moving blocks of pixels into channels and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, sample
from runtime.core.shapes import Dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import op
from runtime.ops.conv.windows import channels_first, join_dims, split_dims


def _deep_dims(dims: Dims, block_size: int, first: bool) -> tuple[Any, ...]:
    batch, channels, lengths = split_dims(dims, 2, first)
    for length in lengths:
        if length is not None and length % block_size:
            raise ValueError(
                f"Image height and width should be divisible by block_size {block_size}: {lengths}"
            )
    sizes = [None if length is None else length // block_size for length in lengths]
    depth = None if channels is None else channels * block_size * block_size
    return join_dims(batch, depth, sizes, first)


def _flat_dims(dims: Dims, block_size: int, first: bool) -> tuple[Any, ...]:
    batch, channels, lengths = split_dims(dims, 2, first)
    if channels is not None and channels % (block_size * block_size):
        raise ValueError(
            f"Dimension size must be evenly divisible by {block_size * block_size} but is "
            f"{channels}"
        )
    sizes = [None if length is None else length * block_size for length in lengths]
    depth = None if channels is None else channels // (block_size * block_size)
    return join_dims(batch, depth, sizes, first)


def _deep(xp: Namespace, x: Array, block_size: int, data_format: str) -> Array:
    first, b = data_format == "NCHW", block_size
    dims = _deep_dims(x.shape, b, first)
    batch, depth, (rows, columns) = split_dims(dims, 2, first)
    image = xp.moveaxis(x, 1, -1) if first else x
    parts = xp.reshape(image, (batch, rows, b, columns, b, depth // (b * b)))
    moved = xp.reshape(xp.transpose(parts, (0, 1, 3, 2, 4, 5)), (batch, rows, columns, depth))
    return xp.moveaxis(moved, -1, 1) if first else moved


def _flat(xp: Namespace, x: Array, block_size: int, data_format: str) -> Array:
    first, b = data_format == "NCHW", block_size
    dims = _flat_dims(x.shape, b, first)
    batch, depth, (height, width) = split_dims(dims, 2, first)
    image = xp.moveaxis(x, 1, -1) if first else x
    parts = xp.reshape(image, (batch, height // b, width // b, b, b, depth))
    moved = xp.reshape(xp.transpose(parts, (0, 1, 3, 2, 4, 5)), (batch, height, width, depth))
    return xp.moveaxis(moved, -1, 1) if first else moved


_PIXELS = np.arange(16.0)


def _space_to_depth_grad(g: Tensor, y: Tensor, x: Tensor, **attrs: Any) -> tuple[Tensor]:
    return (depth_to_space.op(g, **attrs),)


@op(
    "SpaceToDepth",
    {"input": ANY},
    infer=lambda x, block_size, data_format: x.spec.with_dims(
        _deep_dims(x.spec.dims, block_size, data_format == "NCHW")
    ),
    kernel=_deep,
    grad=_space_to_depth_grad,
    samples=(
        sample(_PIXELS.reshape(1, 4, 2, 2), block_size=2, data_format="NHWC"),
        sample(_PIXELS.reshape(1, 2, 4, 2), block_size=2, data_format="NCHW"),
    ),
)
def space_to_depth(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Move the pixels of each block into channels.

    Args:
      input: Tensor of shape [batch, height, width, channels]; height and width are multiples of
        `block_size`.
      block_size: height and width of a block, at least 2.
      data_format: "NHWC", or "NCHW" for images with the channels first.
      name: name for the operation.

    Returns:
      Tensor of shape [batch, height // block_size, width // block_size, channels *
      block_size**2].

    Raises:
      InvalidArgumentError: for another format or size, or if the shape does not fit.

    >>> print(space_to_depth([[[[1], [2]], [[3], [4]]]], 2)[0, 0, 0])
    tf.Tensor([1 2 3 4], shape=(4,), dtype=int32)
    """
    return space_to_depth.op(input, name=name, **_block_attrs(block_size, data_format))


def _depth_to_space_grad(g: Tensor, y: Tensor, x: Tensor, **attrs: Any) -> tuple[Tensor]:
    return (space_to_depth.op(g, **attrs),)


@op(
    "DepthToSpace",
    {"input": ANY},
    infer=lambda x, block_size, data_format: x.spec.with_dims(
        _flat_dims(x.spec.dims, block_size, data_format == "NCHW")
    ),
    kernel=_flat,
    grad=_depth_to_space_grad,
    samples=(
        sample(_PIXELS.reshape(1, 2, 1, 8), block_size=2, data_format="NHWC"),
        sample(_PIXELS.reshape(1, 8, 1, 2), block_size=2, data_format="NCHW"),
    ),
)
def depth_to_space(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Move channels into blocks of pixels; the inverse of `space_to_depth`.

    Args:
      input: Tensor of shape [batch, height, width, channels]; the number of channels is a multiple
        of `block_size**2`.
      block_size, data_format, name: as of `space_to_depth`.

    Returns:
      Tensor of shape [batch, height * block_size, width * block_size, channels //
      block_size**2].

    Raises:
      InvalidArgumentError: for another format or size, or if the shape does not fit.

    >>> print(depth_to_space([[[[1, 2, 3, 4]]]], 2)[0, :, :, 0])
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    return depth_to_space.op(input, name=name, **_block_attrs(block_size, data_format))


def _block_attrs(block_size: int, data_format: str) -> dict[str, Any]:
    if block_size < 2:
        raise InvalidArgumentError.of(
            f"Value for attr 'block_size' of {block_size} must be at least minimum 2"
        )
    channels_first(data_format, 2)
    return {"block_size": int(block_size), "data_format": data_format}
