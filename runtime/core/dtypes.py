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
    """The type of the elements of a tensor; one object for each type.

    Args:
      name: the name, such as `int32`.
      enum: the number of the type in a GraphDef.
      numpy_type: the class of NumPy scalars of this type.

    Attributes:
      as_numpy_dtype: `numpy_type`.
      numpy_dtype: NumPy's dtype.
      kind: the letter of NumPy's `dtype.kind`.

    >>> int32
    tf.int32
    >>> str(int32)
    "<dtype: 'int32'>"
    >>> int32 == "int32", int32 == np.int32
    (True, True)
    """

    __slots__ = ("as_numpy_dtype", "enum", "kind", "name", "numpy_dtype", "size")

    size: int
    """Bytes of one element; 0 for elements of varying length."""

    def __init__(self, name: str, enum: int, numpy_type: type) -> None:
        """Create one of the types below; there are no others."""
        self.name = name
        self.enum = enum
        self.as_numpy_dtype = numpy_type
        self.numpy_dtype: np.dtype[Any] = np.dtype(numpy_type)
        self.kind = self.numpy_dtype.kind
        self.size = 0 if self.kind == "O" else self.numpy_dtype.itemsize

    @property
    def as_datatype_enum(self) -> int:
        """The number of this type in a GraphDef."""
        return self.enum

    @property
    def type_word(self) -> str:
        """The name in messages about operands: `float`, `double`, `half`, else `name`."""
        return {"float32": "float", "float64": "double", "float16": "half"}.get(
            self.name, self.name
        )

    @property
    def is_floating(self) -> builtins.bool:
        """True for a real floating-point type."""
        return self.kind == "f"

    @property
    def is_integer(self) -> builtins.bool:
        """True for a signed or unsigned integer type."""
        return self.kind in "iu"

    @property
    def is_unsigned(self) -> builtins.bool:
        """True for an unsigned integer type."""
        return self.kind == "u"

    @property
    def is_complex(self) -> builtins.bool:
        """True for a complex type."""
        return self.kind == "c"

    @property
    def is_bool(self) -> builtins.bool:
        """True for bool."""
        return self.kind == "b"

    @property
    def is_numeric(self) -> builtins.bool:
        """True for integer, floating-point and complex types."""
        return self.kind in "iufc"

    def is_compatible_with(self, other: object) -> builtins.bool:
        """Return whether a tensor of this type fits where `other` is required: the types are
        equal.

        Args:
          other: anything that `as_dtype` takes.
        """
        return as_dtype(other) is self

    @property
    def real_dtype(self) -> DType:
        """The type of the real part."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    @property
    def min(self) -> Any:
        """The smallest finite value. Raises TypeError if there is none."""
        return self._extremes("minimum").min

    @property
    def max(self) -> Any:
        """The largest finite value. Raises TypeError if there is none."""
        return self._extremes("maximum").max

    def _extremes(self, wanted: str) -> Any:
        if self.is_integer:
            return np.iinfo(self.numpy_dtype)
        if self.is_floating:
            return np.finfo(self.numpy_dtype)
        raise TypeError(f"Cannot find {wanted} value of {self}.")

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __eq__(self, other: object) -> builtins.bool:
        if isinstance(other, DType):
            return self is other
        if other is None:
            return False
        try:
            return self is as_dtype(other)
        except TypeError:
            return False

    # Types are singletons, and this hash is on the hot path.
    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


class MissingDType:
    """A type that programs can name and compare, but that no tensor has.

    >>> float32 == bfloat16
    False
    >>> as_dtype(bfloat16)
    Traceback (most recent call last):
    ...
    TypeError: bfloat16 tensors are not supported; floating-point dtypes: float16, float32, float64
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"tf.{self.name}"


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
bfloat16 = MissingDType("bfloat16")

ALL = (
    float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    bool, complex64, complex128, string, resource, variant,
)  # fmt: skip

_BY_NAME = {dtype.name: dtype for dtype in ALL} | {
    "half": half,
    "float": float32,
    "double": double,
}
_BY_NUMPY = {dtype.numpy_dtype: dtype for dtype in ALL if dtype.kind != "O"}
_BY_PYTHON: dict[Any, DType] = {float: float32, builtins.bool: bool, object: string}
_BY_ENUM = {dtype.enum: dtype for dtype in ALL}


def from_numpy(dtype: np.dtype[Any]) -> DType:
    """Return the dtype of an array in any byte order. Raises TypeError if no tensor can have it.

    >>> from_numpy(np.dtype(">f4"))
    tf.float32
    """
    found = _BY_NUMPY.get(dtype) or _BY_NUMPY.get(dtype.newbyteorder("="))
    if found is not None:
        return found
    if dtype.kind in "OSU":
        return string
    raise TypeError(f"tensors cannot hold elements of NumPy dtype {dtype}")


def as_dtype(type_value: object) -> DType:
    """Return the `DType` for a name, NumPy type, Python type or GraphDef number.

    `float` means float32 and `bool` means bool. `int` is ambiguous (int32 or int64) and refused.

    Args:
      type_value: a `DType`, string, NumPy dtype or scalar type, Python type or int.

    Raises: TypeError if it names no type.

    >>> as_dtype(np.float64)
    tf.float64
    """
    if isinstance(type_value, DType):
        return type_value
    found: DType | None = None
    if isinstance(type_value, str):
        found = _BY_NAME.get(type_value)
    elif isinstance(type_value, np.dtype):
        found = from_numpy(type_value)
    elif isinstance(type_value, int):
        found = _BY_ENUM.get(type_value)
    elif isinstance(type_value, type):
        found = _BY_PYTHON.get(type_value)
        if found is None and issubclass(type_value, np.generic):
            found = from_numpy(np.dtype(type_value))
    if found is None:
        raise _unknown(type_value)
    return found


def _unknown(type_value: object) -> TypeError:
    if type_value is bfloat16 or (isinstance(type_value, str) and type_value == "bfloat16"):
        floats = ", ".join(dtype.name for dtype in ALL if dtype.is_floating)
        return TypeError(f"bfloat16 tensors are not supported; floating-point dtypes: {floats}")
    remedy = " Say which one: int32 or int64." if type_value is int else ""
    return TypeError(
        f"Cannot convert the argument `type_value`: {type_value!r} to a DType.{remedy}"
    )
