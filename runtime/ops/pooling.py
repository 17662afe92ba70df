"""The largest and the mean of the elements that a window meets."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import REAL, DTypes, sample
from runtime.core.shapes import known
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import Op, call, define_op
from runtime.ops.gradient_parts import shape_of
from runtime.ops.shaping import expand_dims, squeeze
from runtime.ops.windows import (
    Window,
    back,
    channels_first,
    entries,
    image_dims,
    last,
    padded,
    padding_of,
    spatial_dims,
    unpadded,
)

_MEASURES = DTypes("a floating-point number", dtypes.float16, dtypes.float32, dtypes.float64)
_SIZES = DTypes("int32", dtypes.int32)


def _window(attrs: Any) -> tuple[Window, bool]:
    first = attrs["data_format"].startswith("NC")
    inner = slice(2, None) if first else slice(1, -1)
    padding = attrs["padding"]
    if padding == "EXPLICIT":
        flat = attrs["explicit_paddings"]
        padding = tuple(zip(flat[::2], flat[1::2], strict=True))[inner]
    sizes = attrs["ksize"][inner]
    return Window(sizes, attrs["strides"][inner], (1,) * len(sizes), padding), first


def _pooled_spec(x: Tensor, **attrs: Any) -> TensorSpec:
    window, first = _window(attrs)
    axes = len(window.sizes)
    batch, channels, lengths = spatial_dims(x.spec.dims, first, axes)
    return x.spec.with_dims(image_dims(batch, channels, window.counts(lengths), first))


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _parts(xp: Any, x: Any, attrs: Any, fill: Any) -> tuple[list[Any], Window, bool]:
    """What each place of the window meets, channels last."""
    window, first = _window(attrs)
    spatial_dims(x.shape, first, len(window.sizes))
    image = last(xp, x, first)
    counts = known(window.counts(image.shape[1:-1]))
    _check_margins(window)
    wide = padded(xp, image, window, fill)
    return [wide[window.cut(place, counts)] for place in window.places()], window, first


def _check_margins(window: Window) -> None:
    """Raises ValueError if some stop of the window would meet nothing of the image."""
    if isinstance(window.padding, str):
        return
    for pair, size in zip(window.padding, window.sizes, strict=True):
        for margin in pair:
            if margin >= size:
                raise ValueError(f"Padding {margin} needs to be smaller than kernel size {size}")


def _largest(xp: Any, x: Any, **attrs: Any) -> Any:
    parts, _, first = _parts(xp, x, attrs, _lowest(x.dtype))
    result = parts[0]
    for part in parts[1:]:
        result = xp.maximum(result, part)
    return back(xp, result, first).copy()


def _taken(xp: Any, parts: Sequence[Any]) -> Any:
    """Which place of the window the largest comes from, the first of several."""
    best, taken = parts[0], xp.zeros(parts[0].shape, np.int32)
    for number, part in enumerate(parts[1:], start=1):
        better = part > best
        best, taken = xp.where(better, part, best), xp.where(better, number, taken)
    return taken


def _largest_back(xp: Any, x: Any, y: Any, g: Any, **attrs: Any) -> Any:
    parts, window, first = _parts(xp, x, attrs, _lowest(x.dtype))
    taken, image, gradient = _taken(xp, parts), last(xp, x, first), last(xp, g, first)
    lengths = image.shape[1:-1]
    wide = padded(np, np.zeros(image.shape, g.dtype), window)
    for number, place in enumerate(window.places()):
        cut = window.cut(place, gradient.shape[1:-1])
        wide[cut] += xp.where(taken == number, gradient, g.dtype.type(0))
    return back(xp, unpadded(wide, window, lengths), first)


def _largest_on(xp: Any, x: Any, y: Any, g: Any, **attrs: Any) -> Any:
    parts, _, first = _parts(xp, x, attrs, _lowest(x.dtype))
    taken = _taken(xp, parts)
    picked, _, _ = _parts(xp, g, attrs, 0)
    result = xp.zeros(taken.shape, g.dtype)
    for number, part in enumerate(picked):
        result = xp.where(taken == number, part, result)
    return back(xp, result, first)


def _counts(xp: Any, lengths: Sequence[int], window: Window, dtype: Any) -> Any:
    """How many elements of the image itself each stop of the window meets."""
    ones = padded(xp, xp.ones((1, *lengths, 1), dtype), window)
    stops = known(window.counts(lengths))
    return sum(ones[window.cut(place, stops)] for place in window.places())


def _mean(xp: Any, x: Any, **attrs: Any) -> Any:
    parts, window, first = _parts(xp, x, attrs, 0)
    lengths = last(xp, x, first).shape[1:-1]
    return back(xp, sum(parts) / _counts(xp, lengths, window, x.dtype), first)


def _mean_back(xp: Any, sizes: Any, g: Any, **attrs: Any) -> Any:
    window, first = _window(attrs)
    axes = len(window.sizes)
    batch, channels, lengths = spatial_dims(tuple(map(int, sizes)), first, axes)
    gradient = last(xp, g, first) / _counts(xp, lengths, window, g.dtype)
    wide = padded(np, np.zeros((batch, *lengths, channels), g.dtype), window)
    for place in window.places():
        wide[window.cut(place, gradient.shape[1:-1])] += gradient
    return back(xp, unpadded(wide, window, lengths), first)


def _attrs(
    size: int, stride: int, padding: str, data_format: str = "NHWC", explicit: tuple[int, ...] = ()
) -> dict[str, Any]:
    axes = len(data_format) - 2
    first = data_format[1] == "C"
    sizes, strides = (size,) * axes, (stride,) * axes
    return {
        "ksize": (1, 1, *sizes) if first else (1, *sizes, 1),
        "strides": (1, 1, *strides) if first else (1, *strides, 1),
        "padding": padding,
        "explicit_paddings": explicit,
        "data_format": data_format,
    }


def _numbers(*shape: int) -> Any:
    return np.sin(np.arange(prod(shape)) * 1.7).reshape(shape)


_FLAT = (
    (_numbers(1, 4, 3, 2), _numbers(1, 2, 2, 2), _attrs(2, 2, "SAME")),
    (_numbers(1, 1, 3, 3), _numbers(1, 1, 2, 2), _attrs(2, 1, "VALID", "NCHW")),
)
_PADDED = (
    _numbers(1, 2, 2, 1),
    _numbers(1, 2, 3, 1),
    _attrs(2, 1, "EXPLICIT", explicit=(0, 0, 1, 0, 1, 1, 0, 0)),
)
_DEEP = ((_numbers(1, 3, 2, 2, 1), _numbers(1, 2, 1, 1, 1), _attrs(2, 2, "SAME", "NDHWC")),)


def _largest_family(suffix: str, cases: Any) -> Op:
    names = (f"MaxPool{suffix}", f"MaxPool{suffix}Grad", f"MaxPool{suffix}GradGrad")

    def grad(g: Tensor, y: Tensor, x: Tensor, **attrs: Any) -> tuple[Tensor]:
        return (call(names[1], x, y, g, **attrs),)

    def back_grad(u: Tensor, z: Tensor, x: Tensor, y: Tensor, g: Tensor, **attrs: Any) -> Any:
        return None, None, call(names[2], x, y, u, **attrs)

    def on_grad(u: Tensor, z: Tensor, x: Tensor, y: Tensor, g: Tensor, **attrs: Any) -> Any:
        return None, None, call(names[1], x, y, u, **attrs)

    three = {"orig_input": REAL, "orig_output": REAL, "grad": REAL}
    define_op(
        names[1],
        three,
        lambda x, y, g, **attrs: x.spec,
        _largest_back,
        grad=back_grad,
        samples=tuple(sample(x, y, y, **attrs) for x, y, attrs in cases),
    )
    define_op(
        names[2],
        three,
        lambda x, y, g, **attrs: y.spec,
        _largest_on,
        grad=on_grad,
        samples=tuple(sample(x, y, x, **attrs) for x, y, attrs in cases),
    )
    return define_op(
        names[0],
        {"input": REAL},
        _pooled_spec,
        _largest,
        grad=grad,
        samples=tuple(sample(x, **attrs) for x, _, attrs in cases),
    )


def _mean_family(suffix: str, cases: Any) -> Op:
    names = (f"AvgPool{suffix}", f"AvgPool{suffix}Grad")

    def grad(g: Tensor, y: Tensor, x: Tensor, **attrs: Any) -> tuple[Tensor]:
        return (call(names[1], shape_of(x), g, **attrs),)

    def back_grad(u: Tensor, z: Tensor, sizes: Tensor, g: Tensor, **attrs: Any) -> Any:
        return None, call(names[0], u, **attrs)

    define_op(
        names[1],
        {"orig_input_shape": _SIZES, "grad": _MEASURES},
        lambda sizes, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
        _mean_back,
        grad=back_grad,
        samples=tuple(sample(np.array(x.shape, np.int32), y, **attrs) for x, y, attrs in cases),
    )
    return define_op(
        names[0],
        {"value": _MEASURES},
        _pooled_spec,
        _mean,
        grad=grad,
        samples=tuple(sample(x, **attrs) for x, _, attrs in cases),
    )


_MAX = {4: _largest_family("", (*_FLAT, _PADDED)), 5: _largest_family("3D", _DEEP)}
_AVG = {4: _mean_family("", _FLAT), 5: _mean_family("3D", _DEEP)}


def _applied(
    ops: dict[int, Op],
    input: TensorLike,
    axes: int,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    name: str | None,
) -> Tensor:
    first = channels_first(data_format, axes)
    channel = 1 if first else axes + 1
    sizes = entries(ksize, axes, "ksize", channel)
    steps = entries(strides, axes, "strides", channel)
    kind = padding_of(padding, axes, first)
    if min(sizes) <= 0:
        raise ValueError(f"ksize must be positive. Received: ksize={ksize}")
    x = convert_to_tensor(input)
    if axes == 1:
        return _applied_flat(ops, x, sizes, steps, padding, first, name)
    explicit = () if isinstance(kind, str) else tuple(int(e) for pair in padding for e in pair)
    attrs = {
        "ksize": (1, 1, *sizes) if first else (1, *sizes, 1),
        "strides": (1, 1, *steps) if first else (1, *steps, 1),
        "padding": kind if isinstance(kind, str) else "EXPLICIT",
        "explicit_paddings": explicit,
        "data_format": data_format or {2: "NHWC", 3: "NDHWC"}[axes],
    }
    return ops[axes + 2](x, name=name, **attrs)


def _applied_flat(
    ops: dict[int, Op],
    x: Tensor,
    sizes: tuple[int, ...],
    steps: tuple[int, ...],
    padding: Any,
    first: bool,
    name: str | None,
) -> Tensor:
    """Pooling of a sequence: of an image with one row."""
    if not isinstance(padding, str):
        padding = list(padding)
        padding.insert(2 if first else 1, [0, 0])
    axis, form = (2, "NCHW") if first else (1, "NHWC")
    wide = expand_dims(x, axis)
    pooled = _applied(ops, wide, 2, [1, *sizes], [1, *steps], padding, form, None)
    return squeeze(pooled, axis, name=name)


def max_pool1d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """The largest of the elements that a window meets; arguments as in `max_pool2d`.

    >>> print(max_pool1d([[[1.0], [3.0], [2.0], [0.0]]], 2, 2, "VALID")[0, :, 0])
    tf.Tensor([3. 2.], shape=(2,), dtype=float32)
    """
    return _applied(_MAX, input, 1, ksize, strides, padding, data_format, name or "MaxPool1d")


def max_pool2d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The largest of the elements that a window meets.

    Args:
      input: real numbers, shape [batch, height, width, channels].
      ksize: the lengths of the window: one number, one for height and width each, or four.
      strides: how far the window moves, in the same form.
      padding: "SAME", "VALID", or a pair of what is added before and behind for each of the four
        axes.
      data_format: "NHWC", or "NCHW" for images with the channels first.

    Raises: ValueError for arguments of another form; InvalidArgumentError if the window is larger
      than the image.

    >>> print(max_pool2d([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID")[0, 0, 0])
    tf.Tensor([4.], shape=(1,), dtype=float32)
    """
    return _applied(_MAX, input, 2, ksize, strides, padding, data_format, name or "MaxPool2d")


def max_pool3d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The largest of the elements that a window meets in volumes; arguments as in `max_pool2d`.

    >>> max_pool3d([[[[[1.0]]]]], 1, 1, "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    return _applied(_MAX, input, 3, ksize, strides, padding, data_format, name or "MaxPool3D")


def avg_pool1d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements that a window meets; arguments as in `avg_pool2d`.

    >>> print(avg_pool1d([[[1.0], [3.0], [2.0], [0.0]]], 2, 2, "VALID")[0, :, 0])
    tf.Tensor([2. 1.], shape=(2,), dtype=float32)
    """
    return _applied(_AVG, input, 1, ksize, strides, padding, data_format, name or "AvgPool1D")


def avg_pool2d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements that a window meets; what padding adds does not count.

    Args:
      input: floating-point numbers, shape [batch, height, width, channels].
      ksize, strides, data_format: as in `max_pool2d`.
      padding: "SAME" or "VALID".

    >>> print(avg_pool2d([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID")[0, 0, 0])
    tf.Tensor([2.5], shape=(1,), dtype=float32)
    """
    return _applied(_AVG, input, 2, ksize, strides, padding, data_format, name or "AvgPool2D")


def avg_pool3d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements that a window meets in volumes; arguments as in `avg_pool2d`.

    >>> avg_pool3d([[[[[1.0]]]]], 1, 1, "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    return _applied(_AVG, input, 3, ksize, strides, padding, data_format, name or "AvgPool3D")


def _axes_of(x: Tensor, data_format: str | None) -> int:
    rank = x.shape.rank if data_format is None else len(data_format)
    if rank not in (3, 4, 5):
        raise ValueError(
            f"Input tensor must be of rank 3, 4 or 5 but was {rank if rank is not None else x}."
        )
    return rank - 2


def max_pool(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`max_pool1d`, `max_pool2d` or `max_pool3d`, by the rank of the input.

    >>> print(max_pool([[[1.0], [3.0]]], 2, 2, "VALID")[0, 0])
    tf.Tensor([3.], shape=(1,), dtype=float32)
    """
    x = convert_to_tensor(input)
    axes = _axes_of(x, data_format)
    return _applied(_MAX, x, axes, ksize, strides, padding, data_format, name or "MaxPool")


def avg_pool(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`avg_pool1d`, `avg_pool2d` or `avg_pool3d`, by the rank of the input.

    >>> print(avg_pool([[[1.0], [3.0]]], 2, 2, "VALID")[0, 0])
    tf.Tensor([2.], shape=(1,), dtype=float32)
    """
    x = convert_to_tensor(input)
    axes = _axes_of(x, data_format)
    return _applied(_AVG, x, axes, ksize, strides, padding, data_format, name or "AvgPool")


def pool(
    input: TensorLike,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`max_pool` or `avg_pool`, by the name of what is wanted.

    Args:
      input: shape [batch, ..., channels].
      window_shape: the length of the window along each axis.
      pooling_type: "MAX" or "AVG".
      strides: how far the window moves along each axis; None: 1.
      padding, data_format: as in `max_pool`.
      dilations: 1 along each axis, or None.

    Raises: ValueError for another type; UnimplementedError for other dilations.

    >>> print(pool([[[1.0], [3.0]]], [2], "MAX")[0, 0])
    tf.Tensor([3.], shape=(1,), dtype=float32)
    """
    if pooling_type not in ("MAX", "AVG"):
        raise ValueError(f"pooling_type must be 'MAX' or 'AVG'. Received: {pooling_type}")
    if dilations is not None and any(entry != 1 for entry in np.ravel(dilations)):
        raise UnimplementedError(None, None, f"pool takes dilations of 1 only, not {dilations}")
    function = max_pool if pooling_type == "MAX" else avg_pool
    steps = [1] * len(window_shape) if strides is None else strides
    return function(input, list(window_shape), steps, padding, data_format, name)


def _argmax_spec(
    x: Tensor, Targmax: DType, include_batch_in_index: bool, **attrs: Any
) -> tuple[TensorSpec, TensorSpec]:
    pooled = _pooled_spec(x, **attrs, data_format="NHWC")
    return pooled, pooled.with_dtype(Targmax)


def _with_argmax(
    xp: Any, x: Any, Targmax: DType, include_batch_in_index: bool, **attrs: Any
) -> tuple[Any, Any]:
    attrs["data_format"] = "NHWC"
    places = xp.arange(x.size).reshape(x.shape)
    if not include_batch_in_index:
        places = places % prod(x.shape[1:])
    parts, _, _ = _parts(xp, x, attrs, _lowest(x.dtype))
    numbers, _, _ = _parts(xp, places, attrs, 0)
    taken = _taken(xp, parts)[None]
    best = xp.take_along_axis(xp.stack(parts), taken, axis=0)[0]
    where = xp.take_along_axis(xp.stack(numbers), taken, axis=0)[0]
    return best, where.astype(Targmax.numpy_dtype)


def _argmax_grad(
    g: Any, y: Any, x: Tensor, Targmax: DType, include_batch_in_index: bool, **attrs: Any
) -> tuple[Tensor]:
    return (call("MaxPoolGrad", x, y[0], g[0], data_format="NHWC", **attrs),)


_WITH_ARGMAX = define_op(
    "MaxPoolWithArgmax",
    {"input": REAL},
    _argmax_spec,
    _with_argmax,
    outputs=2,
    grad=_argmax_grad,
    samples=(
        sample(
            _numbers(2, 3, 2, 2),
            Targmax=dtypes.int64,
            include_batch_in_index=True,
            ksize=(1, 2, 2, 1),
            strides=(1, 1, 1, 1),
            padding="SAME",
            explicit_paddings=(),
        ),
    ),
)


def max_pool_with_argmax(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`max_pool2d`, and where in the flattened image each of the largest stands.

    Args:
      input, ksize, strides: as in `max_pool2d`.
      padding: "SAME" or "VALID".
      data_format: "NHWC".
      output_dtype: int32 or int64, the dtype of the positions.
      include_batch_in_index: whether positions count through all images.

    Raises: ValueError for another format.

    >>> print(max_pool_with_argmax([[[[1.0]], [[3.0]]]], [2, 1], 1, "VALID")[1][0, 0, 0])
    tf.Tensor([1], shape=(1,), dtype=int64)
    """
    if data_format != "NHWC":
        raise ValueError(f"`data_format` must be 'NHWC'. Received: data_format={data_format}")
    values, places = _WITH_ARGMAX.outputs(
        input,
        Targmax=dtypes.as_dtype(output_dtype),
        include_batch_in_index=bool(include_batch_in_index),
        ksize=(1, *entries(ksize, 2, "ksize", 3), 1),
        strides=(1, *entries(strides, 2, "strides", 3), 1),
        padding=padding_of(padding, 2, False),
        explicit_paddings=(),
        name=name,
    )
    return values, places
