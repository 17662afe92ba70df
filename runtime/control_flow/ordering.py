"""The order of values that a tensor decides: `sorted`, `list.sort`, `max` and `min`.

NaN has no place in an order. `max` and `min` treat it as Python does: it is never better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from autograph.operators.logic import if_exp
from runtime.control_flow.iterables import flat
from runtime.control_flow.selection import is_mutable
from runtime.control_flow.truth import truth
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.joins import reference_to_one
from runtime.control_flow.values.repetition import vector_of
from runtime.core import dtypes
from runtime.core.dispatch import execute
from runtime.core.errors import StagingError
from runtime.core.spec import joined_weakness
from runtime.core.structure import flatten, unflatten
from runtime.core.tensor import Tensor
from runtime.ops.array.dimensions import size
from runtime.ops.array.joining import unstack
from runtime.ops.base.convert import convert_to_tensor, one_dtype, strong, weakened, weakness
from runtime.ops.base.exact_comparison import comparable
from runtime.ops.effects import output
from runtime.ops.items.gathering import gather
from runtime.ops.items.selecting import SELECT, where
from runtime.ops.math import elementwise
from runtime.ops.math.casting import cast
from runtime.ops.math.logic import equal, greater, less
from runtime.ops.reduce import ordering, reduction
from runtime.ops.reduce.ordering import argmax, argmin

_MISSING = object()


def _refuse_bools(values: object) -> None:
    """Raise StagingError for bools among numbers: a result would be either of them."""
    if not isinstance(values, (list, tuple)):
        return
    bools = [v for v in values if isinstance(v, bool) or getattr(v, "dtype", None) is dtypes.bool]
    if bools and len(bools) < len(values):
        raise StagingError(
            f"{bools[0]} is compared with numbers, and only the running program knows whether a "
            "bool or a number is the result.",
            public=TypeError,
            remedy="Convert the bool by int(...).",
        )


def _is_float(value: object) -> bool:
    return value.dtype.is_floating if isinstance(value, Tensor) else type(value) is float


def _chosen(name: str, better: Callable[..., Tensor], best: object, value: object) -> Any:
    """Return `value` if it is better than `best`, with Python's comparison: NaN is never better."""
    for number, other in ((best, value), (value, best)):
        if _is_beyond(number, other):
            return number if (number > 0) is (name == "max") else other
    fits = any(_is_wide(each) for each in (best, value))  # in uint64: it is not beyond it
    first, second = (best, value) if fits else comparable(best, value)
    (x, y), weak = one_dtype(name, [("arg1", first), ("arg2", second)])
    test = truth(better(y, x))
    if _is_float(best) is not _is_float(value):
        weak = joined_weakness(weakness(best), weakness(value), mixed=True)
    return execute(SELECT.definition, (test, y, x), {}, None, weak)[0]


def _is_wide(number: object) -> TypeGuard[int]:
    return type(number) is int and not dtypes.int64.min <= number <= dtypes.int64.max


def _is_beyond(number: object, other: object) -> TypeGuard[int]:
    """Return whether a number is an int of more than 64 bits, and all numbers of a tensor on one
    side of it.
    """
    if not _is_wide(number) or not isinstance(other, Tensor) or not other.dtype.is_integer:
        return False
    return not other.dtype.min <= number <= other.dtype.max


def _position(name: str, keys: Tensor) -> Tensor:
    """Return the index of the first _extreme element; that of a NaN only if it comes first."""
    find, worst = (argmax, -math.inf) if name == "max" else (argmin, math.inf)
    if keys.dtype is dtypes.bool:
        keys = cast(keys, dtypes.int32)
    if not keys.dtype.is_floating:
        return find(keys, axis=0)
    unordered = elementwise.is_nan(keys)
    found = find(where(unordered, convert_to_tensor(worst, keys.dtype), keys), axis=0)
    return where(unordered[0], convert_to_tensor(0, found.dtype), found)


def _extreme(name: str, better: Callable[..., Tensor]) -> Callable[..., Any]:
    """Return `max` or `min` on tensors, with Python's arguments."""

    def function(
        *args: object, default: object = _MISSING, keys: object = None, key: object = None
    ) -> Any:
        if key is not None:  # of an iterable that gives no keys as tensors
            return NotImplemented
        _refuse_bools(args if len(args) > 1 else args[0])
        if len(args) > 1:
            result = args[0]
            for value in args[1:]:
                result = _chosen(name, better, result, value)
            return result
        elements = flat(name, args[0], rows=keys is not None)
        if elements is NotImplemented:
            return NotImplemented
        by = strong(elements if keys is None else _stacked(keys))
        weak = weakness(elements)

        def best() -> Tensor:
            return weakened(gather(strong(elements), _position(name, by)), weak)

        dims = elements.spec.dims
        if dims is not None and dims[0]:
            return best()
        empty = equal(size(elements), 0)
        if default is _MISSING:
            output.raise_when(empty, ValueError(f"{name}() arg is an empty sequence"))
            return best()
        return if_exp(empty, lambda: default, best)

    return function


def _sorted(iterable: object, *, reverse: bool = False, key: object = None) -> Any:
    """Sort the elements of a tensor of one dimension or of a growing list."""
    if key is not None:  # of an iterable that gives no keys as tensors
        return NotImplemented
    if isinstance(iterable, GrowingList):
        return iterable.taken(iterable.order(reverse))
    value = flat("sorted", iterable)
    if value is NotImplemented:
        return NotImplemented
    _refuse_nan(value)
    direction = "DESCENDING" if reverse else "ASCENDING"
    return weakened(ordering.sort(strong(value), axis=0, direction=direction), weakness(value))


def _stacked(keys: object) -> Tensor:
    """Return the keys as a vector."""
    whole = keys.stack() if isinstance(keys, GrowingList) else convert_to_tensor(keys)
    if whole.shape.rank not in (1, None):
        raise StagingError(
            f"a sort key is not a scalar: all keys together are {whole.spec}.",
            public=TypeError,
            remedy="Give a key that is one number.",
        )
    return cast(whole, dtypes.int32) if whole.dtype is dtypes.bool else whole


def _sorted_by(values: object, keys: object, reverse: bool) -> Any:
    """Sort values by their keys, stably."""
    order = _order(keys, reverse)
    if isinstance(values, GrowingList):
        return values.taken(order)
    if not isinstance(values, list):
        rows = flat("sorted", values, rows=True)
        return rows if rows is NotImplemented else gather(rows, order)
    if any(is_mutable(value) and not _is_named_tuple(value) for value in values):
        return _references(values, order)
    leaves, nodes = zip(*map(flatten, values), strict=True)
    if any(node != nodes[0] for node in nodes):
        raise _unlike(values)
    columns = [_column(column, order, len(values)) for column in zip(*leaves, strict=True)]
    rows = zip(*columns, strict=True)
    return [unflatten(nodes[0], row) for row in rows]


def _is_named_tuple(value: object) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields") and not hasattr(value, "__dict__")


def _order(keys: object, reverse: bool) -> Tensor:
    """Return the permutation that sorts the keys, stably."""
    if isinstance(keys, GrowingList):
        return keys.order(reverse)
    by = strong(_stacked(keys))
    if by.dtype is dtypes.string:
        raise StagingError(
            "texts that only the running program knows are put in order, which a graph cannot do.",
            public=TypeError,
            remedy="Sort by numbers.",
        )
    _refuse_nan(by)
    return ordering.argsort(by, 0, "DESCENDING" if reverse else "ASCENDING", stable=True)


def _refuse_nan(keys: Tensor) -> None:
    """Raise ValueError at run time for a NaN: its position would depend on the algorithm."""
    if keys.dtype.is_floating:
        unordered = reduction.reduce_any(elementwise.is_nan(keys))
        output.raise_when(unordered, ValueError("NaN has no place in a sorted list"))


def _references(values: Sequence[Any], order: Tensor) -> list[Any]:
    """Return references to the objects in an order that is known at run time."""
    known = tuple({id(value): value for value in values}.values())
    numbers = unstack(order, len(values))
    found = [reference_to_one(known, number) for number in numbers]
    if len(known) < len(values) or any(each is None for each in found):
        raise _unlike(values)
    return found


def _column(values: Sequence[Any], order: Tensor, count: int) -> list[Tensor]:
    _refuse_bools(values)
    try:
        whole, weak = vector_of(values)
    except (TypeError, ValueError):
        raise _unlike(values) from None
    moved = gather(strong(whole), order)
    return [weakened(each, weak) for each in unstack(moved, count)]


def _unlike(values: Sequence[Any]) -> StagingError:
    kinds = sorted({type(value).__name__ for value in values})
    return StagingError(
        f"values of different types ({', '.join(kinds)}) are put in an order that only the running "
        "program knows.",
        public=TypeError,
        remedy="Sort numbers, or different objects or structures of one type.",
    )


BUILTINS: dict[str, Callable[..., Any]] = {
    "max": _extreme("max", greater),
    "max_by": _extreme("max", greater),
    "min": _extreme("min", less),
    "min_by": _extreme("min", less),
    "sorted": _sorted,
    "sorted_by": _sorted_by,
}
"""Implementations for the converter, by name."""
