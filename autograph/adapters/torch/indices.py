"""Elements of tensors at integer scalars: Python's indexing would ask these for their values."""

from __future__ import annotations

from typing import Any, TypeGuard

import torch

ROW = "a row taken by a number that is known only when the program runs is a copy"


def is_position(index: object) -> bool:
    """Return whether the index is an integer scalar."""
    if not isinstance(index, torch.Tensor) or index.dim():
        return False
    return not index.dtype.is_floating_point and index.dtype is not torch.bool


def split(array: Any, index: object) -> tuple[Any, list[Any]] | None:
    """Split an index with integer scalars into one without, and the scalar of each dimension left.

    None: it has no integer scalars, or others besides numbers, slices, None and `...`.
    """
    entries: list[Any] = list(index) if isinstance(index, tuple) else [index]
    if not any(map(is_position, entries)):
        return None
    taken = sum(each is not None and each is not ... for each in entries)
    plain: list[Any] = []
    scalars: list[Any] = []
    for entry in entries:
        if entry is ...:
            plain += [slice(None)] * (array.dim() - taken)
            scalars += [None] * (array.dim() - taken)
        elif is_position(entry):
            plain.append(slice(None))
            # A copy, which a gradient saves: the program may count on in place.
            scalars.append(entry.to(torch.int64, copy=True))
        elif entry is None or isinstance(entry, slice):
            plain.append(entry)
            scalars.append(None)
        elif type(entry) is int:
            plain.append(entry)
        else:
            return None
    return tuple(plain), scalars


def with_sizes(index: object) -> Any:
    """Return an index with the sizes of a trace in place of tensors in slices."""
    if isinstance(index, tuple):
        return tuple(map(with_sizes, index))
    if not isinstance(index, slice):
        return index
    bounds = (index.start, index.stop, index.step)
    return slice(*(each.item() if isinstance(each, torch.Tensor) else each for each in bounds))


def narrowed(array: Any, index: object) -> tuple[Any, Any]:
    """Return a view and an index that give the same elements, without slices between tensors.

    Inductor compiles the gradient of these if their starts and lengths are known to be in range.
    """
    entries = list(index) if isinstance(index, tuple) else [index]
    if not all(type(each) in (int, slice) for each in entries):
        return array, index
    for dimension, each in enumerate(entries):
        if _is_between_tensors(each):
            array = _narrowed(array, dimension, each)
            entries[dimension] = slice(None, None, each.step)
    return array, tuple(entries)


def _is_between_tensors(entry: object) -> TypeGuard[slice]:
    bounds = (entry.start, entry.stop) if isinstance(entry, slice) else ()
    return any(isinstance(each, torch.Tensor) for each in bounds)


def _narrowed(array: Any, dimension: int, entry: slice) -> Any:
    size = array.shape[dimension]
    start = _from_start(0 if entry.start is None else entry.start, size)
    stop = _from_start(size if entry.stop is None else entry.stop, size)
    bounds = start.item(), (stop - start).clamp(min=0).item()
    for each in bounds:
        torch.sym_constrain_range_for_size(each, min=0, max=size)
    return torch.narrow(array, dimension, *bounds)


def _from_start(bound: Any, size: int) -> Any:
    bound = torch.as_tensor(bound)
    return torch.where(bound < 0, bound + size, bound).clamp(0, size)


def row_of(array: torch.Tensor, index: object) -> Any:
    """Return a copy of a row."""
    return torch.ops.aten.index.Tensor(array, [index])


def selected(array: Any, index: object) -> Any:
    """Return a copy of the elements at an index with integer scalars; None for another index."""
    parts = split(array, index)
    return None if parts is None else torch.ops.aten.index.Tensor(array[parts[0]], parts[1])


def assigned(array: Any, index: object, value: Any) -> bool:
    """Assign elements at an index with integer scalars; return whether it is such an index."""
    parts = split(array, index)
    if parts is None:
        return False
    # A copy: the value may show elements of the array.
    value = torch.as_tensor(value, dtype=array.dtype, device=array.device).clone()
    torch.ops.aten.index_put_(array[parts[0]], parts[1], value)
    return True
