"""Resizing of images: each output pixel is a weighted sum of input pixels, axis by axis.

Pixel centers are at half-integers. The kernel is the triangle of TensorFlow's `ScaleAndTranslate`;
weights are normalized to a sum of 1, also where the kernel reaches over the border.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import FLOAT, INT32, REAL, sample
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, define_op
from runtime.ops.math.casting import cast

METHODS = ("bilinear", "nearest")


def _taps(length: int, size: int, method: str, antialias: bool) -> tuple[Any, Any]:
    """Return for each of `size` output pixels the input pixels it depends on, and their weights.

    Both arrays have shape [size, taps].
    """
    step = length / size
    if method == "nearest":
        nearest = np.floor((np.arange(size) + 0.5) * step).astype(int)
        return np.minimum(nearest, length - 1)[:, None], np.ones((size, 1))
    scale = max(step, 1.0) if antialias else 1.0
    center = (np.arange(size)[:, None] + 0.5) * step
    first = np.ceil(center - scale - 0.5).astype(int)
    places = first + np.arange(math.floor(2 * scale) + 1)
    weights = np.maximum(0.0, 1.0 - np.abs((places + 0.5 - center) / scale))
    weights = np.where((places >= 0) & (places < length), weights, 0.0)
    return np.clip(places, 0, length - 1), weights / weights.sum(1, keepdims=True)


def _along(images: Array, axis: int, size: int, method: str, antialias: bool) -> Any:
    """Resize along one axis."""
    places, weights = _taps(images.shape[axis], size, method, antialias)
    if method == "nearest":
        return np.take(images, places[:, 0], axis)
    shape = [-1 if axis == own else 1 for own in range(images.ndim)]
    result: Any = 0.0
    for tap in range(places.shape[1]):
        weight = weights[:, tap].astype(np.float32).reshape(shape)
        if weight.any():
            result = result + weight * np.take(images, places[:, tap], axis)
    return result


def _along_back(g: Array, axis: int, length: int, method: str, antialias: bool) -> Any:
    """Apply the transpose of `_along`."""
    places, weights = _taps(length, g.shape[axis], method, antialias)
    matrix = np.zeros((g.shape[axis], length), np.float32)
    np.add.at(matrix, (np.arange(len(places))[:, None], places), weights)
    return np.moveaxis(np.tensordot(g, matrix, (axis, 0)), -1, axis)


def _resize(xp: Namespace, images: Array, size: Array, method: str, antialias: bool) -> Any:
    height, width = (int(each) for each in size)
    if height <= 0 or width <= 0:
        raise InvalidArgumentError.of(f"output dimensions must be positive, got {height} x {width}")
    if not all(images.shape[-3:-1]):
        raise InvalidArgumentError.of(
            f"input image must be of non-zero size, got shape {list(images.shape)}"
        )
    array = images if method == "nearest" else images.astype(np.float32)
    rows = _along(array, images.ndim - 3, height, method, antialias)
    result = _along(rows, images.ndim - 2, width, method, antialias)
    return result if method == "nearest" else result.astype(np.float32)


def _resize_back(xp: Namespace, g: Array, length: Array, method: str, antialias: bool) -> Any:
    rows = _along_back(g, g.ndim - 3, int(length[0]), method, antialias)
    return _along_back(rows, g.ndim - 2, int(length[1]), method, antialias).astype(g.dtype)


def _sized(images: Tensor, size: Tensor) -> TensorSpec:
    dims = images.spec.dims
    value = static_value(size)
    height, width = (None, None) if value is None else (int(each) for each in value)
    if dims is None:
        return images.spec
    return images.spec.with_dims((*dims[:-3], height, width, dims[-1]))


def _grad(
    g: Tensor, y: Tensor, images: Tensor, size: Tensor, method: str, antialias: bool
) -> tuple[Tensor, None]:
    length = shape(images)[-3:-1]
    back = call("ResizeImageGrad", g, length, method=method, antialias=antialias)
    return cast(back, images.dtype), None


def _grad_of_grad(
    g: Tensor, y: Tensor, gradient: Tensor, length: Tensor, method: str, antialias: bool
) -> tuple[Tensor, None]:
    size = shape(gradient)[-3:-1]
    again = call("ResizeImage", g, size, method=method, antialias=antialias)
    return cast(again, gradient.dtype), None


_IMAGE = np.arange(12.0, dtype=np.float32).reshape(1, 4, 3, 1)
_RESIZE = define_op(
    "ResizeImage",
    {"images": REAL, "size": INT32},
    lambda images, size, method, antialias: _sized(images, size).with_dtype(
        images.dtype if method == "nearest" else dtypes.float32
    ),
    _resize,
    grad=_grad,
    samples=tuple(
        sample(_IMAGE, [3, 5], method=method, antialias=antialias)
        for method in METHODS
        for antialias in (False, True)
    ),
)
define_op(
    "ResizeImageGrad",
    {"gradient": FLOAT, "length": INT32},
    lambda g, length, **attrs: _sized(g, length),
    _resize_back,
    grad=_grad_of_grad,
    samples=(sample(_IMAGE, [3, 2], method="bilinear", antialias=False),),
)


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
    if rank not in (None, 3, 4):
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
    return _RESIZE(
        tensor,
        target,
        method=method,
        antialias=bool(antialias) and method != "nearest",
        name=name,
    )
