"""The ufuncs of NumPy and the operations that compute them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.dispatch import ufunc_name, unsupported
from runtime.numpy_programs.promotion import as_dtype, is_number, kind_of, known_array, resolve
from runtime.numpy_programs.tables import axis_of, dtype_of, rank_of
from runtime.numpy_programs.values import Array, operand, operand_of, wrapped
from runtime.numpy_programs.views import View
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.convert import cast_to, constant_of
from runtime.ops.items.gathering import gather
from runtime.ops.items.selecting import where
from runtime.ops.linalg import products
from runtime.ops.math import arithmetic, complexes, elementwise, logic
from runtime.ops.math.numpy_ufuncs import accumulate_ufunc, apply_ufunc
from runtime.ops.reduce.reduction import reduce_sum

Operation = Callable[..., Tensor]


def _on_bools(of_bools: Operation, of_numbers: Operation) -> Operation:
    """Return a function of operands of one dtype that treats bools apart."""

    def function(*tensors: Tensor) -> Tensor:
        return (of_bools if tensors[0].dtype is dtypes.bool else of_numbers)(*tensors)

    return function


def _of_floats(of_floats: Operation, of_integers: Operation) -> Operation:
    def function(*tensors: Tensor) -> Tensor:
        return (of_integers if tensors[0].dtype.kind in "biu" else of_floats)(*tensors)

    return function


def _number(value: float, like: Tensor) -> Tensor:
    return constant_of(np.asarray(value, like.dtype.numpy_dtype))


def _shift(shift: Operation, beyond: Operation) -> Operation:
    """Return a shift that is defined for any distance, as NumPy's is."""

    def function(x: Tensor, y: Tensor) -> Tensor:
        bits_of = 8 * x.dtype.size
        known = known_array(y)
        if known is not None and np.all((known >= 0) & (known < bits_of)):
            return shift(x, y)
        outside = logic.greater_equal(y, _number(bits_of, y))
        if y.dtype.kind == "i":
            outside = logic.logical_or(outside, logic.less(y, _number(0, y)))
        within = where(outside, _number(0, y), y)
        return where(outside, beyond(x), shift(x, within))

    return function


def _sign_bits(x: Tensor) -> Tensor:
    """Return what is left after all bits are shifted out to the right: -1 or 0."""
    if x.dtype.kind == "u":
        return _number(0, x)
    return where(logic.less(x, _number(0, x)), _number(-1, x), _number(0, x))


def _identity(x: Tensor) -> Tensor:
    return x


def _trunc(x: Tensor) -> Tensor:
    """Round toward zero; the sign of a zero is that of the number."""
    down, up = elementwise.floor(x), elementwise.ceil(x)
    return where(logic.less(x, _number(0, x)), up, down)


def constant_like(x: Tensor, value: bool) -> Tensor:
    """Return a bool tensor of the shape of `x` with one value."""
    same = logic.equal(x, x)
    return logic.logical_and(same, value) if not value else logic.logical_or(same, value)


def _to_truth(x: Tensor) -> Tensor:
    return x if x.dtype is dtypes.bool else logic.not_equal(x, _number(0, x))


def _of_truths(function: Operation) -> Operation:
    return lambda *tensors: function(*map(_to_truth, tensors))


def _scaled(factor: float) -> Operation:
    return lambda x: arithmetic.multiply(x, _number(factor, x))


def _logarithm(base: int, least: int, most: int) -> Operation:
    """Return the logarithm to a base, exact for powers of the base.

    Args:
      least, most: exponents of the smallest and largest power among the doubles.
    """
    powers = np.array([float(f"1e{k}") if base == 10 else 2.0**k for k in range(least, most + 1)])

    def function(x: Tensor) -> Tensor:
        wide = cast_to(x, dtypes.float64)
        found = arithmetic.divide(elementwise.log(wide), _number(np.log(base), wide))
        near = where(elementwise.is_finite(found), elementwise.rint(found), _number(0, found))
        within = arithmetic.maximum(
            arithmetic.minimum(near, _number(most, near)), _number(least, near)
        )
        index = cast_to(within, dtypes.int64) - least
        is_power = logic.equal(gather(constant_of(powers), index), wide)
        return cast_to(where(is_power, near, found), x.dtype)

    return function


def matmul(x: Tensor, y: Tensor) -> Tensor:
    """Return `x @ y`: vectors are rows on the left and columns on the right."""
    left, right = x.shape.rank, y.shape.rank
    if left == 1 and right == 1:
        lengths = x.shape[0], y.shape[0]
        if None not in lengths and lengths[0] == lengths[1]:
            return reduce_sum(arithmetic.multiply(x, y))
        return squeeze(products.matvec(expand_dims(x, 0), y))  # checks the lengths
    if right == 1:
        return products.matvec(x, y)
    if left == 1:
        return products.matvec(y, x, transpose_a=True)
    return products.matmul(x, y)


_TABLE: dict[np.ufunc, Operation] = {
    np.add: _on_bools(logic.logical_or, arithmetic.add),
    np.subtract: arithmetic.subtract,
    np.multiply: _on_bools(logic.logical_and, arithmetic.multiply),
    np.true_divide: arithmetic.divide,
    np.floor_divide: arithmetic.floordiv,
    np.remainder: arithmetic.floormod,
    np.power: arithmetic.pow,
    np.negative: elementwise.negative,
    np.positive: _identity,
    np.absolute: _on_bools(_identity, elementwise.abs),
    np.fabs: elementwise.abs,
    np.sign: elementwise.sign,
    np.sqrt: elementwise.sqrt,
    np.square: _on_bools(_identity, elementwise.square),
    np.reciprocal: elementwise.reciprocal,
    np.exp: elementwise.exp,
    np.expm1: elementwise.expm1,
    np.log: elementwise.log,
    np.log1p: elementwise.log1p,
    np.log2: _logarithm(2, -1074, 1023),
    np.log10: _logarithm(10, -307, 308),
    np.sin: elementwise.sin,
    np.cos: elementwise.cos,
    np.tan: elementwise.tan,
    np.arcsin: elementwise.asin,
    np.arccos: elementwise.acos,
    np.arctan: elementwise.atan,
    np.arctan2: arithmetic.atan2,
    np.sinh: elementwise.sinh,
    np.cosh: elementwise.cosh,
    np.tanh: elementwise.tanh,
    np.arcsinh: elementwise.asinh,
    np.arccosh: elementwise.acosh,
    np.arctanh: elementwise.atanh,
    np.deg2rad: _scaled(np.pi / 180),
    np.radians: _scaled(np.pi / 180),
    np.rad2deg: _scaled(180 / np.pi),
    np.degrees: _scaled(180 / np.pi),
    np.floor: _of_floats(elementwise.floor, _identity),
    np.ceil: _of_floats(elementwise.ceil, _identity),
    np.trunc: _of_floats(_trunc, _identity),
    np.rint: elementwise.rint,
    np.isnan: _of_floats(elementwise.is_nan, lambda x: constant_like(x, False)),
    np.isinf: _of_floats(elementwise.is_inf, lambda x: constant_like(x, False)),
    np.isfinite: _of_floats(elementwise.is_finite, lambda x: constant_like(x, True)),
    np.conjugate: complexes.conj,
    np.maximum: _on_bools(logic.logical_or, arithmetic.maximum),
    np.minimum: _on_bools(logic.logical_and, arithmetic.minimum),
    np.less: logic.less,
    np.less_equal: logic.less_equal,
    np.greater: logic.greater,
    np.greater_equal: logic.greater_equal,
    np.equal: logic.equal,
    np.not_equal: logic.not_equal,
    np.logical_and: _of_truths(logic.logical_and),
    np.logical_or: _of_truths(logic.logical_or),
    np.logical_xor: _of_truths(logic.logical_xor),
    np.logical_not: _of_truths(elementwise.logical_not),
    np.bitwise_and: _on_bools(logic.logical_and, logic.bitwise_and),
    np.bitwise_or: _on_bools(logic.logical_or, logic.bitwise_or),
    np.bitwise_xor: _on_bools(logic.logical_xor, logic.bitwise_xor),
    np.invert: _on_bools(elementwise.logical_not, logic.invert),
    np.left_shift: _shift(logic.left_shift, lambda x: _number(0, x)),
    np.right_shift: _shift(logic.right_shift, _sign_bits),
    np.matmul: matmul,
}
"""Each function gets operands of the dtypes of NumPy's loop."""

_ORDER = frozenset({
    np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal
})  # fmt: skip


def _apply(ufunc: np.ufunc, operation: Operation, *operands: Any) -> Any:
    """Apply a ufunc with NumPy's dtypes.

    Raises:
      TypeError: NumPy's, for dtypes that the function does not take.
      OverflowError: for a Python int out of the range of the dtype of the array.
    """
    values = [_tensor_or_number(each) for each in operands]
    kinds = [kind_of(value) for value in values]
    taken, (given, *_) = resolve(ufunc, kinds)
    is_python = any(kind is int for kind in kinds)
    if ufunc in _ORDER and is_python and taken[0].kind in "iu" and taken[0] != np.uint64:
        taken = [np.dtype(np.int64)] * 2  # a Python int may be out of the range of the dtype
    if len(set(taken)) > 1:
        raise TypeError(f"`np.{ufunc.__name__}` of {taken[0]} and {taken[1]}: cast one of them")
    result = operation(*(as_dtype(v, dtype) for v, dtype in zip(values, taken, strict=True)))
    return wrapped(cast_to(result, dtypes.from_numpy(given)))


def apply_other(ufunc: np.ufunc, *operands: Any) -> Any:
    """Apply a ufunc that has no row: NumPy, or its own package, computes it when the graph runs.

    Raises:
      StagingError: if it is no function of single elements, or one of Python objects.
    """
    values = [_tensor_or_number(each) for each in operands]
    taken, given = resolve(ufunc, list(map(kind_of, values)))
    if ufunc.signature or any(dtype.kind not in "biufc" for dtype in (*taken, *given)):
        raise unsupported(ufunc_name(ufunc))
    tensors = [as_dtype(v, dtype) for v, dtype in zip(values, taken, strict=True)]
    results = [
        wrapped(apply_ufunc(*tensors, ufunc=ufunc, place=place, dtype=dtypes.from_numpy(dtype)))
        for place, dtype in enumerate(given)
    ]
    return tuple(results) if ufunc.nout > 1 else results[0]


def accumulate(ufunc: np.ufunc, array: TensorLike, axis: int = 0) -> Any:
    """Return the results of a ufunc so far along an axis, in the dtype of the array.

    Raises:
      StagingError: if the results have another dtype.
    """
    tensor = operand(array)
    (one, _), (given,) = resolve(ufunc, [kind_of(tensor)] * 2)
    if not one == given == dtype_of(tensor):
        raise unsupported(f"{ufunc_name(ufunc)}.accumulate")
    return Array(accumulate_ufunc(tensor, ufunc=ufunc, axis=axis_of(axis, rank_of(tensor))))


def _tensor_or_number(value: TensorLike) -> Any:
    if is_number(value):
        return value
    known = operand_of(value)
    if known is None:
        raise TypeError(f"unsupported operand type for NumPy: {type(value).__name__!r}")
    return known.tensor if isinstance(known, Array) else known


UFUNCS: dict[np.ufunc, Callable[..., Any]] = {
    ufunc: partial(_apply, ufunc, operation) for ufunc, operation in _TABLE.items()
}
"""From a ufunc of NumPy to a function of operands."""


def _divmod(x: TensorLike, y: TensorLike) -> tuple[Any, Any]:
    return UFUNCS[np.floor_divide](x, y), UFUNCS[np.remainder](x, y)


UFUNCS[np.divmod] = _divmod


class _Parts:
    """The step to the real or imaginary parts of complex numbers.

    Args:
      name: "real" or "imag".
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def read(self, tensor: Tensor) -> Tensor:
        """Return the parts."""
        return complexes.real(tensor) if self._name == "real" else complexes.imag(tensor)

    def write(self, tensor: Tensor, value: Tensor) -> Tensor:
        """Return the numbers with these parts."""
        if self._name == "real":
            return complexes.complex(value, complexes.imag(tensor))
        return complexes.complex(complexes.real(tensor), value)

    def of_caller(self, array: TensorLike) -> Any:
        """Return the view of the caller's array."""
        return getattr(array, self._name)


def real(x: TensorLike) -> Any:
    """Return the real parts: a view of complex numbers, other arrays themselves."""
    tensor = operand(x)
    if tensor.dtype.is_complex:
        is_array = isinstance(x, Array)
        return View(x, _Parts("real")) if is_array else wrapped(complexes.real(tensor))
    return x if isinstance(x, (Tensor, Array)) else Array(tensor)


def imag(x: TensorLike) -> Any:
    """Return the imaginary parts: a view of complex numbers."""
    tensor = operand(x)
    if isinstance(x, Array) and tensor.dtype.is_complex:
        return View(x, _Parts("imag"))
    return wrapped(complexes.imag(tensor))
