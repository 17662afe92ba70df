"""Cosine transforms of types I to IV along the last axis, the lapped one, and the mel scale.

Each cosine transform is part of a Fourier transform of twice the length: V. Britanak, P. Yip, K. R.
Rao, "Discrete Cosine and Sine Transforms" (2006), chapter 4.
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
from runtime.ops.array.identity import identity
from runtime.ops.array.joining import concat, split
from runtime.ops.array.padding import pad
from runtime.ops.array.ranges import range as range_
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.gradient_parts import chosen, shape_of, zeros_of
from runtime.ops.math.arithmetic import divide, multiply
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import complex, real
from runtime.ops.math.elementwise import cos, sin, sqrt
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
    """Crop the last axis to `n` elements, or append zeros."""
    own = x.shape[-1]
    if n is None or own == n:
        return x
    kept: Tensor = x[..., :n]
    if own is not None and own > n:
        return kept
    missing = n - shape_of(kept)[-1] if own is None else n - own
    return pad(kept, [[0, 0]] * (len(x.shape) - 1) + [[0, missing]])


class _Line:
    """The indices along the last axis and their count."""

    def __init__(self, x: Tensor) -> None:
        known = x.shape[-1]
        self.dtype = x.dtype
        self.count: Any = shape_of(x)[-1] if known is None else known
        self.indices = cast(range_(self.count), dtypes.float64)

    def length(self) -> Tensor:
        """Return the count in float64."""
        return cast(self.count, dtypes.float64)

    def angles(self, step: float, offset: float = 0.0) -> Tensor:
        """Return `pi * (index * step + offset) / count` in float64."""
        return divide(math.pi * (self.indices * step + offset), self.length())

    def phases(self, angles: Tensor) -> Tensor:
        """Return `exp(1j * angles)`."""
        return complex(cast(cos(angles), self.dtype), cast(sin(angles), self.dtype))

    def weights(self, first: float, others: float) -> Tensor:
        """Return `first` for index 0 and `others` for all other indices."""
        return cast(chosen(self.indices > 0, others, first), self.dtype)


def _rotated(x: Tensor, phases: Tensor) -> Tensor:
    """Multiply real numbers by phases."""
    return multiply(complex(x, zeros_of(x)), phases)


def _first(x: Tensor) -> Tensor:
    """Transform the signal followed by its mirror image, without its end points."""
    return real(rfft(concat([x, reverse(x, [-1])[..., 1:-1]], -1)))


def _second(x: Tensor) -> Tensor:
    line = _Line(x)
    half = rfft(concat([x, zeros_of(x)], -1))[..., : line.count]
    return multiply(2.0, real(half * line.phases(-line.angles(0.5))))


def _third(x: Tensor) -> Tensor:
    line = _Line(x)
    rotated = _rotated(x, line.phases(line.angles(0.5)))
    whole = concat([rotated, zeros_of(rotated)[..., :1]], -1)
    twice = cast(2.0 * line.length(), x.dtype)
    length = None if not isinstance(line.count, int) else [2 * line.count]
    return multiply(twice, irfft(whole, length)[..., : line.count])


def _fourth(x: Tensor) -> Tensor:
    line = _Line(x)
    rotated = _rotated(x, line.phases(-line.angles(0.5)))
    whole = fft(concat([rotated, zeros_of(rotated)], -1))
    return multiply(2.0, real(whole[..., : line.count] * line.phases(-line.angles(0.5, 0.25))))


_TRANSFORMS: dict[int, Callable[[Tensor], Tensor]] = {1: _first, 2: _second, 3: _third, 4: _fourth}


def _root(value: Tensor, dtype: DType) -> Tensor:
    return cast(sqrt(value), dtype)


def _orthogonal(x: Tensor, kind: int) -> Tensor:
    """Scale a transform so that it is orthogonal."""
    line = _Line(x)
    root = _root(2.0 * line.length(), x.dtype)
    if kind == 3:
        return _third(x * line.weights(math.sqrt(2), 1.0) / root)
    plain = divide(_TRANSFORMS[kind](x), root)
    return multiply(plain, line.weights(math.sqrt(0.5), 1.0)) if kind == 2 else plain


def _transform(input: TensorLike, kind: int, n: Any, norm: str | None, name: str | None) -> Tensor:
    x = _of_length(convert_to_tensor(input), n)
    result = _TRANSFORMS[kind](x) if norm is None else _orthogonal(x, kind)
    return identity(result, name=name) if name else result


def dct(
    input: TensorLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Discrete cosine transform along the last axis.

    Args:
      input: Tensor of shape [..., samples], float32 or float64.
      type: 1, 2, 3 or 4.
      n: length to which the axis is cropped or zero-padded; None: its own.
      axis: -1.
      norm: "ortho" scales the transform to an orthogonal one, not for type 1; None does not.
      name: name for the operation.

    Returns:
      Tensor of shape [..., n] and the dtype of `input`.

    Raises:
      NotImplementedError: for another axis.
      ValueError: for another type, length or norm, and for type 1 of a single element.
      TypeError: for other dtypes.

    >>> print(dct([1.0, 2.0, 3.0]).numpy().round(3))
    [12.    -3.464  0.   ]
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
    """Inverse of `dct`; without `norm` scaled by 2 * n, or 2 * (n - 1) for type 1.

    Args:
      input, type, n, axis, norm, name: as those of `dct`.

    Returns:
      Tensor of shape [..., n] and the dtype of `input`.

    >>> print(idct(dct([1.0, 2.0])).numpy() / 4)
    [1. 2.]
    """
    x = convert_to_tensor(input)
    length = None if n is None else static_int("n", n)
    _check(x, type, length, axis, norm)
    return _transform(x, _INVERSE_TYPES[type], length, norm, name)


def _windowed(frames: Tensor, window_fn: WindowFunction | None, length: object) -> Tensor:
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
    """Modified discrete cosine transform: frames overlap by half, n samples give n / 2 numbers.

    Args:
      signals: Tensor of shape [..., samples], float32 or float64.
      frame_length: int scalar, a multiple of 4.
      window_fn: window for the frames, called with a length and `dtype`; None: `sqrt(0.5)`.
      pad_end: whether to zero-pad the last frame; otherwise it is omitted.
      norm: None or "ortho", as that of `dct`.
      name: ignored.

    Returns:
      Tensor of shape [..., frames, frame_length // 2].

    Raises:
      ValueError: for another frame length or norm.

    >>> print(mdct([0.0, 0.0, 1.0, 2.0], 4, window_fn=None).numpy().round(3))
    [[-3.92  -1.624]]
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
    """Inverse of `mdct`, except for the first and the last half frame.

    Args:
      mdcts: Tensor of shape [..., frames, frame_length // 2], float32 or float64.
      window_fn, norm: as those of `mdct`.
      name: ignored.

    Returns:
      Tensor of shape [..., samples].

    Raises:
      ValueError: for another norm.

    >>> signal = [0.0, 0.0, 1.0, 2.0, 0.0, 0.0]
    >>> print(np.round(inverse_mdct(mdct(signal, 4)).numpy()[2:4], 3))
    [1. 2.]
    """
    x = convert_to_tensor(mdcts)
    half = x.shape[-1]
    if half is None:
        half = static_int("half the length of a frame", shape_of(x)[-1])
    folded = dct(x, type=4, norm=norm)
    if norm is None:
        folded = multiply(folded, 0.5 / half)
    first, second = split(folded, 2, axis=-1)
    mirrored = [second, -reverse(second, [-1]), -reverse(first, [-1]), -first]
    frames = _windowed(concat(mirrored, -1), window_fn, 2 * half)
    return overlap_and_add(frames, half)


def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: TensorLike, name: str | None = None
) -> Tensor:
    """Mel-frequency cepstral coefficients: `dct(x) / sqrt(2 * bins)`, as HTK scales them.

    Args:
      log_mel_spectrograms: Tensor of shape [..., bins], float32 or float64.
      name: ignored.

    Returns:
      Tensor of shape [..., bins].

    Raises:
      ValueError: if there are no bins.

    >>> print(mfccs_from_log_mel_spectrograms([1.0, 2.0]).numpy().round(3))
    [ 3.    -0.707]
    """
    x = convert_to_tensor(log_mel_spectrograms)
    if x.shape[-1] == 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {x}")
    return divide(dct(x), _root(2.0 * _Line(x).length(), x.dtype))


def _mels(hertz: object) -> Any:
    """Convert frequencies to the mel scale of HTK: S. Young et al., "The HTK Book", (5.13)."""
    return 1127.0 * np.log1p(np.asarray(hertz, np.float64) / 700.0)


def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: TensorLike = 129,
    sample_rate: TensorLike = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: object = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Matrix that converts spectra over linear frequencies to spectra over bands of the mel scale.

    The weights of a band are a triangle from the center of the previous band to that of the next.

    Args:
      num_mel_bins: number of bands.
      num_spectrogram_bins: number of frequencies, from 0 to half the sample rate.
      sample_rate: samples per second.
      lower_edge_hertz, upper_edge_hertz: start of the first and end of the last band.
      dtype: floating-point dtype.
      name: name for the constant.

    Returns:
      Tensor of shape [num_spectrogram_bins, num_mel_bins]; frequency 0 has the weight 0.

    Raises:
      ValueError: for a number out of its range, or a dtype that is not floating-point.

    >>> print(linear_to_mel_weight_matrix(1, 5, 8000, 500.0, 3500.0)[1:3].numpy().round(4))
    [[0.5561]
     [0.7054]]
    """
    rate = static_value(convert_to_tensor(sample_rate))
    if rate is None:
        raise ValueError("`sample_rate` has to be known while the graph is recorded")
    kind = dtypes.as_dtype(dtype)
    _check_mel(num_mel_bins, rate, lower_edge_hertz, upper_edge_hertz, kind)
    count = static_int("num_spectrogram_bins", num_spectrogram_bins)
    position = _mels(np.linspace(0.0, rate / 2, count))[:, None]
    edges = np.linspace(_mels(lower_edge_hertz), _mels(upper_edge_hertz), num_mel_bins + 2)
    lower, center, upper = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (position - lower) / (center - lower), (upper - position) / (upper - center)
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
