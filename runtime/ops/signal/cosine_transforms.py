"""Cosine transforms of the types I to IV along the last axis, and lapped ones of frames.

Each is part of a Fourier transform of twice the length. Source: V. Britanak, P. Yip, K. R. Rao,
"Discrete Cosine and Sine Transforms" (2006).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.arranging import reverse
from runtime.ops.array.creation import range as range_
from runtime.ops.array.joining import concat, split
from runtime.ops.array.padding import pad
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call
from runtime.ops.base.gradient_parts import chosen, shape_of
from runtime.ops.math.arithmetic import divide, multiply
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import complex, real
from runtime.ops.math.elementwise import cos, sin
from runtime.ops.signal.fourier import fft, irfft, rfft
from runtime.ops.signal.frames import WindowFunction, frame, overlap_and_add, vorbis_window

_TYPES = (1, 2, 3, 4)
_INVERSE_TYPES = {1: 1, 2: 3, 3: 2, 4: 4}


def _check(x: Tensor, kind: int, n: int | None, axis: int, norm: str | None) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if kind not in _TYPES:
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    if kind != 1:
        return
    if norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")
    length = n or x.shape[-1]
    if length is not None and length < 2:
        raise ValueError("Type-I DCT requires the dimension to be greater than one.")


def _of_length(x: Tensor, n: int | None) -> Tensor:
    """The first `n` elements along the last axis, with zeros behind them if there are too few."""
    own = x.shape[-1]
    if n is None or own == n:
        return x
    kept: Tensor = x[..., :n]
    if own is not None and own > n:
        return kept
    missing = n - shape_of(kept)[-1] if own is None else n - own
    return pad(kept, [[0, 0]] * (len(x.shape) - 1) + [[0, missing]])


class _Line:
    """The places along the last axis, and how many there are."""

    def __init__(self, x: Tensor) -> None:
        known = x.shape[-1]
        self.dtype = x.dtype
        self.count: Any = shape_of(x)[-1] if known is None else known
        self.places = cast(range_(self.count), dtypes.float64)

    def length(self) -> Tensor:
        """How many places there are, in double precision."""
        return cast(self.count, dtypes.float64)

    def angles(self, step: float, offset: float = 0.0) -> Tensor:
        """`pi * (place * step + offset) / length`, in double precision."""
        return divide(math.pi * (self.places * step + offset), self.length())

    def turns(self, angles: Tensor) -> Tensor:
        """Complex numbers of length 1 at these angles."""
        return complex(cast(cos(angles), self.dtype), cast(sin(angles), self.dtype))

    def without_first(self, first: float, others: float) -> Tensor:
        """A factor of the first place, and one of all others."""
        return cast(chosen(self.places > 0, others, first), self.dtype)


def _turned(x: Tensor, turns: Tensor) -> Tensor:
    """Real numbers times complex ones."""
    return call("Mul", complex(x, call("ZerosLike", x, dtype=x.dtype)), turns)


def _first(x: Tensor) -> Tensor:
    """The first type: the signal continues as in a mirror at its last element."""
    return real(rfft(concat([x, reverse(x, [-1])[..., 1:-1]], -1)))


def _second(x: Tensor) -> Tensor:
    line = _Line(x)
    half = rfft(concat([x, call("ZerosLike", x, dtype=x.dtype)], -1))[..., : line.count]
    return multiply(2.0, real(half * line.turns(-line.angles(0.5))))


def _third(x: Tensor) -> Tensor:
    line = _Line(x)
    turned = _turned(x, line.turns(line.angles(0.5)))
    whole = concat([turned, call("ZerosLike", turned, dtype=turned.dtype)[..., :1]], -1)
    twice = cast(2.0 * line.length(), x.dtype)
    length = None if not isinstance(line.count, int) else [2 * line.count]
    return multiply(twice, irfft(whole, length)[..., : line.count])


def _fourth(x: Tensor) -> Tensor:
    line = _Line(x)
    turned = _turned(x, line.turns(-line.angles(0.5)))
    whole = fft(concat([turned, call("ZerosLike", turned, dtype=turned.dtype)], -1))
    turned = whole[..., : line.count] * line.turns(-line.angles(0.5, 0.25))
    return multiply(2.0, real(turned))


_TRANSFORMS: dict[int, Callable[[Tensor], Tensor]] = {1: _first, 2: _second, 3: _third, 4: _fourth}


def _root(value: Tensor, dtype: DType) -> Tensor:
    return cast(call("Sqrt", value), dtype)


def _orthogonal(x: Tensor, kind: int) -> Tensor:
    """A transform that keeps lengths of vectors."""
    line = _Line(x)
    root = _root(2.0 * line.length(), x.dtype)
    if kind == 3:
        return _third(x * line.without_first(math.sqrt(2), 1.0) / root)
    plain = divide(_TRANSFORMS[kind](x), root)
    return multiply(plain, line.without_first(math.sqrt(0.5), 1.0)) if kind == 2 else plain


def _transform(input: TensorLike, kind: int, n: Any, norm: str | None, name: str | None) -> Tensor:
    x = _of_length(convert_to_tensor(input), n)
    result = _TRANSFORMS[kind](x) if norm is None else _orthogonal(x, kind)
    return call("Identity", result, name=name) if name else result


def dct(
    input: TensorLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The cosine transform along the last axis.

    Args:
      input: float32 or float64.
      type: 1, 2, 3 or 4.
      n: the length to which the axis is cropped or filled up with zeros; None: its own.
      axis: -1.
      norm: "ortho": lengths of vectors stay, which type 1 does not have; None.
      name: the name of the operation.

    Raises: NotImplementedError for another axis; ValueError for another type, length or norm, and
      for a single element and type 1; TypeError for other dtypes.

    >>> print(dct([1.0, 1.0]))
    tf.Tensor([4. 0.], shape=(2,), dtype=float32)
    """
    x = convert_to_tensor(input)
    length = None if n is None else static_int("n", n)
    _check(x, type, length, axis, norm)
    return _transform(x, type, length, norm, name)


def idct(
    input: TensorLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `dct`, with the same arguments.

    Without `norm` up to a factor: of twice the length, less 2 for type 1.

    >>> print(idct(dct([1.0, 1.0])) / 4)
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """
    x = convert_to_tensor(input)
    length = None if n is None else static_int("n", n)
    _check(x, type, length, axis, norm)
    return _transform(x, _INVERSE_TYPES[type], length, norm, name)


def _windowed(frames: Tensor, window_fn: WindowFunction | None, length: Any) -> Tensor:
    if window_fn is None:
        return multiply(frames, math.sqrt(0.5))
    return multiply(frames, window_fn(length, dtype=frames.dtype))


def mdct(
    signals: TensorLike,
    frame_length: TensorLike,
    window_fn: WindowFunction | None = vorbis_window,
    pad_end: bool = False,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The lapped cosine transform: of frames that overlap by half, half as many numbers each.

    Args:
      signals: float32 or float64, shape [..., samples].
      frame_length: the length of a frame, a multiple of 4.
      window_fn: makes a window of a length and `dtype=`; None: one that is the same everywhere.
      pad_end: whether the last frame is filled up with zeros, instead of left out.
      norm: None or "ortho", as in `dct`.
      name: not used.

    Returns: shape [..., frames, frame_length // 2].
    Raises: ValueError for another length of frames, or norm.

    >>> mdct([0.0] * 12, 8).shape
    TensorShape([2, 4])
    """
    x = convert_to_tensor(signals)
    length = static_int("frame_length", frame_length)
    if length % 4:
        raise ValueError("The frame length must be a multiple of 4.")
    frames = _windowed(frame(x, length, length // 2, pad_end=pad_end), window_fn, length)
    a, b, c, d = split(frames, 4, axis=-1)
    folded = concat([-reverse(c, [-1]) - d, a - reverse(b, [-1])], -1)
    return dct(folded, type=4, norm=norm)


def inverse_mdct(
    mdcts: TensorLike,
    window_fn: WindowFunction | None = vorbis_window,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The signal of which `mdct` has made frames; the first and last half of a frame are not exact.

    Args:
      mdcts: float32 or float64, shape [..., frames, half of the length of a frame].
      window_fn, norm: as in `mdct`.
      name: not used.

    Returns: shape [..., samples].
    Raises: ValueError for another norm.

    >>> signal = [0.0, 0.0, 1.0, 2.0, 0.0, 0.0]
    >>> print(np.round(inverse_mdct(mdct(signal, 4)).numpy()[2:4], 3))
    [1. 2.]
    """
    x = convert_to_tensor(mdcts)
    half = x.shape[-1]
    if half is None:
        half = static_int("half the length of a frame", shape_of(x)[-1])
    turned = dct(x, type=4, norm=norm)
    if norm is None:
        turned = multiply(turned, 0.5 / half)
    first, second = split(turned, 2, axis=-1)
    mirrored = [second, -reverse(second, [-1]), -reverse(first, [-1]), -first]
    frames = _windowed(concat(mirrored, -1), window_fn, 2 * half)
    return overlap_and_add(frames, half)


def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: TensorLike, name: str | None = None
) -> Tensor:
    """Cepstral coefficients of spectrograms.

    Args:
      log_mel_spectrograms: float32 or float64, shape [..., bins], the logarithms of powers of
        frequencies on the mel scale.
      name: the name of the operation.

    Returns: the same shape.
    Raises: ValueError if there are no bins.

    >>> print(mfccs_from_log_mel_spectrograms([1.0, 1.0]))
    tf.Tensor([2. 0.], shape=(2,), dtype=float32)
    """
    x = convert_to_tensor(log_mel_spectrograms)
    if x.shape[-1] == 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {x}")
    return call("RealDiv", dct(x), _root(2.0 * _Line(x).length(), x.dtype))


def _mels(hertz: Any) -> Any:
    return 1127.0 * np.log1p(np.asarray(hertz, np.float64) / 700.0)


def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: TensorLike = 129,
    sample_rate: TensorLike = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The matrix that turns a spectrum over frequencies into one over bands of the mel scale.

    Each band is a triangle from the middle of the band before to that of the next.

    Args:
      num_mel_bins: how many bands.
      num_spectrogram_bins: how many frequencies the spectrum has, from 0 to half the sample rate.
      sample_rate: samples a second.
      lower_edge_hertz: where the first band begins; above 0, as is its weight.
      upper_edge_hertz: where the last band ends.
      dtype: a floating-point dtype.
      name: the name of the constant.

    Returns: shape [num_spectrogram_bins, num_mel_bins].
    Raises: ValueError if the numbers make no sense.

    >>> print(linear_to_mel_weight_matrix(1, 5, 8000, 500.0, 3500.0)[1:3])
    tf.Tensor(
    [[0.5560616]
     [0.7053733]], shape=(2, 1), dtype=float32)
    """
    rate = static_value(convert_to_tensor(sample_rate))
    if rate is None:
        raise ValueError("`sample_rate` has to be known while the graph is recorded")
    kind = dtypes.as_dtype(dtype)
    _check_mel(num_mel_bins, rate, lower_edge_hertz, upper_edge_hertz, kind)
    count = static_int("num_spectrogram_bins", num_spectrogram_bins)
    place = _mels(np.linspace(0.0, rate / 2, count))[:, None]
    edges = np.linspace(_mels(lower_edge_hertz), _mels(upper_edge_hertz), num_mel_bins + 2)
    lower, middle, upper = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (place - lower) / (middle - lower), (upper - place) / (upper - middle)
    weights = np.maximum(0.0, np.minimum(rising, falling))
    weights[:1] = 0.0
    return convert_to_tensor(weights.astype(kind.numpy_dtype), name=name)


def _check_mel(count: int, rate: Any, lower: float, upper: float, dtype: DType) -> None:
    if count <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {count}")
    if lower < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower}")
    if lower >= upper:
        raise ValueError(f"lower_edge_hertz {lower:.1f} >= upper_edge_hertz {upper:.1f}")
    if rate <= 0.0:
        raise ValueError(f"sample_rate must be positive. Got: {rate}")
    if upper > rate / 2:
        raise ValueError(
            "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). "
            f"Got {upper} for sample_rate: {rate}"
        )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype!r}")
