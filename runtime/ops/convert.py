"""Python values, arrays and variables become tensors; the operands of an op get one dtype.

A Python number takes the dtype of the tensor it meets. On its own an int is int32, a float
float32. So is a *weak* tensor, which stands for a Python number in a loop or a branch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dispatch import execute
from runtime.core.dtypes import DType
from runtime.core.errors import DTypeMismatchError, InvalidArgumentError
from runtime.core.graph import Graph, SymbolicTensor
from runtime.core.opdef import DTypes
from runtime.core.places import user_name
from runtime.core.shapes import TensorShape, known
from runtime.core.spec import spec_of_array
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.structural import CAST, PACK

NUMBERS = (bool, int, float, complex)
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
        method = getattr(type(value), "__tf_tensor__", None)
        if method is None:
            hint = None if dtype_hint is None else dtypes.as_dtype(dtype_hint)
            return _from_python(value, wanted, hint, name)
        value = method(value, wanted, name)
    if wanted is not None and value.dtype is not wanted:
        if is_weak(value) and _adapts(value.dtype.kind, wanted.kind):
            return cast_to(value, wanted)
        raise DTypeMismatchError(
            None, None, f"a tensor of dtype {wanted.name} is needed, not {value.spec}"
        )
    return value  # type: ignore[no-any-return]


def _from_python(value: Any, dtype: DType | None, hint: DType | None, name: str | None) -> Tensor:
    if isinstance(value, (list, tuple)) and _holds_tensor(value):
        return _packed(value, dtype or hint)
    array = to_array(value, dtype)
    if dtype is None and hint is not None and array.dtype != hint.numpy_dtype:
        array = _adapted(value, array, hint)
    return constant_of(array, name)


def constant_of(array: Any, name: str | None = None) -> Tensor:
    """A tensor with this value: a constant of the graph that is being recorded, if there is one."""
    graph: Graph | None = STATE.graph
    if graph is not None:
        return graph.constant(array, spec_of_array(array), name)
    return EagerTensor(array)


def _holds_tensor(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_tensor, value))
    return isinstance(value, Tensor) or hasattr(type(value), "__tf_tensor__")


def _packed(values: Sequence[Any], dtype: DType | None) -> Tensor:
    tensors, weak = one_dtype("Pack", [("values", value) for value in values], dtype)
    return execute(PACK, tensors, {"axis": 0}, "packed", weak)[0]


def to_array(value: Any, dtype: DType | None = None) -> Any:
    """The array that a Python value or NumPy array stands for; always a new one.

    Raises: TypeError or ValueError if it stands for none, or not of that dtype.
    """
    if isinstance(value, TensorShape):
        value = list(known(value.as_list()))
    if isinstance(value, (np.ndarray, np.generic)):
        return _from_array(value, dtype)
    array = _natural(value)
    if dtype is None or array.dtype == dtype.numpy_dtype:
        return array
    if not _adapts(array.dtype.kind, dtype.kind) and array.size:
        raise TypeError(f"{_shown(value)} cannot be converted to a tensor of dtype {dtype.name}")
    return _into(value, array, dtype)


def _from_array(value: Any, dtype: DType | None) -> Any:
    array = np.array(value)
    if array.dtype.kind in "USO":
        array = _strings(array)
    if dtype is not None and array.dtype != dtype.numpy_dtype:
        array = array.astype(dtype.numpy_dtype)
    dtypes.from_numpy(array.dtype)
    return array


def _natural(value: Any) -> Any:
    kind = type(value)
    if kind is bool:
        return np.array(value)
    if kind is int:
        return _integers(np.array(value), value)
    if kind is float:
        return np.array(value, np.float32)
    try:
        array = np.array(value)
    except ValueError as error:
        raise ValueError(
            f"{_shown(value)} cannot be converted to a tensor: its rows differ in length"
        ) from error
    if array.dtype.kind in "iu" and array.size:
        return _integers(array, value)
    if array.dtype.kind == "f":
        holds_arrays = isinstance(value, (list, tuple)) and _holds_array(value)
        return array if holds_arrays else array.astype(np.float32)
    if array.dtype.kind in "USO":
        return _strings(array)
    dtypes.from_numpy(array.dtype)
    return array


def _holds_array(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_array, value))
    return isinstance(value, (np.ndarray, np.generic))


def _integers(array: Any, value: Any) -> Any:
    if array.dtype.kind == "O":
        raise ValueError(f"{_shown(value)} does not fit into int64")
    if isinstance(value, (list, tuple)) and _holds_array(value):
        return array
    limits = np.iinfo(np.int32)
    fits = array.dtype.kind == "i" and array.min() >= limits.min and array.max() <= limits.max
    return array.astype(np.int32) if fits else array


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
    raise TypeError(f"{_shown(element)} (a {type(element).__name__}) cannot become a tensor")


def _into(value: Any, array: Any, dtype: DType) -> Any:
    result = array.astype(dtype.numpy_dtype)
    if dtype.is_integer and array.dtype.kind in "iu" and not np.array_equal(result, array):
        raise ValueError(f"{_shown(value)} does not fit into {dtype.name}")
    return result


def _adapts(kind: str, target: str) -> bool:
    if kind == "b" or target == "b":
        return kind == target
    return kind in _KINDS and target in _KINDS and _RANK[kind] <= _RANK[target]


def _adapted(value: Any, array: Any, hint: DType) -> Any:
    if not _adapts(array.dtype.kind, hint.kind):
        return array
    try:
        return _into(value, array, hint)
    except ValueError:
        return array


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
    slots = _slots(inputs, len(args))
    if _are_ready(slots, args):
        return list(args), False
    tensors: list[Any] = [None] * len(args)
    weak = bool(args)
    for group in dict.fromkeys(group for _, group in slots):
        positions = [i for i, (_, own) in enumerate(slots) if own is group]
        entries = [(slots[i][0], args[i]) for i in positions]
        if group.mixed:
            found = [convert_to_tensor(value) for _, value in entries]
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


def _slots(inputs: Mapping[str, DTypes], count: int) -> list[tuple[str, DTypes]]:
    slots: list[tuple[str, DTypes]] = []
    for name, group in inputs.items():
        if name.startswith("*"):
            slots += [(name[1:], group)] * (count - len(inputs) + 1)
        else:
            slots.append((name, group))
    return slots


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
        else convert_to_tensor(value, dtype_hint=target)
        for value in values
    ]
    for (name, _), tensor in zip(entries, tensors, strict=True):
        if tensor.dtype is not target:
            raise _mismatch(op_name, entries, tensors, target)
        if group is not None and target not in group:
            raise InvalidArgumentError(
                None, None, f"{op_name}: `{name}` must be {group.name}, but it is {tensor.spec}"
            )
    weak = all(map(is_weak, values)) and any(isinstance(value, Tensor) for value in values)
    return tensors, weak


def _as_operand(value: Any) -> Any:
    if isinstance(value, Tensor) or type(value) in NUMBERS:
        return value
    method = getattr(type(value), "__tf_tensor__", None)
    if method is not None:
        return method(value, None, None)
    if isinstance(value, (list, tuple)) and _holds_tensor(value):
        return _packed(value, None)
    return value


def _target(values: Sequence[Any], group: DTypes | None) -> DType:
    for value in values:
        if isinstance(value, Tensor) and not is_weak(value):
            return value.dtype
    for value in values:
        if isinstance(value, (np.ndarray, np.generic)):
            return dtypes.from_numpy(value.dtype)
    found = [
        value.dtype if isinstance(value, Tensor) else dtypes.from_numpy(to_array(value).dtype)
        for value in values
    ]
    target = max(found, key=_generality)
    if group is not None and target not in group and _adapts(target.kind, "f"):
        return dtypes.float32
    return target


def _generality(dtype: DType) -> tuple[int, int]:
    return _RANK.get(dtype.kind, 4), dtype.size


def _mismatch(
    op_name: str, entries: Sequence[tuple[str, Any]], tensors: Sequence[Tensor], target: DType
) -> DTypeMismatchError:
    parts = []
    for (name, value), tensor in zip(entries, tensors, strict=True):
        parts.append(f"`{user_name(value) or name}` is {tensor.spec}")
    other = next(tensor.dtype for tensor in tensors if tensor.dtype is not target)
    return DTypeMismatchError(
        None,
        None,
        f"{op_name} needs one dtype, but {' and '.join(parts)}. Convert one of them, for instance "
        f"with runtime.cast(x, runtime.{_wider(target, other).name}).",
    )


def _wider(a: DType, b: DType) -> DType:
    return max(a, b, key=_generality)
