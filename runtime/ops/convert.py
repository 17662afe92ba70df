"""Python values, arrays and variables become tensors; the operands of an op get one dtype.

A Python number takes the dtype of the tensor it meets. On its own an int is int32, a float
float32. So is a *weak* tensor, which stands for a Python number in a loop or a branch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.devices import placed
from runtime.core.dispatch import execute
from runtime.core.dtypes import DType
from runtime.core.errors import ConversionError, DTypeMismatchError
from runtime.core.graph import Graph, SymbolicTensor
from runtime.core.opdef import DTypes
from runtime.core.places import user_name
from runtime.core.shapes import TensorShape, known
from runtime.core.spec import TensorSpec, spec_of_array
from runtime.core.structure import endless
from runtime.core.tensor import EagerTensor, Operators, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.structural import CAST, PACK

NUMBERS = (bool, int, float, complex)
_PLAIN = (bool, int, float)
_LARGEST = float(np.finfo(np.float32).max)
_INT32 = 1 << 31
_KINDS = "biufc"
_RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def convert_to_tensor(
    value: TensorLike,
    dtype: Any = None,
    dtype_hint: Any = None,
    name: str | None = None,
) -> Tensor:
    """The tensor that `value` stands for.

    Args:
      value: a tensor, variable, Python value, NumPy array, or nested lists of these.
      dtype: the dtype it must have; None: its own.
      dtype_hint: the dtype it takes if it can.
      name: the name of a constant in a graph.

    Raises: TypeError or ValueError if it stands for no tensor, or not of that dtype.

    >>> convert_to_tensor([1, 2.5])
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1. , 2.5], dtype=float32)>
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if not isinstance(value, Tensor):
        conversion = _conversion(value)
        if conversion is None:
            hint = None if dtype_hint is None else dtypes.as_dtype(dtype_hint)
            return _from_python(value, wanted, hint, name)
        value = conversion(wanted, name)
    if wanted is not None and value.dtype is not wanted:
        if is_weak(value) and _adapts(value.dtype.kind, wanted.kind):
            return cast_to(value, wanted)
        raise DTypeMismatchError(
            None,
            None,
            f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype "
            f"{value.dtype.name}: {value!r}. Convert it with runtime.cast(x, runtime."
            f"{wanted.name}).",
        )
    return value  # type: ignore[no-any-return]


def type_spec_from_value(value: TensorLike) -> TensorSpec:
    """The spec of a tensor, variable or array.

    Raises: TypeError for anything else.

    >>> type_spec_from_value(np.zeros([2, 3]))
    TensorSpec(shape=(2, 3), dtype=tf.float64, name=None)
    """
    if isinstance(value, (np.ndarray, np.generic)):
        value = convert_to_tensor(value)
    if not isinstance(value, Operators):
        raise TypeError(f"Could not build a TypeSpec for {value!r} with type {type(value)}")
    return TensorSpec.from_tensor(value)


class _Conversions:
    """Functions that make tensors of values whose classes do not know how."""

    def __init__(self) -> None:
        self.by_priority: list[tuple[int, tuple[type, ...], Callable[..., Any]]] = []

    def add(self, kinds: tuple[type, ...], function: Callable[..., Any], priority: int) -> None:
        self.by_priority.append((priority, kinds, function))
        self.by_priority.sort(key=lambda entry: entry[0])

    def functions(self, value: Any) -> list[Callable[..., Any]]:
        return [function for _, kinds, function in self.by_priority if isinstance(value, kinds)]


_CONVERSIONS = _Conversions()


def register_tensor_conversion_function(
    base_type: type | tuple[type, ...],
    conversion_func: Callable[..., Any],
    priority: int = 100,
) -> None:
    """Makes objects of a class convertible to tensors.

    Args:
      base_type: the class, or a tuple of classes.
      conversion_func: called as `conversion_func(value, dtype=None, name=None, as_ref=False)`; it
        gives a tensor, or NotImplemented if it does not know what to do with this value.
      priority: functions with a smaller number are asked first.

    Raises: TypeError if the class cannot be registered.

    >>> class Celsius:
    ...     degrees = 21.5
    >>> def kelvin(value, dtype=None, name=None, as_ref=False):
    ...     return convert_to_tensor(value.degrees + 273.15, dtype, name=name)
    >>> register_tensor_conversion_function(Celsius, kelvin)
    >>> print(convert_to_tensor(Celsius()))
    tf.Tensor(294.65, shape=(), dtype=float32)
    """
    kinds = base_type if isinstance(base_type, tuple) else (base_type,)
    if not kinds or not all(isinstance(kind, type) for kind in kinds):
        raise TypeError("Argument `base_type` must be a class or a tuple of classes")
    if any(issubclass(kind, (*NUMBERS, Tensor, np.ndarray, np.generic)) for kind in kinds):
        raise TypeError("Cannot register conversions for Python numeric types and NumPy types.")
    if not callable(conversion_func):
        raise TypeError("Argument `conversion_func` must be callable")
    _CONVERSIONS.add(kinds, conversion_func, priority)


def _conversion(value: Any) -> Callable[[DType | None, str | None], Any] | None:
    """How a value that is no Python number and no array becomes a tensor, if it knows."""
    method = getattr(type(value), "__tf_tensor__", None)
    if method is not None:
        return lambda dtype, name: method(value, dtype, name)
    functions = _CONVERSIONS.functions(value) if _CONVERSIONS.by_priority else []
    if not functions:
        return None

    def convert(dtype: DType | None, name: str | None) -> Any:
        for function in functions:
            tensor = function(value, dtype=dtype, name=name, as_ref=False)
            if tensor is not NotImplemented:
                return tensor
        raise _unsupported(value)

    return convert


def _from_python(value: Any, dtype: DType | None, hint: DType | None, name: str | None) -> Tensor:
    try:
        packs = isinstance(value, (list, tuple)) and _holds_tensor(value)
    except RecursionError:
        raise endless(value) from None
    if packs:
        return _packed(value, dtype or hint)
    if hint is not None and dtype is None:
        return constant_of(_hinted(value, hint), name)
    return constant_of(to_array(value, dtype), name)


def _hinted(value: Any, hint: DType) -> Any:
    """The array of dtype `hint` if nothing of the value is lost by that, else the natural one."""
    if type(value) in _PLAIN:
        scalar = _scalar(value, hint)
        if scalar is not None:
            return scalar
    is_array = isinstance(value, (np.ndarray, np.generic))
    array = to_array(value) if is_array else _exact(value)[0]
    if not array.size and not is_array and hint.kind != "O":
        return np.zeros(array.shape, hint.numpy_dtype)
    becomes_number = array.dtype.kind == "b" and hint.is_numeric and not is_array
    if not becomes_number and not _adapts(array.dtype.kind, hint.kind):
        return to_array(value)
    try:
        return _into(value, array, hint) if is_array else to_array(value, hint)
    except ValueError:
        return to_array(value)


def constant_of(array: Any, name: str | None = None) -> Tensor:
    """A tensor with this value: a constant of the graph that is being recorded, if there is one."""
    graph: Graph | None = STATE.graph
    if graph is not None:
        return graph.constant(array, spec_of_array(array), name)
    return EagerTensor(array) if STATE.device is None else placed(array)


def _holds_tensor(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_tensor, value))
    return isinstance(value, Tensor) or _conversion(value) is not None


def _packed(values: Sequence[Any], dtype: DType | None) -> Tensor:
    tensors, weak = one_dtype("Pack", [("values", value) for value in values], dtype)
    return execute(PACK, tensors, {"axis": 0}, "packed", weak)[0]


def to_array(value: Any, dtype: DType | None = None) -> Any:
    """The array that a Python value or NumPy array stands for; always a new one.

    Without a dtype, ints become int32 if they fit and else int64, Python floats float32; what
    comes first in nested lists decides.

    Raises: TypeError or ValueError if it stands for none, or not of that dtype.
    """
    if type(value) in _PLAIN:
        scalar = _scalar(value, dtype)
        if scalar is not None:
            return scalar
    if isinstance(value, (np.ndarray, np.generic)):
        return _from_array(value, dtype)
    if isinstance(value, TensorShape):
        value = _dims_of(value)
    elif hasattr(value, "__array__"):
        return _from_array(np.asarray(value), dtype)
    elif isinstance(value, (bytearray, memoryview)):
        value = list(value)
    exact, first = _exact(value)
    target = _natural_dtype(value, exact, first) if dtype is None else dtype
    kind = exact.dtype.kind
    if exact.dtype == target.numpy_dtype:
        return exact
    if exact.size and not (kind == "b" and target.is_numeric) and not _adapts(kind, target.kind):
        raise TypeError(
            f"Cannot convert {_shown(value)} to EagerTensor of dtype {target.type_word}"
            if STATE.graph is None
            else f"Expected {target.name}, but got {_shown(value)} of type "
            f"'{type(value).__name__}'."
        )
    return _into(value, exact, target)


def _scalar(value: bool | int | float, dtype: DType | None) -> Any:
    """The scalar of a Python number of dtype `dtype`, None where that needs a closer look."""
    if type(value) is float:
        if not -_LARGEST <= value <= _LARGEST:
            return None
        if dtype is None:
            return np.float32(value)
        return dtype.as_numpy_dtype(value) if dtype.kind in "fc" and dtype.size > 2 else None
    if type(value) is bool:
        return np.bool_(value) if dtype is None or dtype.kind == "b" else None
    if dtype is None:
        return np.int32(value) if -_INT32 <= value < _INT32 else None
    if dtype.kind == "i":
        half = 1 << 8 * dtype.size - 1
        return dtype.as_numpy_dtype(value) if -half <= value < half else None
    if dtype.kind == "f" and dtype.size > 2 and -_INT32 <= value < _INT32:
        return dtype.as_numpy_dtype(value)
    return None


def _dims_of(shape: TensorShape) -> list[int]:
    if not shape.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape {shape} to a Tensor.")
    return list(known(shape.as_list()))


def _from_array(value: Any, dtype: DType | None) -> Any:
    array = np.array(value)
    if array.dtype.kind in "USO":
        array = _strings(array)
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


def _exact(value: Any) -> tuple[Any, Any]:
    """The array of a Python value before any narrowing, and the first element."""
    if type(value) in NUMBERS:
        array = np.array(value)
        if array.dtype.kind not in "Ou":
            return array, value
        raise _too_large(value)
    first = _first(value)
    try:
        # NumPy's own strings lose zero bytes at the end, and do not mix with bytes.
        array = np.array(value, dtype=object if isinstance(first, (str, bytes)) else None)
    except ValueError as error:
        raise ConversionError(
            f"Can't convert non-rectangular Python sequence to Tensor: {_shown(value)}"
        ) from error
    except OverflowError:
        raise _too_large(value) from None
    if array.dtype.kind in "USO":
        return _texts(value), first
    if not array.size:
        return array, first
    is_number = isinstance(first, (int, float, complex, np.generic))
    if is_number and _RANK[np.array(first).dtype.kind] < _least(array.dtype.kind):
        raise _mixed(value)
    return array, first


def _least(kind: str) -> int:
    """How general the first element of a list must be: ints may be followed by floats only."""
    return {"b": 0, "c": 3}.get(kind, 1)


def _first(value: Any) -> Any:
    while isinstance(value, (list, tuple, range)) and len(value):
        value = value[0]
    return value


def _texts(value: Any) -> Any:
    """Strings; anything else is an error."""
    elements = np.array(value, dtype=object)
    leaves = elements.ravel().tolist()
    if all(isinstance(leaf, (str, bytes)) for leaf in leaves):
        return _strings(elements)
    if all(isinstance(leaf, int) for leaf in leaves):
        raise _too_large(value)
    plain = (str, bytes, *NUMBERS, np.generic)
    odd = [leaf for leaf in leaves if not isinstance(leaf, plain)]
    raise _unsupported(odd[0]) if odd else _mixed(value)


def _natural_dtype(value: Any, exact: Any, first: Any) -> DType:
    """The dtype for what has none of its own."""
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


def _fits_float32(exact: Any) -> bool:
    size = np.abs(exact)
    return not bool(np.any((size > np.finfo(np.float32).max) & (size != np.inf)))


def _strings(array: Any) -> Any:
    flat = [_bytes(element) for element in array.ravel().tolist()]
    result = np.empty(len(flat), dtype=object)
    result[:] = flat
    return result.reshape(array.shape)


def _bytes(element: Any) -> bytes:
    if isinstance(element, str):
        return element.encode()
    if isinstance(element, bytes):
        return element
    raise ConversionError(
        "Failed to convert a NumPy array to a Tensor (Unsupported object type "
        f"{type(element).__name__})."
    )


def _unsupported(value: Any) -> ConversionError:
    return ConversionError(
        f"Attempt to convert a value ({_shown(value)}) with an unsupported type ({type(value)}) "
        "to a Tensor."
    )


def _mixed(value: Any) -> ConversionError:
    return ConversionError(
        f"Can't convert Python sequence with mixed types to Tensor: {_shown(value)}"
    )


def _too_large(value: Any) -> ConversionError:
    return ConversionError(
        f"Can't convert Python sequence with out-of-range integer to Tensor: {_shown(value)}"
    )


def _into(value: Any, array: Any, dtype: DType) -> Any:
    with np.errstate(all="ignore"):
        result = array.astype(dtype.numpy_dtype)
    if dtype.is_integer and array.dtype.kind in "iu" and not np.array_equal(result, array):
        raise ConversionError(
            f"Can't convert Python sequence with out-of-range integer to Tensor: {_shown(value)} "
            f"does not fit into {dtype.name}"
        )
    return result


def _adapts(kind: str, target: str) -> bool:
    if kind == "b" or target == "b":
        return kind == target
    return kind in _KINDS and target in _KINDS and _RANK[kind] <= _RANK[target]


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def is_weak(value: Any) -> bool:
    """Whether a value stands for a Python number, whose dtype gives way to that of a tensor."""
    if isinstance(value, SymbolicTensor):
        return value.weak
    return type(value) in NUMBERS


def cast_to(tensor: Tensor, dtype: DType) -> Tensor:
    """The tensor with another dtype; itself if it has that dtype."""
    if tensor.dtype is dtype:
        return tensor
    return execute(CAST, (tensor,), {"dtype": dtype})[0]


def bind(
    op_name: str, inputs: Mapping[str, DTypes], args: Sequence[Any]
) -> tuple[list[Tensor], bool]:
    """The operands of an op as tensors of the dtypes that it needs.

    Returns: the tensors, and whether all of them stand for Python numbers.
    Raises: DTypeMismatchError if operands that need one dtype have different ones;
      InvalidArgumentError if an operand has a dtype that the op does not take.
    """
    slots = _slots(op_name, inputs, len(args))
    if _are_ready(slots, args):
        return list(args), False
    if len(args) == 2 and STATE.graph is None:
        operands = _with_number(slots, args)
        if operands is not None:
            return operands, False
    tensors: list[Any] = [None] * len(args)
    weak = bool(args)
    for group in dict.fromkeys(group for _, group in slots):
        positions = [i for i, (_, own) in enumerate(slots) if own is group]
        entries = [(slots[i][0], args[i]) for i in positions]
        if group.mixed:
            found = [convert_to_tensor(value, name=name) for name, value in entries]
            weak = False
        else:
            found, all_weak = one_dtype(op_name, entries, None, group)
            weak = weak and all_weak
        for position, tensor in zip(positions, found, strict=True):
            tensors[position] = tensor
    return tensors, weak


def _are_ready(slots: Sequence[tuple[str, DTypes]], args: Sequence[Any]) -> bool:
    """Whether the operands are tensors with values and of the right dtypes: the common case."""
    found: dict[DTypes, DType] = {}
    for (_, group), arg in zip(slots, args, strict=True):
        if type(arg) is not EagerTensor:
            return False
        if not group.mixed:
            dtype = arg._spec.dtype
            if found.setdefault(group, dtype) is not dtype or dtype not in group.members:
                return False
    return True


def _with_number(slots: Sequence[tuple[str, DTypes]], args: Sequence[Any]) -> list[Tensor] | None:
    """The operands of a tensor with a value and a Python number: the next common case."""
    x, y = args
    tensor, number = (x, y) if type(x) is EagerTensor else (y, x)
    group = slots[0][1]
    if type(tensor) is not EagerTensor or type(number) not in _PLAIN or group is not slots[1][1]:
        return None
    dtype = tensor._spec.dtype
    scalar = _scalar(number, dtype)
    if scalar is None or dtype not in group.members or group.mixed:
        return None
    other = constant_of(scalar)
    return [tensor, other] if tensor is x else [other, tensor]


_slots_of: dict[tuple[str, int], tuple[tuple[str, DTypes], ...]] = {}


def _slots(
    op_name: str, inputs: Mapping[str, DTypes], count: int
) -> tuple[tuple[str, DTypes], ...]:
    key = (op_name, count)
    known_slots = _slots_of.get(key)
    if known_slots is not None:
        return known_slots
    slots: list[tuple[str, DTypes]] = []
    for name, group in inputs.items():
        if name.startswith("*"):
            slots += [(name[1:], group)] * (count - len(inputs) + 1)
        else:
            slots.append((name, group))
    _slots_of[key] = tuple(slots)
    return _slots_of[key]


def one_dtype(
    op_name: str,
    entries: Sequence[tuple[str, Any]],
    dtype: DType | None = None,
    group: DTypes | None = None,
) -> tuple[list[Tensor], bool]:
    """Values as tensors of one dtype.

    Args:
      op_name: for messages.
      entries: name and value of each operand.
      dtype: the dtype; None: the one that follows from the operands.
      group: the dtypes that are allowed; None: all.

    Returns: the tensors, and whether all of them stand for Python numbers.
    """
    values = [_as_operand(value) for _, value in entries]
    target = dtype or _target(values, group)
    tensors = [
        cast_to(value, target)
        if isinstance(value, Tensor) and is_weak(value) and _adapts(value.dtype.kind, target.kind)
        else convert_to_tensor(value, dtype_hint=target, name=name)
        for (name, _), value in zip(entries, values, strict=True)
    ]
    for (name, _), tensor in zip(entries, tensors, strict=True):
        if tensor.dtype is not target:
            raise _mismatch(op_name, entries, tensors, target)
        if group is not None and target not in group:
            raise _not_taken(op_name, name, tensor, group)
    weak = all(map(is_weak, values)) and any(isinstance(value, Tensor) for value in values)
    return tensors, weak


def _as_operand(value: Any) -> Any:
    if isinstance(value, Tensor) or type(value) in NUMBERS:
        return value
    conversion = _conversion(value)
    if conversion is not None:
        return conversion(None, None)
    if isinstance(value, (list, tuple)) and _holds_tensor(value):
        return _packed(value, None)
    return value


def _target(values: Sequence[Any], group: DTypes | None) -> DType:
    for value in values:
        if isinstance(value, Tensor) and not is_weak(value):
            return value.dtype
    for value in values:
        if isinstance(value, (np.ndarray, np.generic)):
            return _of_array(dtypes.from_numpy(value.dtype), group)
    plain = [value for value in values if not _is_empty(value)] or values
    found = [
        value.dtype if isinstance(value, Tensor) else dtypes.from_numpy(to_array(value).dtype)
        for value in plain
    ]
    target = max(found, key=_generality)
    floats = group is not None and target not in group and dtypes.float32 in group
    if floats and _adapts(target.kind, "f"):
        return dtypes.float32
    return target


def _of_array(own: DType, group: DTypes | None) -> DType:
    """The dtype of an array of integers: its own, or one that the op takes, if its numbers fit."""
    if group is None or own in group or not own.is_integer:
        return own
    return next((dtype for dtype in (dtypes.int32, dtypes.int64) if dtype in group), own)


def _is_empty(value: Any) -> bool:
    """Whether a value is an empty list, which has no dtype of its own."""
    return isinstance(value, (list, tuple)) and not value


def _generality(dtype: DType) -> tuple[int, int]:
    return _RANK.get(dtype.kind, 4), dtype.size


def _not_taken(op_name: str, name: str, tensor: Tensor, group: DTypes) -> DTypeMismatchError:
    allowed = [dtype for dtype in dtypes.ALL if dtype in group]
    own = tensor.dtype
    if STATE.graph is None:
        words = (
            f"Value for attr 'T' of {own.type_word} is not in the list of allowed values: "
            f"{', '.join(dtype.type_word for dtype in allowed)} [Op:{op_name}]"
        )
    else:
        words = (
            f"Value passed to parameter '{name}' has DataType {own.name} not in list of allowed "
            f"values: {', '.join(dtype.name for dtype in allowed)}"
        )
    called = user_name(tensor) or name
    return DTypeMismatchError(
        None,
        None,
        f"{words}\n{op_name}: `{called}` must be {group.name}, but it is {tensor.spec}.",
    )


def _mismatch(
    op_name: str, entries: Sequence[tuple[str, Any]], tensors: Sequence[Tensor], target: DType
) -> DTypeMismatchError:
    parts = [
        f"`{user_name(value) or name}` is {tensor.spec}"
        for (name, value), tensor in zip(entries, tensors, strict=True)
    ]
    at, other = next(
        (i, tensor.dtype) for i, tensor in enumerate(tensors) if tensor.dtype is not target
    )
    words = _mismatch_words(op_name, [name for name, _ in entries], at, tensors, target)
    return DTypeMismatchError(
        None,
        None,
        f"{words}\n{op_name} needs one dtype, but {' and '.join(parts)}. Convert one of them, for "
        f"instance with runtime.cast(x, runtime.{_wider(target, other).name}).",
    )


def _mismatch_words(
    op_name: str, names: Sequence[str], at: int, tensors: Sequence[Tensor], target: DType
) -> str:
    first = tensors[0].dtype
    if not at:
        at = next((i for i, tensor in enumerate(tensors) if tensor.dtype is not first), 0)
    other = tensors[at].dtype
    if other is first:
        return f"Tensor conversion requested dtype {target.name} for Tensor with dtype {first.name}"
    if STATE.graph is None:
        return (
            f"cannot compute {op_name} as input #{at}(zero-based) was expected to be a "
            f"{first.type_word} tensor but is a {other.type_word} tensor [Op:{op_name}]"
        )
    if names[0] == names[at]:
        found = ", ".join(tensor.dtype.name for tensor in tensors)
        return (
            f"Tensors in list passed to '{names[at]}' of '{op_name}' Op have types [{found}] that "
            "don't all match."
        )
    return (
        f"Input '{names[at]}' of '{op_name}' Op has type {other.name} that does not match type "
        f"{first.name} of argument '{names[0]}'."
    )


def _wider(a: DType, b: DType) -> DType:
    return max(a, b, key=_generality)
