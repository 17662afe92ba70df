"""Python's built-in functions on tensors, with Python's semantics.

Each returns NotImplemented if Python's own function applies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeGuard

from autograph.operators.logic import if_exp
from runtime.control_flow.chosen import is_mutable
from runtime.control_flow.iterables import Enumerate, Map, Range, Reversed, Zip, as_iterable
from runtime.control_flow.truth import truth
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.joins import reference_to_one
from runtime.control_flow.values.partial_dicts import PartialDict
from runtime.control_flow.values.staged_iterable import StagedIterable
from runtime.control_flow.values.tuples import GrowingTuple
from runtime.core import dtypes
from runtime.core.dispatch import execute
from runtime.core.errors import StagingError
from runtime.core.places import user_name
from runtime.core.spec import Mixed, joined_weakness
from runtime.core.structure import flatten, unflatten
from runtime.core.symbolic import int_or_float
from runtime.core.tensor import Tensor, TensorLike, is_operand
from runtime.ops.array.dimensions import shape, size
from runtime.ops.array.joining import stack, unstack
from runtime.ops.base.convert import (
    CAST,
    convert_to_tensor,
    is_weak,
    one_dtype,
    weakened,
    weakness,
)
from runtime.ops.base.exact_comparison import comparable
from runtime.ops.effects import output
from runtime.ops.items.gathering import gather
from runtime.ops.items.indexing import getitem
from runtime.ops.items.selecting import SELECT, where
from runtime.ops.math import arithmetic, elementwise
from runtime.ops.math.casting import cast
from runtime.ops.math.logic import equal, greater, less
from runtime.ops.math.python_numbers import FUNCTIONS, call_python, round_to
from runtime.ops.reduce import ordering, reduction
from runtime.ops.reduce.ordering import argmax, argmin
from runtime.ops.strings import texts
from runtime.ops.strings.joining import reduce_join

_MISSING = object()


# ---- numbers ----


def _number(value: TensorLike, dtype: dtypes.DType) -> Tensor:
    """Return a weak tensor that represents the Python number."""
    return execute(CAST, (convert_to_tensor(value),), {"dtype": dtype}, weak=True)[0]


def _int(value: Any = 0, base: Any = None) -> Any:
    if base is not None:
        raise StagingError(
            f"`int` with the base {base} reads a text that is known when the graph runs.",
            public=TypeError,
            remedy="Compute the number from the digits in a loop.",
        )
    if texts.is_text(value):
        return texts.number_in(value, dtypes.int32)
    tensor = convert_to_tensor(value)
    if tensor.dtype.is_floating and tensor.shape.rank == 0:
        return call_python("int", tensor)
    return _number(value, dtypes.int32 if tensor.dtype.size <= 4 else dtypes.int64)


def _float(value: Any = 0.0) -> Any:
    if texts.is_text(value):
        return texts.number_in(value, dtypes.float64)
    return _number(value, dtypes.float64)


def _bool(value: object = False) -> Any:
    return _number(truth(value), dtypes.bool)


def _round(number: TensorLike, ndigits: Any = None) -> Any:
    if isinstance(ndigits, Tensor) or convert_to_tensor(number).shape.rank:
        return NotImplemented
    return call_python("round", number) if ndigits is None else round_to(number, ndigits)


def _pow(base: TensorLike, exp: TensorLike, mod: TensorLike = None) -> Any:
    return NotImplemented if mod is None else call_python("pow", base, exp, mod)


def _modf(x: TensorLike) -> tuple[Tensor, Tensor]:
    return call_python("the fraction of math.modf", x), call_python("the integer of math.modf", x)


def _frexp(x: TensorLike) -> tuple[Tensor, Tensor]:
    parts = "the mantissa of math.frexp", "the exponent of math.frexp"
    return call_python(parts[0], x), call_python(parts[1], x)


def _dist(p: Sequence[TensorLike], q: Sequence[TensorLike]) -> Tensor:
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return call_python("math.dist", *p, *q)


def _fsum(values: Sequence[TensorLike]) -> Tensor:
    return call_python("math.fsum", *values)


def _divmod(a: TensorLike, b: TensorLike) -> tuple[Tensor, Tensor]:
    return arithmetic.floordiv(a, b), arithmetic.floormod(a, b)


# ---- iterables ----


def _length(value: object) -> Any:
    if isinstance(value, (GrowingList, PartialDict)):
        return weakened(value.size())
    if isinstance(value, StagedIterable):
        return value.length()
    tensor = convert_to_tensor(value)
    dims = tensor.spec.dims
    if texts.is_text(tensor):
        return texts.count_characters(tensor)
    if dims == ():
        raise TypeError("a scalar tensor has no len()")
    if dims is not None and dims[0] is not None:
        return dims[0]
    return weakened(getitem(shape(tensor), 0))


def _join(separator: str, items: Any) -> Any:
    """Join a string, or a growing list of strings, with a separator."""
    if isinstance(items, StagedIterable):
        return NotImplemented
    if texts.is_text(items):
        items = texts.characters(items)
    whole = items.stack() if isinstance(items, GrowingList) else convert_to_tensor(items)
    if whole.dtype is not dtypes.string or whole.shape.rank not in (1, None):
        return NotImplemented
    return weakened(reduce_join(whole, separator=separator))


def _range(*bounds: TensorLike) -> Range:
    return Range.of_python(0, *bounds) if len(bounds) == 1 else Range.of_python(*bounds)


def _enumerate(iterable: object, start: TensorLike = 0) -> Enumerate:
    return Enumerate(as_iterable(iterable), start)


def _zip(*iterables: object, strict: bool = False) -> Any:
    parts = list(map(as_iterable, iterables))
    if strict:
        lengths = [part.length() for part in parts]
        for position, length in enumerate(lengths[1:], 2):
            text = f"zip() argument {position} has another length than argument 1"
            _raise_unless(equal(length, lengths[0]), ValueError(text))
    return Zip(*parts)


def _raise_unless(condition: Tensor, error: Exception) -> None:
    output.raise_when(elementwise.logical_not(condition), error)


def _map(function: Callable[..., Any], *iterables: object) -> Map:
    return Map(function, *map(as_iterable, iterables))


def _reversed(iterable: object) -> Reversed:
    return Reversed(as_iterable(iterable))


# ---- elements ----


def _flat(name: str, value: object, rows: bool = False) -> Any:
    """Return the elements that a built-in function iterates over, or NotImplemented.

    Raises:
      StagingError: if the elements are rows, which Python cannot compare either.
    """
    whole = value.stack() if isinstance(value, GrowingList) else value
    if isinstance(whole, Range):
        whole = _of_range(whole)
    if isinstance(whole, PartialDict):
        whole.refuse(whole.asked)
    if not is_operand(whole):
        return NotImplemented
    tensor = convert_to_tensor(whole)
    if tensor.shape.rank not in (1, None) and not rows:
        raise StagingError(
            f"{name}() goes over the elements of a tensor of one dimension, not of {tensor.spec}. "
            "Use runtime.reduce_max, reduce_min, reduce_any or reduce_all with an axis.",
            public=ValueError,
        )
    return tensor


def _of_range(numbers: Range) -> Any:
    length = numbers.length()
    return stack([numbers.item(i) for i in range(length)]) if isinstance(length, int) else numbers


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


def _exact(elements: Tensor) -> Tensor:
    """Return elements that represent Python numbers in their own dtype: floats stay float64."""
    if not is_weak(elements):
        return elements
    return execute(CAST, (elements,), {"dtype": elements.dtype})[0]


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
    """Return the index of the first extreme element; that of a NaN only if it comes first."""
    find, worst = (argmax, -math.inf) if name == "max" else (argmin, math.inf)
    if keys.dtype is dtypes.bool:
        keys = cast(keys, dtypes.int32)
    if not keys.dtype.is_floating:
        return find(keys, axis=0)
    unordered = elementwise.is_nan(keys)
    found = find(where(unordered, convert_to_tensor(worst, keys.dtype), keys), axis=0)
    return where(unordered[0], convert_to_tensor(0, found.dtype), found)


def _extreme(name: str, better: Callable[..., Tensor]) -> Callable[..., Any]:
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
        elements = _flat(name, args[0], rows=keys is not None)
        if elements is NotImplemented:
            return NotImplemented
        by = _exact(elements if keys is None else _stacked(keys))
        weak = weakness(elements)

        def best() -> Tensor:
            return weakened(gather(_exact(elements), _position(name, by)), weak)

        dims = elements.spec.dims
        if dims is not None and dims[0]:
            return best()
        empty = equal(size(elements), 0)
        if default is _MISSING:
            output.raise_when(empty, ValueError(f"{name}() arg is an empty sequence"))
            return best()
        return if_exp(empty, lambda: default, best)

    return function


def _sum(iterable: object, start: TensorLike = 0) -> Any:
    value = iterable.stack() if isinstance(iterable, GrowingList) else iterable
    if not is_operand(value):
        return NotImplemented
    elements = convert_to_tensor(value)
    total = weakened(reduction.reduce_sum(_exact(elements), axis=0), weakness(elements))
    return total if isinstance(start, int) and start == 0 else arithmetic.add(total, start)


def _quantified(name: str, reduce: Callable[..., Tensor]) -> Callable[[Any], Any]:
    def function(iterable: object) -> Any:
        elements = _flat(name, iterable)
        if elements is NotImplemented:
            return NotImplemented
        return weakened(reduce(cast(elements, dtypes.bool)))

    return function


# ---- order ----


def _sorted(iterable: object, *, reverse: bool = False, key: object = None) -> Any:
    if key is not None:  # of an iterable that gives no keys as tensors
        return NotImplemented
    if isinstance(iterable, GrowingList):
        return iterable.taken(iterable.order(reverse))
    value = _flat("sorted", iterable)
    if value is NotImplemented:
        return NotImplemented
    _refuse_nan(value)
    direction = "DESCENDING" if reverse else "ASCENDING"
    return weakened(ordering.sort(_exact(value), axis=0, direction=direction), weakness(value))


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
        rows = _flat("sorted", values, rows=True)
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
    by = _exact(_stacked(keys))
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
        whole = convert_to_tensor(list(values))
    except (TypeError, ValueError):
        raise _unlike(values) from None
    moved = gather(_exact(whole), order)
    return [weakened(each, weakness(whole)) for each in unstack(moved, count)]


def _unlike(values: Sequence[Any]) -> StagingError:
    kinds = sorted({type(value).__name__ for value in values})
    return StagingError(
        f"values of different types ({', '.join(kinds)}) are put in an order that only the running "
        "program knows.",
        public=TypeError,
        remedy="Sort numbers, or different objects or structures of one type.",
    )


def _index(tests: Sequence[Any], value: object) -> Tensor:
    """Return the index of the first true test, one test for each element of the list."""
    whole = stack([truth(test) for test in tests])
    error = ValueError(f"{value} is not in list" if not is_operand(value) else "not in list")
    _raise_unless(reduction.reduce_any(whole), error)
    return weakened(cast(argmax(cast(whole, dtypes.int32), axis=0), dtypes.int32))


def _count(tests: Sequence[Any]) -> Tensor:
    whole = stack([truth(test) for test in tests])
    return weakened(reduction.reduce_sum(cast(whole, dtypes.int32)))


def text(value: object, conversion: str, spec: object) -> Tensor:
    """Return the text of a tensor, variable or growing list; see `texts.text_of`.

    Raises:
      StagingError: for other staged values, which have no text.
    """
    if isinstance(value, StagedIterable):
        raise StagingError(
            f"a {type(value).__name__} of tensors would become text, but its items are known only "
            "when the graph runs.",
            public=TypeError,
            remedy="Append them to a list, and make text of that.",
        )
    if isinstance(value, GrowingTuple):
        value.refuse("becomes text")
    _refuse_mixed(value, conversion, spec)
    return texts.text_of(
        convert_to_tensor(value), conversion, spec, listed=isinstance(value, GrowingList)
    )


_SAME_TEXT = tuple("eEfFgG%")
"""Ends of format specifications with which an int and a float of one value have one text."""


def _refuse_mixed(value: object, conversion: str, spec: object) -> None:
    """Raise StagingError for the text of numbers that may be ints or floats."""
    columns = value.columns if isinstance(value, GrowingList) else [value]
    if not any(isinstance(getattr(each, "weak", None), Mixed) for each in columns):
        return
    if isinstance(value, Tensor) and not value.dtype.is_floating:
        return
    if conversion in ("", "%") and isinstance(spec, str) and spec.endswith(_SAME_TEXT):
        return
    name = user_name(value) if isinstance(value, Tensor) else None
    raise int_or_float(f"`{name}`" if name else "the value", "text")


BUILTINS: dict[str, Callable[..., Any]] = {
    **{name: partial(call_python, name) for name in FUNCTIONS if name.startswith("math.")},
    "abs": abs,
    "all": _quantified("all", reduction.reduce_all),
    "any": _quantified("any", reduction.reduce_any),
    "bool": _bool,
    "count": _count,
    "divmod": _divmod,
    "enumerate": _enumerate,
    "float": _float,
    "index": _index,
    "int": _int,
    "join": _join,
    "len": _length,
    "map": _map,
    "math.dist": _dist,
    "math.frexp": _frexp,
    "math.fsum": _fsum,
    "math.modf": _modf,
    "max": _extreme("max", greater),
    "max_by": _extreme("max", greater),
    "min": _extreme("min", less),
    "min_by": _extreme("min", less),
    "pow": _pow,
    "range": _range,
    "reversed": _reversed,
    "round": _round,
    "sorted": _sorted,
    "sorted_by": _sorted_by,
    "sum": _sum,
    "zip": _zip,
    **{each: partial(text, conversion=each, spec="") for each in ("bin", "chr", "hex", "oct")},
}
"""Implementations for the converter, by name."""
