"""Cosine transforms of types I to IV along the last axis.

Each cosine transform is part of a Fourier transform of twice the length: V. Britanak, P. Yip, K. R.
Rao, "Discrete Cosine and Sine Transforms" (2006), chapter 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.arranging import reverse
from runtime.ops.array.identity import identity
from runtime.ops.array.joining import concat
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
