"""Lists of tensors that never change: each operation gives a new list."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, EXACT, INDEX, DTypes, sample
from runtime.core.shapes import element_count
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.array.list_values import ListValue
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import call, define_op

_HANDLE = spec_of(dtypes.variant, ())
_LIST = DTypes("a list", dtypes.variant)


def list_tensor(arrays: Any) -> Tensor:
    """A tensor that holds a list, for samples and tests."""
    return EagerTensor(ListValue.of(np.asarray(array) for array in arrays), _HANDLE)


def _handle(*inputs: Tensor, **attrs: Any) -> TensorSpec:
    return _HANDLE


_TWO = list_tensor([np.float32(1), np.float32(2)])
_FLOAT = spec_of(dtypes.float32, ())


def list_zeros(handle: Tensor) -> Tensor:
    """The gradient of a list on which nothing depends: entries not written count as zeros."""
    return call("TensorListReserve", call("TensorListLength", handle))


def _zeros(item: Tensor) -> Tensor:
    if item.dtype is dtypes.variant:
        return list_zeros(item)
    return call("ZerosLike", item, dtype=item.dtype)


_RESERVE = define_op(
    "TensorListReserve",
    {"num_elements": INDEX},
    _handle,
    lambda xp, count: ListValue([], 0, int(count)),
    boxed=True,
    samples=(sample(3),),
)
_FROM_TENSOR = define_op(
    "TensorListFromTensor",
    {"tensor": ANY},
    _handle,
    lambda xp, tensor: ListValue.of(tensor),
    boxed=True,
    grad=lambda g, y, x: (call("TensorListStackLike", g, x),),
    samples=(sample([1.0, 2.0]),),
)


def _as_long_as(g: Tensor, handle: Tensor) -> Tensor:
    return call("TensorListResize", g, call("TensorListLength", handle))


def _at(handle: Tensor, index: Tensor, g: Tensor) -> Tensor:
    """A list as long as another in which only one entry is written."""
    return call("TensorListSetItem", list_zeros(handle), index, g, resize=False)


def _set_grad(
    g: Tensor, y: Tensor, handle: Tensor, index: Tensor, item: Tensor, resize: bool
) -> tuple[Tensor, None, Tensor]:
    kept = call("TensorListSetItem", g, index, _zeros(item), resize=False)
    return _as_long_as(kept, handle), None, call("TensorListGetItemLike", g, index, item)


def _push_grad(g: Tensor, y: Tensor, handle: Tensor, item: Tensor) -> tuple[Tensor, Tensor]:
    last = call("TensorListLength", handle)
    return _as_long_as(g, handle), call("TensorListGetItemLike", g, last, item)


_SET = define_op(
    "TensorListSetItem",
    {"input_handle": _LIST, "index": INDEX, "item": EXACT},
    _handle,
    lambda xp, handle, index, item, resize: handle.with_item(int(index), item, resize),
    boxed=True,
    grad=_set_grad,
    samples=(sample(_TWO, 1, 5.0, resize=False), sample(_TWO, 3, 5.0, resize=True)),
)
_PUSH = define_op(
    "TensorListPushBack",
    {"input_handle": _LIST, "tensor": EXACT},
    _handle,
    lambda xp, handle, item: handle.appended(item),
    boxed=True,
    grad=_push_grad,
    samples=(sample(_TWO, 5.0),),
)
_RESIZE = define_op(
    "TensorListResize",
    {"input_handle": _LIST, "size": INDEX},
    _handle,
    lambda xp, handle, size: handle.resized(int(size)),
    boxed=True,
    grad=lambda g, y, handle, size: (_as_long_as(g, handle), None),
    samples=(sample(_TWO, 1),),
)
_LENGTH = define_op(
    "TensorListLength",
    {"input_handle": _LIST},
    lambda handle: spec_of(dtypes.int32, ()),
    lambda xp, handle: xp.array(handle.size, dtype="int32"),
    samples=(sample(_TWO),),
)


def _get(xp: Namespace, handle: Array, index: Array, element: TensorSpec) -> Array:
    value = handle.get(int(index))
    if value is not None:
        return value
    dims = _dims_of_unwritten(handle.entries(), element)
    if dims is None:
        raise InvalidArgumentError.of(
            f"entry {int(index)} of the list is read, but it was never written: Trying to read an "
            f"uninitialized tensor but element_shape is not fully defined: {element.shape}",
        )
    return xp.zeros(dims, element.dtype.numpy_dtype)


def _dims_of_unwritten(entries: list[Any], element: TensorSpec) -> Any:
    """The shape of an entry that was never written: the known one, or that of another entry."""
    if element_count(element.dims) is not None:
        return element.dims
    return next((entry.shape for entry in entries if entry is not None), None)


_GET = define_op(
    "TensorListGetItem",
    {"input_handle": _LIST, "index": INDEX},
    lambda handle, index, element: element,
    _get,
    grad=lambda g, y, handle, index, element: (_at(handle, index, g), None),
    samples=(sample(_TWO, 1, element=_FLOAT),),
)


def _stack(xp: Namespace, handle: Array, element: TensorSpec, length: int | None) -> Array:
    entries = handle.entries()
    if any(entry is None for entry in entries):
        entries = _with_zeros(xp, entries, element)
    if entries:
        return xp.stack(entries)
    dims = [0 if dim is None else dim for dim in element.dims or ()]
    return xp.zeros((0, *dims), element.dtype.numpy_dtype)


def _with_zeros(xp: Namespace, entries: list[Any], element: TensorSpec) -> list[Any]:
    """The entries with zeros for those that were never written."""
    dims = _dims_of_unwritten(entries, element)
    if dims is None:
        missing = [i for i, entry in enumerate(entries) if entry is None]
        raise InvalidArgumentError.of(
            f"the list is stacked, but its entries {missing} were never written"
        )
    empty = xp.zeros(dims, element.dtype.numpy_dtype)
    return [empty if entry is None else entry for entry in entries]


def _stack_spec(handle: Tensor, element: TensorSpec, length: int | None) -> TensorSpec:
    return element.with_dims(None if element.dims is None else (length, *element.dims))


_STACK = define_op(
    "TensorListStack",
    {"input_handle": _LIST},
    _stack_spec,
    _stack,
    grad=lambda g, y, handle, **attrs: (call("TensorListFromTensor", g),),
    samples=(sample(_TWO, element=_FLOAT, length=None),),
)


def _concat(xp: Namespace, handle: Array, element: TensorSpec) -> Array:
    entries = [entry for entry in handle.entries() if entry is not None]
    for position, entry in enumerate(entries):
        if not entry.ndim:
            raise InvalidArgumentError.of(
                f"Concat saw a scalar shape at index {position} but requires at least vectors.",
            )
    if entries:
        return xp.concatenate(entries)
    dims = [0 if dim is None else dim for dim in (element.dims or (0,))[1:]]
    return xp.zeros((0, *dims), element.dtype.numpy_dtype)


_CONCAT = define_op(
    "TensorListConcatV2",
    {"input_handle": _LIST},
    lambda handle, element: element.with_dims(element.dims and (None, *element.dims[1:])),
    _concat,
    grad=lambda g, y, handle, element: (
        call("TensorListSplit", g, call("TensorListLengths", handle)),
    ),
    samples=(
        sample(
            list_tensor([np.ones(1, np.float32), np.ones(2, np.float32)]),
            element=spec_of(dtypes.float32, (None,)),
        ),
    ),
)


def _scatter(xp: Namespace, handle: Array, indices: Array, tensor: Array, resize: bool) -> Array:
    for index, item in zip(indices.tolist(), tensor, strict=True):
        handle = handle.with_item(index, item, resize)
    return handle


def _scatter_grad(
    g: Tensor, y: Tensor, handle: Tensor, indices: Tensor, items: Tensor, resize: bool
) -> tuple[Tensor, None, Tensor]:
    kept = call("TensorListScatterIntoExistingList", g, indices, _zeros(items), resize=False)
    rows = call("TensorListStackLike", g, items)
    return _as_long_as(kept, handle), None, call("GatherV2", rows, indices, axis=0)


_SCATTER = define_op(
    "TensorListScatterIntoExistingList",
    {"input_handle": _LIST, "indices": INDEX, "tensor": ANY},
    _handle,
    _scatter,
    boxed=True,
    grad=_scatter_grad,
    samples=(sample(_TWO, [1, 0], [5.0, 6.0], resize=False),),
)


def _split(xp: Namespace, tensor: Array, lengths: Array) -> Array:
    ends = xp.cumsum(lengths)
    total = int(ends[-1]) if ends.size else 0
    if total != tensor.shape[0]:
        raise InvalidArgumentError.of(
            "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
            f"{total} and value's shape is: {list(tensor.shape)}",
        )
    return ListValue.of(tensor[end - n : end] for end, n in zip(ends, lengths, strict=True))


_SPLIT = define_op(
    "TensorListSplit",
    {"tensor": ANY, "lengths": INDEX},
    _handle,
    _split,
    boxed=True,
    grad=lambda g, y, x, lengths: (call("TensorListConcatLike", g, x, lengths), None),
    samples=(sample([1.0, 2.0, 3.0], [1, 2]),),
)


def _or_zeros(xp: Namespace, entry: Array, dims: Sequence[int], dtype: Array) -> Array:
    return xp.zeros(dims, dtype) if entry is None else entry


def _get_like(xp: Namespace, handle: Array, index: Array, like: Array) -> Array:
    if isinstance(like, ListValue):
        entry = handle.get(int(index))
        return ListValue([], 0, like.size) if entry is None else entry
    return _or_zeros(xp, handle.get(int(index)), like.shape, like.dtype)


def _stack_like(xp: Namespace, handle: Array, like: Array) -> Array:
    rows = [_or_zeros(xp, entry, like.shape[1:], like.dtype) for entry in handle.entries()]
    return xp.stack(rows) if rows else xp.zeros((0, *like.shape[1:]), like.dtype)


def _concat_like(xp: Namespace, handle: Array, like: Array, lengths: Array) -> Array:
    pieces = [
        _or_zeros(xp, entry, (int(length), *like.shape[1:]), like.dtype)
        for entry, length in zip(handle.entries(), lengths, strict=True)
    ]
    return xp.concatenate(pieces) if pieces else xp.zeros((0, *like.shape[1:]), like.dtype)


_HALF = EagerTensor(ListValue([None, np.float32(2)], 2, 2), _HANDLE)

define_op(
    "TensorListGetItemLike",
    {"input_handle": _LIST, "index": INDEX, "like": ANY},
    lambda handle, index, like: like.spec,
    _get_like,
    grad=lambda g, y, handle, index, like: (_at(handle, index, g), None, None),
    samples=(sample(_HALF, 0, 5.0), sample(_HALF, 1, 5.0)),
)
define_op(
    "TensorListStackLike",
    {"input_handle": _LIST, "like": ANY},
    lambda handle, like: like.spec.with_dims(like.spec.dims and (None, *like.spec.dims[1:])),
    _stack_like,
    grad=lambda g, y, handle, like: (call("TensorListFromTensor", g), None),
    samples=(sample(_HALF, [5.0, 6.0]),),
)
define_op(
    "TensorListConcatLike",
    {"input_handle": _LIST, "like": ANY, "lengths": INDEX},
    lambda handle, like, lengths: like.spec,
    _concat_like,
    grad=lambda g, y, handle, like, lengths: (call("TensorListSplit", g, lengths), None, None),
    samples=(
        sample(
            EagerTensor(ListValue([None, np.ones(2, np.float32)], 2, 2), _HANDLE),
            [1.0, 2.0, 3.0],
            [1, 2],
        ),
    ),
)
define_op(
    "TensorListLengths",
    {"input_handle": _LIST},
    lambda handle: spec_of(dtypes.int32, (None,)),
    lambda xp, handle: xp.array(
        [0 if entry is None else len(entry) for entry in handle.entries()], dtype="int32"
    ),
    samples=(sample(list_tensor([np.ones(1, np.float32), np.ones(2, np.float32)])),),
)


def _sum(xp: Namespace, a: Array, b: Array) -> Array:
    pairs = zip_longest(a.entries(), b.entries())
    return ListValue.of(x if y is None else y if x is None else x + y for x, y in pairs)


LIST_SUM = define_op(
    "TensorListSum",
    {"a": _LIST, "b": _LIST},
    _handle,
    _sum,
    boxed=True,
    grad=lambda g, y, a, b: (g, g),
    samples=(sample(_TWO, _HALF),),
)
"""Two lists added entry by entry; entries not written count as zeros."""


def list_reserve(count: TensorLike) -> Tensor:
    """A list of `count` entries that are not written yet."""
    return _RESERVE(count)


def list_from_tensor(tensor: TensorLike) -> Tensor:
    """The list of the rows of a tensor."""
    return _FROM_TENSOR(tensor)


def list_set(handle: Tensor, index: TensorLike, item: TensorLike, resize: bool = False) -> Tensor:
    """The list with another entry, longer if need be and `resize` allows it.

    Raises: ListBoundsError out of bounds.
    """
    return _SET(handle, index, item, resize=resize)


def list_push(handle: Tensor, item: TensorLike) -> Tensor:
    """The list with one entry more."""
    return _PUSH(handle, item)


def list_resize(handle: Tensor, size: TensorLike) -> Tensor:
    """The list with another number of entries."""
    return _RESIZE(handle, size)


def list_length(handle: Tensor) -> Tensor:
    """The number of entries, int32."""
    return _LENGTH(handle)


def list_get(handle: Tensor, index: TensorLike, element: TensorSpec) -> Tensor:
    """One entry; zeros if it was never written.

    Raises: ListBoundsError; InvalidArgumentError for an entry never written, of unknown shape.
    """
    return _GET(handle, index, element=element)


def list_stack(handle: Tensor, element: TensorSpec, length: TensorLike | None = None) -> Tensor:
    """All entries as the rows of one tensor.

    Raises: InvalidArgumentError if shapes differ, or none was written and their shape is unknown.
    """
    known = static_value(length) if isinstance(length, Tensor) else length
    return _STACK(handle, element=element, length=None if known is None else int(known))


def list_concat(handle: Tensor, element: TensorSpec) -> Tensor:
    """All entries one after the other along their first dimension, which may differ.

    Raises: InvalidArgumentError if an entry is a scalar.
    """
    return _CONCAT(handle, element=element)


def list_scatter(
    handle: Tensor, indices: TensorLike, items: TensorLike, resize: bool = False
) -> Tensor:
    """The list with the rows of `items` at `indices`, longer if need be and `resize` allows it.

    Raises: ListBoundsError out of bounds; InvalidArgumentError if the numbers of both differ.
    """
    return _SCATTER(handle, indices, items, resize=resize)


def list_split(tensor: TensorLike, lengths: TensorLike) -> Tensor:
    """The list of consecutive pieces of a tensor along its first dimension.

    Raises: InvalidArgumentError if the lengths do not add up.
    """
    return _SPLIT(tensor, lengths)
