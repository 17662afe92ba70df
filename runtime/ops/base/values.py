"""Values of Python and NumPy as arrays."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from autograph.operators.moved import Moved
from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.core.errors import ConversionError, ResourceExhaustedError
from runtime.core.shapes import TensorShape, known
from runtime.core.thread import STATE

NUMBERS = (bool, int, float, complex)
PLAIN_NUMBERS = (bool, int, float)
_LARGEST = float(np.finfo(np.float32).max)
INT32_LIMIT = 1 << 31
_KINDS = "biufc"
GENERALITY = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
"""Order of the kinds of dtypes: each represents the numbers of lower ones."""


def generality(dtype: DType) -> tuple[int, int]:
    """Return the key that orders dtypes from narrow to wide."""
    return GENERALITY.get(dtype.kind, 4), dtype.size


def hinted_array(value: Any, hint: DType) -> Any:
    """Convert a value to an array of dtype `hint` if that loses nothing, else of its own dtype."""
    is_array = isinstance(value, (np.ndarray, np.generic))
    array = to_array(value) if is_array else _exact(value)[0]
    if not array.size and not is_array and (hint.kind != "O" or hint is dtypes.string):
        return np.zeros(array.shape, hint.numpy_dtype)
    becomes_number = array.dtype.kind == "b" and hint.is_numeric
    if not becomes_number and not adapts(array.dtype.kind, hint.kind):
        return to_array(value)
    try:
        return _into(value, array, hint) if is_array else to_array(value, hint)
    except ValueError:
        return to_array(value)


def to_array(value: Any, dtype: DType | None = None) -> Any:
    """Convert a Python value or NumPy array to a new array.

    Without a dtype, ints become int32, or int64 if they do not fit, and Python floats float32; the
    first element of nested lists decides.

    Raises: TypeError or ValueError if no array of that dtype represents the value.
    """
    plain = plain_array(value, dtype)
    if plain is not None:
        return plain
    if isinstance(value, (np.ndarray, np.generic)):
        return _from_array(value, dtype)
    if isinstance(value, TensorShape):
        value = known_dims(value)
    elif hasattr(value, "__array__"):
        return _from_array(np.asarray(value), dtype)
    elif isinstance(value, (bytearray, memoryview)):
        value = list(value)
    exact, first = _exact(value)
    target = _natural_dtype(value, exact, first) if dtype is None else dtype
    kind = exact.dtype.kind
    if exact.dtype == target.numpy_dtype:
        return exact
    if exact.size and not (kind == "b" and target.is_numeric) and not adapts(kind, target.kind):
        raise TypeError(
            f"Cannot convert {_shown(value)} to EagerTensor of dtype {target.type_word}"
            if STATE.graph is None
            else f"Expected {target.name}, but got {_shown(value)} of type "
            f"'{type(value).__name__}'."
        )
    return _into(value, exact, target)


def plain_array(value: Any, dtype: DType | None) -> Any:
    """Convert a Python number, or a list or matrix of numbers of one type, to an array.

    None if the value is anything else, or a number may not fit: the general path must decide.
    Shapes, axes and constants are such lists; this takes a tenth of the time.
    """
    found = CONVERSIONS.get((type(value), dtype))
    if found is not None:
        low, high, make = found
        return make(value) if low <= value <= high else None
    if type(value) not in _LISTS:
        return None
    leaves, kinds = value, set(map(type, value))
    if kinds <= _LISTS:
        leaves = [*chain.from_iterable(value)]
        kinds = set(map(type, leaves))
    found = CONVERSIONS.get((kinds.pop(), dtype)) if len(kinds) == 1 else None
    if found is None:
        return None
    low, high, make = found
    try:
        # NumPy itself refuses ints that do not fit into an integer dtype.
        fits = issubclass(make, np.integer) or low <= min(leaves) <= max(leaves) <= high
        return np.array(value, make) if fits else None
    except (OverflowError, ValueError):  # also: rows of different lengths
        return None


_LISTS = {list, tuple}


def _numbers() -> dict[tuple[object, ...], tuple[float, float, type[np.generic]]]:
    """Return `CONVERSIONS`; without a dtype the type of NumPy is the usual one."""
    found: dict[tuple[object, ...], tuple[float, float, type[np.generic]]] = {}
    for dtype in dtypes.ALL:
        make = dtype.as_numpy_dtype
        if dtype.kind == "b":
            found[bool, dtype] = False, True, make
        elif dtype.kind in "iu":
            found[int, dtype] = int(dtype.min), int(dtype.max), make
        elif dtype.kind in "fc" and dtype.size > 2:
            found[float, dtype] = -_LARGEST, _LARGEST, make
            if dtype.kind == "f":
                found[int, dtype] = -INT32_LIMIT, INT32_LIMIT - 1, make
    for usual in ((bool, dtypes.bool), (int, dtypes.int32), (float, dtypes.float32)):
        found[usual[0], None] = found[usual]
    return found


CONVERSIONS = _numbers()
"""The least and largest number that surely fits and the type of NumPy, by Python type and dtype."""


def known_dims(shape: TensorShape) -> list[int]:
    """Return the dimensions. Raises ValueError if one is not known."""
    if not shape.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape {shape} to a Tensor.")
    return list(known(shape.as_list()))


def _from_array(value: object, dtype: DType | None) -> Any:
    try:
        array = np.array(value)
    except MemoryError as error:
        raise ResourceExhaustedError.of(str(error)) from error
    if array.dtype.kind in "USO":
        array = _strings(array)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    try:
        own = dtypes.from_numpy(array.dtype)
    except TypeError as error:
        raise ConversionError(f"Failed to convert a NumPy array to a Tensor ({error}).") from error
    if dtype is None or own is dtype:
        return array
    if not (own.is_numeric or own.is_bool) or not (dtype.is_numeric or dtype.is_bool):
        raise ConversionError(
            f"Failed to convert a NumPy array to a Tensor ({own.name} elements cannot become "
            f"{dtype.name})."
        )
    with np.errstate(all="ignore"):
        return array.astype(dtype.numpy_dtype)


def _exact(value: object) -> tuple[Any, Any]:
    """Return the array of a Python value before any narrowing, and the first element."""
    if type(value) in NUMBERS:
        array = np.array(value)
        if array.dtype.kind != "O":
            return array, value
        raise _too_large(value)
    first = _first(value)
    try:
        # NumPy's own strings lose zero bytes at the end, and do not mix with bytes.
        array = np.array(value, dtype=object if isinstance(first, (str, bytes)) else None)
    except ValueError as error:
        raise ConversionError(
            f"Can't convert non-rectangular Python sequence to Tensor: {_shown(value)}. Give "
            "all rows one length, for instance by runtime.keras.utils.pad_sequences."
        ) from error
    except OverflowError:
        raise _too_large(value) from None
    if array.dtype.kind in "USO":
        return _texts(value), first
    if not array.size:
        return array, first
    if array.dtype.kind == "f" and isinstance(first, int):
        array = _unsigned(value, array)
    is_number = isinstance(first, (int, float, complex, np.generic))
    least = {"b": 0, "c": 3}.get(array.dtype.kind, 1)  # ints may be followed by floats only
    if is_number and GENERALITY[np.array(first).dtype.kind] < least:
        raise _mixed(value)
    return array, first


def _unsigned(value: object, floats: object) -> Any:
    """Return ints of which some need the 64th bit as uint64; NumPy converts them to floats."""
    elements = np.array(value, dtype=object)
    leaves = elements.ravel().tolist()
    if not all(isinstance(leaf, int) for leaf in leaves):
        return floats
    if min(leaves) < 0:
        raise _too_large(value)
    return elements.astype(np.uint64)


def _first(value: object) -> Any:
    while isinstance(value, (list, tuple, range)) and len(value):
        value = value[0]
    return value


def _texts(value: object) -> Any:
    """Return an array of strings. Raises for any other element."""
    elements = np.array(value, dtype=object)
    leaves = elements.ravel().tolist()
    if all(isinstance(leaf, (str, bytes)) for leaf in leaves):
        return _strings(elements)
    if all(isinstance(leaf, int) for leaf in leaves):
        raise _too_large(value)
    plain = (str, bytes, *NUMBERS, np.generic)
    odd = [leaf for leaf in leaves if not isinstance(leaf, plain)]
    raise unsupported(odd[0]) if odd else _mixed(value)


def _natural_dtype(value: object, exact: Array, first: Any) -> DType:
    """Return the dtype of a value without a dtype of its own."""
    kind = exact.dtype.kind
    if kind in "iu":
        limits = np.iinfo(np.int32)
        if not exact.size or (exact.min() >= limits.min and exact.max() <= limits.max):
            return dtypes.int32
        if kind == "u":
            raise _too_large(value)
        return dtypes.int64
    if kind == "f":
        if isinstance(first, (np.ndarray, np.generic)) and first.dtype.kind == "f":
            return dtypes.from_numpy(first.dtype)
        if exact.size and not _fits_float32(exact):
            raise ConversionError(
                "Can't convert Python sequence with a value out of range for a double-precision "
                f"float: {_shown(value)} does not fit into float32; give a dtype"
            )
        return dtypes.float32
    return dtypes.from_numpy(exact.dtype)


def _fits_float32(exact: Array) -> bool:
    with np.errstate(over="ignore"):
        rounded = np.asarray(exact).astype(np.float32)
    return not bool(np.any(np.isinf(rounded) & np.isfinite(exact)))


def _strings(array: Array) -> Any:
    flat = [_bytes(element) for element in array.ravel().tolist()]
    result = np.empty(len(flat), dtype=object)
    result[:] = flat
    return result.reshape(array.shape)


def _bytes(element: object) -> bytes:
    if isinstance(element, str):
        return element.encode()
    if isinstance(element, bytes):
        return element
    raise ConversionError(
        "Failed to convert a NumPy array to a Tensor (Unsupported object type "
        f"{type(element).__name__})."
    )


def unsupported(value: object) -> ConversionError:
    """Return the error for a value that no tensor represents.

    Raises: StagingError for an item of a list that may have changed.
    """
    if issubclass(type(value), Moved):
        value.refuse()  # type: ignore[attr-defined]
    return ConversionError(
        f"Attempt to convert a value ({_shown(value)}) with an unsupported type ({type(value)}) "
        "to a Tensor."
    )


def _mixed(value: object) -> ConversionError:
    return ConversionError(
        f"Can't convert Python sequence with mixed types to Tensor: {_shown(value)}"
    )


def _too_large(value: object) -> ConversionError:
    return ConversionError(
        f"Can't convert Python sequence with out-of-range integer to Tensor: {_shown(value)}"
    )


def _into(value: object, array: Array, dtype: DType) -> Any:
    with np.errstate(all="ignore"):
        result = array.astype(dtype.numpy_dtype)
    if dtype.is_integer and array.dtype.kind in "iu" and not np.array_equal(result, array):
        raise ConversionError(
            f"Can't convert Python sequence with out-of-range integer to Tensor: {_shown(value)} "
            f"does not fit into {dtype.name}"
        )
    return result


def holds_objects(array: object) -> bool:
    """Return whether an array holds strings: NumPy would assign a scalar array as one object."""
    return isinstance(array, np.ndarray) and array.dtype.hasobject


def adapts(kind: str, target: str) -> bool:
    """Return whether numbers of one kind convert to another without loss of generality."""
    if kind == "b" or target == "b":
        return kind == target
    return kind in _KINDS and target in _KINDS and GENERALITY[kind] <= GENERALITY[target]


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
