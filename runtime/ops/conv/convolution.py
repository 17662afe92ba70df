"""Convolutions over one and two axes, and their gradients.

The two gradients of a convolution are op types whose gradients are again the three of them, so that
gradients of any order need no further op type. The kernels are those of
`runtime.ops.conv.correlation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.aliases import Array, Ints, Namespace
from runtime.core.opdef import FLOAT, INT32, Emit, sample
from runtime.core.shapes import known
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import Op, define_op, shape_of
from runtime.ops.base.samples import numbers
from runtime.ops.conv import correlation as kernels
from runtime.ops.conv.windows import FORM, Window, check_rank, window_attrs


def _groups(channels: int, filters: Sequence[Any]) -> int:
    depth = filters[-2]
    if depth == 0 or channels % depth:
        raise ValueError(
            f"input depth must be evenly divisible by filter depth: {channels} vs {depth}"
        )
    return int(channels // depth)


def _check_gradient(
    window: Window, gradient: Sequence[int], image: Sequence[Any], filters: Sequence[int]
) -> None:
    expected = known(window.result(tuple(map(int, image)), filters[-1]))
    if tuple(gradient) != expected:
        raise ValueError(
            f"the gradient of the result has shape {list(gradient)}, but an image of shape "
            f"{list(map(int, image))} and a filter of shape {list(filters)} give {list(expected)}"
        )


def _result_spec(x: Tensor, filters: Tensor, **attrs: Any) -> TensorSpec:
    image, sizes = x.spec.dims, filters.spec.dims
    check_rank("input", image)
    check_rank("filter", sizes)
    if image is None or sizes is None or None in sizes[:-2]:
        return x.spec.with_dims((None,) * 4)
    if image[-1] is not None and sizes[-2] is not None:
        _groups(image[-1], sizes)
    window = Window(known(sizes[:-2]), **attrs)
    return x.spec.with_dims(window.result(image, sizes[-1]))


def _convolve(xp: Namespace, x: Array, filters: Array, **attrs: Any) -> Array:
    check_rank("input", x.shape)
    check_rank("filter", filters.shape)
    window = Window(filters.shape[:-2], **attrs)
    groups = _groups(x.shape[-1], filters.shape)
    counts = known(window.counts(x.shape[1:-1]))
    return kernels.correlate(window.pad(xp, x), filters, window, counts, groups)


def _image_gradient(xp: Namespace, sizes: Array, filters: Array, g: Array, **attrs: Any) -> Array:
    window = Window(filters.shape[:-2], **attrs)
    groups = _groups(int(sizes[-1]), filters.shape)
    _check_gradient(window, g.shape, sizes, filters.shape)
    return window.unpad(
        kernels.image_gradient(g, filters, window, window.padded(sizes), groups), sizes
    )


def _filter_gradient(xp: Namespace, x: Array, sizes: Array, g: Array, **attrs: Any) -> Array:
    shape = tuple(map(int, sizes))
    window = Window(shape[:-2], **attrs)
    _check_gradient(window, g.shape, x.shape, shape)
    groups = _groups(x.shape[-1], shape)
    return kernels.filter_gradient(window.pad(xp, x), g, window, shape, groups)


_SAME = {"strides": (2, 2), "padding": "SAME", "dilations": (1, 1)}
_VALID = {"strides": (1, 1), "padding": "VALID", "dilations": (2, 2)}
_CASES = (
    (numbers(1, 4, 3, 2), numbers(2, 2, 2, 3), numbers(1, 2, 2, 3), _SAME),
    (numbers(1, 4, 3, 2), numbers(2, 2, 1, 2), numbers(1, 2, 1, 2), _VALID),
)
"""Image, filter, gradient of the result, and attributes."""

_CONV2D: Op = define_op(
    "Conv2D",
    {"input": FLOAT, "filter": FLOAT},
    _result_spec,
    _convolve,
    grad=lambda g, y, x, w, **attrs: (
        _BY_IMAGE(shape_of(x), w, g, **attrs),
        _BY_FILTER(x, shape_of(w), g, **attrs),
    ),
    node=FORM,
    emit=Emit.CORRELATED,
    samples=tuple(sample(x, w, **attrs) for x, w, _, attrs in _CASES),
)
_BY_IMAGE: Op = define_op(
    "Conv2DBackpropInput",
    {"input_sizes": INT32, "filter": FLOAT, "out_backprop": FLOAT},
    lambda sizes, w, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
    _image_gradient,
    grad=lambda u, y, sizes, w, g, **attrs: (
        None,
        _BY_FILTER(u, shape_of(w), g, **attrs),
        _CONV2D(u, w, **attrs),
    ),
    node=FORM,
    emit=Emit.CORRELATED_BY_IMAGE,
    samples=tuple(sample(np.array(x.shape, np.int32), w, g, **attrs) for x, w, g, attrs in _CASES),
)
_BY_FILTER: Op = define_op(
    "Conv2DBackpropFilter",
    {"input": FLOAT, "filter_sizes": INT32, "out_backprop": FLOAT},
    lambda x, sizes, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
    _filter_gradient,
    grad=lambda u, y, x, sizes, g, **attrs: (
        _BY_IMAGE(shape_of(x), u, g, **attrs),
        None,
        _CONV2D(x, u, **attrs),
    ),
    node=FORM,
    emit=Emit.CORRELATED_BY_FILTER,
    samples=tuple(sample(x, np.array(w.shape, np.int32), g, **attrs) for x, w, g, attrs in _CASES),
)


def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: Ints,
    padding: str,
    data_format: str = "NHWC",
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Two-dimensional cross-correlation (what deep learning calls convolution).

    Args:
      input: Tensor of shape [batch, height, width, channels], floating-point.
      filters: Tensor of the same dtype, of shape [height, width, channels, results]. If it has
        fewer channels than the input, which has a multiple of them, it works on groups of channels.
      strides: distance between positions of the filter: one number, one each for height and width,
        or four.
      padding: "SAME" or "VALID"; `pad` adds other margins.
      data_format: "NHWC".
      dilations: distance between the elements that the filter covers, in the form of `strides`.

    Returns: Tensor of shape [batch, rows, columns, results].
    Raises:
      ValueError, UnimplementedError: for arguments of another form.
      InvalidArgumentError: if the shapes do not fit.

    >>> image = [[[[1.0], [2.0]], [[3.0], [4.0]]]]
    >>> print(conv2d(image, [[[[2.0]]]], strides=1, padding="VALID")[0, :, :, 0])
    tf.Tensor(
    [[2. 4.]
     [6. 8.]], shape=(2, 2), dtype=float32)
    """
    attrs = window_attrs(2, padding, data_format, strides=strides, dilations=dilations)
    (x, w), _ = one_dtype("Conv2D", [("input", input), ("filters", filters)])
    return _CONV2D(x, w, name=name or "Conv2D", **attrs)


def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: Ints,
    padding: str,
    data_format: str = "NWC",
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """One-dimensional cross-correlation.

    Args:
      input: Tensor of shape [batch, width, channels], floating-point.
      filters: Tensor of the same dtype, of shape [width, channels, results].
      stride, padding, dilations, name: as of `conv2d`, for one axis.
      data_format: "NWC".

    Returns: Tensor of shape [batch, positions, results].

    >>> print(conv1d([[[1.0], [2.0], [3.0]]], [[[1.0]], [[1.0]]], 1, "VALID")[0, :, 0])
    tf.Tensor([3. 5.], shape=(2,), dtype=float32)
    """
    attrs = window_attrs(1, padding, data_format, strides=stride, dilations=dilations)
    (x, w), _ = one_dtype("Conv1D", [("input", input), ("filters", filters)])
    return squeeze(_CONV2D(expand_dims(x, 1), expand_dims(w, 0), **attrs), 1, name or "conv1d")


def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: Ints = None,
    padding: str = "VALID",
    data_format: str | None = None,
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Apply `conv1d` or `conv2d`, by the rank of the filter.

    Args:
      input, filters, strides, padding, data_format, dilations, name: as there.

    Returns: Tensor of the shape of `conv1d` or `conv2d`.
    Raises: ValueError if `filters` has another rank.

    >>> print(convolution([[[1.0], [2.0]]], [[[2.0]]])[0, :, 0].numpy())
    [2. 4.]
    """
    w = convert_to_tensor(filters)
    if w.shape.rank not in (3, 4):
        raise ValueError(f"`filters` must be of rank 3 or 4. Received: {w.shape}")
    function, form = (conv1d, "NWC") if w.shape.rank == 3 else (conv2d, "NHWC")
    return function(input, w, strides, padding, data_format or form, dilations, name)


def conv2d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: TensorLike,
    strides: Ints,
    padding: str = "SAME",
    data_format: str = "NHWC",
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Multiply each element by a filter, and add the products at the positions of the filter.

    Args:
      input: Tensor of shape [batch, height, width, channels], floating-point.
      filters: Tensor of the same dtype, of shape [height, width, results, channels].
      output_shape: int32 vector, the shape of the result.
      strides, padding, data_format, dilations, name: as of `conv2d`.

    Returns: Tensor of shape `output_shape` and the dtype of `input`.
    Raises:
      InvalidArgumentError: if `conv2d` of a tensor of shape `output_shape` has another shape than
        `input`.

    >>> print(conv2d_transpose([[[[3.0]]]], [[[[1.0]], [[2.0]]]], [1, 1, 2, 1], 2).numpy())
    [[[[3.]
       [6.]]]]
    """
    attrs = window_attrs(2, padding, data_format, strides=strides, dilations=dilations)
    return _BY_IMAGE(output_shape, filters, input, name=name or "conv2d_transpose", **attrs)
