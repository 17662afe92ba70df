"""Complex numbers, their parts, and the conjugate."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.opdef import DTypes, Emit, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op, zeros_of

PARTS = DTypes("float32 or float64", dtypes.float32, dtypes.float64)
COMPLEX = DTypes("a complex number", dtypes.complex64, dtypes.complex128)
_SAMPLES = (sample(3 - 4j), sample([1 + 2j, -0.5j]))


def _complex_spec(real: Tensor, imag: Tensor) -> TensorSpec:
    spec = rules.broadcasted(real, imag)
    wide = spec.dtype is dtypes.float64
    return spec.with_dtype(dtypes.complex128 if wide else dtypes.complex64)


def _complex(xp: Namespace, real: Array, imag: Array) -> Array:
    unit = np.complex128(1j) if real.dtype == np.float64 else np.complex64(1j)
    whole = real + imag * unit
    if xp is np:  # a product with 1j loses the sign of zero and turns infinities into NaN
        whole = np.empty(np.shape(whole), unit.dtype)
        whole.real, whole.imag = real, imag
    return whole


def _part_spec(x: Tensor) -> TensorSpec:
    return spec_of(x.spec.dtype.real_dtype, x.spec.dims)


def _whole(real: Tensor, imag: Tensor) -> Tensor:
    return complex.op(real, imag)


def _numbers(value: TensorLike) -> Tensor:
    tensor = convert_to_tensor(value)
    if tensor.dtype.is_numeric:
        return tensor
    raise TypeError(f"input must be a numeric tensor, but got tensor with dtype {tensor.dtype!r}")


def _complex_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return (real.op(g), imag.op(g))


@op(
    "Complex",
    {"real": PARTS, "imag": PARTS},
    infer=_complex_spec,
    kernel=_complex,
    elementwise=True,
    emit=Emit.COMPLEX,
    grad=_complex_grad,
    samples=(sample(1.0, 2.0), sample([1.0, 2.0], [[3.0], [4.0]])),
)
def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:
    """Make complex numbers of their real and imaginary parts.

    Args:
      real: float32 or float64 tensor.
      imag: tensor of the same dtype that broadcasts with `real`.

    Returns: complex64 or complex128 tensor of the broadcast shape.
    Raises: TypeError for other dtypes.

    >>> print(complex([1.0, 2.0], 0.5).numpy())
    [1.+0.5j 2.+0.5j]
    """
    first, second = convert_to_tensor(real), convert_to_tensor(imag)
    if first.dtype is not second.dtype or first.dtype not in PARTS:
        raise TypeError(
            f"The `real` and `imag` components have incorrect types: {first.dtype.name} "
            f"{second.dtype.name}. They must be consistent, and one of [tf.float32, tf.float64]"
        )
    return complex.op(first, second, name=name)


@op(
    "Real",
    {"input": COMPLEX},
    infer=_part_spec,
    kernel=lambda xp, z: xp.real(z),
    elementwise=True,
    emit=Emit.REAL,
    grad=lambda g, y, z: (_whole(g, zeros_of(g)),),
    samples=_SAMPLES,
)
def real(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the real part.

    Args:
      input: numeric tensor.

    Returns: Real tensor; `input` itself if it is real.
    Raises: TypeError if the elements are not numbers.

    >>> print(real([3 - 4j, 1j]).numpy())
    [3. 0.]
    """
    tensor = _numbers(input)
    return real.op(tensor, name=name) if tensor.dtype.is_complex else tensor


@op(
    "Imag",
    {"input": COMPLEX},
    infer=_part_spec,
    kernel=lambda xp, z: xp.imag(z),
    elementwise=True,
    emit=Emit.IMAG,
    grad=lambda g, y, z: (_whole(zeros_of(g), g),),
    samples=_SAMPLES,
)
def imag(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the imaginary part, zeros of real numbers.

    Args:
      input, name: as in `real`.

    >>> print(imag([3 - 4j, 1j]).numpy())
    [-4.  1.]
    """
    tensor = _numbers(input)
    return imag.op(tensor, name=name) if tensor.dtype.is_complex else zeros_of(tensor)


def _conj_grad(g: Tensor, y: Tensor, z: Tensor) -> tuple[Tensor]:
    return (conj.op(g),)


@op(
    "Conj",
    {"input": COMPLEX},
    infer=rules.same,
    kernel=lambda xp, z: xp.conj(z),
    elementwise=True,
    emit=Emit.CONJUGATE,
    grad=_conj_grad,
    samples=_SAMPLES,
)
def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the complex conjugate.

    Args:
      x: numeric tensor.

    Returns: Tensor of the shape and dtype of `x`; `x` itself if it is real.
    Raises: TypeError if the elements are not numbers.

    >>> print(conj([3 - 4j, 1j]).numpy())
    [3.+4.j 0.-1.j]
    """
    tensor = convert_to_tensor(x)
    if tensor.dtype.is_complex:
        return conj.op(tensor, name=name)
    if not tensor.dtype.is_numeric:
        raise TypeError(f"Expected numeric or variant tensor, got dtype {tensor.dtype!r}")
    return tensor
