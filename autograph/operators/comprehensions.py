"""Comprehensions over staged items, or with staged conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from autograph.operators.alternatives import not_
from autograph.operators.builtins import overload_of
from autograph.operators.control_flow import for_stmt, if_stmt
from autograph.operators.frames import leave_out
from autograph.operators.iterators import items_by_library, without_effects
from autograph.operators.logic import and_, decided, if_exp, or_
from autograph.operators.moved import listed
from autograph.staging import ATOMS, StagingLibrary, library_of, ongoing, trace
from autograph.values import Value

Function = Callable[..., Any]

_NAMES = ("list comprehension",)


def list_comp(iterable: Iterable[Any], element: Function, condition: Function | None = None) -> Any:
    """Return `[element(x) for x in iterable if condition(x)]`; a staged list for staged items.

    >>> list_comp([1, 2, 3], lambda x: x * 2, lambda x: x > 1)
    [4, 6]
    """
    element, condition = _of_item(element), condition and _of_item(condition)
    result: list[Any] = []

    def get_state() -> tuple[Any, ...]:
        return (result,)

    def set_state(values: tuple[Any, ...]) -> None:
        nonlocal result
        (result,) = values

    def body(item: object) -> None:
        try:
            test = True if condition is None else condition(item)
            if type(test) in ATOMS:
                if test:
                    result.append(element(item))
            else:
                if_stmt(test, keep(item), None, get_state, set_state, _NAMES)
        except BaseException as error:
            leave_out(error)
            raise

    def keep(item: object) -> Callable[[], None]:
        return lambda: result.append(element(item))

    try:
        if condition is None and _has_known_length(iterable):
            return [element(item) for item in iterable]
        for_stmt(iterable, body, get_state, set_state, _NAMES)
    except BaseException as error:
        leave_out(error)
        raise
    return result


_FROM_ZERO = object()


def gen_exp(
    function: Function,
    iterable: Iterable[Any],
    element: Function,
    condition: Function | None = None,
    start: Value = _FROM_ZERO,
) -> Any:
    """Return `function(element(x) for x in iterable if condition(x))` for a built-in function.

    `start` is the second argument of `sum` and `next`. A function of several parameters unpacks
    the items. Python items are consumed one at a time until a staged value must decide. Of `iter`,
    a trace returns a list.

    >>> gen_exp(any, [1, 2, 3], lambda x: x > 1), gen_exp(sum, {1: 2}.items(), lambda k, v: k * v)
    (True, 2)
    """
    try:
        if function is next:
            return _next(iterable, _of_item(element), condition and _of_item(condition), start)
        if function is iter:
            return _items(iterable, element, condition)
        return _result_of(function, iterable, element, condition, start)
    except BaseException as error:
        leave_out(error)
        raise


def begin(iterable: Any) -> Any:
    """Begin to iterate over an object of Python's whose class may have its own `__iter__`.

    >>> begin([1]), next(begin({1: 2}.items()))
    ([1], (1, 2))
    """
    if type(iterable) in _CONTAINERS or hasattr(type(iterable), "__autograph_for__"):
        return iterable
    try:
        return iterable if library_of(iterable) is not None else iter(iterable)
    except BaseException as error:
        leave_out(error)
        raise


_CONTAINERS = frozenset({list, tuple, dict, set, range})


def _result_of(
    function: Function,
    iterable: Iterable[Any],
    element: Function,
    condition: Function | None,
    start: Value,
) -> Any:
    if hasattr(type(iterable), "__autograph_for__"):
        if function is any or function is all:
            reached = iterable.reached  # type: ignore[attr-defined]
            iterable = without_effects(_all_items, iterable, *reached)
        else:
            iterable = listed(iterable)
    library = library_of(iterable)
    if library is not None:
        if start is not _FROM_ZERO:
            return start + gen_exp(function, iterable, element, condition)
        return _overloaded(function)(_staged(library, function, iterable, element, condition))
    element, condition = _of_item(element), condition and _of_item(condition)
    try:
        if function is any or function is all:
            return decided(function is any, _tested(function, element, condition), iterable)
        if function is sum:
            first = 0 if start is _FROM_ZERO else start
            return sum(_summands(iterable, element, condition), first)
        if not ongoing:  # Python compares each element before it computes the next one.
            return function(_summands(iterable, element, condition))
        return _overloaded(function)(list_comp(iterable, element, condition))
    except StopIteration as error:
        raise _in_generator() from error


def _in_generator() -> RuntimeError:
    """Return what Python makes of StopIteration in the body of a generator (PEP 479)."""
    return RuntimeError("generator raised StopIteration")


def _items(iterable: Iterable[Any], element: Function, condition: Function | None) -> Any:
    if not ongoing:
        return _summands(iterable, _of_item(element), condition and _of_item(condition))
    try:
        return list_comp(iterable, element, condition)
    except StopIteration as error:
        raise _in_generator() from error


def _all_items(iterable: Iterable[Any], *_reached: object) -> Any:
    return listed(iterable)


def _next(iterable: object, element: Function, condition: Function | None, default: object) -> Any:
    """Return the element of the first item that satisfies the condition, or the default.

    Raises:
      StopIteration: if there is none, and no default.
    """
    if default is not _FROM_ZERO:
        return _first(iterable, element, condition, default)[1]
    found, result = _first(iterable, element, condition, None)
    library = library_of(found)
    if library is not None:
        trace.raises += 1
        library.raise_when(not_(found), StopIteration())
    elif not found:
        raise StopIteration
    return result


def _first(
    iterable: object, element: Function, condition: Function | None, default: object
) -> tuple[Any, Any]:
    """Return whether an item satisfies the condition, and the element of the first such item."""
    found, result = False, default

    def get_state() -> tuple[Any, ...]:
        return found, result

    def set_state(values: tuple[Any, ...]) -> None:
        nonlocal found, result
        found, result = values

    def body(item: object) -> None:
        def take() -> None:
            nonlocal found, result
            found, result = True, element(item)

        test = True if condition is None else condition(item)
        if_stmt(test, take, None, get_state, set_state, _NAMES_OF_NEXT)

    try:
        for_stmt(iterable, body, get_state, set_state, _NAMES_OF_NEXT, lambda: not_(found))
    except StopIteration as error:
        raise _in_generator() from error
    return found, result


_NAMES_OF_NEXT = ("whether `next` found an item", "the result of `next`")


def _has_known_length(iterable: object) -> bool:
    """Return whether Python can iterate over it; the result is then a Python list."""
    if hasattr(type(iterable), "__autograph_for__"):
        return False
    library = library_of(iterable)
    if library is None:
        return True
    try:
        return type(library.builtin("len", iterable)) is int
    except TypeError:  # It has none: iterating over it says why.
        return True


def _overloaded(function: Function) -> Function:
    return overload_of(function) or function


def _of_item(function: Function) -> Function:
    """Return a function of one item, which unpacks it as loop targets do."""
    count = function.__code__.co_argcount
    if count == 1:
        return function
    return lambda item: function(*_unpacked(item, count))


def _unpacked(item: Any, count: int) -> tuple[Any, ...]:
    kind = type(item)
    if not hasattr(kind, "__iter__") and not hasattr(kind, "__getitem__"):
        raise TypeError(f"cannot unpack non-iterable {kind.__name__} object")
    values = tuple(islice(item, count + 1))  # Python reads no more, either.
    if len(values) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if len(values) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(values)})")
    return values


def _staged(
    library: StagingLibrary,
    function: Function,
    iterable: Iterable[Any],
    element: Function,
    condition: Function | None,
) -> Any:
    """Return the elements of a staged iterable, unfiltered if the function does not need it."""
    if condition is not None and function in (min, max):
        return list_comp(iterable, element, condition)
    element, condition = _of_item(element), condition and _of_item(condition)
    if function is sum and condition is not None:
        of_item = _summand(element, condition)
    else:
        of_item = _tested(function, element, condition)
    if function is any or function is all:
        with items_by_library():
            return _mapped(library, partial(without_effects, of_item), iterable)
    return _mapped(library, of_item, iterable)


def _mapped(library: StagingLibrary, of_item: Function, iterable: Iterable[Any]) -> Any:
    mapped = library.builtin("map", of_item, iterable)
    if mapped is NotImplemented:
        return [of_item(item) for item in iterable]
    return list_comp(mapped, _itself)


def _tested(function: Function, element: Function, condition: Function | None) -> Function:
    """Return the test for `any` or `all`, with the filter included."""
    if condition is None:
        return element
    if function is any:
        return lambda item: and_(condition(item), lambda: element(item))
    return lambda item: or_(not_(condition(item)), lambda: element(item))


def _summands(
    iterable: Iterable[Any], element: Function, condition: Function | None
) -> Iterator[Any]:
    if condition is None:
        for item in iterable:
            yield element(item)
        return
    for item in iterable:
        test = condition(item)
        if library_of(test) is not None:
            yield if_exp(test, partial(element, item), _zero)
        elif test:
            yield element(item)


def _summand(element: Function, condition: Function) -> Function:
    return lambda item: if_exp(condition(item), lambda: element(item), _zero)


def _zero() -> int:
    return 0


def _itself(value: object) -> Any:
    return value
