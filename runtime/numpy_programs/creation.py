"""Functions of NumPy that make arrays: in a traced program the arrays are traced from the start."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.control_flow.values.growing import GrowingList
from runtime.core import dtypes
from runtime.core.aliases import DTypeLike, ShapeLike
from runtime.core.structure import unflatten
from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.dispatch import function_result, refuse, unsupported
from runtime.numpy_programs.promotion import (
    NumPyDType,
    as_dtype,
    constant,
    kind_of,
    python_number,
    result_dtype,
)
from runtime.numpy_programs.values import Array, operand, plain, shape_tuple, wrapped
from runtime.numpy_programs.views import View
from runtime.ops.array.creation import fill
from runtime.ops.array.joining import stack
from runtime.ops.array.ranges import range as counted
from runtime.ops.base.convert import cast_to, strong
from runtime.ops.effects.output import raise_when
from runtime.ops.math.logic import equal

Maker = Callable[..., Any]


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
    return stack([strong(cast_to(operand(each), dtypes.int64)) for each in shape])


def _filled(shape: ShapeLike, value: TensorLike, dtype: NumPyDType) -> Any:
    return Array(fill(shape_vector(known_shape(shape)), as_dtype(value, dtype)))


def _zeros(shape: ShapeLike, dtype: DTypeLike = float, order: str = "C") -> Any:
    return _filled(shape, np.dtype(dtype).type(0), np.dtype(dtype))


def _ones(shape: ShapeLike, dtype: DTypeLike = None, order: str = "C") -> Any:
    wanted = np.dtype(float if dtype is None else dtype)
    return _filled(shape, wanted.type(1), wanted)


def _full(
    shape: ShapeLike, fill_value: TensorLike, dtype: DTypeLike = None, order: str = "C"
) -> Any:
    wanted = result_dtype(kind_of(plain(fill_value))) if dtype is None else np.dtype(dtype)
    return _filled(shape, fill_value, wanted)


def _like(maker: Maker) -> Maker:
    def made(
        a: TensorLike,
        dtype: DTypeLike = None,
        order: str = "K",
        subok: bool = True,
        shape: ShapeLike = None,
    ) -> Any:
        return maker(*_shape_and_dtype(a, shape, dtype))

    return made


def _full_like(
    a: TensorLike,
    fill_value: TensorLike,
    dtype: DTypeLike = None,
    order: str = "K",
    subok: bool = True,
    shape: ShapeLike = None,
) -> Any:
    dims, wanted = _shape_and_dtype(a, shape, dtype)
    return _full(dims, fill_value, wanted)


def _shape_and_dtype(a: TensorLike, shape: ShapeLike, dtype: DTypeLike) -> tuple[Any, Any]:
    """Return the shape and dtype of an array, or what is given in their place."""
    tensor = operand(a)
    dims = shape_tuple(tensor) if shape is None else shape
    return dims, tensor.spec.dtype.numpy_dtype if dtype is None else dtype


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


def _contiguous(a: TensorLike, dtype: DTypeLike = None) -> Any:
    """Return an array itself; of a view, which may be contiguous or not, one that is only read."""
    found = array(a, dtype, copy=False)
    return function_result(np.reshape, found, found.shape) if isinstance(found, View) else found


def _of_growing(items: GrowingList, dtype: NumPyDType | None) -> Tensor:
    """Return the elements of a list that grows in a staged statement, tuples as rows."""
    columns = [column.rows() for column in items.columns]
    if items.node is not None and items.node.kind is Array:
        columns = columns[:1]
    wanted = result_dtype(*map(kind_of, columns)) if dtype is None else dtype
    order = tuple(range(len(columns)))
    if len(columns) == 1:
        rows = as_dtype(columns[0], wanted)
    elif unflatten(items.node, order) != order:
        rows = items.stack()  # which refuses
    else:
        rows = stack([as_dtype(column, wanted) for column in columns], axis=1)
    if items.node is not None or (dtype is None and wanted != np.float64):
        empty = ValueError(
            "an array is made of a list that is empty: NumPy's is a vector of floats. Test the "
            "length of the list before, or pass a dtype."
        )
        raise_when(equal(items.size(), 0), empty)
    return rows


def _elements(value: TensorLike, dtype: NumPyDType | None) -> Tensor:
    if isinstance(value, GrowingList):
        return _of_growing(value, dtype)
    if not isinstance(value, (list, tuple, range)):
        wanted = result_dtype(kind_of(plain(value))) if dtype is None else dtype
        return as_dtype(plain(value), wanted)
    if not holds_traced(value):
        return constant(np.array(value, dtype))
    # Python numbers in a list are not weak operands: each has the dtype of its own array.
    wanted = result_dtype(*map(_own_dtype, _leaves(value))) if dtype is None else dtype
    return _stacked(value, wanted)


def _own_dtype(value: TensorLike) -> NumPyDType:
    return result_dtype(kind_of(value))


def holds_traced(value: TensorLike) -> bool:
    """Return whether a value is traced, or nested lists and tuples hold a traced one."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_traced, value))
    return isinstance(value, (Tensor, Array, GrowingList))


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


def _arange(
    start: TensorLike,
    stop: TensorLike = None,
    step: TensorLike = 1,
    dtype: DTypeLike = None,
    **options: Any,
) -> Any:
    entries = [0, start, step] if stop is None else [start, stop, step]
    if not any(isinstance(each, (Tensor, Array)) for each in entries):
        return Array(constant(np.arange(*entries, dtype=dtype)))
    wanted = result_dtype(np.dtype(np.int64), *(_own_dtype(plain(each)) for each in entries))
    if wanted.kind not in "iu":
        raise refuse(
            "np.arange gets a number that is not an integer and that only the running graph knows.",
            "Multiply np.arange of integers by the step.",
        )
    first, last, by = (as_dtype(plain(each), np.dtype(np.int64)) for each in entries)
    numbers = counted(first, last, by)
    return Array(as_dtype(numbers, wanted if dtype is None else np.dtype(dtype)))


def _linspace(
    start: TensorLike,
    stop: TensorLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    **options: Any,
) -> Any:
    if not isinstance(num, (int, np.integer)):
        raise refuse("np.linspace gets a traced number of samples.", "Pass a Python int.")
    if not any(isinstance(each, (Tensor, Array)) for each in (start, stop)):
        found, step = np.linspace(start, stop, num, endpoint, retstep=True, **options)
        samples = Array(constant(found))
        return (samples, step) if retstep else samples
    if retstep or options:
        raise unsupported(f"np.linspace({next(iter(options), 'retstep')}=...)")
    parts = num - 1 if endpoint else num
    dtype = result_dtype(kind_of(plain(start)), kind_of(plain(stop)), float)
    first, last = (wrapped(as_dtype(plain(each), dtype)) for each in (start, stop))
    step = (last - first) / (parts or 1)
    result = Array(constant(np.arange(num, dtype=dtype))) * step + first
    if endpoint and num > 1:
        result[-1] = last
    return result


FUNCTIONS: dict[Any, Maker] = {
    np.zeros: _zeros,
    np.empty: _zeros,
    np.ones: _ones,
    np.full: _full,
    np.zeros_like: _like(_zeros),
    np.empty_like: _like(_zeros),
    np.ones_like: _like(_ones),
    np.full_like: _full_like,
    np.array: array,
    np.asarray: lambda a, dtype=None, **options: array(a, dtype, copy=False),
    np.asanyarray: lambda a, dtype=None, **options: array(a, dtype, copy=False),
    np.ascontiguousarray: _contiguous,
    np.copy: lambda a, order="K", subok=False: array(a),
    np.arange: _arange,
    np.linspace: _linspace,
    np.eye: lambda *args, **options: Array(constant(np.eye(*args, **options))),
    np.identity: lambda *args, **options: Array(constant(np.identity(*args, **options))),
}
"""What converted code calls, by the function of NumPy that makes an array."""

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
