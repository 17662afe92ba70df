"""Traced scalars of NumPy: immutable tensors with NumPy's operators."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph.operators.alternatives import over_alternatives
from autograph.staging import is_one_of
from runtime.control_flow.values.one_of import TensorOneOf
from runtime.core.aliases import DTypeLike
from runtime.core.dtypes import DType
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Operators, Tensor, TensorLike
from runtime.numpy_programs.dispatch import (
    BINARY,
    COMPARISONS,
    METHODS,
    UNARY,
    Function,
    call_method,
    function_result,
    refuse,
    ufunc_result,
    unsupported,
)
from runtime.numpy_programs.promotion import as_dtype, is_number, kind_of, python_number
from runtime.numpy_programs.values import Array, Protocols, is_operand, operand, wrapped
from runtime.ops.base.convert import strong, weakened


def _number(value: Any) -> Any:
    """Return the number of a value that may be None, after a check that it is not."""
    may_be_none = is_one_of(value) and any(each is None for each in value.__autograph_values__)
    return value.__autograph_settled__() if may_be_none else value


class NumPyOneOf(TensorOneOf):
    """One of several values of a NumPy program, which NumPy's functions compute with, too."""

    __slots__ = ()

    def __array_ufunc__(  # type: ignore[override]
        self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any
    ) -> Any:
        """Apply a ufunc to each value."""
        return over_alternatives(partial(getattr(ufunc, method), **options), *map(_number, inputs))

    def __array_function__(
        self, function: Any, types: object, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Any:
        """Apply any other function of NumPy to each value."""
        if not any(map(is_one_of, (*args, *kwargs.values()))):
            raise self.__autograph_refusal__("in a list that a function of NumPy gets")
        return over_alternatives(function, *args, **kwargs)


class NumPyTensor(Protocols, SymbolicTensor):
    """A tensor of the graph of a NumPy program: a scalar of NumPy, or a Python number.

    Operators on two Python numbers are Python's, all others NumPy's.
    """

    __slots__ = ()

    strict = True
    one_of = NumPyOneOf

    __hash__ = SymbolicTensor.__hash__

    @staticmethod
    def carried(value: TensorLike, dtype: DType) -> Tensor:
        """Return the tensor of a variable that is a scalar of NumPy on another way.

        Raises:
          OverflowError: for a Python int that does not fit.
        """
        return as_dtype(value if is_number(value) else operand(value), dtype.numpy_dtype)

    def __autograph_type__(self) -> type:
        """Return the class of the scalar of NumPy, or of the Python number."""
        if self.weak is False and self.dtype.kind in "biufc":
            return self.dtype.numpy_dtype.type
        return super().__autograph_type__()

    def astype(self, dtype: DTypeLike, *args: object, **options: object) -> Any:
        """Return the scalar in another dtype."""
        return wrapped(as_dtype(strong(self), np.dtype(dtype)))

    def __array__(self, *args: object, **options: object) -> NoReturn:
        """Raise: an array that is not traced, or a function without an operation, asks for it."""
        raise refuse(
            "a number that only the running graph knows is stored in an array that is not traced, "
            "or passed to a function that asks for its value.",
            "Pass the array as an argument, or make it in the program.",
        )

    def item(self) -> Any:
        """Return the Python number."""
        return python_number(self)

    def copy(self) -> NumPyTensor:
        """Return the scalar itself: it is immutable."""
        return self

    @property
    def T(self) -> Any:
        """The scalar."""
        return self

    @property
    def real(self) -> Any:
        """The real part."""
        return function_result(np.real, self)

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return self._of_same_kind(function_result(np.imag, self))

    def conjugate(self) -> Any:
        """Return the complex conjugate; a real number itself."""
        if not self.dtype.is_complex:
            return self
        return self._of_same_kind(ufunc_result(np.conjugate, self))

    def is_integer(self) -> Any:
        """Return, as a bool of Python, whether the number has no fraction."""
        return weakened(self % 1 == 0)

    def _of_same_kind(self, result: Tensor) -> Tensor:
        """Return a number of Python if this is one."""
        return weakened(result) if is_number(self) else result

    def __getattr__(self, name: str) -> Any:
        """Return a method of a scalar. Raises StagingError for those without an operation."""
        function = METHODS.get(name)
        if function is not None and not self.weak:
            return lambda *args, **kwargs: call_method(function, self, *args, **kwargs)
        kind = self.__autograph_type__() if self.dtype.kind in "biufc" else object
        if not name.startswith("_") and hasattr(kind, name):
            raise unsupported(f"{kind.__name__}.{name}")
        return super().__getattr__(name)


def _is_of_runtime(value: object) -> bool:
    """Return whether a tensor is of the code of the runtime: a program has an `Array` for it."""
    return isinstance(value, NumPyTensor) and value.spec.dims != ()


_OF_COMPLEX = frozenset({"add", "sub", "mul", "truediv", "pow"})
"""Operators of Python's complex, which takes a float64, a float too, as its second operand."""


def _are_of_complex(first: TensorLike, second: TensorLike) -> bool:
    return kind_of(first) is complex and not is_number(second) and kind_of(second) == np.float64


def _as_number(value: TensorLike) -> TensorLike:
    return python_number(operand(value)) if isinstance(value, (Tensor, np.generic)) else value


def _tensor_operator(name: str, ufunc: np.ufunc, reflected: bool = False) -> Function:
    plain = f"__r{name}__" if reflected else f"__{name}__"

    def method(self: NumPyTensor, other: TensorLike) -> Any:
        if isinstance(other, Array) or is_one_of(other):
            return NotImplemented
        if not is_operand(other) or (is_number(self) and is_number(other)):
            return getattr(Operators, plain)(self, other)
        first, second = (other, self) if reflected else (self, other)
        if name in _OF_COMPLEX and _are_of_complex(first, second):
            return getattr(Operators, plain)(*map(_as_number, (self, other)))
        if self.spec.dtype.kind == "O" or _is_of_runtime(self) or _is_of_runtime(other):
            return getattr(Operators, plain)(self, other)
        return ufunc_result(ufunc, first, second)

    method.__name__ = plain
    return method


def _tensor_sign(name: str, ufunc: np.ufunc) -> Function:
    def method(self: NumPyTensor) -> Any:
        if self.weak or _is_of_runtime(self):
            return getattr(Operators, f"__{name}__")(self)
        return ufunc_result(ufunc, self)

    return method


for _operator, _ufunc in {**BINARY, **COMPARISONS}.items():
    setattr(NumPyTensor, f"__{_operator}__", _tensor_operator(_operator, _ufunc))
for _operator, _ufunc in BINARY.items():
    setattr(NumPyTensor, f"__r{_operator}__", _tensor_operator(_operator, _ufunc, True))
for _operator, _ufunc in UNARY.items():
    setattr(NumPyTensor, f"__{_operator}__", _tensor_sign(_operator, _ufunc))
