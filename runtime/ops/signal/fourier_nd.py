"""Discrete Fourier transforms over any axes.

The op types take lengths and axes as tensors. `fftnd` ... `irfftnd` call them; `signal_fftnd` ...
`signal_irfftnd` add defaults and normalization, and are `runtime.signal.fftnd` ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import cleandoc
from typing import Any, Protocol, cast

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import INT32, DTypes, Grad, Sample, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims, reshape
from runtime.ops.base.aliases import Namespace
from runtime.ops.base.arguments import static_ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.base.families import publish
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.sample_values import numbers
from runtime.ops.items.gathering import gather
from runtime.ops.items.scattering import tensor_scatter_nd_update
from runtime.ops.math.arithmetic import divide, multiply
from runtime.ops.math.casting import cast as cast_tensor
from runtime.ops.math.complexes import COMPLEX, PARTS, real
from runtime.ops.math.elementwise import sqrt
from runtime.ops.reduce.reduction import reduce_prod
from runtime.ops.signal.fourier import (
    Array,
    Axes,
    complex_tensor,
    crop_or_pad,
    hinted,
    mirror_weights,
)

_COMPLEX_SAMPLE = numbers(2, 3, 2) + 1j * numbers(3, 2, 2).reshape(2, 3, 2)


def _normal_axes(axes: Any, rank: int) -> list[int]:
    """Normalize axes. Raises ValueError for an axis out of range or repeated."""
    found = [int(axis) for axis in axes]
    for axis in found:
        if not -rank <= axis < rank:
            raise ValueError(f"axes {found} are not all in [{-rank}, {rank})")
    normal = [axis % rank for axis in found]
    if len(set(normal)) != len(normal):
        raise ValueError(f"axes {found} contain an axis twice")
    return normal


def _check_lengths(lengths: Any, axes: Any) -> None:
    if len(lengths) != len(axes):
        raise ValueError(
            f"fft_length and axes must have one entry for each axis, got {list(lengths)} and "
            f"{list(axes)}"
        )


def _dims(x: Tensor, fft_length: Tensor, axes: Tensor, half: bool) -> Dims:
    """Return the shape of a transform; `half`: without the redundant half of the last axis."""
    dims, which, lengths = x.spec.dims, static_value(axes), static_value(fft_length)
    if dims is None:
        return None
    if which is None:
        return (None,) * len(dims)
    places = _normal_axes(which, len(dims))
    if lengths is not None:
        _check_lengths(lengths, places)
    result = list(dims)
    for i, axis in enumerate(places):
        result[axis] = None if lengths is None else int(lengths[i])
    last = result[places[-1]] if places else None
    if half and last is not None:
        result[places[-1]] = last // 2 + 1
    return tuple(result)


def _define(
    name: str, function: str, group: DTypes, dtype: str | None, grad: Grad, *samples: Sample
) -> Op:
    """Define a transform by NumPy's function; `dtype` names the attribute of the result's dtype."""

    def infer(x: Tensor, lengths: Tensor, axes: Tensor, **attrs: DType) -> TensorSpec:
        spec = x.spec if dtype is None else x.spec.with_dtype(attrs[dtype])
        return spec.with_dims(_dims(x, lengths, axes, half=function == "rfftn"))

    def kernel(xp: Namespace, x: Array, lengths: Array, axes: Array, **attrs: DType) -> Array:
        _check_lengths(lengths, axes)
        places, sizes = _normal_axes(axes, x.ndim), [int(length) for length in lengths]
        result = getattr(xp.fft, function)(x, s=sizes, axes=places)
        return result.astype(x.dtype if dtype is None else attrs[dtype].numpy_dtype)

    inputs = {"input": group, "fft_length": INT32, "axes": INT32}
    return define_op(name, inputs, infer, kernel, grad=grad, samples=samples)


def _count(fft_length: Tensor, dtype: DType) -> Tensor:
    """Return the number of elements that a transform mixes."""
    return cast_tensor(reduce_prod(fft_length), dtype)


def _fft_grad(g: Tensor, y: Tensor, x: Tensor, lengths: Tensor, axes: Tensor) -> Any:
    back = _IFFT(g, lengths, axes) * _count(lengths, g.dtype)
    return crop_or_pad(back, shape_of(x)), None, None


def _ifft_grad(g: Tensor, y: Tensor, x: Tensor, lengths: Tensor, axes: Tensor) -> Any:
    back = _FFT(g, lengths, axes) / _count(lengths, g.dtype)
    return crop_or_pad(back, shape_of(x)), None, None


def _last_axis(x: Tensor, axes: Tensor) -> int:
    which = static_value(axes)
    if which is None or x.shape.rank is None:
        raise UnimplementedError.of("the gradient needs axes and a rank known while recording")
    return _normal_axes(which, x.shape.rank)[-1]


def _with_entry(shape: Tensor, index: int, length: Tensor) -> Tensor:
    """Replace one entry of a shape."""
    return tensor_scatter_nd_update(shape, [[index]], expand_dims(length, 0))


def _rfft_grad(g: Tensor, y: Tensor, x: Tensor, lengths: Tensor, axes: Tensor, **_: object) -> Any:
    whole = crop_or_pad(g, _with_entry(shape_of(g), _last_axis(x, axes), lengths[-1]))
    back = real(_IFFT(whole, lengths, axes))
    return crop_or_pad(back * _count(lengths, back.dtype), shape_of(x)), None, None


def _irfft_grad(g: Tensor, y: Tensor, x: Tensor, lengths: Tensor, axes: Tensor, **_: object) -> Any:
    axis = _last_axis(x, axes)
    half = _RFFT(g, lengths, axes, Tcomplex=x.dtype)
    broadcasting = [1] * (x.shape.rank or 0)
    broadcasting[axis] = -1
    weights = mirror_weights(shape_of(half)[axis], lengths[-1], x.dtype)
    back = half * reshape(weights, broadcasting) / _count(lengths, x.dtype)
    return crop_or_pad(back, shape_of(x)), None, None


_FFT = _define(
    "FFTND",
    "fftn",
    COMPLEX,
    None,
    _fft_grad,
    sample(_COMPLEX_SAMPLE, [3, 4], [0, -1]),
    sample([1j, 2.0], [2], [0]),
)
_IFFT = _define(
    "IFFTND",
    "ifftn",
    COMPLEX,
    None,
    _ifft_grad,
    sample(_COMPLEX_SAMPLE, [2, 4], [1, 0]),
    sample([1j, 2.0], [2], [0]),
)
_RFFT = _define(
    "RFFTND",
    "rfftn",
    PARTS,
    "Tcomplex",
    _rfft_grad,
    sample(numbers(2, 3, 2), [3, 4], [0, -1], Tcomplex=dtypes.complex128),
    sample(np.array([1, 2, 3], np.float32), [3], [0], Tcomplex=dtypes.complex64),
)
_IRFFT = _define(
    "IRFFTND",
    "irfftn",
    COMPLEX,
    "Treal",
    _irfft_grad,
    sample(_COMPLEX_SAMPLE, [3, 4], [0, 1], Treal=dtypes.float64),
    sample([1j, 2.0], [3], [0], Treal=dtypes.float64),
)


def fftnd(
    input: TensorLike, fft_length: TensorLike, axes: TensorLike, name: str | None = None
) -> Tensor:
    """Discrete Fourier transform over some axes.

    Args:
      input: Tensor, complex64 or complex128.
      fft_length: int32 vector, lengths to which the axes are cropped or zero-padded.
      axes: int32 vector of the same length.
      name: name for the operation.

    Returns:
      Tensor of the dtype of `input`.

    Raises:
      InvalidArgumentError: if an axis is out of range or repeated.

    >>> print(fftnd([[1 + 0j, 2], [3, 4]], [2], [0]).numpy())
    [[ 4.+0.j  6.+0.j]
     [-2.+0.j -2.+0.j]]
    """
    return _FFT(complex_tensor(input), fft_length, axes, name=name)


def ifftnd(
    input: TensorLike, fft_length: TensorLike, axes: TensorLike, name: str | None = None
) -> Tensor:
    """Inverse discrete Fourier transform over some axes.

    Args:
      input, fft_length, axes, name: as those of `fftnd`.

    Returns:
      Tensor of the dtype of `input`.

    >>> print(ifftnd([4 + 0j, 2], [2], [0]).numpy())
    [3.+0.j 1.+0.j]
    """
    return _IFFT(complex_tensor(input), fft_length, axes, name=name)


def rfftnd(
    input: TensorLike,
    fft_length: TensorLike,
    axes: TensorLike,
    Tcomplex: object = dtypes.complex64,
    name: str | None = None,
) -> Tensor:
    """Discrete Fourier transform of real numbers over some axes.

    Args:
      input: Tensor, float32 or float64.
      fft_length, axes, name: as those of `fftnd`.
      Tcomplex: dtype of the result.

    Returns:
      Complex tensor without the redundant half of the last of `axes`.

    >>> print(rfftnd([1.0, 2.0], [2], [0]).numpy())
    [ 3.+0.j -1.+0.j]
    """
    x = hinted(input, dtypes.float32)
    return _RFFT(x, fft_length, axes, name=name, Tcomplex=dtypes.as_dtype(Tcomplex))


def irfftnd(
    input: TensorLike,
    fft_length: TensorLike,
    axes: TensorLike,
    Treal: object = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Inverse of `rfftnd`.

    Args:
      input: Tensor, complex64 or complex128, without the redundant half.
      fft_length: int32 vector, lengths of the result along `axes`.
      axes, name: as those of `fftnd`.
      Treal: dtype of the result.

    Returns:
      Tensor of real numbers.

    >>> print(irfftnd([3 + 0j, -1], [2], [0]).numpy())
    [1. 2.]
    """
    x = hinted(input, dtypes.complex64)
    return _IRFFT(x, fft_length, axes, name=name, Treal=dtypes.as_dtype(Treal))


def _default_axes(x: Tensor, fft_length: object, axes: Axes | None) -> list[int]:
    """Return the axes of a transform; by default as many of the last as there are lengths."""
    rank = x.shape.rank
    if rank is None:
        raise ValueError("a transform over axes of one's choice needs a tensor of known rank")
    if axes is not None:
        return _normal_axes(static_ints("axes", axes), rank)
    if fft_length is None:
        return list(range(rank))
    count = convert_to_tensor(fft_length).shape[0]
    if count is None:
        raise ValueError("`fft_length` needs a known number of entries")
    return list(range(rank - int(count), rank))


def _default_lengths(x: Tensor, fft_length: object, axes: Sequence[int], halved: bool) -> Tensor:
    if fft_length is not None:
        return convert_to_tensor(fft_length, dtype=dtypes.int32)
    own = gather(shape_of(x), np.array(axes, np.int32))
    return _with_entry(own, len(axes) - 1, 2 * (own[-1] - 1)) if halved else own


def _scale(lengths: Tensor, norm: str | None, dtype: DType) -> Tensor | None:
    """Return the divisor of an unscaled transform. Raises ValueError if `norm` is unknown."""
    if norm in (None, "backward"):
        return None
    if norm not in ("ortho", "forward"):
        raise ValueError(
            f"Unknown normalization. Expected None, 'backward', 'ortho' or 'forward', got: {norm}"
        )
    count = cast_tensor(reduce_prod(lengths), dtype.real_dtype)
    return cast_tensor(sqrt(count) if norm == "ortho" else count, dtype)


class NormalizedTransform(Protocol):
    """A Fourier transform with default axes and normalization."""

    op: Op

    def __call__(
        self,
        input_tensor: TensorLike,
        fft_length: object = None,
        axes: Axes | None = None,
        norm: str | None = None,
        name: str | None = None,
    ) -> Tensor:
        """Apply it."""


def _normalized(
    op: Op,
    convert: Callable[[TensorLike], Tensor],
    scaled: Callable[[Tensor, Tensor], Tensor],
    about: str,
    example: str,
    attrs: Callable[[Tensor], dict[str, DType]] = lambda x: {},
) -> NormalizedTransform:
    """Define a public function that calls the op type with defaults and normalization.

    Args:
      op: the op type.
      convert: converts the input.
      scaled: `divide` for a transform, `multiply` for an inverse.
      about, example: first line of the documentation; a call, an arrow and what it prints.
      attrs: attributes of the op type for an input.
    """

    def function(
        input_tensor: TensorLike,
        fft_length: object = None,
        axes: Axes | None = None,
        norm: str | None = None,
        name: str | None = None,
    ) -> Tensor:
        x = convert(input_tensor)
        places = _default_axes(x, fft_length, axes)
        lengths = _default_lengths(x, fft_length, places, halved=op is _IRFFT)
        scale = _scale(lengths, norm, x.dtype)
        return op(x if scale is None else scaled(x, scale), lengths, places, name=name, **attrs(x))

    rest = f"""Args:
          input_tensor: Tensor; {op.definition.inputs["input"].name}.
          fft_length: lengths to which the axes are cropped or zero-padded, for an inverse to real
            numbers those of the result; None: their own, or 2 * (n - 1).
          axes: the axes; None: as many of the last as there are lengths, or all.
          norm: which transform divides by the number of elements. "backward" or None: the inverse;
            "forward": the other; "ortho": both, by the square root.
          name: name for the operation.

        Returns:
          Tensor; transforms of real numbers omit the redundant half of the last axis.

        Raises:
          ValueError: for another `norm`.
          InvalidArgumentError: if an axis is out of range or repeated."""
    name = f"signal_{op.definition.name.lower()}"
    about = f"{about} over some axes, or all."
    published = publish(function, __name__, name, op, about, cleandoc(rest), example)
    return cast(NormalizedTransform, published)


signal_fftnd = _normalized(
    _FFT,
    complex_tensor,
    divide,
    "Discrete Fourier transform",
    '[3 + 0j, 1], norm="forward" -> [2.+0.j 1.+0.j]',
)
signal_ifftnd = _normalized(
    _IFFT,
    complex_tensor,
    multiply,
    "Inverse discrete Fourier transform",
    "[4 + 0j, 2] -> [3.+0.j 1.+0.j]",
)
signal_rfftnd = _normalized(
    _RFFT,
    lambda value: hinted(value, dtypes.float32),
    divide,
    "Discrete Fourier transform of real numbers",
    "[[1.0, 2.0]], axes=[1] -> [[ 3.+0.j -1.+0.j]]",
    lambda x: {"Tcomplex": dtypes.complex128 if x.dtype is dtypes.float64 else dtypes.complex64},
)
signal_irfftnd = _normalized(
    _IRFFT,
    lambda value: hinted(value, dtypes.complex64),
    multiply,
    "Inverse discrete Fourier transform to real numbers",
    "[3 + 0j, -1], [2] -> [1. 2.]",
    lambda x: {"Treal": x.dtype.real_dtype},
)
