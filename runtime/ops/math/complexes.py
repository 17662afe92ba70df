"""Complex numbers and their parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import DTypes, Kernel, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op

PARTS = DTypes("float32 or float64", dtypes.float32, dtypes.float64)
COMPLEX = DTypes("a complex number", dtypes.complex64, dtypes.complex128)
_SAMPLES = (sample(3 - 4j), sample([1 + 2j, -0.5j]))


def _whole(real: Tensor, imag: Tensor) -> TensorSpec:
    spec = rules.broadcasted(real, imag)
    wide = spec.dtype is dtypes.float64
    return spec.with_dtype(dtypes.complex128 if wide else dtypes.complex64)


def _joined(xp: Any, real: Any, imag: Any) -> Any:
    unit = np.complex128(1j) if real.dtype == np.float64 else np.complex64(1j)
    whole = real + imag * unit
    if xp is np:  # a product with 1j loses the sign of zero and turns infinities into NaN
        whole = np.empty(np.shape(whole), unit.dtype)
        whole.real, whole.imag = real, imag
    return whole


_COMPLEX = define_op(
    "Complex",
    {"real": PARTS, "imag": PARTS},
    _whole,
    _joined,
    elementwise=True,
    grad=lambda g, z, x, y: (call("Real", g), call("Imag", g)),
    samples=(sample(1.0, 2.0), sample([1.0, 2.0], [[3.0], [4.0]])),
)


def _part(name: str, kernel: Kernel, grad: Any) -> Op:
    def spec(x: Tensor) -> TensorSpec:
        return spec_of(x.spec.dtype.real_dtype, x.spec.dims)

    return define_op(
        name, {"input": COMPLEX}, spec, kernel, elementwise=True, grad=grad, samples=_SAMPLES
    )


def _nothing_like(g: Tensor) -> Tensor:
    return call("ZerosLike", g, dtype=g.dtype)


def _angle_grad(g: Tensor, y: Tensor, z: Tensor) -> tuple[Tensor]:
    turned = 1.0 / _COMPLEX(_IMAG(z), _REAL(z))
    return (-_COMPLEX(g, _nothing_like(g)) * turned,)


_REAL = _part("Real", lambda xp, z: xp.real(z), lambda g, y, z: (_COMPLEX(g, _nothing_like(g)),))
_IMAG = _part("Imag", lambda xp, z: xp.imag(z), lambda g, y, z: (_COMPLEX(_nothing_like(g), g),))
_ANGLE = _part("Angle", lambda xp, z: xp.angle(z), _angle_grad)
_CONJ = define_op(
    "Conj",
    {"input": COMPLEX},
    rules.same,
    lambda xp, z: xp.conj(z),
    elementwise=True,
    grad=lambda g, y, z: (conj(g),),
    samples=_SAMPLES,
)


def _numbers(value: TensorLike) -> Tensor:
    tensor = convert_to_tensor(value)
    if tensor.dtype.is_numeric:
        return tensor
    raise TypeError(f"input must be a numeric tensor, but got tensor with dtype {tensor.dtype!r}")


def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:
    """Complex numbers from their two parts.

    Args:
      real, imag: float32 or float64, both alike; the shapes broadcast.

    Returns: complex64 or complex128.
    Raises: TypeError for other dtypes.

    >>> print(complex(1.0, 2.0))
    tf.Tensor((1+2j), shape=(), dtype=complex64)
    """
    first = convert_to_tensor(real)
    second = convert_to_tensor(imag)
    if first.dtype is not second.dtype or first.dtype not in PARTS:
        raise TypeError(
            f"The `real` and `imag` components have incorrect types: {first.dtype.name} "
            f"{second.dtype.name}. They must be consistent, and one of [tf.float32, tf.float64]"
        )
    return _COMPLEX(first, second, name=name)


def real(input: TensorLike, name: str | None = None) -> Tensor:
    """The real part; of real numbers themselves.

    Raises: TypeError if the elements are no numbers.

    >>> print(real(3 - 4j))
    tf.Tensor(3.0, shape=(), dtype=float64)
    """
    tensor = _numbers(input)
    return _REAL(tensor, name=name) if tensor.dtype.is_complex else tensor


def imag(input: TensorLike, name: str | None = None) -> Tensor:
    """The imaginary part; of real numbers zeros.

    Raises: TypeError if the elements are no numbers.

    >>> print(imag(3 - 4j))
    tf.Tensor(-4.0, shape=(), dtype=float64)
    """
    tensor = _numbers(input)
    if tensor.dtype.is_complex:
        return _IMAG(tensor, name=name)
    return call("ZerosLike", tensor, dtype=tensor.dtype)


def angle(input: TensorLike, name: str | None = None) -> Tensor:
    """The angle of a complex number in radians; of real numbers 0, or pi if they are negative.

    Raises: TypeError if the elements are no numbers.

    >>> print(angle([1.0, -1.0]))
    tf.Tensor([0.        3.1415927], shape=(2,), dtype=float32)
    """
    tensor = _numbers(input)
    if tensor.dtype.is_complex:
        return _ANGLE(tensor, name=name)
    zeros = call("ZerosLike", tensor, dtype=tensor.dtype)
    half_turn = call("OnesLike", tensor, dtype=tensor.dtype) * np.pi
    return call("SelectV2", call("Less", tensor, zeros), half_turn, zeros)


def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """The number with the opposite imaginary part; real numbers themselves.

    Raises: TypeError if the elements are no numbers.

    >>> print(conj(3 - 4j))
    tf.Tensor((3+4j), shape=(), dtype=complex128)
    """
    tensor = convert_to_tensor(x)
    if tensor.dtype.is_complex:
        return _CONJ(tensor, name=name)
    if not tensor.dtype.is_numeric:
        raise TypeError(f"Expected numeric or variant tensor, got dtype {tensor.dtype!r}")
    return tensor
