"""Built-in functions of Python on arrays: the extremes, sums and orders of their elements, and what
goes through their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from autograph.adapters.iterables import (
    Enumerate,
    Items,
    Listed,
    Map,
    Range,
    Reversed,
    Rows,
    Zip,
)
from autograph.adapters.refusals import Unsettled, refusal
from autograph.errors import StagingError
from autograph.operators.stand_ins import has_identity

if TYPE_CHECKING:
    from autograph.adapters.library import Library

KINDS = (Rows, Listed, Range, Enumerate, Zip, Map, Reversed)
"""What loops go through."""


def functions(library: Library) -> dict[str, Callable[..., Any]]:
    """Return the built-in functions of a library, by name."""
    own: dict[str, Callable[..., Any]] = {
        "bool": library.truth,
        "enumerate": partial(_enumerate, library),
        "map": partial(_map, library),
        "range": partial(_range, library),
        "reversed": lambda values: library.kinds[Reversed](library.items(values), library.flipped),
        "zip": partial(_zip, library),
    }
    namespace = library.namespace
    if namespace is not None:
        own |= {
            "all": lambda values: namespace.all(_elements(library, "all", values) != 0),
            "any": lambda values: namespace.any(_elements(library, "any", values) != 0),
            "len": _len,
            "max": partial(_extreme, library, "max", lambda value, best: value > best),
            "min": partial(_extreme, library, "min", lambda value, best: value < best),
            "max_by": partial(_extreme_by, library, "max"),
            "min_by": partial(_extreme_by, library, "min"),
            "sorted": partial(_sorted, library),
            "sorted_by": partial(_sorted_by, library),
            "sum": partial(total, library),
        }
    return own


# ---- elements ----


def _elements(library: Library, name: str, values: Any) -> Any:
    """Return an array of one dimension, whose elements a function of Python tests."""
    if isinstance(values, Items):
        values = library.stack(list(values))
    if values.ndim != 1:
        raise refusal(
            f"{name} goes over an array of shape {tuple(values.shape)}, the rows of which have "
            "no single truth.",
            f"Use the function of {library.namespace.__name__} along an axis in place of {name}.",
            library.several_truths if values.ndim else TypeError,
        )
    return values


def _len(value: Any) -> Any:
    if isinstance(value, Items):
        return value.length()
    if value.ndim == 0:
        raise TypeError("len() of unsized object")
    return value.shape[0]


def _extreme(
    library: Library,
    name: str,
    replaces: Callable[[Any, Any], Any],
    *args: Any,
    key: object = None,
    **default: object,
) -> Any:
    if key is not None:
        raise _keys_of_several_parts(name)
    if len(args) == 1:
        array = _elements(library, name, args[0])
        return _extreme_row(library, name, array, array, **default)
    best = args[0]
    for value in args[1:]:
        test = library.truth(replaces(value, best))
        best = library.namespace.where(test, *library.chosen_between(value, best))
    return best


def _extreme_by(
    library: Library, name: str, values: Any, keys: Sequence[Any], **default: object
) -> Any:
    column = _column(library, keys)
    if column is None or not library.is_array(values):
        return NotImplemented
    return _extreme_row(library, name, values, column, **default)


def _extreme_row(library: Library, name: str, array: Any, column: Any, **default: object) -> Any:
    """Return the row whose key is the first extreme; the keys are an array of one dimension."""
    length = column.shape[0]
    if type(length) is int and length == 0:  # a symbol is positive
        if default:
            return default["default"]
        raise ValueError(f"{name}() iterable argument is empty")
    functions = library.namespace
    # As in Python, which compares in order, NaN wins at the first place only.
    compared = functions.where(column != column, column[0], column)
    position = getattr(functions, f"arg{name}")(compared * 1)  # PyTorch has no bools
    return library.row(array, position)


def _column(library: Library, keys: Sequence[Any]) -> Any:
    """Return keys as an array of one dimension; None for others, such as tuples."""
    try:
        column = library.stacked(keys)
    except (Unsettled, ValueError):
        return None
    return column if column.ndim == 1 else None


def _keys_of_several_parts(name: str) -> StagingError:
    return refusal(
        f"{name} compares rows of an array by keys that are no scalars.",
        f"Go over a list: `{name}(list(rows), key=...)`.",
    )


def total(library: Library, values: Any, start: Any = 0) -> Any:
    """`sum(values, start)`, in the dtype of the array."""
    if not library.is_array(values) or not values.ndim:
        return sum(values, start)
    reduce = partial(library.namespace.sum, axis=0)
    row = reduce(values[:0], dtype=values.dtype)
    return start + reduce(values, dtype=library.namespace.result_type(row, start))


def _sorted(
    library: Library, values: Any, *, key: object = None, reverse: bool = False
) -> list[Any]:
    if key is not None:
        raise _keys_of_several_parts("sorted")
    array = _elements(library, "sorted", values)
    return list(array[library.namespace.argsort(array, stable=True, descending=reverse)])


def _sorted_by(library: Library, values: Any, keys: Sequence[Any], reverse: bool) -> Any:
    """Return the values in the order of their keys; NotImplemented unless both make one array.

    Raises: StagingError for lists and objects: they have an identity, which a copy would lose.
    """
    column = _column(library, keys)
    if column is None:
        return NotImplemented
    order = library.namespace.argsort(column, stable=True, descending=reverse)
    if library.is_array(values):
        return list(values[order])
    if type(values) is not list:
        return NotImplemented
    kept = next(filter(has_identity, values), None)
    if kept is not None:
        raise refusal(
            f"a list of {type(kept).__name__} objects is sorted by keys that are known only "
            "when the program runs, and each item stays the object that it is.",
            "Sort tuples of numbers and arrays in place of the objects.",
        )
    try:
        rows = library.tree_map(lambda *leaves: library.stacked(leaves), *values)
    except (Unsettled, ValueError):
        return NotImplemented
    rows = library.tree_map(lambda row: row[order], rows)
    return [library.tree_map(lambda row, n=n: row[n], rows) for n in range(len(values))]


# ---- what goes through rows ----


def _range(library: Library, *bounds: object) -> Any:
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    return library.kinds[Range](start, stop, step, library.count)


def _enumerate(library: Library, iterable: object, start: object = 0) -> Any:
    return library.kinds[Enumerate](library.items(iterable), start)


def _zip(library: Library, *iterables: object, strict: bool = False) -> Any:
    parts = [library.items(iterable) for iterable in iterables]
    lengths = [part.length() for part in parts]
    if strict and not all(isinstance(length, int) for length in lengths):
        raise refusal(
            "zip(strict=True) compares lengths that are known only when the program runs.",
            "Leave strict out.",
        )
    if strict and len(set(lengths)) > 1:
        raise ValueError(f"zip() arguments have different lengths: {lengths}")
    return library.kinds[Zip](parts, partial(_shortest, library))


def _shortest(library: Library, lengths: list[Any]) -> Any:
    least = lengths[0]
    for length in lengths[1:]:
        known = isinstance(least, int) and isinstance(length, int)
        least = min(least, length) if known else library.least(least, length)
    return least


def _map(library: Library, function: Callable[..., Any], *iterables: object) -> Any:
    return library.kinds[Map](function, _zip(library, *iterables))
