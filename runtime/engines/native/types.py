"""LLVM types of numbers, and of elements of arrays."""

from __future__ import annotations

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.engines.limits import Unsupported

FLOATS: dict[DType, ir.Type] = {dtypes.float32: ir.FloatType(), dtypes.float64: ir.DoubleType()}
TRUTH = ir.IntType(1)
INT64 = ir.IntType(64)
POINTER = ir.PointerType()
NULL = ir.Constant(POINTER, None)


def type_of(dtype: DType) -> ir.Type:
    """Return the LLVM type of a number. Raises Unsupported for float16, bfloat16 and non-numbers.

    >>> str(type_of(dtypes.int32)), str(type_of(dtypes.bool))
    ('i32', 'i1')
    """
    if not has_type(dtype):
        raise Unsupported(f"numbers of dtype {dtype.name}")
    if dtype.is_bool:
        return TRUTH
    if dtype.is_complex:
        return ir.LiteralStructType([FLOATS[dtype.real_dtype]] * 2)
    return ir.IntType(8 * dtype.size) if dtype.is_integer else FLOATS[dtype]


def number(dtype: DType, value: complex) -> ir.Constant:
    """Return a constant."""
    kind = type_of(dtype)
    if dtype.is_complex:
        return kind([part(x) for part, x in zip(kind, (value.real, value.imag), strict=True)])
    return kind(value)


def has_type(dtype: DType) -> bool:
    """Return whether numbers of a dtype have an LLVM type.

    >>> has_type(dtypes.int8), has_type(dtypes.float16)
    (True, False)
    """
    return dtype.is_bool or dtype.is_integer or dtype.is_complex or dtype in FLOATS


def imported(build: ir.IRBuilder, name: str, kind: ir.FunctionType) -> ir.Function:
    """Return a function of another library by its name."""
    return build.module.globals.get(name) or ir.Function(build.module, kind, name)


def memory_type(dtype: DType) -> ir.Type:
    """Return the LLVM type of an element of an array; a truth value takes a byte."""
    return ir.IntType(8) if dtype.is_bool else type_of(dtype)


def bytes_of(dtype: DType) -> int:
    """Return the number of bytes of an element."""
    return 1 if dtype.is_bool else int(dtype.size)
