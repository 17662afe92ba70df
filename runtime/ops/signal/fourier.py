"""Discrete Fourier transforms over the last one, two or three axes.

The transform sums `x[n] * exp(-2j * pi * k * n / N)` over n; the inverse divides by N. The gradient
of a transform is the unscaled inverse and vice versa. Transforms from and to real numbers are
functions over these: the spectrum of real numbers is its own mirror image, conjugated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import cleandoc
from typing import Any, Protocol, cast

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.core.opdef import INT32, DTypes, Grad, sample
from runtime.core.shapes import Dims
from runtime.core.static import static_dims, static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.arranging import reverse, roll
from runtime.ops.array.identity import identity
from runtime.ops.array.joining import concat
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import Op, define_op, shape_of, zeros_of
from runtime.ops.base.publishing import publish
from runtime.ops.math.casting import cast as cast_tensor
from runtime.ops.math.complexes import COMPLEX, PARTS, conj, real
from runtime.ops.math.complexes import complex as complex_
from runtime.ops.reduce.products import reduce_prod

_LINE = [1 + 2j, 0.5 - 1j, 2j]
_IMAGE = [_LINE, [1.0, 1j, 3.0]]
_WHERE = {1: "the last axis", 2: "the last two axes", 3: "the last three axes"}


class Transform(Protocol):
    """A Fourier transform of complex numbers."""

    op: Op

    def __call__(self, input: TensorLike, name: str | None = None) -> Tensor:
        """Apply it."""


class RealTransform(Protocol):
    """A Fourier transform from or to real numbers."""

    def __call__(
        self, input_tensor: TensorLike, fft_length: object = None, name: str | None = None
    ) -> Tensor:
        """Apply it."""


def _check_rank(dims: Dims, axes: int) -> Dims:
    if dims is not None and len(dims) < axes:
        raise IncompatibleShapesError.of(
            f"Input must have rank of at least {axes} but got: {len(dims)}"
        )
    return dims


def _published(
    function: Callable[..., Tensor],
    name: str,
    axes: int,
    about: str,
    rest: str,
    example: str,
    op: Op | None = None,
) -> Any:
    about = f"{about} over {_WHERE[axes]}."
    rest = (
        f"{cleandoc(rest)}\n\nRaises:\n  InvalidArgumentError: for other dtypes, or a lower rank."
    )
    return publish(function, __name__, name, op, about, rest, example)


def _complex_transforms(axes: int, *examples: str) -> tuple[Transform, Transform]:
    """Define a transform and its inverse, with an example of each."""
    suffix = "" if axes == 1 else f"{axes}D"

    infer = rules.shaped(lambda dims: _check_rank(dims, axes))

    def count(x: Tensor) -> Tensor:
        return cast_tensor(reduce_prod(shape_of(x)[-axes:]), x.dtype)

    def row(name: str, function: str, grad: Grad, about: str, example: str) -> Transform:
        def kernel(xp: Namespace, x: Array) -> Array:
            _check_rank(x.shape, axes)
            return getattr(xp.fft, function)(x, axes=tuple(range(-axes, 0))).astype(x.dtype)

        samples = (sample([_IMAGE]),) if axes > 1 else (sample(_LINE), sample(_IMAGE))
        op = define_op(name, {"input": COMPLEX}, infer, kernel, grad=grad, samples=samples)

        def transform(input: TensorLike, name: str | None = None) -> Tensor:
            return op(_complex_tensor(input), name=name)

        rest = f"""Args:
              input: Tensor of rank {axes} or higher, complex64 or complex128. A value that is not a
                tensor becomes complex64 unless it is complex.

            Returns:
              Tensor of the shape and dtype of `input`."""
        public = _published(transform, name.lower(), axes, about, rest, example, op)
        return cast(Transform, public)

    forward: Transform = row(
        f"FFT{suffix}",
        "fftn",
        lambda g, y, x: (inverse.op(g) * count(g),),
        "Discrete Fourier transform",
        examples[0],
    )
    inverse: Transform = row(
        f"IFFT{suffix}",
        "ifftn",
        lambda g, y, x: (forward.op(g) / count(g),),
        "Inverse discrete Fourier transform",
        examples[1],
    )
    return forward, inverse


def _complex_tensor(value: TensorLike) -> Tensor:
    """Convert an argument; complex numbers keep their dtype, others become complex64."""
    if isinstance(value, Tensor):
        return value
    own = convert_to_tensor(value)
    return own if own.dtype.is_complex else convert_to_tensor(value, dtype_hint=dtypes.complex64)


def _crop_or_pad(xp: Namespace, x: Array, shape: Array) -> Array:
    wanted = tuple(int(dim) for dim in shape)
    kept = x[tuple(slice(0, dim) for dim in wanted)]
    missing = [(0, dim - own) for dim, own in zip(wanted, kept.shape, strict=True)]
    return xp.pad(kept, missing) if any(more for _, more in missing) else kept.copy()


_CROP_OR_PAD: Op = define_op(
    "CropOrPad",
    {"x": DTypes("a number", *COMPLEX.members, *PARTS.members), "shape": INT32},
    lambda x, shape: x.spec.with_dims(static_dims(shape)),
    _crop_or_pad,
    grad=lambda g, y, x, shape: (_CROP_OR_PAD(g, shape_of(x)), None),
    samples=(sample([[1.0, 2.0, -1.0], [0.3, 1.0, 2.5]], [3, 2]), sample([1 + 2j], [3])),
)
"""Crop each axis to a length, or append zeros."""


def _lengths(fft_length: object, axes: int) -> tuple[int, ...] | None:
    """Return the lengths of the real side of a transform; None: its own."""
    if fft_length is None:
        return None
    value = static_value(convert_to_tensor(fft_length))
    if value is None:
        raise ValueError("`fft_length` has to be known while the graph is recorded")
    entries = tuple(int(entry) for entry in np.ravel(value))
    if len(entries) != axes:
        raise InvalidArgumentError.of(f"fft_length must have shape [{axes}]")
    return entries


def _fitted(x: Tensor, lengths: Sequence[int] | None) -> Tensor:
    """Crop or zero-pad the last axes to these lengths."""
    if lengths is None:
        return x
    return _CROP_OR_PAD(x, concat([shape_of(x)[: -len(lengths)], list(lengths)], 0))


def _last(x: Tensor) -> Any:
    """Return the length of the last axis: an int where it is known, else a scalar tensor."""
    known = x.spec.dims[-1] if x.spec.dims else None
    return shape_of(x)[-1] if known is None else known


def _from_real(forward: Transform, x: Tensor, lengths: tuple[int, ...] | None, axes: int) -> Tensor:
    signal = _fitted(x, lengths)
    whole = forward.op(complex_(signal, zeros_of(signal)))
    half: Tensor = whole[..., : _last(whole) // 2 + 1]
    return half


def _to_real(inverse: Transform, x: Tensor, lengths: tuple[int, ...] | None, axes: int) -> Tensor:
    if lengths is None:
        count, half = 2 * (_last(x) - 1), x
    else:
        count = lengths[-1]
        half = _fitted(x, (*lengths[:-1], count // 2 + 1))
    mirrored = reverse.op(half[..., 1 : (count + 1) // 2], axis=tuple(range(-axes, 0)))
    if axes > 1:  # frequency 0 stays first
        mirrored = roll(mirrored, [1] * (axes - 1), list(range(-axes, -1)))
    return real(inverse.op(concat([half, conj(mirrored)], -1)))


def _real_transform(
    name: str,
    complex_transform: Transform,
    compute: Callable[[Transform, Tensor, tuple[int, ...] | None, int], Tensor],
    group: DTypes,
    axes: int,
    about: str,
    rest: str,
    example: str,
) -> RealTransform:
    """Define a transform over a complex one; `group` holds the dtypes of its argument."""
    op_name, hint = name.upper(), dtypes.float32 if group is PARTS else dtypes.complex64

    def function(
        input_tensor: TensorLike, fft_length: object = None, name: str | None = None
    ) -> Tensor:
        value = convert_to_tensor(input_tensor, dtype_hint=hint)
        (x,), _ = one_dtype(op_name, [("input", value)], None, group)
        _check_rank(x.spec.dims, axes)
        result = compute(complex_transform, x, _lengths(fft_length, axes), axes)
        return result if name is None else identity(result, name)

    return cast(RealTransform, _published(function, name, axes, about, rest, example))


def _rfft(name: str, forward: Transform, axes: int, example: str) -> RealTransform:
    rest = f"""Args:
          input_tensor: Tensor of rank {axes} or higher, float32 or float64.
          fft_length: vector of {axes} int, to which the axes are cropped or zero-padded; None:
            their own lengths.

        Returns:
          Complex tensor without the redundant half: the last axis has n // 2 + 1 elements."""
    about = "Discrete Fourier transform of real numbers"
    return _real_transform(name, forward, _from_real, PARTS, axes, about, rest, example)


def _irfft(name: str, inverse: Transform, axes: int, example: str) -> RealTransform:
    rest = f"""Args:
          input_tensor: Tensor of rank {axes} or higher, complex64 or complex128, without the
            redundant half.
          fft_length: vector of {axes} int, lengths of the result; None: the last one is
            2 * (n - 1) for n elements.

        Returns:
          Tensor of real numbers."""
    about = "Inverse discrete Fourier transform to real numbers"
    return _real_transform(name, inverse, _to_real, COMPLEX, axes, about, rest, example)


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
rfft = _rfft("rfft", fft, 1, "[1.0, 2.0, 3.0, 4.0] -> [10.+0.j -2.+2.j -2.+0.j]")
irfft = _irfft("irfft", ifft, 1, "[10 + 0j, -2 + 2j, -2 + 0j] -> [1. 2. 3. 4.]")
rfft2d = _rfft(
    "rfft2d", fft2d, 2, "[[1.0, 2.0], [3.0, 4.0]] -> [[10.+0.j -2.+0.j]\n [-4.+0.j  0.+0.j]]"
)
irfft2d = _irfft("irfft2d", ifft2d, 2, "[[10.0, -2.0], [-4.0, 0.0]] -> [[1. 2.]\n [3. 4.]]")
rfft3d = _rfft(
    "rfft3d", fft3d, 3, "[[[1.0, 2.0], [3.0, 4.0]]] -> [[[10.+0.j -2.+0.j]\n  [-4.+0.j  0.+0.j]]]"
)
irfft3d = _irfft("irfft3d", ifft3d, 3, "[[[10.0, -2.0], [-4.0, 0.0]]] -> [[[1. 2.]\n  [3. 4.]]]")
