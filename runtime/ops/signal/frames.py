"""Overlapping frames of signals, windows, and short-time Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import fill, zeros
from runtime.ops.array.joining import concat
from runtime.ops.array.ranges import range as range_
from runtime.ops.array.repeating import tile
from runtime.ops.array.shaping import reshape, transpose
from runtime.ops.base.aliases import Array, DTypeLike
from runtime.ops.base.convert import constant_of, convert_to_tensor
from runtime.ops.base.families import rename
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.rules import normal_axis
from runtime.ops.items.gathering import gather
from runtime.ops.math.arithmetic import maximum, realdiv
from runtime.ops.math.casting import cast
from runtime.ops.reduce.reduction import reduce_sum
from runtime.ops.reduce.segments import unsorted_segment_sum
from runtime.ops.signal.fourier import irfft, rfft

WindowFunction = Callable[..., Tensor]
"""`window(window_length, dtype=dtype)` returns a tensor of shape [window_length]."""


def _length(value: TensorLike) -> int:
    known = static_value(convert_to_tensor(value))
    if known is None:
        raise ValueError("the length of a window has to be known while the graph is recorded")
    return int(known)


def _window(values: Array, dtype: DTypeLike) -> Tensor:
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {wanted}")
    return constant_of(np.asarray(values).astype(wanted.numpy_dtype))


def _raised_cosine(name: str, about: str, a: float, example: str) -> WindowFunction:
    """Define the window `a - (1 - a) * cos(2 * pi * n / N)`."""

    def function(
        window_length: TensorLike,
        periodic: bool = True,
        dtype: DTypeLike = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        count = _length(window_length)
        if count == 1:
            return _window(np.ones(1), dtype)
        period = count + int(periodic) * (1 - count % 2) - 1
        return _window(a - (1 - a) * np.cos(2 * np.pi * np.arange(count) / period), dtype)

    call, shown = example.split(" -> ")
    rename(function, name)
    function.__doc__ = (
        f"{about}\n\nArgs:\n  window_length: int scalar, known while the graph is recorded.\n"
        "  periodic: whether an even length is one period; otherwise the window is symmetric.\n"
        "  dtype: floating-point dtype.\n  name: ignored.\n\nReturns:\n"
        "  Tensor of shape [window_length].\n\nRaises:\n"
        "  ValueError: if the length is unknown or `dtype` is not floating-point.\n\n"
        f">>> print({name}({call}).numpy())\n{shown}\n"
    )
    return function


hann_window = _raised_cosine(
    "hann_window",
    "Hann window, `0.5 - 0.5 * cos(2 * pi * n / N)`.",
    0.5,
    "4 -> [0.  0.5 1.  0.5]",
)
hamming_window = _raised_cosine(
    "hamming_window",
    "Hamming window, `0.54 - 0.46 * cos(2 * pi * n / N)`.",
    0.54,
    "4 -> [0.08 0.54 1.   0.54]",
)


def frame(
    signal: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    pad_end: bool = False,
    pad_value: TensorLike = 0,
    axis: int = -1,
    name: str | None = None,
) -> Tensor:
    """Split signals into overlapping frames.

    Args:
      signal: Tensor of known rank, any dtype.
      frame_length: int scalar, elements of a frame.
      frame_step: int scalar, distance between the starts of frames.
      pad_end: whether to pad the frames that end beyond the signal; otherwise they are omitted.
      pad_value: scalar for the padding.
      axis: axis of the signals.
      name: name for the operation.

    Returns:
      Tensor with two axes, frames and frame_length, in place of `axis`.

    Raises:
      ValueError: if the rank is unknown.

    >>> print(frame([1, 2, 3, 4, 5], 3, 2).numpy())
    [[1 2 3]
     [3 4 5]]
    """
    x = convert_to_tensor(signal)
    if x.shape.rank is None:
        raise ValueError("frame needs a signal whose rank is known")
    place = normal_axis(int(axis), x.shape.rank)
    length = _axis_length(x, place)
    size, step = (_plain(value) for value in (frame_length, frame_step))
    if pad_end:
        count = -(-length // step)
        missing = _at_least(size + step * (count - 1) - length, 0)
        x = concat([x, _padding(x, place, missing, pad_value)], place)
    else:
        count = _at_least(1 + (length - size) // step, 0)
    starts = range_(count) * step
    positions = starts[:, None] + range_(size)[None, :]
    return gather(x, positions, axis=place, name=name)


def _plain(value: object) -> Any:
    """Return a number as a Python int if it is known."""
    tensor = convert_to_tensor(value)
    known = static_value(tensor)
    return tensor if known is None else int(known)


def _at_least(value: object, least: int) -> Any:
    return max(value, least) if isinstance(value, int) else maximum(value, least)


def _axis_length(x: Tensor, axis: int) -> Any:
    known = x.shape[axis]
    return shape_of(x)[axis] if known is None else known


def _padding(x: Tensor, axis: int, count: object, value: TensorLike) -> Tensor:
    dims = shape_of(x)
    wanted = concat([dims[:axis], reshape(count, [1]), dims[axis + 1 :]], 0)
    return fill(wanted, cast(value, x.dtype))


def overlap_and_add(signal: TensorLike, frame_step: TensorLike, name: str | None = None) -> Tensor:
    """Add frames at their positions in a signal.

    Args:
      signal: Tensor of shape [..., frames, frame_length], numeric, of known rank.
      frame_step: int scalar, distance between the starts of frames.
      name: name for the operation.

    Returns:
      Tensor of shape [..., frame_length + (frames - 1) * frame_step].

    Raises:
      ValueError: if the rank is unknown or below 2.

    >>> print(overlap_and_add([[1.0, 1.0], [2.0, 2.0]], 1).numpy())
    [1. 3. 2.]
    """
    x = convert_to_tensor(signal)
    rank = x.shape.rank
    if rank is None or rank < 2:
        raise ValueError("overlap_and_add needs a tensor with at least two dimensions")
    count, size, step = _axis_length(x, rank - 2), _axis_length(x, rank - 1), _plain(frame_step)
    outer = tuple(range(rank - 2))
    places = (range_(count) * step)[:, None] + range_(size)[None, :]
    first = transpose(x, (rank - 2, rank - 1, *outer))
    total = unsorted_segment_sum(first, places, size + step * (count - 1))
    return transpose(total, (*(axis + 1 for axis in outer), 0), name=name)


def _transform_length(fft_length: object, frame_length: object) -> int:
    if fft_length is not None:
        return _length(fft_length)
    return 1 << (_length(frame_length) - 1).bit_length()


def stft(
    signals: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    fft_length: TensorLike | None = None,
    window_fn: WindowFunction | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """Short-time Fourier transform.

    Args:
      signals: Tensor of shape [..., samples], float32 or float64.
      frame_length, frame_step, pad_end: as those of `frame`.
      fft_length: length of the transforms; None: the smallest power of two that is not below
        `frame_length`.
      window_fn: window for the frames, called with a length and `dtype`; None: no window.
      name: name for the operation.

    Returns:
      Complex tensor of shape [..., frames, fft_length // 2 + 1].

    >>> print(stft([1.0, 2.0, 3.0, 5.0], 2, 2, window_fn=None).numpy())
    [[ 3.+0.j -1.+0.j]
     [ 8.+0.j -2.+0.j]]
    """
    x = convert_to_tensor(signals)
    frames = frame(x, frame_length, frame_step, pad_end=pad_end)
    if window_fn is not None:
        frames = frames * window_fn(_length(frame_length), dtype=x.dtype)
    return rfft(frames, [_transform_length(fft_length, frame_length)], name=name)


def inverse_stft(
    stfts: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    fft_length: TensorLike | None = None,
    window_fn: WindowFunction | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """Inverse of `stft`: add the inverse transforms of the frames.

    Args:
      stfts: Tensor of shape [..., frames, fft_length // 2 + 1], complex64 or complex128.
      frame_length, frame_step, fft_length, name: as those of `stft`.
      window_fn: window for the frames after the inverse; see `inverse_stft_window_fn`.

    Returns:
      Tensor of shape [..., frame_length + (frames - 1) * frame_step].

    >>> print(inverse_stft([[3 + 0j, -1], [8, -2]], 2, 2, window_fn=None).numpy())
    [1. 2. 3. 5.]
    """
    x = convert_to_tensor(stfts)
    size = _length(frame_length)
    count = _transform_length(fft_length, frame_length)
    frames = irfft(x, [count])[..., :size]
    if count < size:
        rank = frames.shape.rank or 0
        frames = concat([frames, _padding(frames, rank - 1, size - count, 0)], -1)
    if window_fn is not None:
        frames = frames * window_fn(size, dtype=frames.dtype)
    return overlap_and_add(frames, frame_step, name=name)


def inverse_stft_window_fn(
    frame_step: TensorLike,
    forward_window_fn: WindowFunction = hann_window,
    name: str | None = None,
) -> WindowFunction:
    """Return the window function with which `inverse_stft` inverts `stft` exactly.

    Source: D. Griffin, J. Lim, "Signal estimation from modified short-time Fourier transform"
    (1984), equation 6: the window divided by the sum of its squares over all frames.

    Args:
      frame_step: int scalar, distance between the starts of frames.
      forward_window_fn: window function of `stft`.
      name: ignored.

    Returns:
      A function of a length and a dtype.

    >>> print(inverse_stft_window_fn(2)(4, dtypes.float32).numpy())
    [0. 1. 1. 1.]
    """

    def window(frame_length: TensorLike, dtype: object) -> Tensor:
        size, step = _length(frame_length), _length(frame_step)
        forward = forward_window_fn(size, dtype=dtype)
        squares = forward * forward
        rows = -(-size // step)
        full = concat([squares, zeros([rows * step - size], forward.dtype)], 0)
        total = reduce_sum(reshape(full, [rows, step]), 0, keepdims=True)
        spread = reshape(tile(total, [rows, 1]), [-1])[:size]
        return realdiv(forward, spread)

    return window
