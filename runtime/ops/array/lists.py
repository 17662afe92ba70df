"""Immutable lists of tensors: each operation returns a new list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.core.list_values import ListValue
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import ANY, EXACT, INDEX, DTypes, Emit, Failure, sample
from runtime.core.operation import Operation
from runtime.core.shapes import Dims, element_count
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.base.define import Op, call, define_op, op
from runtime.ops.base.node_forms import Place, dims_array

_Known = Iterator[tuple[SymbolicTensor, TensorSpec]]
"""Lists with the specs of their elements."""


def _shape(place: Place, spec: TensorSpec) -> Ref:
    return place.constant(dims_array(spec.dims), "element_shape")


def _row(spec: TensorSpec) -> TensorSpec:
    return spec.with_dims(None if spec.dims is None else spec.dims[1:])


def _of_attribute(op: Operation) -> _Known:
    yield op.inputs[0], op.attrs["element"]


def _of_item(position: int) -> Callable[[Operation], _Known]:
    def elements(op: Operation) -> _Known:
        yield op.inputs[0], op.inputs[position].spec

    return elements


def _of_rows(op: Operation) -> _Known:
    yield op.outputs[0], _row(op.inputs[0].spec)


def _write_reserve(place: Place) -> list[Ref]:
    spec = place.element(place.op.outputs[0])
    inputs = [_shape(place, spec), *place.inputs]
    return place.main("TensorListReserve", inputs, element_dtype=spec.dtype)


def _write_from_tensor(place: Place) -> list[Ref]:
    inputs = [*place.inputs, _shape(place, _row(place.op.inputs[0].spec))]
    return place.main("TensorListFromTensor", inputs)


def _write_get(place: Place) -> list[Ref]:
    spec = place.op.attrs["element"]
    inputs = [*place.inputs, _shape(place, spec)]
    return place.main("TensorListGetItem", inputs, element_dtype=spec.dtype)


def _write_stack(place: Place) -> list[Ref]:
    spec, length = place.op.attrs["element"], place.op.attrs["length"]
    return place.main(
        "TensorListStack",
        [*place.inputs, _shape(place, spec)],
        element_dtype=spec.dtype,
        num_elements=-1 if length is None else length,
    )


_RESERVE_FORM = NodeForm(write=_write_reserve)
_FROM_TENSOR_FORM = NodeForm(write=_write_from_tensor, elements=_of_rows)
_SET_FORM = NodeForm(renamed={"resize": "resize_if_index_out_of_bounds"}, elements=_of_item(2))
_PUSH_FORM = NodeForm(elements=_of_item(1))
_GET_FORM = NodeForm(write=_write_get, elements=_of_attribute)
_STACK_FORM = NodeForm(write=_write_stack, elements=_of_attribute)


_HANDLE = spec_of(dtypes.variant, ())
_LIST = DTypes("a list", dtypes.variant)
_FLOAT = spec_of(dtypes.float32, ())


def _list_of(entries: Iterable[Any]) -> Tensor:
    return EagerTensor(ListValue.of(entries), _HANDLE)


def list_tensor(arrays: Iterable[Any]) -> Tensor:
    """Return a tensor that holds a list, for samples and tests."""
    return _list_of(map(np.asarray, arrays))


_TWO = list_tensor([np.float32(1), np.float32(2)])
_HALF = _list_of([None, np.float32(2)])


def _handle(*inputs: Tensor, **attrs: object) -> TensorSpec:
    return _HANDLE


def list_zeros(handle: Tensor) -> Tensor:
    """Return the gradient of a list on which nothing depends: entries not written are zeros."""
    return list_reserve(list_length(handle))


def _zeros(item: Tensor) -> Tensor:
    if item.dtype is dtypes.variant:
        return list_zeros(item)
    return call("ZerosLike", item, dtype=item.dtype)


def _as_long_as(g: Tensor, handle: Tensor) -> Tensor:
    return list_resize(g, list_length(handle))


def _single(handle: Tensor, index: Tensor, g: Tensor) -> Tensor:
    """Return a list as long as another in which only one entry is written."""
    return list_set(list_zeros(handle), index, g)


def _has_size(reserve: Operation) -> bool:
    count = static_value(reserve.inputs[0])
    return count is not None and bool(count >= 0)


@op(
    "TensorListReserve",
    {"num_elements": INDEX},
    infer=_handle,
    kernel=lambda xp, count: ListValue([], 0, int(count)),
    boxed=True,
    emit=Emit.NEW_LIST,
    safe=_has_size,
    node=_RESERVE_FORM,
    samples=(sample(3),),
)
def list_reserve(count: TensorLike) -> Tensor:
    """Return a list of `count` entries that are not written yet."""
    return list_reserve.op(count)


@op(
    "TensorListFromTensor",
    {"tensor": ANY},
    infer=_handle,
    kernel=lambda xp, tensor: ListValue.of(tensor),
    boxed=True,
    grad=lambda g, y, x: (_STACK_LIKE(g, x),),
    emit=Emit.LIST_OF_ROWS,
    node=_FROM_TENSOR_FORM,
    samples=(sample([1.0, 2.0]),),
)
def list_from_tensor(tensor: TensorLike) -> Tensor:
    """Return the list of the rows of a tensor."""
    return list_from_tensor.op(tensor)


def _set_grad(
    g: Tensor, y: Tensor, handle: Tensor, index: Tensor, item: Tensor, resize: bool
) -> tuple[Tensor, None, Tensor]:
    kept = list_set(g, index, _zeros(item))
    return _as_long_as(kept, handle), None, _GET_LIKE(g, index, item)


@op(
    "TensorListSetItem",
    {"input_handle": _LIST, "index": INDEX, "item": EXACT},
    infer=_handle,
    kernel=lambda xp, handle, index, item, resize: handle.with_item(int(index), item, resize),
    boxed=True,
    grad=_set_grad,
    emit=Emit.SET_ENTRY,
    node=_SET_FORM,
    samples=(sample(_TWO, 1, 5.0, resize=False), sample(_TWO, 3, 5.0, resize=True)),
)
def list_set(handle: Tensor, index: TensorLike, item: TensorLike, resize: bool = False) -> Tensor:
    """Return the list with one entry replaced, extended to `index` if `resize`.

    Raises: ListBoundsError if there is no such entry.
    """
    return list_set.op(handle, index, item, resize=resize)


def _push_grad(g: Tensor, y: Tensor, handle: Tensor, item: Tensor) -> tuple[Tensor, Tensor]:
    last = list_length(handle)
    return _as_long_as(g, handle), _GET_LIKE(g, last, item)


@op(
    "TensorListPushBack",
    {"input_handle": _LIST, "tensor": EXACT},
    infer=_handle,
    kernel=lambda xp, handle, item: handle.appended(item),
    boxed=True,
    failure=Failure.NEVER,
    grad=_push_grad,
    emit=Emit.PUSHED,
    node=_PUSH_FORM,
    samples=(sample(_TWO, 5.0),),
)
def list_push(handle: Tensor, item: TensorLike) -> Tensor:
    """Return the list with an entry appended."""
    return list_push.op(handle, item)


@op(
    "TensorListResize",
    {"input_handle": _LIST, "size": INDEX},
    infer=_handle,
    kernel=lambda xp, handle, size: handle.resized(int(size)),
    boxed=True,
    grad=lambda g, y, handle, size: (_as_long_as(g, handle), None),
    emit=Emit.RESIZED,
    samples=(sample(_TWO, 1),),
)
def list_resize(handle: Tensor, size: TensorLike) -> Tensor:
    """Return the list truncated or extended by entries not written."""
    return list_resize.op(handle, size)


def _remove_grad(
    g: Tensor, y: Tensor, handle: Tensor, index: Tensor, element: TensorSpec
) -> tuple[Tensor, None]:
    return list_insert(g, index, _zeros(list_get(handle, index, element))), None


@op(
    "TensorListRemove",
    {"input_handle": _LIST, "index": INDEX},
    infer=_handle,
    kernel=lambda xp, handle, index, element: handle.removed(int(index)),
    boxed=True,
    grad=_remove_grad,
    emit=Emit.REMOVED,
    samples=(sample(_TWO, 1, element=_FLOAT),),
)
def list_remove(handle: Tensor, index: TensorLike, element: TensorSpec) -> Tensor:
    """Return the list without one entry; `element` is the spec of its entries.

    Raises: ListBoundsError if there is no such entry.
    """
    return list_remove.op(handle, index, element=element)


def _insert_grad(
    g: Tensor, y: Tensor, handle: Tensor, index: Tensor, item: Tensor
) -> tuple[Tensor, None, Tensor]:
    return list_remove(g, index, item.spec), None, _GET_LIKE(g, index, item)


@op(
    "TensorListInsert",
    {"input_handle": _LIST, "index": INDEX, "item": EXACT},
    infer=_handle,
    kernel=lambda xp, handle, index, item: handle.inserted(int(index), item),
    boxed=True,
    grad=_insert_grad,
    emit=Emit.INSERTED,
    samples=(sample(_TWO, 1, 5.0), sample(_TWO, 2, 5.0)),
)
def list_insert(handle: Tensor, index: TensorLike, item: TensorLike) -> Tensor:
    """Return the list with an entry inserted before another one, or at the end.

    Raises: ListBoundsError for another index.
    """
    return list_insert.op(handle, index, item)


@op(
    "TensorListLength",
    {"input_handle": _LIST},
    infer=lambda handle: spec_of(dtypes.int32, ()),
    kernel=lambda xp, handle: xp.array(handle.size, dtype="int32"),
    emit=Emit.LENGTH,
    failure=Failure.NEVER,
    samples=(sample(_TWO),),
)
def list_length(handle: Tensor) -> Tensor:
    """Return the number of entries, an int32 scalar."""
    return list_length.op(handle)


def _entry_dims(entries: Sequence[Any], element: TensorSpec) -> Dims:
    """Return the shape of entries not written: the static one, or that of another entry."""
    if element_count(element.dims) is not None:
        return element.dims
    return next((entry.shape for entry in entries if entry is not None), None)


def _get(xp: Namespace, handle: ListValue, index: Array, element: TensorSpec) -> Array:
    value = handle.get(int(index))
    if value is not None:
        return value
    dims = _entry_dims(handle.entries(), element)
    if dims is None:
        raise InvalidArgumentError.of(
            f"entry {int(index)} of the list is read, but it was never written: Trying to read an "
            f"uninitialized tensor but element_shape is not fully defined: {element.shape}"
        )
    return xp.zeros(dims, element.dtype.numpy_dtype)


@op(
    "TensorListGetItem",
    {"input_handle": _LIST, "index": INDEX},
    infer=lambda handle, index, element: element,
    kernel=_get,
    grad=lambda g, y, handle, index, element: (_single(handle, index, g), None),
    emit=Emit.ENTRY,
    node=_GET_FORM,
    samples=(sample(_TWO, 1, element=_FLOAT),),
)
def list_get(handle: Tensor, index: TensorLike, element: TensorSpec) -> Tensor:
    """Return one entry; zeros if it was never written.

    Raises:
      ListBoundsError: if there is no such entry.
      InvalidArgumentError: if it was never written and no shape of an entry is known.
    """
    return list_get.op(handle, index, element=element)


def _stack(xp: Namespace, handle: ListValue, element: TensorSpec, length: int | None) -> Array:
    entries = handle.entries()
    missing = [i for i, entry in enumerate(entries) if entry is None]
    if missing:
        dims = _entry_dims(entries, element)
        if dims is None:
            raise InvalidArgumentError.of(
                f"the list is stacked, but its entries {missing} were never written"
            )
        empty = xp.zeros(dims, element.dtype.numpy_dtype)
        entries = [empty if entry is None else entry for entry in entries]
    if not entries:
        return xp.zeros((0, *(dim or 0 for dim in element.dims or ())), element.dtype.numpy_dtype)
    try:
        return xp.stack(entries)
    except ValueError:
        raise _unlike(entries) from None


def _unlike(entries: Sequence[Array]) -> IncompatibleShapesError:
    """Return the error for entries of several shapes; it names the first two that differ."""
    first = list(entries[0].shape)
    at, other = next((i, list(e.shape)) for i, e in enumerate(entries) if list(e.shape) != first)
    return IncompatibleShapesError.of(
        f"Shapes of all inputs must match: entry 0 of the list has the shape {first}, entry {at} "
        f"{other}. Pad the entries to one shape before they are stacked."
    )


@op(
    "TensorListStack",
    {"input_handle": _LIST},
    infer=lambda handle, element, length: element.with_dims(
        None if element.dims is None else (length, *element.dims)
    ),
    kernel=_stack,
    grad=lambda g, y, handle, **attrs: (list_from_tensor(g),),
    emit=Emit.STACK,
    node=_STACK_FORM,
    samples=(sample(_TWO, element=_FLOAT, length=None),),
)
def list_stack(handle: Tensor, element: TensorSpec, length: TensorLike | None = None) -> Tensor:
    """Return all entries as the rows of one tensor; zeros for entries not written.

    Raises:
      InvalidArgumentError: if shapes differ, or no entry is written and their shape is unknown.
    """
    known = static_value(length) if isinstance(length, Tensor) else length
    return list_stack.op(handle, element=element, length=None if known is None else int(known))


def _or_zeros(xp: Namespace, entry: Array, dims: Sequence[int], dtype: object) -> Array:
    return xp.zeros(dims, dtype) if entry is None else entry


def _get_like(xp: Namespace, handle: ListValue, index: Array, like: Array) -> Any:
    entry = handle.get(int(index))
    if isinstance(like, ListValue):
        return ListValue([], 0, like.size) if entry is None else entry
    return _or_zeros(xp, entry, like.shape, like.dtype)


def _stack_like(xp: Namespace, handle: ListValue, like: Array) -> Array:
    rows = [_or_zeros(xp, entry, like.shape[1:], like.dtype) for entry in handle.entries()]
    return xp.stack(rows) if rows else xp.zeros((0, *like.shape[1:]), like.dtype)


# Gradients read lists in which entries on which nothing depends are not written.
_GET_LIKE: Op = define_op(
    "TensorListGetItemLike",
    {"input_handle": _LIST, "index": INDEX, "like": ANY},
    lambda handle, index, like: like.spec,
    _get_like,
    grad=lambda g, y, handle, index, like: (_single(handle, index, g), None, None),
    emit=Emit.ENTRY_LIKE,
    samples=(sample(_HALF, 0, 5.0), sample(_HALF, 1, 5.0)),
)
_STACK_LIKE: Op = define_op(
    "TensorListStackLike",
    {"input_handle": _LIST, "like": ANY},
    lambda handle, like: like.spec.with_dims(like.spec.dims and (None, *like.spec.dims[1:])),
    _stack_like,
    grad=lambda g, y, handle, like: (list_from_tensor(g), None),
    emit=Emit.STACK_LIKE,
    samples=(sample(_HALF, [5.0, 6.0]),),
)


def _sum(xp: Namespace, a: ListValue, b: ListValue) -> ListValue:
    pairs = zip_longest(a.entries(), b.entries())
    return ListValue.of(x if y is None else y if x is None else x + y for x, y in pairs)


LIST_SUM = define_op(
    "TensorListSum",
    {"a": _LIST, "b": _LIST},
    _handle,
    _sum,
    boxed=True,
    grad=lambda g, y, a, b: (g, g),
    emit=Emit.SUM_OF_LISTS,
    samples=(sample(_TWO, _HALF),),
)
"""The entrywise sum of two lists; entries not written are zeros."""
