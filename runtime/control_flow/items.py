"""Items of Python lists, tuples, strings and dicts at a tensor index."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.operators.logic import if_exp
from runtime.control_flow.list_tables import table_of
from runtime.control_flow.selection import (
    growing_list,
    known_index,
    refusal,
    replace,
    select,
    subject_of,
)
from runtime.control_flow.values import joins
from runtime.control_flow.values.columns import Column
from runtime.control_flow.values.growing import GrowingList, rows_of
from runtime.control_flow.values.stacks import unstacked
from runtime.control_flow.values.tuples import GrowingTuple
from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.errors import StagingError, VariantError
from runtime.core.places import called, user_name
from runtime.core.static import static_value
from runtime.core.structure import flatten, unflatten
from runtime.core.tensor import Tensor, is_operand
from runtime.ops.base.convert import cast_to, convert_to_tensor, strong, weakened, weakness
from runtime.ops.effects.output import raise_when
from runtime.ops.items.indexing import getitem, with_item
from runtime.ops.items.item_positions import HOLE, Pattern, as_index, item_position, key_position
from runtime.ops.items.selecting import where
from runtime.ops.math.arithmetic import maximum, minimum
from runtime.ops.math.logic import greater_equal, not_equal
from runtime.ops.strings.texts import characters_at

_SEQUENCES: dict[Any, str] = {
    list: "list index out of range",
    tuple: "tuple index out of range",
    str: "string index out of range",
    bytes: "index out of range",
    range: "range object index out of range",
}
_DICTS = (OrderedDict, defaultdict, Counter)
_INDICES: dict[Any, str] = {
    list: "list indices must be integers or slices, not {}",
    tuple: "tuple indices must be integers or slices, not {}",
    str: "string indices must be integers, not '{}'",
    bytes: "byte indices must be integers or slices, not {}",
    range: "range indices must be integers or slices, not {}",
}


def _kind_of(container: object, method: str) -> Any:
    """Return the Python class whose item access an object uses, or None."""
    if type(container) in _DICTS:
        return dict
    defined = getattr(type(container), method, None)
    for kind in (*_SEQUENCES, dict):
        if isinstance(container, kind):
            return kind if defined and defined is getattr(kind, method, None) else None
    return None


def get_item(target: Any, index: Any) -> Any:
    """Return `target[index]` for an index with a tensor.

    Returns:
      The item; NotImplemented unless the target is a list, tuple, string, range, dict or array.

    Raises:
      IndexError, KeyError: at run time, if there is no such item.
      StagingError: for items of several types.
    """
    if isinstance(target, np.ndarray):
        return _of_array(target, index)
    kind = _kind_of(target, "__getitem__")
    if kind is None:
        return NotImplemented
    if kind is dict:
        return _value(target, index)
    if isinstance(index, slice):
        return _slice(target, index)
    position = _position(target, index, _SEQUENCES[kind])
    if isinstance(position, int):
        return target[position]
    if kind is range:
        return weakened(position * target.step + target.start)
    return select(_elements(target), position, target)


def _of_array(array: Array, index: Any) -> Any:
    if array.ndim and not isinstance(index, (tuple, slice)) and _is_scalar_integer(index):
        message = f"index is out of bounds for axis 0 with size {len(array)}"
        position = item_position(as_index(convert_to_tensor(index)), len(array), message)
        return getitem(array, position)
    return getitem(array, index)


def _is_scalar_integer(index: object) -> bool:
    tensor = convert_to_tensor(index)
    return tensor.dtype.is_integer and tensor.shape.rank == 0


def _elements(container: Sequence[Any]) -> Sequence[Any]:
    return list(container) if isinstance(container, (str, bytes)) else container


def _position(container: Any, index: Any, message: str) -> Any:
    """Return a nonnegative index; an int if it is known during tracing, possibly out of range."""
    tensor = convert_to_tensor(index)
    _check_index(container, index, tensor)
    known = known_index(index)
    if known is not None:
        return known
    if not len(container):
        raise IndexError(message)
    return item_position(as_index(tensor), len(container), message)


def _check_index(container: object, index: object, tensor: Tensor) -> None:
    if not (tensor.dtype.is_integer or tensor.dtype.is_bool):
        kind = next(kind for kind in _INDICES if isinstance(container, kind))
        word = "float" if tensor.dtype.is_floating else "complex"
        raise TypeError(_INDICES[kind].format("str" if tensor.dtype.kind == "O" else word))
    if tensor.shape.rank not in (0, None):
        raise refusal(
            container,
            f"is indexed by {called(index, 'a tensor')} ({tensor.spec}), which is not a scalar",
            "Use runtime.gather, or index a tensor.",
        )


def _slice(container: Any, index: slice) -> Any:
    bounds = [_known_bound(bound) for bound in (index.start, index.stop, index.step)]
    if not any(isinstance(bound, Tensor) for bound in bounds):
        return container[slice(*bounds)]
    if type(container) is str:
        return characters_at(convert_to_tensor(container), slice(*bounds))
    table = None if isinstance(container, (str, bytes, range)) else table_of(container)
    if table is None:
        raise refusal(
            container,
            "is sliced by a tensor, and its elements are not of one type and shape",
            "Slice a tensor, or use a Python number.",
        )
    found = growing_list(table, slice(*bounds))
    return GrowingTuple.like(found) if isinstance(container, tuple) else found


def _known_bound(bound: object) -> Any:
    if bound is None or isinstance(bound, int):
        return bound
    known = static_value(convert_to_tensor(bound))
    return bound if known is None else int(known)


def set_item(container: Any, index: Any, value: Any) -> Any:
    """Execute `container[index] = value` for an index with a tensor; changes the object itself.

    Returns: The container; NotImplemented unless it is a list or dict.

    Raises:
      IndexError, KeyError: at run time, if there is no such item.
      StagingError: for items of several types, and for a new key of a dict.
    """
    if isinstance(container, np.ndarray):
        raise refusal(
            container,
            "is a NumPy array, and an item of it is assigned at an index that is a tensor",
            "Make it a tensor before, by runtime.constant, or a list, by `tolist()`.",
        )
    kind = _kind_of(container, "__setitem__")
    if kind is dict:
        _set_value(container, index, value)
        return container
    if kind is not list:
        return NotImplemented
    if isinstance(index, slice):
        bounds = [_known_bound(bound) for bound in (index.start, index.stop, index.step)]
        if any(isinstance(bound, Tensor) for bound in bounds):
            _set_slice(container, slice(*bounds), value)
        else:
            container[slice(*bounds)] = value
        return container
    position = _position(container, index, "list assignment index out of range")
    if isinstance(position, int):
        container[position] = value
    else:
        container[:] = replace(container, position, value, container)
    return container


def _key(index: object) -> tuple[list[Tensor], Pattern]:
    """Return the tensors in a key, and their positions as a pattern."""
    if not isinstance(index, tuple):
        return [convert_to_tensor(index)], HOLE
    tensors = [convert_to_tensor(part) for part in index if is_operand(part)]
    return tensors, tuple(HOLE if is_operand(part) else part for part in index)


def _key_position(container: dict[Any, Any], index: object, missing: str) -> Any:
    tensors, pattern = _key(index)
    if any(tensor.shape.rank not in (0, None) for tensor in tensors):
        raise refusal(
            container,
            f"gets a key with a tensor that is not a scalar ({tensors[0].spec})",
            "Use scalars as keys.",
        )
    return key_position(tensors, tuple(container), pattern, missing)


def _value(container: dict[Any, Any], index: object) -> Any:
    if type(container) is Counter:
        return _value_or(container, index, 0)
    adds = hasattr(type(container), "__missing__")
    if not container:
        raise _adds_keys(container) if adds else KeyError(user_name(index) or index)
    position = _key_position(container, index, "refuse" if adds else "raise")
    return select(list(container.values()), position, container)


def _value_or(container: dict[Any, Any], index: object, default: object) -> Any:
    """Return `container.get(index, default)`."""
    if not container:
        return default
    position = _key_position(container, index, "mark")
    values = list(container.values())
    found = select(values, maximum(position, 0), container)
    return if_exp(greater_equal(position, 0), lambda: found, lambda: default)


def _set_value(container: dict[Any, Any], index: object, value: object) -> None:
    if not container:
        raise _adds_keys(container)
    position = _key_position(container, index, "refuse")
    values = replace(list(container.values()), position, value, container)
    for key, item in zip(list(container), values, strict=True):
        container[key] = item


def _adds_keys(container: dict[Any, Any]) -> StagingError:
    return StagingError(
        f"{subject_of(container)} may get a key that is a tensor: a graph cannot add keys.",
        remedy="Give the dict all its keys before, or keep keys and values in two lists, as in "
        "`values[keys.index(key)]`.",
        public=VariantError,
    )


def has_key(container: dict[Any, Any], item: object) -> Tensor:
    """Return `item in container` for a key with a tensor."""
    position: Tensor = _key_position(container, item, "mark")
    return greater_equal(position, 0)


def _set_slice(container: list[Any], index: slice, value: Any) -> None:
    """Execute `container[start:stop] = value` for a value of the length of the slice.

    Raises: ValueError at run time, if the lengths differ.
    """
    values = list(value)
    leaf = joins.common_leaf_of([*container, *values])
    if index.step is not None or leaf is None or not values:
        raise refusal(
            container,
            "gets other items for a slice whose bounds are tensors",
            "Assign the items one by one in a loop.",
        )
    table, rows = table_of(container, leaf), table_of(values, leaf)
    assert table is not None and rows is not None
    start, stop = _bounds(index, len(container))
    message = f"attempt to assign sequence of size {len(values)} to a slice of another size"
    raise_when(not_equal(maximum(stop - start, 0), len(values)), ValueError(message))
    weak = weakness(table)
    changed = with_item(strong(table), slice(start, start + len(values)), strong(rows))
    container[:] = unstacked(weakened(changed, weak), len(container))


def _bounds(index: slice, length: int) -> tuple[Tensor, Tensor]:
    """Return start and stop of a slice, clamped to [0, length], as int32 scalars."""
    found = []
    for bound, missing in ((index.start, 0), (index.stop, length)):
        tensor = cast_to(convert_to_tensor(missing if bound is None else bound), dtypes.int32)
        counted = where(tensor < 0, tensor + length, tensor)
        found.append(minimum(maximum(counted, 0), length))
    return found[0], found[1]


def _as_growing(items: Sequence[Any]) -> GrowingList | None:
    """Convert a list to a growing list; None for elements of several types."""
    leaves = [flatten(item)[0] for item in items]
    nodes = [flatten(item)[1] for item in items]
    if not items or any(node != nodes[0] for node in nodes):
        return None
    columns = []
    for column in zip(*leaves, strict=True):
        table = table_of(column)
        if table is None:
            return None
        columns.append(Column.from_rows(table))
    return GrowingList(columns, nodes[0])


def _elements_of(growing: GrowingList, count: int) -> list[Any]:
    """Return the elements of a growing list of known length."""
    columns = [unstacked(column.rows(), count) for column in growing.columns]
    return [unflatten(growing.node, parts) for parts in zip(*columns, strict=True)]


def _has_known_length(values: object) -> bool:
    if isinstance(values, GrowingList) or not is_operand(values):
        return False
    dims = convert_to_tensor(values).spec.dims
    return dims is not None and dims[:1] != (None,)


_CHANGES = {"pop": -1, "remove": -1, "insert": 1}
"""The change of the length of a list by each method."""


def call_method(target: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """Call a method of a Python list or dict with tensor arguments; changes the object itself.

    Returns: The result of the method; NotImplemented for unsupported methods.
    Raises: IndexError, ValueError at run time, as in Python.
    """
    kind = _kind_of(target, "__getitem__")
    if kind is dict and name == "get" and not kwargs:
        return _value_or(target, args[0], args[1] if len(args) > 1 else None)
    if kind is list and name == "extend":
        added = None if _has_known_length(args[0]) else rows_of(args[0])
        return NotImplemented if added is None else added.extend_python(target)
    if kind is not list or not target:
        return NotImplemented
    if name == "__delitem__":
        if isinstance(args[0], slice):
            return NotImplemented
        _position(target, args[0], "list assignment index out of range")
        name = "pop"
    growing = _as_growing(target)
    if growing is None:
        raise refusal(
            target,
            f"holds elements of several types, and `{name}` meets a tensor",
            "Use elements of one type, or a list for each kind of value.",
        )
    result = getattr(growing, name)(*args, **kwargs)
    if name in _CHANGES:
        target[:] = _elements_of(growing, len(target) + _CHANGES[name])
    return result
