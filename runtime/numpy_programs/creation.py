"""Functions of NumPy that make arrays: in a traced program the arrays are traced from the start."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import DTypeLike, ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.dispatch import refuse, unsupported
from runtime.numpy_programs.promotion import (
    NumPyDType,
    as_dtype,
    constant,
    exact,
    kind_of,
    python_number,
    result_dtype,
)
from runtime.numpy_programs.values import Array, operand, plain, shape_tuple, wrapped
from runtime.ops.array.creation import fill
from runtime.ops.array.joining import stack
from runtime.ops.array.ranges import range as counted
from runtime.ops.base.convert import cast_to

Maker = Callable[..., Any]

FUNCTIONS: dict[Any, Maker] = {}
"""Functions that converted code calls, by the function of NumPy that makes an array."""


def _makes(*functions: Any) -> Callable[[Maker], Maker]:
    """Register the implementation of functions that make arrays from numbers and shapes."""

    def register(maker: Maker) -> Maker:
        for function in functions:
            FUNCTIONS[function] = maker
        return maker

    return register


def known_shape(shape: ShapeLike) -> tuple[Any, ...]:
    """Return a shape argument as a tuple of ints, Python's or traced ones."""
    if isinstance(shape, Array):
        return tuple(python_number(shape[i]) for i in range(len(shape)))
    whole = tuple(shape) if isinstance(shape, (tuple, list, np.ndarray)) else (shape,)
    return tuple(int(each) if isinstance(each, np.integer) else each for each in whole)


def shape_vector(shape: Sequence[Any]) -> Any:
    """Return a shape as a vector for operations."""
    if all(isinstance(each, int) for each in shape):
        return np.array(shape, np.int64)
    return stack([exact(cast_to(operand(each), dtypes.int64)) for each in shape])


def _filled(shape: ShapeLike, value: TensorLike, dtype: NumPyDType) -> Any:
    return Array(fill(shape_vector(known_shape(shape)), as_dtype(value, dtype)))


@_makes(np.zeros, np.empty)
def _zeros(shape: ShapeLike, dtype: DTypeLike = float, order: str = "C") -> Any:
    return _filled(shape, np.dtype(dtype).type(0), np.dtype(dtype))


@_makes(np.ones)
def _ones(shape: ShapeLike, dtype: DTypeLike = None, order: str = "C") -> Any:
    wanted = np.dtype(float if dtype is None else dtype)
    return _filled(shape, wanted.type(1), wanted)


@_makes(np.full)
def _full(
    shape: ShapeLike, fill_value: TensorLike, dtype: DTypeLike = None, order: str = "C"
) -> Any:
    wanted = result_dtype(kind_of(plain(fill_value))) if dtype is None else np.dtype(dtype)
    return _filled(shape, fill_value, wanted)


def _like(maker: Maker) -> Maker:
    def made(
        a: TensorLike, *args: Any, dtype: DTypeLike = None, shape: ShapeLike = None, **options: Any
    ) -> Any:
        tensor = operand(a)
        own = tensor.spec.dtype.numpy_dtype if dtype is None else dtype
        dims = shape_tuple(tensor) if shape is None else shape
        return maker(dims, *args, dtype=own)

    return made


for _functions, _maker in (
    ((np.zeros_like, np.empty_like), _zeros),
    ((np.ones_like,), _ones),
):
    _makes(*_functions)(_like(_maker))


@_makes(np.full_like)
def _full_like(
    a: TensorLike, fill_value: TensorLike, dtype: DTypeLike = None, **options: Any
) -> Any:
    tensor = operand(a)
    own = tensor.spec.dtype.numpy_dtype if dtype is None else dtype
    return _full(shape_tuple(tensor), fill_value, own)


@_makes(np.array)
def array(
    object: TensorLike, dtype: DTypeLike = None, copy: bool | None = True, **options: Any
) -> Any:
    """Return an array of the elements of an array, a scalar, or nested lists of traced scalars.

    Args:
      object: the elements.
      dtype: None: the one that they have in common.
      copy: False and None: an array stays the same object.
      options: `ndmin` is refused, others have no effect.
    """
    if options.get("ndmin"):
        raise unsupported("np.array(ndmin=...)")
    if isinstance(object, Array):
        return object.astype(object.dtype if dtype is None else dtype, copy=bool(copy))
    tensor = _elements(object, None if dtype is None else np.dtype(dtype))
    return Array(tensor)


def _elements(value: TensorLike, dtype: NumPyDType | None) -> Tensor:
    if not isinstance(value, (list, tuple, range)):
        wanted = result_dtype(kind_of(plain(value))) if dtype is None else dtype
        return as_dtype(plain(value), wanted)
    if not holds_traced(value):
        return constant(np.array(value, dtype))
    leaves = list(_leaves(value))
    wanted = result_dtype(*map(kind_of, leaves)) if dtype is None else dtype
    return _stacked(value, wanted)


def holds_traced(value: TensorLike) -> bool:
    """Return whether a value is traced, or nested lists and tuples hold a traced one."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_traced, value))
    return isinstance(value, (Tensor, Array))


def _leaves(value: TensorLike) -> Any:
    for each in value:
        if isinstance(each, (list, tuple, range)):
            yield from _leaves(each)
        else:
            yield plain(each)


def _stacked(value: TensorLike, dtype: NumPyDType) -> Tensor:
    if isinstance(value, (list, tuple, range)):
        return stack([_stacked(each, dtype) for each in value])
    return as_dtype(plain(value), dtype)


@_makes(np.asarray, np.asanyarray, np.ascontiguousarray)
def _asarray(a: TensorLike, dtype: DTypeLike = None, **options: Any) -> Any:
    return array(a, dtype, copy=False)


@_makes(np.copy)
def _copy(a: TensorLike, order: str = "K", subok: bool = False) -> Any:
    return array(a)


@_makes(np.arange)
def _arange(
    *bounds: TensorLike, dtype: DTypeLike = None, step: TensorLike = 1, **options: Any
) -> Any:
    if len(bounds) > 2:
        step = bounds[2]
    start, stop = (0, bounds[0]) if len(bounds) == 1 else bounds[:2]
    entries = [start, stop, step]
    if not any(isinstance(each, (Tensor, Array)) for each in entries):
        return Array(constant(np.arange(*entries, dtype=dtype)))
    kinds = [kind_of(plain(each)) for each in entries]
    wanted = np.result_type(result_dtype(*kinds))
    if wanted.kind not in "iu":
        raise refuse(
            "np.arange gets a number that is not an integer and that only the running graph knows.",
            "Multiply np.arange of integers by the step.",
        )
    first, last, by = (as_dtype(plain(each), np.dtype(np.int64)) for each in entries)
    numbers = counted(first, last, by)
    return Array(as_dtype(numbers, wanted if dtype is None else np.dtype(dtype)))


@_makes(np.linspace)
def _linspace(
    start: TensorLike, stop: TensorLike, num: int = 50, endpoint: bool = True, **options: Any
) -> Any:
    if not isinstance(num, (int, np.integer)):
        raise refuse("np.linspace gets a traced number of samples.", "Pass a Python int.")
    if not any(isinstance(each, (Tensor, Array)) for each in (start, stop)):
        return Array(constant(np.linspace(start, stop, num, endpoint, **options)))
    if options:
        raise unsupported(f"np.linspace({next(iter(options))}=...)")
    parts = num - 1 if endpoint else num
    step = (stop - start) / parts
    result = Array(constant(np.arange(num, dtype=np.float64))) * step + start
    if endpoint and num > 1:
        result[-1] = stop
    return result


@_makes(np.eye, np.identity)
def _eye(*args: Any, **options: Any) -> Any:
    return Array(constant(np.eye(*args, **options)))


_TYPES = tuple(
    getattr(np, name)
    for name in (
        "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float16", "float32", "float64", "complex64", "complex128", "intp",
    )
)  # fmt: skip


def scalar_of(kind: type, value: TensorLike = 0) -> Any:
    """Return `np.float64(value)` of a traced value."""
    if isinstance(value, Array):
        return value.astype(kind)
    if isinstance(value, Tensor):
        return wrapped(as_dtype(value, np.dtype(kind)))
    return kind(value)


MAKERS = FUNCTIONS | {kind: functools.partial(scalar_of, kind) for kind in _TYPES}
"""The functions, and the types of scalars."""
