"""Pooling: the largest element or the mean of each position of a window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

import numpy as np

from runtime.core.opdef import FLOAT, INT32, REAL, sample
from runtime.core.spec import spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.aliases import Array, Attrs, Ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op, shape_of
from runtime.ops.base.publishing import publish
from runtime.ops.base.sample_values import numbers
from runtime.ops.conv.pooling_kernels import (
    at_maximum,
    check_sizes,
    infer,
    maximum,
    maximum_gradient,
    mean,
    mean_gradient,
)
from runtime.ops.conv.windows import (
    WITHOUT_PADDINGS,
    PaddingArgument,
    channels_first,
    entries,
    outer,
    window_attrs,
)


def _sample_attrs(
    size: int, stride: int, padding: str, data_format: str = "NHWC", explicit: tuple[int, ...] = ()
) -> Attrs:
    axes, first = len(data_format) - 2, data_format[1] == "C"
    return {
        "ksize": outer((size,) * axes, first),
        "strides": outer((stride,) * axes, first),
        "padding": padding,
        "explicit_paddings": explicit,
        "data_format": data_format,
    }


_Case = tuple[Array, Array, Attrs]
"""An image, a gradient of the result, and attributes."""

_FLAT: tuple[_Case, ...] = (
    (numbers(1, 4, 3, 2), numbers(1, 2, 2, 2), _sample_attrs(2, 2, "SAME")),
    (numbers(1, 1, 3, 3), numbers(1, 1, 2, 2), _sample_attrs(2, 1, "VALID", "NCHW")),
)
_PADDED: _Case = (
    numbers(1, 2, 2, 1),
    numbers(1, 2, 3, 1),
    _sample_attrs(2, 1, "EXPLICIT", explicit=(0, 0, 1, 0, 1, 1, 0, 0)),
)


def _max_op(cases: Sequence[_Case]) -> Op:
    """Define max pooling and its gradients; each gradient is the gradient of the other."""
    three = {"orig_input": REAL, "orig_output": REAL, "grad": REAL}

    def swapped(other: str) -> Any:
        return lambda u, z, x, y, g, **attrs: (None, None, call(other, x, y, u, **attrs))

    back = define_op(
        "MaxPoolGrad",
        three,
        lambda x, y, g, **attrs: x.spec,
        maximum_gradient,
        grad=swapped("MaxPoolGradGrad"),
        samples=tuple(sample(x, y, y, **attrs) for x, y, attrs in cases),
    )
    define_op(
        "MaxPoolGradGrad",
        three,
        lambda x, y, g, **attrs: y.spec,
        at_maximum,
        grad=swapped("MaxPoolGrad"),
        node=WITHOUT_PADDINGS,
        samples=tuple(sample(x, y, x, **attrs) for x, y, attrs in cases),
    )
    return define_op(
        "MaxPool",
        {"input": REAL},
        infer,
        maximum,
        grad=lambda g, y, x, **attrs: (back(x, y, g, **attrs),),
        samples=tuple(sample(x, **attrs) for x, _, attrs in cases),
    )


def _avg_op(cases: Sequence[_Case]) -> Op:
    """Define average pooling and its gradient; each is the gradient of the other."""
    back = define_op(
        "AvgPoolGrad",
        {"orig_input_shape": INT32, "grad": FLOAT},
        lambda sizes, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
        mean_gradient,
        grad=lambda u, z, sizes, g, **attrs: (None, call("AvgPool", u, **attrs)),
        node=WITHOUT_PADDINGS,
        samples=tuple(sample(np.array(x.shape, np.int32), y, **attrs) for x, y, attrs in cases),
    )
    return define_op(
        "AvgPool",
        {"value": FLOAT},
        infer,
        mean,
        grad=lambda g, y, x, **attrs: (back(shape_of(x), g, **attrs),),
        node=WITHOUT_PADDINGS,
        samples=tuple(sample(x, **attrs) for x, _, attrs in cases),
    )


_MAX = _max_op((*_FLAT, _PADDED))
_AVG = _avg_op(_FLAT)


def _pool(
    op: Op,
    x: Tensor,
    axes: int,
    ksize: Ints,
    strides: Ints,
    padding: PaddingArgument,
    data_format: str | None,
    name: str | None,
) -> Tensor:
    first = channels_first(data_format, axes)
    sizes = entries(ksize, axes, "ksize", 1 if first else axes + 1)
    attrs = window_attrs(axes, strides, padding, data_format)
    check_sizes(sizes, ksize)
    if axes == 2:
        return op(x, name=name, ksize=outer(sizes, first), **attrs)
    # A sequence is an image with one row.
    row, form = (2, "NCHW") if first else (1, "NHWC")
    step = attrs["strides"][row]
    if not isinstance(padding, str):
        padding = [*padding]
        padding.insert(row, [0, 0])
    image = expand_dims(x, row)
    result = _pool(op, image, 2, [1, *sizes], [1, step], padding, form, None)
    return squeeze(result, row, name=name)


class Pooling(Protocol):
    """A function that pools over the spatial axes of images."""

    def __call__(
        self,
        input: TensorLike,
        ksize: Ints,
        strides: Ints,
        padding: PaddingArgument,
        data_format: str | None = None,
        name: str | None = None,
    ) -> Tensor:
        """Apply it."""


_AXES: dict[int | None, tuple[str | None, str, str]] = {
    1: ("NWC", "[batch, width, channels]", "NCW"),
    2: ("NHWC", "[batch, height, width, channels]", "NCHW"),
    None: (None, "[batch, ..., channels] with 1 or 2 spatial axes", "NC..."),
}
"""Default of `data_format`, shape of the input, and the format with channels first."""


def _row(name: str, label: str, op: Op, axes: int | None, about: str, example: str) -> Pooling:
    """Define a public function for `axes` spatial axes, or for any number (None)."""
    default, shape, other = _AXES[axes]

    def function(
        input: TensorLike,
        ksize: Ints,
        strides: Ints,
        padding: PaddingArgument,
        data_format: str | None = default,
        name: str | None = None,
    ) -> Tensor:
        x = convert_to_tensor(input)
        count = axes or _axes_of(x, data_format)
        return _pool(op, x, count, ksize, strides, padding, data_format, name or label)

    (group,) = op.definition.inputs.values()
    form = f'"{default}"' if default else "None for channels last"
    rest = f"""
        Args:
          input: Tensor of shape {shape}; each element is {group.name}.
          ksize: lengths of the window: one number, one for each spatial axis, or for every axis.
          strides: distance between positions of the window, in the form of `ksize`.
          padding: "SAME", "VALID", or pairs of the padding before and after each axis.
          data_format: {form}, or "{other}" for channels first.

        Returns: Tensor of the dtype and rank of `input`.
        Raises:
          ValueError: for arguments of another form.
          InvalidArgumentError: if the window is larger than the padded image.
        """
    return cast(Pooling, publish(function, __name__, name, op, about, rest, example))


_LARGEST = "Return the largest element of each position of a window."
_MEAN = "Return the mean of each position of a window; padding does not count."
_STEPS = '[[[1.0], [3.0], [2.0], [0.0]]], 2, 2, "VALID" -> '
_PIXELS = '[[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID" -> '

max_pool1d = _row("max_pool1d", "MaxPool1d", _MAX, 1, _LARGEST, f"{_STEPS}[[[3.]\n  [2.]]]")
max_pool2d = _row("max_pool2d", "MaxPool2d", _MAX, 2, _LARGEST, f"{_PIXELS}[[[[4.]]]]")
max_pool = _row("max_pool", "MaxPool", _MAX, None, _LARGEST, f"{_STEPS}[[[3.]\n  [2.]]]")
avg_pool1d = _row("avg_pool1d", "AvgPool1D", _AVG, 1, _MEAN, f"{_STEPS}[[[2.]\n  [1.]]]")
avg_pool2d = _row("avg_pool2d", "AvgPool2D", _AVG, 2, _MEAN, f"{_PIXELS}[[[[2.5]]]]")
avg_pool = _row("avg_pool", "AvgPool", _AVG, None, _MEAN, f"{_STEPS}[[[2.]\n  [1.]]]")


def _axes_of(x: Tensor, data_format: str | None) -> int:
    rank = x.shape.rank if data_format is None else len(data_format)
    if rank not in (3, 4):
        shown = x if rank is None else rank
        raise ValueError(f"Input tensor must be of rank 3 or 4 but was {shown}.")
    return rank - 2
