"""Resizing of images: each output pixel is a weighted sum of input pixels, axis by axis.

Pixel centers are at half-integers. The kernels are those of TensorFlow's `ScaleAndTranslate`;
weights are normalized to a sum of 1, also where the kernel reaches over the border.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import FLOAT, INT32, REAL, sample
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.casting import cast
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import call, define_op
from runtime.ops.dimensions import shape


def _triangle(x: Any) -> Any:
    return np.maximum(0.0, 1.0 - np.abs(x))


def _cubic(b: float, c: float) -> Callable[[Any], Any]:
    """Return the cubic kernel with parameters B and C of Mitchell and Netravali (1988), eq. 8."""

    def kernel(x: Any) -> Any:
        x = np.abs(x)
        near = (12 - 9 * b - 6 * c) * x**3 + (-18 + 12 * b + 6 * c) * x**2 + 6 - 2 * b
        far = (-b - 6 * c) * x**3 + (6 * b + 30 * c) * x**2 - (12 * b + 48 * c) * x
        return np.where(x < 1, near, np.where(x < 2, far + 8 * b + 24 * c, 0.0)) / 6

    return kernel


def _lanczos(radius: float) -> Callable[[Any], Any]:
    return lambda x: np.where(np.abs(x) < radius, np.sinc(x) * np.sinc(x / radius), 0.0)


def _gaussian(x: Any) -> Any:
    """Gaussian with standard deviation 1/2, cut off at three of them."""
    return np.where(np.abs(x) < 1.5, np.exp(-2.0 * x * x), 0.0)


@dataclass(frozen=True)
class _Kernel:
    radius: float
    weight: Callable[[Any], Any]


_KERNELS = {
    "bilinear": _Kernel(1.0, _triangle),
    "bicubic": _Kernel(2.0, _cubic(0.0, 0.5)),
    "mitchellcubic": _Kernel(2.0, _cubic(1 / 3, 1 / 3)),
    "lanczos3": _Kernel(3.0, _lanczos(3.0)),
    "lanczos5": _Kernel(5.0, _lanczos(5.0)),
    "gaussian": _Kernel(1.5, _gaussian),
}


class ResizeMethod:
    """Names of the methods of `resize`.

    >>> ResizeMethod.NEAREST_NEIGHBOR
    'nearest'
    """

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


_METHODS = (*_KERNELS, "nearest", "area")


def _taps(length: int, size: int, method: str, antialias: bool) -> tuple[Any, Any]:
    """Return for each of `size` output pixels the input pixels it depends on, and their weights.

    Both arrays have shape [size, taps].
    """
    step = length / size
    if method == "nearest":
        nearest = np.floor((np.arange(size) + 0.5) * step).astype(int)
        return np.minimum(nearest, length - 1)[:, None], np.ones((size, 1))
    if method == "area":
        start = np.arange(size)[:, None] * step
        places = np.floor(start).astype(int) + np.arange(math.ceil(step) + 1)
        overlap = np.minimum(places + 1, start + step) - np.maximum(places, start)
        return np.clip(places, 0, length - 1), np.maximum(overlap, 0.0) / step
    kernel = _KERNELS[method]
    scale = max(step, 1.0) if antialias else 1.0
    center = (np.arange(size)[:, None] + 0.5) * step
    first = np.ceil(center - kernel.radius * scale - 0.5).astype(int)
    places = first + np.arange(math.floor(2 * kernel.radius * scale) + 1)
    weights = kernel.weight((places + 0.5 - center) / scale)
    weights = np.where((places >= 0) & (places < length), weights, 0.0)
    return np.clip(places, 0, length - 1), weights / weights.sum(1, keepdims=True)


def _along(images: Any, axis: int, size: int, method: str, antialias: bool) -> Any:
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


def _along_back(g: Any, axis: int, length: int, method: str, antialias: bool) -> Any:
    """Apply the transpose of `_along`."""
    places, weights = _taps(length, g.shape[axis], method, antialias)
    matrix = np.zeros((g.shape[axis], length), np.float32)
    np.add.at(matrix, (np.arange(len(places))[:, None], places), weights)
    return np.moveaxis(np.tensordot(g, matrix, (axis, 0)), -1, axis)


def _target(length: Any, size: Any, keeps: bool) -> tuple[int, int]:
    height, width = (int(each) for each in size)
    if keeps:
        scale = min(height / length[0], width / length[1])
        height, width = (round(scale * each) for each in length)
    if height <= 0 or width <= 0:
        raise InvalidArgumentError(
            None, None, f"output dimensions must be positive, got {height} x {width}"
        )
    return height, width


def _resize(xp: Any, images: Any, size: Any, method: str, antialias: bool, keeps: bool) -> Any:
    height, width = _target(images.shape[-3:-1], size, keeps)
    if not all(images.shape[-3:-1]):
        raise InvalidArgumentError(
            None, None, f"input image must be of non-zero size, got shape {list(images.shape)}"
        )
    array = images if method == "nearest" else images.astype(np.float32)
    rows = _along(array, images.ndim - 3, height, method, antialias)
    result = _along(rows, images.ndim - 2, width, method, antialias)
    return result if method == "nearest" else result.astype(np.float32)


def _resize_back(xp: Any, g: Any, length: Any, method: str, antialias: bool) -> Any:
    rows = _along_back(g, g.ndim - 3, int(length[0]), method, antialias)
    return _along_back(rows, g.ndim - 2, int(length[1]), method, antialias).astype(g.dtype)


def _resized_spec(
    images: Tensor, size: Tensor, method: str, antialias: bool, keeps: bool
) -> TensorSpec:
    dtype = images.dtype if method == "nearest" else dtypes.float32
    return _sized(images, None if keeps else size).with_dtype(dtype)


def _sized(images: Tensor, size: Tensor | None) -> TensorSpec:
    dims = images.spec.dims
    value = None if size is None else static_value(size)
    height, width = (None, None) if value is None else (int(each) for each in value)
    if dims is None:
        return images.spec
    return images.spec.with_dims((*dims[:-3], height, width, dims[-1]))


def _grad(
    g: Tensor, y: Tensor, images: Tensor, size: Tensor, method: str, antialias: bool, keeps: bool
) -> tuple[Tensor, None]:
    length = shape(images)[-3:-1]
    back = call("ResizeImageGrad", g, length, method=method, antialias=antialias)
    return cast(back, images.dtype), None


def _grad_of_grad(
    g: Tensor, y: Tensor, gradient: Tensor, length: Tensor, method: str, antialias: bool
) -> tuple[Tensor, None]:
    size = shape(gradient)[-3:-1]
    again = call("ResizeImage", g, size, method=method, antialias=antialias, keeps=False)
    return cast(again, gradient.dtype), None


_IMAGE = np.arange(12.0, dtype=np.float32).reshape(1, 4, 3, 1)
_RESIZE = define_op(
    "ResizeImage",
    {"images": REAL, "size": INT32},
    _resized_spec,
    _resize,
    grad=_grad,
    samples=(
        *(
            sample(_IMAGE, [3, 5], method=method, antialias=antialias, keeps=False)
            for method in ("bilinear", "bicubic", "nearest", "area")
            for antialias in (False, True)
        ),
        sample(_IMAGE[0], [2, 2], method="lanczos3", antialias=False, keeps=True),
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
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resize images.

    Args:
      images: real tensor of shape [batch, height, width, channels] or [height, width, channels].
      size: new height and width, int32.
      method: one of `ResizeMethod`.
      preserve_aspect_ratio: whether `size` is only the largest size, and the ratio of height and
        width stays.
      antialias: whether a smaller image depends on all pixels of the larger one. No effect on
        "nearest" and "area".
      name: name for the operation.

    Returns:
      Images of the new size: float32, or the dtype of `images` if the method is "nearest".

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
    if method not in _METHODS:
        raise ValueError(f"Resize method {method!r} is unknown: use one of {', '.join(_METHODS)}.")
    return _RESIZE(
        tensor,
        target,
        method=method,
        antialias=bool(antialias) and method not in ("nearest", "area"),
        keeps=bool(preserve_aspect_ratio),
        name=name,
    )
