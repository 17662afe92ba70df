"""Discrete Fourier transforms over the last one, two or three axes.

The transform sums `x[n] * exp(-2j * pi * k * n / N)` over n; the inverse divides by N. The gradient
of a transform is the unscaled inverse and vice versa.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import cleandoc
from typing import Any, Protocol, cast

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.node_form import Moved, NodeForm
from runtime.core.opdef import INT32, DTypes, sample
from runtime.core.operation import Operation
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec
from runtime.core.static import static_dims, static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.ranges import range as range_
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.base.families import publish
from runtime.ops.base.gradient_parts import chosen, shape_of
from runtime.ops.base.node_forms import ints
from runtime.ops.math.casting import cast as cast_tensor
from runtime.ops.math.comparison import equal, logical_or
from runtime.ops.math.complexes import COMPLEX, PARTS, real
from runtime.ops.reduce.reduction import reduce_prod

Lengths = tuple[int | None, ...]
"""Lengths of transformed axes; None: known only when the graph runs."""

Axes = int | Sequence[int]

_LINE = [1 + 2j, 0.5 - 1j, 2j]
_IMAGE = [_LINE, [1.0, 1j, 3.0]]
_REALS = [[1.0, 2.0, -1.0, 0.5], [0.3, 1.0, 2.5, -2.0]]
_WHERE = {1: "the last axis", 2: "the last two axes", 3: "the last three axes"}


class Transform(Protocol):
    """A Fourier transform of complex numbers."""

    op: Op

    def __call__(self, input: TensorLike, name: str | None = None) -> Tensor:
        """Apply it."""


class RealTransform(Protocol):
    """A Fourier transform from or to real numbers."""

    op: Op

    def __call__(
        self, input_tensor: TensorLike, fft_length: object = None, name: str | None = None
    ) -> Tensor:
        """Apply it."""


def _fitted(xp: Namespace, x: Array, shape: Array) -> Array:
    wanted = tuple(int(dim) for dim in shape)
    kept = x[tuple(slice(0, dim) for dim in wanted)]
    missing = [(0, dim - own) for dim, own in zip(wanted, kept.shape, strict=True)]
    return xp.pad(kept, missing) if any(more for _, more in missing) else kept.copy()


crop_or_pad: Op = define_op(
    "CropOrPad",
    {"x": DTypes("a number", *COMPLEX.members, *PARTS.members), "shape": INT32},
    lambda x, shape: x.spec.with_dims(static_dims(shape)),
    _fitted,
    grad=lambda g, y, x, shape: (crop_or_pad(g, shape_of(x)), None),
    samples=(sample(_REALS, [3, 2]), sample([1 + 2j], [3])),
)
"""Crop each axis to a length, or append zeros."""


def hinted(value: TensorLike, dtype: DType) -> Tensor:
    """Convert an argument; one that is no tensor yet takes the dtype, as in TensorFlow."""
    return convert_to_tensor(value, dtype_hint=dtype)


def complex_tensor(value: TensorLike) -> Tensor:
    """Convert an argument; complex numbers keep their dtype, others become complex64."""
    if isinstance(value, Tensor):
        return value
    own = convert_to_tensor(value)
    return own if own.dtype.is_complex else hinted(value, dtypes.complex64)


def mirror_weights(count: object, length: Tensor | int, dtype: DType) -> Tensor:
    """Return how often each of `count` frequencies of real numbers occurs in all `length` of them.

    Frequency 0 and, for an even length, the last one occur once, the others twice.
    """
    k = range_(count)
    return cast_tensor(chosen(logical_or(equal(k, 0), equal(2 * k, length)), 1, 2), dtype)


def _check_rank(dims: Dims, axes: int) -> None:
    if dims is not None and len(dims) < axes:
        raise ValueError(f"Input must have rank of at least {axes} but got: {len(dims)}")


def _count(x: Tensor, axes: int) -> Tensor:
    """Return the number of elements that a transform mixes."""
    return cast_tensor(reduce_prod(shape_of(x)[-axes:]), x.dtype)


def _own_lengths(x: Tensor, fft_length: object, axes: int, inverse: bool) -> Lengths:
    """Return the lengths of the real side of a transform."""
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
    *outer, last = dims[-axes:]
    return (*outer, max(2 * (last - 1), 0) if inverse and last is not None else last)


def _known(wanted: Lengths, own: Sequence[Any]) -> list[Any]:
    return [own[i] if length is None else length for i, length in enumerate(wanted)]


def _real_spec(axes: int, inverse: bool) -> Callable[..., TensorSpec]:
    """Return the shape rule of a transform to (`inverse`) or from real numbers."""

    def infer(x: Tensor, fft_length: Lengths) -> TensorSpec:
        dims, wide = x.spec.dims, x.spec.dtype.real_dtype is dtypes.float64
        whole = dtypes.complex128 if wide else dtypes.complex64
        spec = x.spec.with_dtype(x.spec.dtype.real_dtype if inverse else whole)
        _check_rank(dims, axes)
        if dims is None:
            return spec
        *outer, last = fft_length
        if not inverse and last is not None:
            last = last // 2 + 1
        return spec.with_dims((*dims[:-axes], *outer, last))

    return infer


def _complex_transforms(axes: int, *examples: str) -> tuple[Transform, Transform]:
    """Define a transform and its inverse, with an example of each."""
    suffix = "" if axes == 1 else f"{axes}D"

    def kernel(function: str) -> Callable[..., Array]:
        def transform(xp: Namespace, x: Array) -> Array:
            _check_rank(x.shape, axes)
            return getattr(xp.fft, function)(x, axes=tuple(range(-axes, 0))).astype(x.dtype)

        return transform

    def infer(x: Tensor) -> TensorSpec:
        _check_rank(x.spec.dims, axes)
        return x.spec

    def row(op: Op, about: str, example: str) -> Transform:
        def function(input: TensorLike, name: str | None = None) -> Tensor:
            return op(complex_tensor(input), name=name)

        rest = f"""Args:
              input: Tensor of rank {axes} or higher, complex64 or complex128. A value that is not a
                tensor becomes complex64 unless it is complex.
              name: name for the operation.

            Returns:
              Tensor of the shape and dtype of `input`."""
        return cast(Transform, _published(function, op, about, cleandoc(rest), axes, example))

    samples = (sample([_IMAGE]),) if axes > 1 else (sample(_LINE), sample(_IMAGE))
    forward: Op = define_op(
        f"FFT{suffix}",
        {"input": COMPLEX},
        infer,
        kernel("fftn"),
        grad=lambda g, y, x: (inverse(g) * _count(g, axes),),
        samples=samples,
    )
    inverse: Op = define_op(
        f"IFFT{suffix}",
        {"input": COMPLEX},
        infer,
        kernel("ifftn"),
        grad=lambda g, y, x: (forward(g) / _count(g, axes),),
        samples=samples,
    )
    return (
        row(forward, "Discrete Fourier transform", examples[0]),
        row(inverse, "Inverse discrete Fourier transform", examples[1]),
    )


def _with_lengths(inverse: bool) -> NodeForm:
    """Return the form of a transform whose lengths are an input in TensorFlow."""

    def array(lengths: Lengths, op: Operation) -> Array:
        dims = op.inputs[0].spec.dims
        if None in lengths and (dims is None or None in dims[-len(lengths) :]):
            raise ValueError("the shape of its input is not known, so the lengths cannot be said")
        own = [dim or 0 for dim in (dims or ())[-len(lengths) :]]
        if own and inverse:
            own[-1] = 2 * (own[-1] - 1)
        wanted = [own[i] if length is None else length for i, length in enumerate(lengths)]
        return np.array(wanted, np.int32)

    return NodeForm(moved=(Moved("fft_length", 1, "fft_length", array, ints),))


def _real_transforms(
    axes: int, inverse_complex: Transform, *examples: str
) -> tuple[RealTransform, RealTransform]:
    """Define a transform of real numbers and its inverse, with an example of each."""
    suffix = "" if axes == 1 else f"{axes}D"
    last = tuple(range(-axes, 0))

    def halve(xp: Namespace, x: Array, fft_length: Lengths) -> Array:
        _check_rank(x.shape, axes)
        lengths = _known(fft_length, x.shape[-axes:])
        dtype = np.complex64 if x.dtype == np.float32 else np.complex128
        return xp.fft.rfftn(x, s=lengths, axes=last).astype(dtype)

    def restore(xp: Namespace, x: Array, fft_length: Lengths) -> Array:
        _check_rank(x.shape, axes)
        lengths = _known(fft_length, (*x.shape[-axes:-1], 2 * (x.shape[-1] - 1)))
        dtype = np.float32 if x.dtype == np.complex64 else np.float64
        return xp.fft.irfftn(x, s=lengths, axes=last).astype(dtype)

    def halve_grad(g: Tensor, y: Tensor, x: Tensor, fft_length: Lengths) -> tuple[Tensor]:
        dims = shape_of(g)
        lengths = _known(fft_length, shape_of(x)[-axes:])
        whole = crop_or_pad(g, concat([dims[:-axes], lengths], 0))
        back = real(inverse_complex.op(whole))
        return (crop_or_pad(back * _count(back, axes), shape_of(x)),)

    def restore_grad(g: Tensor, y: Tensor, x: Tensor, fft_length: Lengths) -> tuple[Tensor]:
        half = forward(g, fft_length=(None,) * axes)
        weights = mirror_weights(shape_of(half)[-1], shape_of(g)[-1], x.dtype)
        return (crop_or_pad(half * weights / cast_tensor(_count(g, axes), x.dtype), shape_of(x)),)

    def row(op: Op, dtype: DType, about: str, rest: str, example: str) -> RealTransform:
        def function(
            input_tensor: TensorLike, fft_length: object = None, name: str | None = None
        ) -> Tensor:
            x = hinted(input_tensor, dtype)
            return op(x, fft_length=_own_lengths(x, fft_length, axes, op is inverse), name=name)

        return cast(RealTransform, _published(function, op, about, cleandoc(rest), axes, example))

    none = (None,) * (axes - 1)
    reals: Any = _REALS if axes < 3 else [_REALS]
    halves: Any = _IMAGE if axes < 3 else [_IMAGE]
    forward: Op = define_op(
        f"RFFT{suffix}",
        {"input": PARTS},
        _real_spec(axes, inverse=False),
        halve,
        grad=halve_grad,
        node=_with_lengths(inverse=False),
        samples=(sample(reals, fft_length=(*none, None)), sample(reals, fft_length=(*none, 3))),
    )
    inverse: Op = define_op(
        f"IRFFT{suffix}",
        {"input": COMPLEX},
        _real_spec(axes, inverse=True),
        restore,
        grad=restore_grad,
        node=_with_lengths(inverse=True),
        samples=(sample(halves, fft_length=(*none, None)), sample(halves, fft_length=(*none, 5))),
    )
    return (
        row(
            forward,
            dtypes.float32,
            "Discrete Fourier transform of real numbers",
            f"""Args:
              input_tensor: Tensor of rank {axes} or higher, float32 or float64.
              fft_length: vector of {axes} int, to which the axes are cropped or zero-padded; None:
                their own lengths.
              name: name for the operation.

            Returns:
              Complex tensor without the redundant half: the last axis has n // 2 + 1 elements.""",
            examples[0],
        ),
        row(
            inverse,
            dtypes.complex64,
            "Inverse discrete Fourier transform to real numbers",
            f"""Args:
              input_tensor: Tensor of rank {axes} or higher, complex64 or complex128, without the
                redundant half.
              fft_length: vector of {axes} int, lengths of the result; None: the last one is
                2 * (n - 1) for n elements.
              name: name for the operation.

            Returns:
              Tensor of real numbers.""",
            examples[1],
        ),
    )


def _published(
    function: Callable[..., Tensor], op: Op, about: str, rest: str, axes: int, example: str
) -> Any:
    about = f"{about} over {_WHERE[axes]}."
    rest = f"{rest}\n\nRaises:\n  InvalidArgumentError: for other dtypes, or a lower rank."
    return publish(function, __name__, op.definition.name.lower(), op, about, rest, example)


fft, ifft = _complex_transforms(
    1,
    "[1.0, 2.0, 3.0, 4.0] -> [10.+0.j -2.+2.j -2.+0.j -2.-2.j]",
    "[10 + 0j, -2 + 2j, -2 + 0j, -2 - 2j] -> [1.+0.j 2.+0.j 3.+0.j 4.+0.j]",
)
fft2d, ifft2d = _complex_transforms(
    2,
    "[[1.0, 2.0], [3.0, 4.0]] -> [[10.+0.j -2.+0.j]\n [-4.+0.j  0.+0.j]]",
    "[[10.0, -2.0], [-4.0, 0.0]] -> [[1.+0.j 2.+0.j]\n [3.+0.j 4.+0.j]]",
)
fft3d, ifft3d = _complex_transforms(
    3,
    "[[[1.0, 2.0], [3.0, 4.0]]] -> [[[10.+0.j -2.+0.j]\n  [-4.+0.j  0.+0.j]]]",
    "[[[10.0, -2.0], [-4.0, 0.0]]] -> [[[1.+0.j 2.+0.j]\n  [3.+0.j 4.+0.j]]]",
)
rfft, irfft = _real_transforms(
    1,
    ifft,
    "[1.0, 2.0, 3.0, 4.0] -> [10.+0.j -2.+2.j -2.+0.j]",
    "[10 + 0j, -2 + 2j, -2 + 0j] -> [1. 2. 3. 4.]",
)
rfft2d, irfft2d = _real_transforms(
    2,
    ifft2d,
    "[[1.0, 2.0], [3.0, 4.0]] -> [[10.+0.j -2.+0.j]\n [-4.+0.j  0.+0.j]]",
    "[[10.0, -2.0], [-4.0, 0.0]] -> [[1. 2.]\n [3. 4.]]",
)
rfft3d, irfft3d = _real_transforms(
    3,
    ifft3d,
    "[[[1.0, 2.0], [3.0, 4.0]]] -> [[[10.+0.j -2.+0.j]\n  [-4.+0.j  0.+0.j]]]",
    "[[[10.0, -2.0], [-4.0, 0.0]]] -> [[[1. 2.]\n  [3. 4.]]]",
)
