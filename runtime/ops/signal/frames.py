"""Signals cut into overlapping frames, and put together again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import range as range_
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import reshape, transpose
from runtime.ops.base.convert import constant_of, convert_to_tensor
from runtime.ops.base.define import call
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.rules import normal_axis
from runtime.ops.items.gathering import gather
from runtime.ops.math.arithmetic import maximum
from runtime.ops.reduce.segments import unsorted_segment_sum
from runtime.ops.signal.fourier import irfft, rfft

WindowFunction = Callable[..., Tensor]


def _length(value: Any) -> int:
    known = static_value(convert_to_tensor(value))
    if known is None:
        raise ValueError("the length of a window has to be known while the graph is recorded")
    return int(known)


def _made(values: Any, dtype: Any) -> Tensor:
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {wanted}")
    return constant_of(np.asarray(values).astype(wanted.numpy_dtype))


def _raised_cosine(length: Any, periodic: bool, dtype: Any, a: float) -> Tensor:
    count = _length(length)
    if count == 1:
        return _made(np.ones(1), dtype)
    turns = count + int(periodic) * (1 - count % 2) - 1
    return _made(a - (1 - a) * np.cos(2 * np.pi * np.arange(count) / turns), dtype)


def hann_window(
    window_length: TensorLike,
    periodic: bool = True,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A window that rises and falls like a cosine.

    Args:
      window_length: how long it is.
      periodic: whether it is one period of even length; otherwise it ends as it begins.
      dtype: a floating-point dtype.

    >>> print(hann_window(4))
    tf.Tensor([0.  0.5 1.  0.5], shape=(4,), dtype=float32)
    """
    return _raised_cosine(window_length, periodic, dtype, 0.5)


def hamming_window(
    window_length: TensorLike,
    periodic: bool = True,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A window like `hann_window` that does not go down to 0; arguments as there.

    >>> print(hamming_window(4))
    tf.Tensor([0.08 0.54 1.   0.54], shape=(4,), dtype=float32)
    """
    return _raised_cosine(window_length, periodic, dtype, 0.54)


def vorbis_window(
    window_length: TensorLike, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """A window whose squares, and those of itself moved by half its length, add up to 1.

    >>> print(vorbis_window(2))
    tf.Tensor([0.70710677 0.70710677], shape=(2,), dtype=float32)
    """
    count = _length(window_length)
    slope = np.sin(np.pi * (np.arange(count) + 0.5) / count)
    return _made(np.sin(np.pi / 2 * slope * slope), dtype)


def _kaiser(count: int, beta: Any) -> Any:
    if count == 1:
        return np.ones(1)
    place = 2 * np.arange(count) / (count - 1) - 1
    return np.i0(float(beta) * np.sqrt(1 - place * place)) / np.i0(float(beta))


def kaiser_window(
    window_length: TensorLike,
    beta: float = 12.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A window made of a Bessel function.

    Args:
      window_length: how long it is.
      beta: how narrow it is.
      dtype: a floating-point dtype.

    >>> print(kaiser_window(1))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    return _made(_kaiser(_length(window_length), beta), dtype)


def kaiser_bessel_derived_window(
    window_length: TensorLike,
    beta: float = 12.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A window of even length, made of the running sum of a `kaiser_window`; arguments as there.

    >>> print(kaiser_bessel_derived_window(2))
    tf.Tensor([0.70710677 0.70710677], shape=(2,), dtype=float32)
    """
    half = _length(window_length) // 2
    total = np.cumsum(_kaiser(half + 1, beta))
    rising = np.sqrt(total[:-1] / total[-1])
    return _made(np.concatenate([rising, rising[::-1]]), dtype)


def frame(
    signal: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    pad_end: bool = False,
    pad_value: TensorLike = 0,
    axis: int = -1,
    name: str | None = None,
) -> Tensor:
    """Overlapping parts of a signal.

    Args:
      signal: any tensor of known rank with the signals along `axis`.
      frame_length: how long a part is.
      frame_step: how far the next begins behind it.
      pad_end: whether to fill up parts that begin inside the signal and end beyond it.
      pad_value: with what.
      axis: the axis; in its place come one of parts and one within a part.

    Raises: ValueError if the rank is unknown.

    >>> print(frame([1, 2, 3, 4, 5], 2, 2))
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    x = convert_to_tensor(signal)
    if x.shape.rank is None:
        raise ValueError("frame needs a signal whose rank is known")
    place = normal_axis(int(axis), x.shape.rank)
    length = _of_axis(x, place)
    size, step = (_plain(value) for value in (frame_length, frame_step))
    if pad_end:
        count = -(-length // step)
        missing = _at_least(size + step * (count - 1) - length, 0)
        x = concat([x, _filling(x, place, missing, pad_value)], place)
    else:
        count = _at_least(1 + (length - size) // step, 0)
    starts = range_(count) * step
    positions = starts[:, None] + range_(size)[None, :]
    return gather(x, positions, axis=place, name=name)


def _plain(value: Any) -> Any:
    """A number as a Python int if it is known."""
    tensor = convert_to_tensor(value)
    known = static_value(tensor)
    return tensor if known is None else int(known)


def _at_least(value: Any, least: int) -> Any:
    return max(value, least) if isinstance(value, int) else maximum(value, least)


def _of_axis(x: Tensor, axis: int) -> Any:
    known = x.shape[axis]
    return shape_of(x)[axis] if known is None else known


def _filling(x: Tensor, axis: int, count: Any, value: TensorLike) -> Tensor:
    dims = shape_of(x)
    wanted = concat([dims[:axis], reshape(count, [1]), dims[axis + 1 :]], 0)
    return call("Fill", wanted, call("Cast", value, dtype=x.dtype))


def overlap_and_add(signal: TensorLike, frame_step: TensorLike, name: str | None = None) -> Tensor:
    """Overlapping parts added up where they overlap; undoes `frame` up to that.

    Args:
      signal: shape [..., parts, length of a part], of known rank.
      frame_step: how far each part begins behind the one before; int32 or int64.

    Returns: shape [..., length of a part + (parts - 1) * frame_step].
    Raises: ValueError if the rank is unknown.

    >>> print(overlap_and_add([[1.0, 1.0], [2.0, 2.0]], 1))
    tf.Tensor([1. 3. 2.], shape=(3,), dtype=float32)
    """
    x = convert_to_tensor(signal)
    rank = x.shape.rank
    if rank is None or rank < 2:
        raise ValueError("overlap_and_add needs a tensor with at least two dimensions")
    count, size, step = _of_axis(x, rank - 2), _of_axis(x, rank - 1), _plain(frame_step)
    outer = tuple(range(rank - 2))
    places = (range_(count) * step)[:, None] + range_(size)[None, :]
    first = transpose(x, (rank - 2, rank - 1, *outer))
    total = unsorted_segment_sum(first, places, size + step * (count - 1))
    return transpose(total, (*(axis + 1 for axis in outer), 0), name=name)


def _transform_length(fft_length: Any, frame_length: Any) -> int:
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
    """The Fourier transforms of overlapping parts of signals.

    Args:
      signals: float32 or float64, shape [..., samples].
      frame_length, frame_step, pad_end: as in `frame`.
      fft_length: the length of the transforms; None: the next power of two.
      window_fn: what makes the window with which each part is multiplied, called with its length
        and `dtype`; or None.

    Returns: complex, shape [..., parts, fft_length // 2 + 1].

    >>> stft([1.0, 2.0, 3.0, 4.0], frame_length=2, frame_step=1).shape
    TensorShape([3, 2])
    """
    x = convert_to_tensor(signals)
    parts = frame(x, frame_length, frame_step, pad_end=pad_end)
    if window_fn is not None:
        parts = parts * window_fn(_length(frame_length), dtype=x.dtype)
    return rfft(parts, [_transform_length(fft_length, frame_length)], name=name)


def inverse_stft(
    stfts: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    fft_length: TensorLike | None = None,
    window_fn: WindowFunction | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """Signals from the Fourier transforms of their parts; arguments as in `stft`.

    >>> inverse_stft([[1 + 0j, 0], [1, 0]], 2, 1, window_fn=None).shape
    TensorShape([3])
    """
    x = convert_to_tensor(stfts)
    size = _length(frame_length)
    count = _transform_length(fft_length, frame_length)
    parts = irfft(x, [count])[..., :size]
    if count < size:
        rank = parts.shape.rank or 0
        parts = concat([parts, _filling(parts, rank - 1, size - count, 0)], -1)
    if window_fn is not None:
        parts = parts * window_fn(size, dtype=parts.dtype)
    return overlap_and_add(parts, frame_step, name=name)


def inverse_stft_window_fn(
    frame_step: TensorLike,
    forward_window_fn: WindowFunction = hann_window,
    name: str | None = None,
) -> WindowFunction:
    """The window function for `inverse_stft` that undoes another, for parts `frame_step` apart.

    >>> print(inverse_stft_window_fn(2)(4, dtypes.float32))
    tf.Tensor([0. 1. 1. 1.], shape=(4,), dtype=float32)
    """

    def window(frame_length: TensorLike, dtype: Any) -> Tensor:
        size, step = _length(frame_length), _length(frame_step)
        forward = forward_window_fn(size, dtype=dtype)
        squares = forward * forward
        rows = -(-size // step)
        full = concat(
            [squares, call("ZerosLike", range_(rows * step - size), dtype=forward.dtype)], 0
        )
        total = call("Sum", reshape(full, [rows, step]), axis=(0,), keepdims=True)
        spread = reshape(call("Tile", total, [rows, 1]), [-1])[:size]
        return call("RealDiv", forward, spread)

    return window
