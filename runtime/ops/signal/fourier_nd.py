"""Fourier transforms over axes of one's choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import INT32, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import range as range_
from runtime.ops.array.shaping import expand_dims, reshape
from runtime.ops.base.arguments import static_ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import chosen, shape_of
from runtime.ops.base.sample_values import numbers
from runtime.ops.items.gathering import gather
from runtime.ops.items.scattering import tensor_scatter_nd_update
from runtime.ops.math.arithmetic import divide, multiply
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import COMPLEX, PARTS
from runtime.ops.math.elementwise import sqrt
from runtime.ops.reduce.reduction import reduce_prod
from runtime.ops.signal.fourier import complex_tensor, hinted


def _places(axes: Any, rank: int) -> list[int]:
    """Axes as numbers from 0. Raises ValueError if there is no such axis, or one comes twice."""
    found = [int(axis) for axis in axes]
    for axis in found:
        if not -rank <= axis < rank:
            raise ValueError(f"axes {found} are not all in [{-rank}, {rank})")
    places = [axis % rank for axis in found]
    if len(set(places)) != len(places):
        raise ValueError(f"axes {found} contain an axis twice")
    return places


def _checked(lengths: Any, axes: Any) -> None:
    if len(lengths) != len(axes):
        raise ValueError(
            f"fft_length and axes must have one entry for each axis, got {list(lengths)} and "
            f"{list(axes)}"
        )


def _dims(x: Tensor, fft_length: Tensor, axes: Tensor, half: bool) -> Dims:
    dims, which, lengths = x.spec.dims, static_value(axes), static_value(fft_length)
    if dims is None:
        return None
    if which is None:
        return (None,) * len(dims)
    places = _places(which, len(dims))
    if lengths is not None:
        _checked(lengths, places)
    result = list(dims)
    for i, place in enumerate(places):
        result[place] = None if lengths is None else int(lengths[i])
    last = result[places[-1]] if places else None
    if half and last is not None:
        result[places[-1]] = last // 2 + 1
    return tuple(result)


def _transformed(function: str, xp: Any, x: Any, fft_length: Any, axes: Any, dtype: Any) -> Any:
    _checked(fft_length, axes)
    places, lengths = _places(axes, x.ndim), [int(length) for length in fft_length]
    return getattr(xp.fft, function)(x, s=lengths, axes=places).astype(dtype)


def _fit(x: Tensor, shape: Tensor) -> Tensor:
    return call("CropOrPad", x, shape)


def _count(fft_length: Tensor, dtype: DType) -> Tensor:
    """How many elements a transform mixes."""
    return cast(reduce_prod(fft_length), dtype)


def _fftnd_grad(g: Tensor, y: Tensor, x: Tensor, lengths: Tensor, axes: Tensor) -> Any:
    back = _INVERSE(g, lengths, axes) * _count(lengths, g.dtype)
    return _fit(back, shape_of(x)), None, None


def _ifftnd_grad(g: Tensor, y: Tensor, x: Tensor, lengths: Tensor, axes: Tensor) -> Any:
    back = _FORWARD(g, lengths, axes) / _count(lengths, g.dtype)
    return _fit(back, shape_of(x)), None, None


_COMPLEX_SAMPLE = numbers(2, 3, 2) + 1j * numbers(3, 2, 2).reshape(2, 3, 2)
_FORWARD = define_op(
    "FFTND",
    {"input": COMPLEX, "fft_length": INT32, "axes": INT32},
    lambda x, lengths, axes: x.spec.with_dims(_dims(x, lengths, axes, False)),
    lambda xp, x, lengths, axes: _transformed("fftn", xp, x, lengths, axes, x.dtype),
    grad=_fftnd_grad,
    samples=(sample(_COMPLEX_SAMPLE, [3, 4], [0, -1]), sample([1j, 2.0], [2], [0])),
)
_INVERSE = define_op(
    "IFFTND",
    {"input": COMPLEX, "fft_length": INT32, "axes": INT32},
    lambda x, lengths, axes: x.spec.with_dims(_dims(x, lengths, axes, False)),
    lambda xp, x, lengths, axes: _transformed("ifftn", xp, x, lengths, axes, x.dtype),
    grad=_ifftnd_grad,
    samples=(sample(_COMPLEX_SAMPLE, [2, 4], [1, 0]), sample([1j, 2.0], [2], [0])),
)


def _last_axis(axes: Tensor, rank: int | None) -> int:
    which = static_value(axes)
    if which is None or rank is None:
        raise UnimplementedError.of(
            "the gradient needs axes and a rank that are known while recording"
        )
    return _places(which, rank)[-1]


def _with_entry(shape: Tensor, place: int, length: Tensor) -> Tensor:
    """A shape with another length of one axis."""
    return tensor_scatter_nd_update(shape, [[place]], expand_dims(length, 0))


def _rfftnd_grad(g: Tensor, y: Tensor, x: Tensor, lengths: Tensor, axes: Tensor, **_: Any) -> Any:
    place = _last_axis(axes, x.shape.rank)
    whole = _fit(g, _with_entry(shape_of(g), place, lengths[-1]))
    back = call("Real", _INVERSE(whole, lengths, axes))
    return _fit(back * _count(lengths, back.dtype), shape_of(x)), None, None


def _irfftnd_grad(g: Tensor, y: Tensor, x: Tensor, lengths: Tensor, axes: Tensor, **_: Any) -> Any:
    """Elements that stand for themselves and their mirror images count twice."""
    rank = x.shape.rank
    place = _last_axis(axes, rank)
    half = _HALF(g, lengths, axes, Tcomplex=x.dtype)
    at = range_(shape_of(half)[place])
    alone = call("LogicalOr", call("Equal", at, 0), call("Equal", 2 * at, lengths[-1]))
    outer = [1] * (rank or 0)
    outer[place] = -1
    weights = reshape(cast(chosen(alone, 1, 2), x.dtype), outer)
    return _fit(half * weights / _count(lengths, x.dtype), shape_of(x)), None, None


def _half_spec(x: Tensor, lengths: Tensor, axes: Tensor, Tcomplex: DType) -> TensorSpec:
    return x.spec.with_dtype(Tcomplex).with_dims(_dims(x, lengths, axes, True))


def _whole_spec(x: Tensor, lengths: Tensor, axes: Tensor, Treal: DType) -> TensorSpec:
    return x.spec.with_dtype(Treal).with_dims(_dims(x, lengths, axes, False))


_HALF = define_op(
    "RFFTND",
    {"input": PARTS, "fft_length": INT32, "axes": INT32},
    _half_spec,
    lambda xp, x, lengths, axes, Tcomplex: _transformed(
        "rfftn", xp, x, lengths, axes, Tcomplex.numpy_dtype
    ),
    grad=_rfftnd_grad,
    samples=(
        sample(numbers(2, 3, 2), [3, 4], [0, -1], Tcomplex=dtypes.complex128),
        sample(np.array([1, 2, 3], np.float32), [3], [0], Tcomplex=dtypes.complex64),
    ),
)
_WHOLE = define_op(
    "IRFFTND",
    {"input": COMPLEX, "fft_length": INT32, "axes": INT32},
    _whole_spec,
    lambda xp, x, lengths, axes, Treal: _transformed(
        "irfftn", xp, x, lengths, axes, Treal.numpy_dtype
    ),
    grad=_irfftnd_grad,
    samples=(
        sample(_COMPLEX_SAMPLE, [3, 4], [0, 1], Treal=dtypes.float64),
        sample([1j, 2.0], [3], [0], Treal=dtypes.float64),
    ),
)


def fftnd(
    input: TensorLike, fft_length: TensorLike, axes: TensorLike, name: str | None = None
) -> Tensor:
    """The Fourier transform over some axes.

    Args:
      input: complex64 or complex128.
      fft_length: int32 vector, the length to which each axis is cropped or filled up with zeros.
      axes: int32 vector, the axes.
      name: the name of the operation.

    Raises: InvalidArgumentError for other dtypes, or if there is no such axis.

    >>> print(fftnd([[1 + 0j, 2], [3, 4]], [2], [0])[0])
    tf.Tensor([4.+0.j 6.+0.j], shape=(2,), dtype=complex128)
    """
    return _FORWARD(complex_tensor(input), fft_length, axes, name=name)


def ifftnd(
    input: TensorLike, fft_length: TensorLike, axes: TensorLike, name: str | None = None
) -> Tensor:
    """The inverse of `fftnd`, with the same arguments.

    >>> print(ifftnd([4 + 0j, 0], [2], [0]))
    tf.Tensor([2.+0.j 2.+0.j], shape=(2,), dtype=complex128)
    """
    return _INVERSE(complex_tensor(input), fft_length, axes, name=name)


def rfftnd(
    input: TensorLike,
    fft_length: TensorLike,
    axes: TensorLike,
    Tcomplex: Any = dtypes.complex64,
    name: str | None = None,
) -> Tensor:
    """The Fourier transform of real numbers over some axes, the last of them without mirror image.

    Args:
      input: float32 or float64.
      fft_length, axes: as in `fftnd`.
      Tcomplex: the dtype of the result.
      name: the name of the operation.

    >>> print(rfftnd([1.0, 2.0], [2], [0]))
    tf.Tensor([ 3.+0.j -1.+0.j], shape=(2,), dtype=complex64)
    """
    x = hinted(input, dtypes.float32)
    return _HALF(x, fft_length, axes, name=name, Tcomplex=dtypes.as_dtype(Tcomplex))


def irfftnd(
    input: TensorLike,
    fft_length: TensorLike,
    axes: TensorLike,
    Treal: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The inverse of `rfftnd`.

    Args:
      input: complex64 or complex128.
      fft_length: the lengths of the result, as in `fftnd`.
      axes: as in `fftnd`.
      Treal: the dtype of the result.
      name: the name of the operation.

    >>> print(irfftnd([3 + 0j, -1], [2], [0]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    x = hinted(input, dtypes.complex64)
    return _WHOLE(x, fft_length, axes, name=name, Treal=dtypes.as_dtype(Treal))


def _chosen_axes(x: Tensor, fft_length: Any, axes: Any) -> list[int]:
    """The axes of a transform: those asked for, else as many of the last as there are lengths."""
    rank = x.shape.rank
    if rank is None:
        raise ValueError("a transform over axes of one's choice needs a tensor of known rank")
    if axes is not None:
        return _places(static_ints("axes", axes), rank)
    if fft_length is None:
        return list(range(rank))
    count = convert_to_tensor(fft_length).shape[0]
    if count is None:
        raise ValueError("`fft_length` needs a known number of entries")
    return list(range(rank - int(count), rank))


def _chosen_lengths(x: Tensor, fft_length: Any, places: Sequence[int], halved: bool) -> Tensor:
    if fft_length is not None:
        return convert_to_tensor(fft_length, dtype=dtypes.int32)
    own = gather(shape_of(x), np.array(places, np.int32))
    if not halved:
        return own
    return _with_entry(own, len(places) - 1, 2 * (own[-1] - 1))


def _scale(lengths: Tensor, norm: str | None, dtype: DType) -> Tensor | None:
    """By what a transform without a factor of its own is divided; None: by nothing.

    Raises: ValueError for an unknown kind of normalization.
    """
    if norm in (None, "backward"):
        return None
    if norm not in ("ortho", "forward"):
        raise ValueError(
            f"Unknown normalization. Expected None, 'backward', 'ortho' or 'forward', got: {norm}"
        )
    count = cast(reduce_prod(lengths), dtype.real_dtype)
    return cast(sqrt(count) if norm == "ortho" else count, dtype)


def _prepared(
    x: Tensor,
    fft_length: Any,
    axes: Any,
    norm: str | None,
    scaled: Callable[[Tensor, Tensor], Tensor],
    halved: bool = False,
) -> tuple[Tensor, Tensor, list[int]]:
    """The input, scaled as `norm` says, with the lengths and the axes of its transform."""
    places = _chosen_axes(x, fft_length, axes)
    lengths = _chosen_lengths(x, fft_length, places, halved)
    scale = _scale(lengths, norm, x.dtype)
    return x if scale is None else scaled(x, scale), lengths, places


def signal_fftnd(
    input_tensor: TensorLike,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The Fourier transform over some axes, or all.

    Args:
      input_tensor: complex64 or complex128; real numbers that are no tensor yet become complex64.
      fft_length: the length to which each axis is cropped or filled up with zeros; None: its own.
      axes: the axes; None: as many of the last as there are lengths, or all.
      norm: "backward" or None: the inverse is divided by the number of elements; "forward": this
        one is; "ortho": both are divided by its root.
      name: the name of the operation.

    Raises: ValueError for another `norm`; InvalidArgumentError if there is no such axis.

    >>> print(signal_fftnd([[1 + 0j, 2], [3, 4]])[0])
    tf.Tensor([10.+0.j -2.+0.j], shape=(2,), dtype=complex128)
    """
    x = complex_tensor(input_tensor)
    return _FORWARD(*_prepared(x, fft_length, axes, norm, divide), name=name)


def signal_ifftnd(
    input_tensor: TensorLike,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse Fourier transform over some axes, or all; arguments as in `fftnd`.

    >>> print(signal_ifftnd([[4 + 0j, 0]]))
    tf.Tensor([[2.+0.j 2.+0.j]], shape=(1, 2), dtype=complex128)
    """
    x = complex_tensor(input_tensor)
    return _INVERSE(*_prepared(x, fft_length, axes, norm, multiply), name=name)


def signal_rfftnd(
    input_tensor: TensorLike,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The Fourier transform of real numbers over some axes, the last of them without mirror image.

    Args:
      input_tensor: float32 or float64; what is no tensor yet becomes float32.
      fft_length, axes, norm, name: as in `fftnd`.

    >>> print(signal_rfftnd([[1.0, 2.0]], axes=[1]))
    tf.Tensor([[ 3.+0.j -1.+0.j]], shape=(1, 2), dtype=complex64)
    """
    x = hinted(input_tensor, dtypes.float32)
    kind = dtypes.complex128 if x.dtype is dtypes.float64 else dtypes.complex64
    return _HALF(*_prepared(x, fft_length, axes, norm, divide), name=name, Tcomplex=kind)


def signal_irfftnd(
    input_tensor: TensorLike,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `rfftnd`.

    Args:
      input_tensor: complex64 or complex128; what is no tensor yet becomes complex64.
      fft_length: the lengths of the result; None: the last is 2 (n - 1) for n elements.
      axes, norm, name: as in `fftnd`.

    >>> print(signal_irfftnd([3 + 0j, -1], [2]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    x = hinted(input_tensor, dtypes.complex64)
    prepared = _prepared(x, fft_length, axes, norm, multiply, halved=True)
    return _WHOLE(*prepared, name=name, Treal=x.dtype.real_dtype)
