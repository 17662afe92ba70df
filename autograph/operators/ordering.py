"""Built-in functions that compare or call functions: `sorted`, `max`, `min`, `filter`, `map`.

With staged keys, the library computes the order, the first maximum or the filtered items. Without
staged values each is Python's own function.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import BuiltinFunctionType
from typing import Any

from autograph.errors import StagingError
from autograph.operators import moved
from autograph.operators.builtins import overload_of
from autograph.operators.comparisons import eq
from autograph.operators.comprehensions import gen_exp, list_comp
from autograph.operators.filters import Filtered
from autograph.operators.frames import leave_out, user_line
from autograph.operators.items import SEARCHES
from autograph.operators.iterators import computed
from autograph.operators.logic import if_exp
from autograph.operators.moved import listed, resolve
from autograph.operators.sorted_lists import compares_as_tuple, greater, less
from autograph.operators.stand_ins import has_identity
from autograph.staging import StagingLibrary, library_of, library_within, trace
from autograph.values import Value

Convert = Callable[[Any], Any]


def _sorted(
    converted: Convert,
    iterable: Iterable[Any],
    /,
    *,
    key: Callable[[Any], Any] | None = None,
    reverse: Value = False,
) -> Any:
    iterable = _sequence(iterable)
    if library_of(reverse) is not None:
        ways = (partial(_sorted, converted, iterable, key=key, reverse=each) for each in _WAYS)
        return if_exp(reverse, *ways)
    library = library_of(iterable)
    if library is not None and key is None:
        return _of_library(library, "sorted", iterable, reverse=reverse)
    if library is not None:
        keys = resolve(list_comp(iterable, _of_item(converted(key))))
        found = library.builtin("sorted_by", iterable, keys, reverse)
        if found is not NotImplemented:
            return found
        return _of_library(library, "sorted", iterable, key=key, reverse=reverse)
    values = _items_of(iterable)
    keys = values if key is None else list(map(converted(key), values))
    found = _sorted_by(values, keys, reverse)
    if found is None:
        order = sorted(range(len(values)), key=keys.__getitem__, reverse=reverse)
        return [values[position] for position in order]
    return found


_WAYS = (True, False)


def _sorted_by(values: list[Any], keys: list[Any], reverse: object) -> Any:
    """Return the values sorted by staged keys; None if Python can compare the keys."""
    library = library_within(keys)
    if library is not None:
        return _of_library(library, "sorted_by", values, keys, reverse)
    if not _are_alike(keys) or _differ_before_staged_items(keys):
        return None
    library = library_within([item for key in keys for item in key])
    return None if library is None else _sorted_by_tuples(library, values, keys, reverse)


def _sort(converted: Convert, values: Any, /, *, key: Value = None, reverse: Value = False) -> None:
    """Do `values.sort(key=key, reverse=reverse)` on a list, or on the holder of its items."""
    if issubclass(type(values), list) and library_of(reverse) is None:
        keys = values if key is None else _keys_of_emptied(values, converted(key))
        found = _sorted_by(values, keys, reverse)
        if found is None:
            known = iter(list(keys))
            values.sort(key=lambda _: next(known), reverse=reverse)
            return
    else:
        found = _sorted(converted, values, key=key, reverse=reverse)
    values.clear()
    values.extend(found)


def _keys_of_emptied(values: list[Any], key: Callable[[Any], Any]) -> list[Any]:
    """Return the sort keys of a list, which is empty meanwhile, as in Python."""
    items = list(values)
    list.clear(values)
    try:
        keys = list(map(key, items))
        if values:
            raise ValueError("list modified during sort")
    finally:
        list.__setitem__(values, slice(None), items)
    return keys


def _are_alike(keys: Sequence[Any]) -> bool:
    """Return whether all keys are tuples, or all lists, of one length."""
    kinds = {type(key) for key in keys}
    return (kinds == {list} or all(map(compares_as_tuple, kinds))) and len(set(map(len, keys))) == 1


def _differ_before_staged_items(keys: Sequence[Any]) -> bool:
    """Return whether Python orders all keys by numbers and strings, before it meets a staged item.

    >>> _differ_before_staged_items([("b", 2), ("a", 1)]), _differ_before_staged_items([("a", [])])
    (True, True)
    """
    plain = itertools.takewhile(
        lambda column: all(type(item) in _PLAIN for item in column), zip(*keys, strict=True)
    )
    return len(set(zip(*plain, strict=True))) == len(keys)


_PLAIN = (bool, int, float, str)


def _sorted_by_tuples(
    library: StagingLibrary, values: Sequence[Any], keys: Sequence[Any], reverse: object
) -> list[Any]:
    """Sort by tuple keys: stable sorts from the last key item to the first."""
    columns = map(_ranks_of_texts, zip(*keys, strict=True))
    rows = list(enumerate(zip(*columns, strict=True)))
    for position in reversed(range(len(keys[0]))):
        column = [key[position] for _, key in rows]
        rows = _of_library(library, "sorted_by", rows, column, reverse)
    numbers = [number for number, _ in rows]
    ranks = _of_library(library, "sorted_by", list(range(len(values))), numbers, False)
    return _of_library(library, "sorted_by", values, ranks, False)  # type: ignore[no-any-return]


def _ranks_of_texts(column: Sequence[Any]) -> Sequence[Any]:
    """Return the ranks of Python strings; any other keys unchanged."""
    if any(type(each) is not str for each in column):
        return column
    ranks = {text: rank for rank, text in enumerate(sorted(set(column)))}
    return [ranks[text] for text in column]


def _sequence(iterable: Value) -> Any:
    """Return an iterable as a sequence: the items of an `enumerate` or `zip` become a list."""
    iterable = listed(iterable)
    if library_of(iterable) is None or hasattr(type(iterable), "__getitem__"):
        return iterable
    return resolve(list_comp(iterable, _of_item(lambda item: item)))


def _items_of(iterable: Iterable[Any]) -> list[Any]:
    """Return the items as a list.

    `list` asks an object for its length to reserve room, and the program's `__len__` may be staged.
    `list(iter(x))` would call the program's `__iter__` twice.
    """
    return [item for item in iterable]  # noqa: C416


def _of_item(function: Callable[..., Any]) -> Callable[[Any], Any]:
    return lambda item: function(item)


def _of_library(library: StagingLibrary, name: str, *args: object, **kwargs: object) -> Any:
    result = library.builtin(name, *args, **kwargs)
    if result is NotImplemented:
        raise StagingError(
            f"`{name.partition('_')[0]}` of staged values cannot be recorded.\n  {user_line()}\n",
            remedy="Use an operation of the library.",
        )
    return result


def _extreme(name: str, is_better: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    original = {"max": max, "min": min}[name]

    def extreme(
        converted: Convert, /, *args: Any, key: Callable[[Any], Any] | None = None, **options: Any
    ) -> Any:
        args = (_sequence(args[0]),) if len(args) == 1 else tuple(map(listed, args))
        library = library_of(args[0]) if len(args) == 1 else None
        if library is not None:
            if key is None:
                return _of_library(library, name, args[0], **options)
            keys = resolve(list_comp(args[0], _of_item(converted(key))))
            found = library.builtin(f"{name}_by", args[0], keys=keys, **options)
            if found is not NotImplemented:
                return found
            return _of_library(library, name, args[0], key=key, **options)
        values = _items_of(args[0]) if len(args) == 1 else args
        if not values or (options and len(args) > 1):
            return original(*args, key=key, **options)
        function = None if key is None else converted(key)
        if key is None and all(type(each) is list for each in values):
            function = tuple  # of lists, the items are compared
        return _first_of(name, _by_items(converted, name, is_better), values, function)

    return extreme


def _by_items(
    converted: Convert, name: str, is_better: Callable[..., Any]
) -> Callable[[Any, Any], Any]:
    """Return a comparison that compares tuples item by item, and objects by their own methods."""
    own = converted(greater if name == "max" else less)

    def compared(one: Value, other: Value) -> Any:
        return own(one, other) if _has_own_order(one) else is_better(one, other)

    return compared


def _has_own_order(value: object) -> bool:
    """Return whether a library cannot compare a value with one like it."""
    return isinstance(value, tuple) or has_identity(value)


def _first_of(
    name: str,
    is_better: Callable[[Any, Any], Any],
    values: Sequence[Any],
    key: Callable[[Any], Any] | None,
) -> Any:
    """Return the first maximum (or minimum) by pairwise comparison."""
    best, by = values[0], values[0] if key is None else key(values[0])
    for value in values[1:]:
        own = value if key is None else key(value)
        test = is_better(own, by)
        library = library_of(test)
        if library is not None and key is None and not _has_own_order(value):
            found = library.builtin(name, best, value)
            if found is not NotImplemented:
                best = by = found
                continue
        best, by = _better(test, (value, own), (best, by))
    return best


def _better(test: object, one: tuple[Any, Any], other: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the value and the key of one of two, as a test decides."""
    best = if_exp(test, partial(_same, one[0]), partial(_same, other[0]))
    if one[0] is one[1] and other[0] is other[1]:
        return best, best
    return best, if_exp(test, partial(_same, one[1]), partial(_same, other[1]))


def _same(value: object) -> Any:
    return value


def _filter(
    converted: Convert, function: Callable[..., Any] | None, iterable: Iterable[Any], /
) -> Any:
    iterable = resolve(iterable)
    keeps = _same if function is None else converted(function)
    library = library_of(iterable)
    own = NotImplemented if library is None else library.builtin("filter", keeps, iterable)
    if own is not NotImplemented:
        return own
    if library is None and type(iterable) not in _COLLECTIONS:
        return filter(keeps if function is not None else None, iterable)
    return Filtered(filter, keeps, iterable)


def _while(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the replacement of `takewhile` or `dropwhile`."""

    def call(converted: Convert, function: object, iterable: Iterable[Any], /) -> Any:
        iterable = resolve(iterable)
        condition = converted(function)
        if library_of(iterable) is None and type(iterable) not in _COLLECTIONS:
            return original(condition, iterable)
        return Filtered(original, condition, iterable)

    return call


_COLLECTIONS = (list, tuple, range, Filtered)


def _map(converted: Convert, function: object, /, *iterables: object) -> Any:
    overload = overload_of(map)
    assert overload is not None
    return overload(partial(computed, converted, function), *iterables)


def _list(converted: Convert, iterable: Iterable[Any] = (), /) -> Any:
    iterable = listed(iterable)
    return _items_of(iterable) if library_of(iterable) is None else list_comp(iterable, _same)


def _decider(function: Callable[..., bool]) -> Callable[..., Any]:
    """Return the replacement of `any` or `all`, which reads items of Python one by one."""

    def call(converted: Convert, iterable: Any, /) -> Any:
        iterable = listed(iterable)
        kind = type(iterable)
        one_by_one = kind not in (list, tuple) and library_of(iterable) is None
        if one_by_one or hasattr(kind, "__autograph_mapped__"):
            return gen_exp(function, iterable, _same)
        overload = overload_of(function)
        assert overload is not None
        return overload(iterable)

    return call


ORDERING: dict[Any, Callable[..., Any]] = {
    sorted: _sorted,
    max: _extreme("max", operator.gt),
    min: _extreme("min", operator.lt),
    filter: _filter,
    itertools.takewhile: _while(itertools.takewhile),
    itertools.dropwhile: _while(itertools.dropwhile),
    list: _list,
    map: _map,
    any: _decider(any),
    all: _decider(all),
}


def traced_overload(function: Any, converted: Convert) -> Callable[..., Any] | None:
    """Return the replacement of a built-in function during a trace, or None.

    Args:
      function: the built-in function, or a method of a list.
      converted: returns the replacement of a function argument.
    """
    if not trace.running:
        return None
    staged = _sort_of(function.__self__) if _sorts_list(function) else ORDERING.get(function)
    if staged is None:
        return _of_list(function) if type(function) is BuiltinFunctionType else None

    def call(*args: object, **kwargs: object) -> Any:
        try:
            return staged(converted, *args, **kwargs)
        except BaseException as error:
            leave_out(error)
            raise

    call.__name__ = call.__qualname__ = function.__name__
    return call


def _sorts_list(function: Callable[..., Any]) -> bool:
    """Return whether a function is the method `sort` of a list, or of the holder of its items."""
    owner = getattr(function, "__self__", None)
    carried = hasattr(type(owner), "__autograph_carried__")
    if carried and owner is not None:
        return function.__name__ == "sort" and issubclass(owner.__autograph_type__(), list)
    return function.__name__ == "sort" and issubclass(type(owner), list)


def _sort_of(values: object) -> Callable[..., None]:
    return lambda converted, /, **options: _sort(converted, values, **options)


def _of_list(method: Any) -> Callable[..., Any] | None:
    """Return the replacement of `index` or `count` of a list or tuple."""
    name = method.__name__
    if type(method.__self__) not in (list, tuple) or name not in SEARCHES:
        return None

    def call(*args: object) -> Any:
        values: Any = moved.held(method.__self__)
        args = tuple(map(moved.held, args))
        bounds = args[1:]
        if not args or any(type(each) is not int for each in bounds):
            return getattr(values, name)(*args)
        start, stop = (*bounds, None, None)[:2]
        first, last, _ = slice(start, stop).indices(len(values))
        tests: list[Any] = []
        for value in values[first:last]:
            tests.append(value is args[0] or eq(value, args[0]))
            if name == "index" and tests[-1] is True:
                break
        library = library_within(tests)
        if library is None or (bounds and name == "count"):
            return getattr(values, name)(*args)
        if name == "index":
            return _of_library(library, "index", tests, args[0]) + first
        return _of_library(library, "count", tests)

    return call
