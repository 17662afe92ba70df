"""Data types of tensor elements.

>>> as_dtype("float32") is float32
True
>>> float32.is_floating, int8.max
(True, 127)
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np


class DType:
    """The type of the elements of a tensor; there is one object for each type.

    >>> int32
    tf.int32
    >>> str(int32)
    "<dtype: 'int32'>"
    >>> int32 == "int32", int32 == np.int32
    (True, True)
    """

    __slots__ = ("as_numpy_dtype", "enum", "kind", "name", "numpy_dtype")

    def __init__(self, name: str, enum: int, numpy_type: type) -> None:
        """Makes one of the types below; there is no need for others."""
        self.name = name
        self.enum = enum
        self.as_numpy_dtype = numpy_type
        self.numpy_dtype: np.dtype[Any] = np.dtype(numpy_type)
        self.kind = self.numpy_dtype.kind

    @property
    def as_datatype_enum(self) -> int:
        """The number of this type in saved graphs."""
        return self.enum

    @property
    def base_dtype(self) -> DType:
        """This type."""
        return self

    @property
    def is_floating(self) -> builtins.bool:
        """Whether it is a real floating-point type."""
        return self.kind == "f"

    @property
    def is_integer(self) -> builtins.bool:
        """Whether it is a signed or unsigned integer type."""
        return self.kind in "iu"

    @property
    def is_unsigned(self) -> builtins.bool:
        """Whether it is an unsigned integer type."""
        return self.kind == "u"

    @property
    def is_complex(self) -> builtins.bool:
        """Whether it is a complex type."""
        return self.kind == "c"

    @property
    def is_bool(self) -> builtins.bool:
        """Whether it is the type of truth values."""
        return self.kind == "b"

    @property
    def is_numeric(self) -> builtins.bool:
        """Whether one can calculate with it."""
        return self.kind in "iufc"

    @property
    def real_dtype(self) -> DType:
        """The type of the real part."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    @property
    def size(self) -> int:
        """Bytes of one element; 1 for strings."""
        return 1 if self.kind == "O" else self.numpy_dtype.itemsize

    @property
    def min(self) -> Any:
        """The smallest finite value. Raises TypeError where there is none."""
        return self._limits().min

    @property
    def max(self) -> Any:
        """The largest finite value. Raises TypeError where there is none."""
        return self._limits().max

    def _limits(self) -> Any:
        if self.is_integer:
            return np.iinfo(self.numpy_dtype)
        if self.is_floating:
            return np.finfo(self.numpy_dtype)
        raise TypeError(f"{self.name} has no smallest or largest value")

    def __repr__(self) -> str:
        """Gives `tf.float32`."""
        return f"tf.{self.name}"

    def __str__(self) -> str:
        """Gives `<dtype: 'float32'>`."""
        return f"<dtype: {self.name!r}>"

    def __eq__(self, other: object) -> builtins.bool:
        """Compares with anything that `as_dtype` takes."""
        if isinstance(other, DType):
            return self is other
        if other is None:
            return False
        try:
            return self is as_dtype(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        """Hashes the name."""
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the name."""
        return as_dtype, (self.name,)


float32 = DType("float32", 1, np.float32)
float64 = DType("float64", 2, np.float64)
int32 = DType("int32", 3, np.int32)
uint8 = DType("uint8", 4, np.uint8)
int16 = DType("int16", 5, np.int16)
int8 = DType("int8", 6, np.int8)
string = DType("string", 7, np.object_)
complex64 = DType("complex64", 8, np.complex64)
int64 = DType("int64", 9, np.int64)
bool = DType("bool", 10, np.bool_)
uint16 = DType("uint16", 17, np.uint16)
complex128 = DType("complex128", 18, np.complex128)
float16 = DType("float16", 19, np.float16)
resource = DType("resource", 20, np.object_)
variant = DType("variant", 21, np.object_)
uint32 = DType("uint32", 22, np.uint32)
uint64 = DType("uint64", 23, np.uint64)
half = float16
double = float64

ALL = (
    float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    bool, complex64, complex128, string, resource, variant,
)  # fmt: skip

_BY_NAME = {dtype.name: dtype for dtype in ALL} | {"half": half, "double": double}
_BY_NUMPY = {dtype.numpy_dtype: dtype for dtype in ALL if dtype.kind != "O"}
_BY_PYTHON: dict[Any, DType] = {float: float32, str: string, bytes: string, object: string}


def from_numpy(dtype: np.dtype[Any]) -> DType:
    """The type of the elements of an array. Raises TypeError if tensors have no such type."""
    found = _BY_NUMPY.get(dtype)
    if found is not None:
        return found
    if dtype.kind in "OSU":
        return string
    raise TypeError(f"tensors cannot hold elements of NumPy dtype {dtype}")


def as_dtype(type_value: Any) -> DType:
    """The `DType` that a name, NumPy type, Python type or number of a saved graph stands for.

    Raises: TypeError if it stands for none.

    >>> as_dtype(np.float64)
    tf.float64
    """
    if isinstance(type_value, DType):
        return type_value
    if isinstance(type_value, str) and type_value in _BY_NAME:
        return _BY_NAME[type_value]
    if isinstance(type_value, int):
        for dtype in ALL:
            if dtype.enum == type_value:
                return dtype
    if isinstance(type_value, type) and type_value in _BY_PYTHON:
        return _BY_PYTHON[type_value]
    try:
        return from_numpy(np.dtype(type_value))
    except TypeError as error:
        raise TypeError(f"{type_value!r} does not stand for a tensor dtype") from error
