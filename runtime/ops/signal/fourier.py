"""Fourier transforms over the last axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import INT32, DTypes, Grad, sample
from runtime.core.spec import TensorSpec
from runtime.core.static import static_dims, static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.arranging import roll
from runtime.ops.array.creation import range as range_
from runtime.ops.array.joining import concat
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import COMPLEX, PARTS
from runtime.ops.reduce.reduction import reduce_prod

Lengths = tuple[int | None, ...]
_LINE = [1 + 2j, 0.5 - 1j, 2j]
_IMAGE = [_LINE, [1.0, 1j, 3.0]]
_REALS = [[1.0, 2.0, -1.0, 0.5], [0.3, 1.0, 2.5, -2.0]]


def _suffix(axes: int) -> str:
    return "" if axes == 1 else f"{axes}D"


def _checked(x: Tensor, **attrs: Any) -> TensorSpec:
    return x.spec


def _transform(function: str, axes: int) -> Any:
    def kernel(xp: Any, x: Any) -> Any:
        _check_rank(x.ndim, axes)
        return getattr(xp.fft, function)(x, axes=tuple(range(-axes, 0))).astype(x.dtype)

    return kernel


def _check_rank(rank: int, axes: int) -> None:
    if rank < axes:
        raise ValueError(f"Input must have rank of at least {axes} but got: {rank}")


def _count(x: Tensor, axes: int) -> Tensor:
    """How many elements a transform mixes."""
    return cast(reduce_prod(shape_of(x)[-axes:]), x.dtype)


def _pair(axes: int) -> tuple[Op, Op]:
    """A transform and its inverse; the gradient of each is the other, scaled."""
    names = (f"FFT{_suffix(axes)}", f"IFFT{_suffix(axes)}")

    def forward(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
        return (call(names[1], g) * _count(g, axes),)

    def inverse(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
        return (call(names[0], g) / _count(g, axes),)

    samples = (sample([_IMAGE]),) if axes > 1 else (sample(_LINE), sample(_IMAGE))
    return (
        define_op(
            names[0],
            {"input": COMPLEX},
            _checked,
            _transform("fftn", axes),
            grad=forward,
            samples=samples,
        ),
        define_op(
            names[1],
            {"input": COMPLEX},
            _checked,
            _transform("ifftn", axes),
            grad=inverse,
            samples=samples,
        ),
    )


def _half_spec(x: Tensor, fft_length: Lengths) -> TensorSpec:
    kind = dtypes.complex64 if x.spec.dtype is dtypes.float32 else dtypes.complex128
    dims = x.spec.dims
    if dims is None:
        return x.spec.with_dtype(kind)
    axes = len(fft_length)
    _check_rank(len(dims), axes)
    last = fft_length[-1]
    half = None if last is None else last // 2 + 1
    return x.spec.with_dtype(kind).with_dims((*dims[:-axes], *fft_length[:-1], half))


def _half(xp: Any, x: Any, fft_length: Lengths) -> Any:
    axes = len(fft_length)
    lengths = _lengths(fft_length, x.shape[-axes:])
    kind = np.complex64 if x.dtype == np.float32 else np.complex128
    return xp.fft.rfftn(x, s=lengths, axes=tuple(range(-axes, 0))).astype(kind)


def _lengths(wanted: Lengths, own: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(o if w is None else w for w, o in zip(wanted, own, strict=True))


def _real_spec(x: Tensor, fft_length: Lengths) -> TensorSpec:
    kind = x.spec.dtype.real_dtype
    dims = x.spec.dims
    if dims is None:
        return x.spec.with_dtype(kind)
    axes = len(fft_length)
    _check_rank(len(dims), axes)
    return x.spec.with_dtype(kind).with_dims((*dims[:-axes], *fft_length))


def _real(xp: Any, x: Any, fft_length: Lengths) -> Any:
    axes = len(fft_length)
    own = (*x.shape[-axes:-1], 2 * (x.shape[-1] - 1))
    kind = np.float32 if x.dtype == np.complex64 else np.float64
    lengths = _lengths(fft_length, own)
    return xp.fft.irfftn(x, s=lengths, axes=tuple(range(-axes, 0))).astype(kind)


def _fitted(xp: Any, x: Any, shape: Any) -> Any:
    wanted = tuple(int(dim) for dim in shape)
    kept = x[tuple(slice(0, dim) for dim in wanted)]
    missing = [(0, dim - own) for dim, own in zip(wanted, kept.shape, strict=True)]
    return xp.pad(kept, missing) if any(more for _, more in missing) else kept.copy()


_FIT = define_op(
    "CropOrPad",
    {"x": DTypes("a number", *COMPLEX.members, *PARTS.members), "shape": INT32},
    lambda x, shape: x.spec.with_dims(static_dims(shape)),
    _fitted,
    grad=lambda g, y, x, shape: (call("CropOrPad", g, shape_of(x)), None),
    samples=(sample(_REALS, [3, 2]), sample([1 + 2j], [3])),
)
"""The first elements along each axis, and zeros behind them if there are too few."""


def _resized(x: Tensor, lengths: Any) -> Tensor:
    """A tensor with other lengths of its last axes."""
    dims = shape_of(x)
    return _FIT(x, concat([dims[: -len(lengths)], list(lengths)], 0))


def _half_grad(g: Tensor, y: Tensor, x: Tensor, fft_length: Lengths) -> tuple[Tensor]:
    axes = len(fft_length)
    lengths = _known_lengths(fft_length, shape_of(x)[-axes:])
    whole = _resized(g, lengths)
    back = call("Real", call(f"IFFT{_suffix(axes)}", whole))
    return (_FIT(back * _count(back, axes), shape_of(x)),)


def _known_lengths(wanted: Lengths, own: Tensor) -> list[Any]:
    return [own[i] if length is None else length for i, length in enumerate(wanted)]


def _real_grad(g: Tensor, y: Tensor, x: Tensor, fft_length: Lengths) -> tuple[Tensor]:
    """Elements that stand for themselves and their mirror images count twice."""
    axes = len(fft_length)
    half = call(f"RFFT{_suffix(axes)}", g, fft_length=(None,) * axes)
    place, count = range_(shape_of(half)[-1]), shape_of(g)[-1]
    alone = call("LogicalOr", call("Equal", place, 0), call("Equal", 2 * place, count))
    weights = cast(call("SelectV2", alone, 1, 2), x.dtype)
    return (_FIT(half * weights / cast(_count(g, axes), x.dtype), shape_of(x)),)


def _real_pair(axes: int) -> tuple[Op, Op]:
    none = (None,) * (axes - 1)
    reals: Any = _REALS if axes < 3 else [_REALS]
    halves: Any = _IMAGE if axes < 3 else [_IMAGE]
    forward: Grad = _half_grad
    return (
        define_op(
            f"RFFT{_suffix(axes)}",
            {"input": PARTS},
            _half_spec,
            _half,
            grad=forward,
            samples=(
                sample(reals, fft_length=(*none, None)),
                sample(reals, fft_length=(*none, 3)),
            ),
        ),
        define_op(
            f"IRFFT{_suffix(axes)}",
            {"input": COMPLEX},
            _real_spec,
            _real,
            grad=_real_grad,
            samples=(
                sample(halves, fft_length=(*none, None)),
                sample(halves, fft_length=(*none, 5)),
            ),
        ),
    )


_PAIRS = {axes: _pair(axes) for axes in (1, 2, 3)}
_REAL_PAIRS = {axes: _real_pair(axes) for axes in (1, 2, 3)}


def hinted(value: TensorLike, dtype: DType) -> Tensor:
    """An argument as a tensor; one that is no tensor yet takes the dtype, as in TensorFlow."""
    return convert_to_tensor(value, dtype_hint=dtype)


def complex_tensor(value: TensorLike) -> Tensor:
    """An argument as a tensor; complex numbers keep their dtype, others become complex64."""
    if isinstance(value, Tensor):
        return value
    own = convert_to_tensor(value)
    return own if own.dtype.is_complex else hinted(value, dtypes.complex64)


def _own_lengths(x: Tensor, fft_length: Any, axes: int, inverse: bool) -> Lengths:
    """The lengths of a transform, None for those that are known only when the graph runs."""
    if fft_length is not None:
        value = static_value(convert_to_tensor(fft_length))
        if value is None:
            raise ValueError("`fft_length` has to be known while the graph is recorded")
        entries = tuple(int(entry) for entry in np.ravel(value))
        if len(entries) != axes:
            raise InvalidArgumentError.of(f"fft_length must have shape [{axes}]")
        return entries
    dims = x.spec.dims
    if dims is None or len(dims) < axes:
        return (None,) * axes
    own = dims[-axes:]
    last = own[-1]
    if not inverse or last is None:
        return own
    return (*own[:-1], max(2 * (last - 1), 0))


def _halved(value: TensorLike, fft_length: Any, axes: int, name: str | None) -> Tensor:
    x = hinted(value, dtypes.float32)
    lengths = _own_lengths(x, fft_length, axes, inverse=False)
    return _REAL_PAIRS[axes][0](x, fft_length=lengths, name=name)


def _made_whole(value: TensorLike, fft_length: Any, axes: int, name: str | None) -> Tensor:
    x = hinted(value, dtypes.complex64)
    lengths = _own_lengths(x, fft_length, axes, inverse=True)
    return _REAL_PAIRS[axes][1](x, fft_length=lengths, name=name)


def fft(input: TensorLike, name: str | None = None) -> Tensor:
    """The Fourier transform over the last axis.

    Args:
      input: complex64 or complex128, with at least as many dimensions; real numbers that are no
        tensor yet become complex64.

    Raises: InvalidArgumentError for other dtypes, or fewer dimensions.

    >>> fft([1 + 0j, 0, 0]).dtype
    tf.complex128
    """
    return _PAIRS[1][0](complex_tensor(input), name=name)


def ifft(input: TensorLike, name: str | None = None) -> Tensor:
    """The inverse Fourier transform over the last axis; arguments as in `fft`.

    >>> ifft([1 + 0j, 0, 0]).dtype
    tf.complex128
    """
    return _PAIRS[1][1](complex_tensor(input), name=name)


def rfft(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers over the last axis, without its mirror image.

    Args:
      input_tensor: float32 or float64, with at least as many dimensions; what is no tensor yet
        becomes float32.
      fft_length: 1 length to which it is cropped or filled up with zeros; None: its own.

    Returns: complex; the last axis has length `n // 2 + 1`.
    Raises: InvalidArgumentError for other dtypes, or fewer dimensions.

    >>> rfft([1.0, 0, 0]).dtype
    tf.complex64
    """
    return _halved(input_tensor, fft_length, 1, name)


def irfft(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft`.

    Args:
      input_tensor: complex64 or complex128; what is no tensor yet becomes complex64.
      fft_length: the lengths of the result; None: the last is 2 (n - 1) for n elements.

    >>> irfft([1 + 0j, 0, 0]).dtype
    tf.float32
    """
    return _made_whole(input_tensor, fft_length, 1, name)


def fft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """The Fourier transform over the last two axes.

    Args:
      input: complex64 or complex128, with at least as many dimensions; real numbers that are no
        tensor yet become complex64.

    Raises: InvalidArgumentError for other dtypes, or fewer dimensions.

    >>> fft2d([[1 + 0j, 0]]).dtype
    tf.complex128
    """
    return _PAIRS[2][0](complex_tensor(input), name=name)


def ifft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """The inverse Fourier transform over the last two axes; arguments as in `fft2d`.

    >>> ifft2d([[1 + 0j, 0]]).dtype
    tf.complex128
    """
    return _PAIRS[2][1](complex_tensor(input), name=name)


def rfft2d(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers over the last two axes, without its mirror image.

    Args:
      input_tensor: float32 or float64, with at least as many dimensions; what is no tensor yet
        becomes float32.
      fft_length: 2 lengths to which it is cropped or filled up with zeros; None: its own.

    Returns: complex; the last axis has length `n // 2 + 1`.
    Raises: InvalidArgumentError for other dtypes, or fewer dimensions.

    >>> rfft2d([[1.0, 0]]).dtype
    tf.complex64
    """
    return _halved(input_tensor, fft_length, 2, name)


def irfft2d(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft2d`.

    Args:
      input_tensor: complex64 or complex128; what is no tensor yet becomes complex64.
      fft_length: the lengths of the result; None: the last is 2 (n - 1) for n elements.

    >>> irfft2d([[1 + 0j, 0]]).dtype
    tf.float32
    """
    return _made_whole(input_tensor, fft_length, 2, name)


def fft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """The Fourier transform over the last three axes.

    Args:
      input: complex64 or complex128, with at least as many dimensions; real numbers that are no
        tensor yet become complex64.

    Raises: InvalidArgumentError for other dtypes, or fewer dimensions.

    >>> fft3d([[[1 + 0j, 0]]]).dtype
    tf.complex128
    """
    return _PAIRS[3][0](complex_tensor(input), name=name)


def ifft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """The inverse Fourier transform over the last three axes; arguments as in `fft3d`.

    >>> ifft3d([[[1 + 0j, 0]]]).dtype
    tf.complex128
    """
    return _PAIRS[3][1](complex_tensor(input), name=name)


def rfft3d(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers over the last three axes, without its mirror image.

    Args:
      input_tensor: float32 or float64, with at least as many dimensions; what is no tensor yet
        becomes float32.
      fft_length: 3 lengths to which it is cropped or filled up with zeros; None: its own.

    Returns: complex; the last axis has length `n // 2 + 1`.
    Raises: InvalidArgumentError for other dtypes, or fewer dimensions.

    >>> rfft3d([[[1.0, 0]]]).dtype
    tf.complex64
    """
    return _halved(input_tensor, fft_length, 3, name)


def irfft3d(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft3d`.

    Args:
      input_tensor: complex64 or complex128; what is no tensor yet becomes complex64.
      fft_length: the lengths of the result; None: the last is 2 (n - 1) for n elements.

    >>> irfft3d([[[1 + 0j, 0]]]).dtype
    tf.float32
    """
    return _made_whole(input_tensor, fft_length, 3, name)


def _shifted(x: TensorLike, axes: Any, sign: int, name: str | None) -> Tensor:
    tensor = convert_to_tensor(x)
    if axes is None:
        if tensor.shape.rank is None:
            raise ValueError("`axes` has to be given for a tensor whose rank is unknown")
        axes = list(range(tensor.shape.rank))
    places = list(axes) if isinstance(axes, (list, tuple)) else [axes]
    dims = shape_of(tensor)
    shift = [sign * (dims[axis] // 2) for axis in places]
    return roll(tensor, shift, places, name=name)


def fftshift(x: TensorLike, axes: Any = None, name: str | None = None) -> Tensor:
    """Both halves of each axis exchanged, so that the frequency 0 comes to the middle.

    Args:
      x: any tensor.
      axes: an int or several; None: all.

    >>> print(fftshift([0, 1, 2, 3, 4]))
    tf.Tensor([3 4 0 1 2], shape=(5,), dtype=int32)
    """
    return _shifted(x, axes, 1, name)


def ifftshift(x: TensorLike, axes: Any = None, name: str | None = None) -> Tensor:
    """Undoes `fftshift`, with the same arguments.

    >>> print(ifftshift([3, 4, 0, 1, 2]))
    tf.Tensor([0 1 2 3 4], shape=(5,), dtype=int32)
    """
    return _shifted(x, axes, -1, name)
